import { Group, Stack, Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { day, monthName } from '../../kit/dates.ts';
import { Fact, Facts } from '../../kit/detail/facts.tsx';
import { Actor, Timeline, type TimelineEvent } from '../../kit/detail/timeline.tsx';
import { useAction } from '../../kit/form/use-action.ts';
import { useUndo } from '../../kit/form/use-undo.tsx';
import { useEndReasonWords } from '../../kit/hr-words.tsx';
import { money } from '../../kit/numbers.ts';
import { DialogButton } from '../../kit/overlay/dialog.tsx';
import { PanelSection } from '../../kit/overlay/side-panel.tsx';
import { confirmDone } from '../../kit/overlay/toasts.tsx';
import { PayEffectForm, PendingCorrections } from '../../kit/pay/effect-view.tsx';
import {
  type Contract,
  contractChanges,
  EndForm,
  holdingEndOf,
  recordEnd,
  useAmountWords,
  VersionForm,
  withdrawEnd,
  withdrawVersion,
} from './contract-forms.tsx';
import type { OrderDetails } from './words.tsx';

type ContractRecord = OrderDetails['contractRecord'];
type Version = ContractRecord['versions'][number];

/** The contract after the handover: its end, its amounts by month, and who has recorded them. */
export function ContractSection({ details }: { details: OrderDetails }) {
  const { order, contractRecord, employee } = details;
  const { contract } = order;
  const isRunning = order.status === 'active' || order.status === 'completed';
  if (!isRunning || contract === null || contract.startDate === null) return null;
  const end = holdingEndOf(contractRecord);
  return (
    <PanelSection title={<Trans>Contract</Trans>}>
      <Stack gap="md">
        <Days contract={contract} record={contractRecord} />
        <PendingCorrections order={order.id} />
        {employee && (
          <Group gap="xs">
            <DialogButton
              label={end ? <Trans>Change the end</Trans> : <Trans>End early</Trans>}
              title={<Trans>Early end of the contract</Trans>}
            >
              {close => <EndForm details={details} close={close} />}
            </DialogButton>
            <DialogButton
              isShown={end !== undefined}
              label={<Trans>Withdraw the end</Trans>}
              title={<Trans>Withdraw the early end?</Trans>}
            >
              {close => <WithdrawEnd details={details} close={close} />}
            </DialogButton>
            <DialogButton label={<Trans>Change the amounts</Trans>} title={<Trans>Change the amounts</Trans>}>
              {close => <VersionForm details={details} close={close} />}
            </DialogButton>
          </Group>
        )}
        <Record details={details} />
      </Stack>
    </PanelSection>
  );
}

function Days({ contract, record }: { contract: Contract; record: ContractRecord }) {
  const reasons = useEndReasonWords();
  const end = holdingEndOf(record);
  const agreed = record.agreedEndDate && day(record.agreedEndDate);
  const last = contract.endDate && day(contract.endDate);
  return (
    <Facts>
      <Fact name={<Trans>First day</Trans>}>{day(contract.startDate!)}</Fact>
      <Fact name={<Trans>Last day</Trans>}>
        {last}
        {end && (
          <Text size="sm" c="dimmed">
            {reasons[end.reason]} {agreed && <Trans>(agreed: {agreed})</Trans>}
          </Text>
        )}
      </Fact>
    </Facts>
  );
}

interface WithdrawProps {
  readonly details: OrderDetails;
  readonly close: () => void;
}

function WithdrawEnd({ details: { order, contractRecord }, close }: WithdrawProps) {
  const { t } = useLingui();
  const confirmUndo = useUndo(contractChanges);
  const end = holdingEndOf(contractRecord);
  const action = useAction(
    contractChanges,
    () => withdrawEnd(order.id),
    () => {
      close();
      if (end === undefined) return confirmDone(t`The end is withdrawn.`);
      return confirmUndo({
        done: t`The end is withdrawn.`,
        undo: () => recordEnd(order.id, end),
        undone: t`The end of the contract is as before.`,
      });
    },
  );
  return (
    <PayEffectForm
      order={order.id}
      change={{ lastDay: null }}
      action={action}
      close={close}
      submit={<Trans>Withdraw</Trans>}
    >
      <Text size="sm">
        <Trans>The contract runs to its agreed last day again. The record keeps the withdrawn end.</Trans>
      </Text>
    </PayEffectForm>
  );
}

function WithdrawVersion({ details: { order }, version, close }: WithdrawProps & { version: Version }) {
  const { t } = useLingui();
  const action = useAction(
    contractChanges,
    () => withdrawVersion(order.id, version.id),
    () => {
      close();
      confirmDone(t`The change is withdrawn.`);
    },
  );
  return (
    <PayEffectForm
      order={order.id}
      change={{ withdrawnVersion: version.id }}
      action={action}
      close={close}
      submit={<Trans>Withdraw</Trans>}
    >
      <VersionText version={version} />
    </PayEffectForm>
  );
}

/** All that was recorded, the latest first. Withdrawn entries stay readable. */
function Record({ details }: { details: OrderDetails }) {
  const { contractRecord, employee } = details;
  const { endHistory, versions } = contractRecord;
  const events: TimelineEvent[] = [
    ...endHistory.map((end, index) => ({
      ...eventOf(end, `end ${index}`),
      what: (
        <Recorded entry={end}>
          <EndText end={end} />
        </Recorded>
      ),
    })),
    ...versions.map(version => ({
      ...eventOf(version, version.id),
      what: (
        <Recorded entry={version}>
          <VersionText version={version} />
          <DialogButton
            size="compact-xs"
            variant="subtle"
            isShown={version.withdrawnAt === null && employee !== null}
            label={<Trans>Withdraw</Trans>}
            title={<Trans>Withdraw the change of amounts?</Trans>}
          >
            {close => <WithdrawVersion details={details} version={version} close={close} />}
          </DialogButton>
        </Recorded>
      ),
    })),
  ];
  if (events.length === 0) return null;
  return <Timeline events={events.toSorted((one, other) => (one.at < other.at ? 1 : -1))} />;
}

type Entry = Version | ContractRecord['endHistory'][number];

function eventOf({ recordedAt: at, recordedBy }: Entry, id: string) {
  return { id, at, who: <Actor {...recordedBy} /> };
}

function Recorded({
  entry: { comment, withdrawnAt, withdrawnBy },
  children,
}: {
  entry: Entry;
  children: ReactNode;
}) {
  const withdrawn = withdrawnAt && day(withdrawnAt.slice(0, 10));
  return (
    <>
      {children}
      {comment && <Text size="sm">{comment}</Text>}
      {withdrawn && (
        <Text size="sm" c="dimmed">
          <Trans>Withdrawn on {withdrawn} by</Trans> <Actor {...withdrawnBy!} />
        </Text>
      )}
    </>
  );
}

function EndText({ end: { lastDay, reason } }: { end: ContractRecord['endHistory'][number] }) {
  const reasons = useEndReasonWords();
  const last = day(lastDay);
  return (
    <>
      <Trans>Ends on {last}</Trans>: {reasons[reason]}
    </>
  );
}

function VersionText({ version }: { version: Version }) {
  const names = useAmountWords();
  const month = monthName(version.from);
  return (
    <>
      <Trans>Amounts from {month}</Trans>
      <Text size="sm">
        {Object.entries(names)
          .map(([field, name]) => [name, version[field as keyof typeof names]] as const)
          .filter(([, value]) => value !== null)
          .map(([name, value]) => `${name}: ${money(value!, 'EUR')}`)
          .join(' · ')}
      </Text>
    </>
  );
}
