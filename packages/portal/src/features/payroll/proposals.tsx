import { Button, Group, Stack, Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { type AnswerOf, ask, recode } from '../../api/ask.ts';
import { identityQuery, payrollProposalsQuery, usePermission } from '../../api/queries.ts';
import { monthName } from '../../kit/dates.ts';
import { useChangedValues } from '../../kit/detail/changed-values.tsx';
import { Section } from '../../kit/detail/detail-page.tsx';
import { Actor } from '../../kit/detail/timeline.tsx';
import { Failure } from '../../kit/failure.tsx';
import { useAction } from '../../kit/form/use-action.ts';
import { useKindWords } from '../../kit/hr-words.tsx';
import { money } from '../../kit/numbers.ts';
import { confirmDone } from '../../kit/overlay/toasts.tsx';
import { When } from '../../kit/when.tsx';
import { useMeaningWords } from './words.tsx';
import styles from './payroll.module.css';

type Proposal = AnswerOf<'GET /tenants/{id}/payroll-proposals'>['items'][number];

/** Settlements, and changes of the payroll settings, that wait for a second person. */
export function Proposals({ company }: { company: string }) {
  const { data } = useQuery(payrollProposalsQuery(company));
  if (data === undefined || data.items.length === 0) return null;
  return (
    <Section title={<Trans>Waiting for a second person</Trans>}>
      {data.items.map(proposal => (
        <Stack key={proposal.id} gap="xs" className={styles.file}>
          {proposal.settlement === null ? (
            <SettingsOf proposal={proposal} />
          ) : (
            <SettlementOf name={proposal.employeeName} settlement={proposal.settlement} />
          )}
          <Text size="sm" c="dimmed" component="div">
            <Trans>
              <Actor {...proposal.proposedBy} /> proposed it <When at={proposal.proposedAt} />.
            </Trans>
          </Text>
          <Decide proposal={proposal} />
        </Stack>
      ))}
    </Section>
  );
}

function SettlementOf({
  name,
  settlement,
}: {
  name: string | null;
  settlement: NonNullable<Proposal['settlement']>;
}) {
  const { t } = useLingui();
  const kinds = useKindWords();
  const meanings = useMeaningWords();
  const { kind, month, amount = '0.00', meaning, reason } = settlement;
  return (
    <div>
      <Text fw={600}>
        {name ?? t`A person without a name`}: {money(amount, 'EUR')}
      </Text>
      <Text size="sm">
        {meanings[meaning]}, {kinds[kind]}, {monthName(month)}
      </Text>
      <Text size="sm">{reason}</Text>
    </div>
  );
}

function SettingsOf({ proposal: { settings, changes } }: { proposal: Proposal }) {
  const render = useChangedValues([]);
  return (
    <div>
      <Text fw={600}>
        <Trans>Payroll settings from {monthName(settings?.from ?? '')}</Trans>
      </Text>
      <Text size="sm" component="div">
        {render(changes)}
      </Text>
    </div>
  );
}

const rejected = recode({
  VALIDATION_ERROR: 'AMOUNT_NOT_OPEN',
  INVALID_STATE_TRANSITION: 'CHANGED_MEANWHILE',
});

/** Its author can only withdraw it. */
function Decide({ proposal: { id, proposedBy } }: { proposal: Proposal }) {
  const { t } = useLingui();
  const mayRelease = usePermission('PAYROLL_RELEASE');
  const isOwn = useQuery(identityQuery).data?.user.id === proposedBy.id;
  const action = useAction(
    [['payroll']],
    (decision: 'confirmed' | 'rejected') =>
      ask('POST /payroll-proposals/{id}/decision', { id, body: { decision } }).catch(rejected),
    ({ status }) =>
      confirmDone(status === 'confirmed' ? t`The proposal is confirmed.` : t`The proposal is rejected.`),
  );
  if (!mayRelease)
    return (
      <Text size="sm" c="dimmed">
        <Trans>Another user who may release payroll confirms it.</Trans>
      </Text>
    );
  return (
    <>
      <Group>
        {!isOwn && (
          <Button size="xs" loading={action.busy} onClick={() => void action.run('confirmed')}>
            <Trans>Confirm</Trans>
          </Button>
        )}
        <Button size="xs" variant="default" loading={action.busy} onClick={() => void action.run('rejected')}>
          <Trans>Reject</Trans>
        </Button>
      </Group>
      {action.error !== null && <Failure error={action.error} />}
    </>
  );
}
