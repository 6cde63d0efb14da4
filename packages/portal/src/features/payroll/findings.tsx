import { Stack, Text, Title } from '@mantine/core';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { monthName, number } from '../../kit/dates.ts';
import { Section } from '../../kit/detail/detail-page.tsx';
import { money } from '../../kit/money.ts';
import { TextLink } from '../../kit/navigation/link-button.tsx';
import { WhyLink } from './why-link.tsx';
import { type Finding, type Run, useFindingWords, useKindWords } from './words.tsx';
import shared from '../../kit/shared.module.css';
import styles from './payroll.module.css';

interface Props {
  readonly summary: NonNullable<Run['summary']>;
  readonly findings: readonly Finding[];
}

/** The list to work off before a release: errors, amounts that are left out, and questions. */
export function WorkOff({ summary: { errors, skipped, questions }, findings }: Props) {
  const of = (severity: Finding['severity']) => findings.filter(finding => finding.severity === severity);
  if (errors + skipped + questions === 0)
    return (
      <Section title={<Trans>Nothing to work off</Trans>}>
        <Text size="sm">
          <Trans>There are no errors, no questions, and nobody is left out.</Trans>
        </Text>
      </Section>
    );
  return (
    <Section title={<Trans>To work off</Trans>}>
      <Stack gap="lg">
        <Part title={<Trans>Errors: they block the release</Trans>} total={errors} findings={of('error')} />
        <Part
          title={<Trans>Left out: it stays owed until it is fixed or settled</Trans>}
          total={skipped}
          findings={of('skipped')}
        />
        <Part title={<Trans>Questions</Trans>} total={questions} findings={of('question')} />
      </Stack>
    </Section>
  );
}

interface PartProps {
  readonly title: ReactNode;
  readonly total: number;
  readonly findings: readonly Finding[];
}

function Part({ title, total, findings }: PartProps) {
  const words = useFindingWords();
  if (total === 0) return null;
  const codes = Map.groupBy(findings, ({ code }) => code);
  const more = total - findings.length;
  return (
    <section>
      <Title order={3} size="h4" mb="xs">
        {title}
      </Title>
      <Stack gap="md">
        {Array.from(codes, ([code, rows]) => (
          <div key={code}>
            <Text size="sm">{words[code]}</Text>
            <Rows findings={rows} />
          </div>
        ))}
      </Stack>
      {more > 0 && (
        <Text size="sm" c="dimmed">
          <Plural value={more} one="# more is not shown" other="# more are not shown" />
        </Text>
      )}
    </section>
  );
}

/** How the month differs from the one before, by what changed. */
export function Differences({ findings }: { findings: readonly Finding[] }) {
  const words = useFindingWords();
  const infos = findings.filter(({ severity }) => severity === 'info');
  if (infos.length === 0) return null;
  return (
    <Section title={<Trans>Differences and corrections</Trans>}>
      {Array.from(
        Map.groupBy(infos, ({ code }) => code),
        ([code, rows]) => (
          <details key={code} className={styles.group}>
            <summary>
              {words[code]} ({number(rows.length)})
            </summary>
            <Rows findings={rows} />
          </details>
        ),
      )}
    </Section>
  );
}

function Rows({ findings }: { findings: readonly Finding[] }) {
  const { t } = useLingui();
  const kinds = useKindWords();
  // A finding about the settings has no person and no amount: its text says all.
  const rows = findings.filter(({ employeeId, kind }) => employeeId !== null || kind !== null);
  if (rows.length === 0) return null;
  return (
    <ul className={styles.findings}>
      {rows.map(({ number, employeeId, employeeName, orderId, month, kind, amount }) => (
        <li key={number}>
          <span>
            {employeeId !== null && (
              <WhyLink employee={employeeId}>{employeeName ?? t`A person without a name`}</WhyLink>
            )}{' '}
            {orderId !== null && (
              <TextLink size="xs" to="/orders" search={{ order: orderId, all: true }}>
                <Trans>Open the order</Trans>
              </TextLink>
            )}
          </span>
          <span className={shared.aside}>
            {[kind && kinds[kind], month && monthName(month)].filter(Boolean).join(', ')}{' '}
            {amount !== null && <span className={styles.amount}>{money(amount, 'EUR')}</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}
