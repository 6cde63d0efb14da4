import { Group, Stack, Text, Title } from '@mantine/core';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { usePermission } from '../../api/queries.ts';
import { monthName, number } from '../../kit/dates.ts';
import { Section } from '../../kit/detail/detail-page.tsx';
import { useMayChange } from '../../kit/form/may-change.ts';
import { useOneCompany } from '../../kit/navigation/company.tsx';
import { TextLink } from '../../kit/navigation/link-button.tsx';
import { usePayerWords, useKindWords } from '../../kit/hr-words.tsx';
import { money } from '../../kit/numbers.ts';
import { Answered, AnswerButton } from './answer.tsx';
import { WhyLink } from './why-panel.tsx';
import { type Finding, type Run, useFindingWords } from './words.tsx';
import shared from '../../kit/shared.module.css';
import styles from './payroll.module.css';

type Summary = NonNullable<Run['summary']>;

interface Props {
  /** The run of the report. */
  readonly id: string;
  readonly summary: Summary;
  readonly findings: readonly Finding[];
  /** The figures of the check that this one has replaced on this page. */
  readonly before: Summary | undefined;
  /** The button that checks again. */
  readonly children: ReactNode;
}

const countOpen = ({ errors, skipped, questions }: Summary) => errors + skipped + questions;

const countPersons = (findings: readonly Finding[]) =>
  new Set(findings.flatMap(({ employeeId }) => employeeId ?? [])).size;

/** The list to work off before a release: errors, amounts that are left out, and questions. */
export function WorkOff({ id, summary, findings, before, children }: Props) {
  const { errors, skipped, questions } = summary;
  const open = countOpen(summary);
  const of = (severity: Finding['severity']) =>
    findings.filter(finding => finding.severity === severity && finding.acknowledgement === null);
  return (
    <Section title={open === 0 ? <Trans>Nothing to do</Trans> : <Trans>To do</Trans>}>
      <Group justify="space-between">
        <Text size="sm">
          {open === 0 ? (
            <Trans>There are no errors, no questions, and nobody is left out.</Trans>
          ) : (
            <Trans>After you fix something, check the month again.</Trans>
          )}
        </Text>
        {children}
      </Group>
      <Text size="sm" fw={600} role="status" my="md">
        <Count {...{ open, before, findings }} />
      </Text>
      <Stack gap="lg">
        <Part title={<Trans>Errors: they block the release</Trans>} total={errors} findings={of('error')} />
        <Part
          title={<Trans>Left out: it stays owed until it is fixed or settled</Trans>}
          total={skipped}
          findings={of('skipped')}
        />
        <Part title={<Trans>Questions</Trans>} total={questions} findings={of('question')} run={id} />
      </Stack>
      <Answered findings={findings} />
    </Section>
  );
}

interface CountProps {
  readonly open: number;
  readonly before: Summary | undefined;
  readonly findings: readonly Finding[];
}

/** The length of the list, and what another check has changed about it. One person can have several findings. */
function Count({ open, before, findings }: CountProps) {
  if (open === 0 && before === undefined) return null;
  const listed = findings.filter(
    ({ severity, acknowledgement }) => severity !== 'info' && acknowledgement === null,
  );
  // A list that is cut does not have all people.
  const persons = listed.length < open ? 0 : countPersons(listed);
  const earlier = before && number(countOpen(before));
  return (
    <>
      {before && <Trans>Checked again:</Trans>} <Plural value={open} one="# finding" other="# findings" />{' '}
      {persons > 0 && (
        <Trans>
          about <Plural value={persons} one="# person" other="# people" />
        </Trans>
      )}{' '}
      {before && <Trans>({earlier} before)</Trans>}
    </>
  );
}

interface RowsProps {
  readonly findings: readonly Finding[];
  /** The run whose questions these are; absent for other findings. */
  readonly run?: string;
}

interface PartProps extends RowsProps {
  readonly title: ReactNode;
  readonly total: number;
}

function Part({ title, total, findings, run }: PartProps) {
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
            {rows[0]!.action === 'settings' && <SettingsRemedy />}
            <Rows findings={rows} {...(run !== undefined && { run })} />
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
              {words[code]} (<Plural value={countPersons(rows)} one="# person" other="# people" />)
            </summary>
            <Rows findings={rows} />
          </details>
        ),
      )}
    </Section>
  );
}

/** A row for each person with all amounts that are left out for one reason. */
function Rows({ findings, run }: RowsProps) {
  // A finding about the settings has no person and no amount: its text says all.
  const rows = findings.filter(
    ({ employeeId, kind }) => employeeId !== null || kind !== null || run !== undefined,
  );
  if (rows.length === 0) return null;
  const groups = Map.groupBy(rows, ({ number, employeeId, orderId, field }) =>
    employeeId === null ? String(number) : `${employeeId} ${orderId} ${field}`,
  );
  return (
    <ul className={styles.findings}>
      {Array.from(groups, ([key, ofPerson]) => (
        <FindingRow key={key} first={ofPerson[0]!} findings={ofPerson} {...(run !== undefined && { run })} />
      ))}
    </ul>
  );
}

function FindingRow({ first, findings, run }: RowsProps & { first: Finding }) {
  const { t } = useLingui();
  const kinds = useKindWords();
  const payers = usePayerWords();
  const { employeeId, employeeName } = first;
  const about = ({ kind, month }: Finding) =>
    [kind && kinds[kind], month && monthName(month)].filter(Boolean).join(', ');
  return (
    <li>
      <span>
        {employeeId === null ? (
          about(first)
        ) : (
          <WhyLink employee={employeeId}>{employeeName ?? t`A person without a name`}</WhyLink>
        )}{' '}
        <Remedy finding={first} /> <DepartureLink finding={first} />
        {run !== undefined && <AnswerButton run={run} findings={findings} />}
      </span>
      <span className={shared.aside}>
        {findings.map(finding => (
          <span key={finding.number} className={styles.line}>
            {employeeId !== null && about(finding)}{' '}
            {finding.amount !== null && <span className={styles.amount}>{money(finding.amount, 'EUR')}</span>}
            {finding.payer !== null && ` · ${payers[finding.payer]}`}
          </span>
        ))}
      </span>
    </li>
  );
}

/** A link to where the finding is resolved. The name of the person leads to the explanation. */
function Remedy({ finding: { action, employeeId, orderId, divisionId } }: { finding: Finding }) {
  const company = useOneCompany();
  if (employeeId === null) return null;
  if (action === 'incidents')
    return (
      <TextLink size="xs" to="/employees/$id" params={{ id: employeeId }} search={{ tab: 'incidents' }}>
        <Trans>Open the incidents</Trans>
      </TextLink>
    );
  if (action === 'settlement')
    return (
      <WhyLink size="xs" employee={employeeId}>
        <Trans>Settle the amount</Trans>
      </WhyLink>
    );
  if (action === 'employee')
    return (
      <TextLink size="xs" to="/employees/$id" params={{ id: employeeId }}>
        <Trans>Open the employee</Trans>
      </TextLink>
    );
  if (company !== undefined && divisionId !== null)
    return (
      <TextLink size="xs" to="/companies/$id" params={{ id: company }} search={{ division: divisionId }}>
        <Trans>Open the division</Trans>
      </TextLink>
    );
  if (orderId === null || action === 'settings') return null;
  return (
    <TextLink size="xs" to="/orders" search={{ order: orderId, all: true }}>
      <Trans>Open the order</Trans>
    </TextLink>
  );
}

const departures: readonly Finding['code'][] = ['left', 'retired', 'deceased', 'employer_changed', 'blocked'];

/** Where to record what happens to the bikes of a person who has left. */
function DepartureLink({ finding: { code, employeeId } }: { finding: Finding }) {
  const mayChange = useMayChange();
  if (employeeId === null || !departures.includes(code) || !mayChange) return null;
  return (
    <TextLink size="xs" to="/employees/$id/departure" params={{ id: employeeId }}>
      <Trans>Record a departure</Trans>
    </TextLink>
  );
}

/** The way to the payroll settings, which only company admins change. */
function SettingsRemedy() {
  const company = useOneCompany();
  const isAdmin = usePermission('COMPANY_ADMIN');
  if (company === undefined) return null;
  if (!isAdmin)
    return (
      <Text size="sm" c="dimmed">
        <Trans>A company admin changes the payroll settings.</Trans>
      </Text>
    );
  return (
    <TextLink size="sm" to="/companies/$id" params={{ id: company }} search={{ tab: 'payroll' }}>
      <Trans>Open the payroll settings</Trans>
    </TextLink>
  );
}
