import { Button, Text } from '@mantine/core';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAnswer } from '../../api/answer.ts';
import type { AnswerOf } from '../../api/ask.ts';
import { identityQuery, personalLogsQuery } from '../../api/queries.ts';
import { Answered } from '../../kit/answered.tsx';
import { useAuditWords } from '../../kit/audit-words.tsx';
import { day } from '../../kit/dates.ts';
import { Section } from '../../kit/detail/detail-page.tsx';
import { Fact, Facts } from '../../kit/detail/facts.tsx';
import { Page } from '../../kit/navigation/page.tsx';
import { usePermissionWords } from '../../kit/permission-words.tsx';
import { useLogWords, useMailWords } from './words.tsx';

type Sheet = AnswerOf<'GET /personal-logs'>;
type Log = Sheet['logs'][number];

/** A sheet to print for the works council: stored data about persons, for how long, and who can read it. */
export function WorksCouncilPage() {
  const { t } = useLingui();
  const { data: identity } = useQuery(identityQuery);
  const [today] = useState(() => day(new Date().toISOString()));
  return (
    <Page
      title={t`Sheet for the works council`}
      lead={
        <Trans>
          {identity?.organization.name}, {today}. What Kontor stores about persons, for how long, and who can
          read it (§ 87 (1) no. 6 BetrVG).
        </Trans>
      }
      back={{ to: '/settings/organization', name: t`Settings` }}
      actions={
        <Button variant="default" onClick={() => window.print()}>
          <Trans>Print</Trans>
        </Button>
      }
    >
      <Section title={<Trans>No statistics about persons</Trans>}>
        <Text>
          <Trans>
            Kontor has no statistics, rankings or comparisons of the activity of single persons, and no report
            adds it up. The audit log contains single entries, which company admins can search by user.
          </Trans>
        </Text>
      </Section>
      <Answered answer={useAnswer(personalLogsQuery)} height={600}>
        {sheet => (
          <>
            {sheet.logs.map(log => (
              <LogSection key={log.name} log={log} />
            ))}
            <Companies companies={sheet.companies} />
          </>
        )}
      </Answered>
      <Permissions />
      <Actions />
      <Mails />
    </Page>
  );
}

function LogSection({ log }: { log: Log }) {
  const { name, what, about, until } = useLogWords()[log.name];
  return (
    <Section title={name}>
      <Facts>
        <Fact name={<Trans>What</Trans>}>{what}</Fact>
        <Fact name={<Trans>About</Trans>}>{about}</Fact>
        <Fact name={<Trans>Kept</Trans>}>{until ?? <Kept log={log} />}</Fact>
        <Fact name={<Trans>Read by</Trans>}>
          <Readers log={log} />
        </Fact>
      </Facts>
    </Section>
  );
}

function Kept({ log: { hours, settings } }: { log: Log }) {
  if (hours !== null && settings.length > 0)
    return (
      <Plural
        value={hours / 24}
        one="# day, set by the organization"
        other="# days, set by the organization"
      />
    );
  if (hours !== null)
    return hours % 24 === 0 ? (
      <Plural value={hours / 24} one="# day" other="# days" />
    ) : (
      <Plural value={hours} one="# hour" other="# hours" />
    );
  if (settings.includes('auditDays')) return <Trans>Without limit: the organization has set no period</Trans>;
  return <Trans>By the periods of the company, see “Periods of the companies”</Trans>;
}

function Readers({ log: { permissions, ownOnly } }: { log: Log }) {
  const { t } = useLingui();
  const words = usePermissionWords();
  const readers = [
    ...permissions.map(permission => words[permission].name),
    ...(ownOnly ? [t`each user their own`] : []),
  ];
  return readers.length > 0 ? readers.join(', ') : <Trans>No user of the portal</Trans>;
}

function Companies({ companies }: Pick<Sheet, 'companies'>) {
  return (
    <Section title={<Trans>Periods of the companies</Trans>}>
      <Facts>
        {companies.map(({ id, name, voucherYears, otherDays }) => (
          <Fact key={id} name={<span style={{ overflowWrap: 'anywhere' }}>{name}</span>}>
            <Trans>Payroll, and orders with vouchers of payroll</Trans>:{' '}
            <Plural value={voucherYears} one="# year after their year" other="# years after their year" />
            <br />
            <Trans>Other orders and incidents</Trans>:{' '}
            <Plural
              value={otherDays}
              one="# day after the last change"
              other="# days after the last change"
            />
          </Fact>
        ))}
      </Facts>
      <Text size="sm" c="dimmed" mt="sm">
        <Trans>
          Data can be erased after these periods. Each erasure is a separate decision; nothing is erased
          automatically.
        </Trans>
      </Text>
    </Section>
  );
}

function Permissions() {
  const words = usePermissionWords();
  return (
    <Section title={<Trans>Permissions of users</Trans>}>
      <Facts>
        {Object.values(words).map(({ name, use }) => (
          <Fact key={name} name={name}>
            {use}
          </Fact>
        ))}
      </Facts>
    </Section>
  );
}

/** All actions of the audit by the kind of their target. */
function Actions() {
  const { action, targetType } = useAuditWords().values;
  return (
    <Section title={<Trans>Actions in the audit log</Trans>}>
      <Facts>
        {Object.entries(targetType).map(([type, name]) => (
          <Fact key={type} name={name}>
            {Object.entries(action)
              .filter(([id]) => id.startsWith(`${type}.`))
              .map(([, words]) => words)
              .join(' · ')}
          </Fact>
        ))}
      </Facts>
    </Section>
  );
}

function Mails() {
  const words = useMailWords();
  return (
    <Section title={<Trans>Mails of the service</Trans>}>
      <Facts>
        {Object.values(words).map(({ name, to }) => (
          <Fact key={name} name={name}>
            {to}
          </Fact>
        ))}
      </Facts>
    </Section>
  );
}
