import { NativeSelect, SimpleGrid } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { ask } from '../../api/ask.ts';
import { TextArea } from '../../kit/form/limited-fields.tsx';
import { day, dayInYears, monthName, monthsBetween, parseDay, thisMonth } from '../../kit/dates.ts';
import { DateField } from '../../kit/form/date-field.tsx';
import { DecimalField } from '../../kit/form/decimal-field.tsx';
import { useAction } from '../../kit/form/use-action.ts';
import { useUndo } from '../../kit/form/use-undo.tsx';
import { type EndReason, useEndReasonWords } from '../../kit/hr-words.tsx';
import { isDecimal } from '../../kit/numbers.ts';
import { confirmDone } from '../../kit/overlay/toasts.tsx';
import { PayEffectForm } from '../../kit/pay/effect-view.tsx';
import type { Order, OrderDetails } from './words.tsx';

export type Contract = NonNullable<Order['contract']>;
type ContractRecord = OrderDetails['contractRecord'];

/** The queries that a change of a contract makes outdated. */
export const contractChanges = [['orders'], ['payroll']];

/** The early end that holds. */
export function holdingEndOf({ endHistory }: ContractRecord) {
  const last = endHistory.at(-1);
  return last?.withdrawnAt === null ? last : undefined;
}

type End = Pick<ContractRecord['endHistory'][number], 'lastDay' | 'reason' | 'comment'>;

export function recordEnd(id: string, { lastDay, reason, comment }: End) {
  return ask('POST /orders/{id}/contract-end', { id, body: { lastDay, reason, comment } });
}

export function withdrawEnd(id: string) {
  return ask('DELETE /orders/{id}/contract-end', { id });
}

export function withdrawVersion(id: string, versionId: string) {
  return ask('DELETE /orders/{id}/contract-versions/{versionId}', { id, versionId });
}

interface Props {
  readonly details: OrderDetails;
  readonly close: () => void;
}

/** Records the last day of a contract that ends early, or another one. */
export function EndForm({ details: { order, contractRecord }, close }: Props) {
  const { t } = useLingui();
  const reasons = useEndReasonWords();
  const holding = holdingEndOf(contractRecord);
  const [lastDay, setLastDay] = useState(holding?.lastDay ?? '');
  const [reason, setReason] = useState<EndReason | ''>(holding?.reason ?? '');
  const [comment, setComment] = useState(holding?.comment ?? '');
  const { startDate, endDate } = order.contract!;
  const [earliest, latest] = [startDate!, contractRecord.agreedEndDate ?? endDate];
  const isDay = parseDay(lastDay) !== null;
  const isOutside = isDay && (lastDay < earliest || (latest !== null && lastDay > latest));
  const [first, last] = [day(earliest), latest === null ? '…' : day(latest)];
  const confirmUndo = useUndo(contractChanges);
  const action = useAction(
    contractChanges,
    () => recordEnd(order.id, { lastDay, reason: reason as EndReason, comment: comment.trim() || null }),
    () => {
      close();
      confirmUndo({
        done: t`The end of the contract is recorded.`,
        undo: () => (holding ? recordEnd(order.id, holding) : withdrawEnd(order.id)),
        undone: t`The end of the contract is as before.`,
      });
    },
  );
  return (
    <PayEffectForm
      order={order.id}
      change={isDay && !isOutside ? { lastDay } : null}
      isDisabled={reason === ''}
      action={action}
      close={close}
      submit={<Trans>Record the end</Trans>}
    >
      <DateField
        label={t`Last day of the contract`}
        required
        value={lastDay}
        error={isOutside && t`Enter a day of the contract, from ${first} to ${last}.`}
        onChange={setLastDay}
        data-autofocus
      />
      <NativeSelect
        label={t`Reason`}
        required
        value={reason}
        data={[
          { value: '', label: t`Choose …` },
          ...Object.entries(reasons).map(([value, label]) => ({ value, label })),
        ]}
        onChange={({ currentTarget }) => setReason(currentTarget.value as EndReason | '')}
      />
      <CommentField value={comment} change={setComment} />
    </PayEffectForm>
  );
}

function CommentField({ value, change }: { value: string; change: (comment: string) => void }) {
  const { t } = useLingui();
  return (
    <TextArea
      label={t`Comment`}
      limit={2000}
      value={value}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
  );
}

type AmountField = keyof ReturnType<typeof useAmountWords>;

/** The amounts of a contract that can change. */
export function useAmountWords() {
  const { t } = useLingui();
  return {
    leasingRate: t`Leasing rate`,
    leasingRateSubsidy: t`Employer’s share of the leasing rate`,
    insuranceRate: t`Insurance rate`,
    insuranceRateSubsidy: t`Employer’s share of the insurance`,
    serviceRate: t`Service rate`,
    serviceRateSubsidy: t`Employer’s share of the service`,
    listPrice: t`List price incl. VAT`,
  };
}

/** Changes amounts from a month on. Only what differs from the amounts of that month is sent. */
export function VersionForm({ details: { order, contractRecord }, close }: Props) {
  const { t } = useLingui();
  const names = useAmountWords();
  const { startDate, endDate } = order.contract!;
  const horizon = dayInYears(10);
  const months = monthsBetween(startDate!, endDate !== null && endDate < horizon ? endDate : horizon);
  const [from, setFrom] = useState(months.find(month => month > thisMonth()) ?? months.at(-1)!);
  const [typed, setTyped] = useState<Partial<Record<AmountField, string>>>({});
  const [comment, setComment] = useState('');
  const amounts = contractRecord.amounts.findLast(each => each.from === null || each.from <= from)!;
  const valueOf = (field: AmountField) => typed[field] ?? amounts[field];
  const fields = Object.keys(names) as AmountField[];
  const changed = fields.filter(field => valueOf(field) !== amounts[field]);
  const isValid = changed.length > 0 && changed.every(field => isDecimal(valueOf(field)));
  const confirmUndo = useUndo(contractChanges);
  const version = { from, ...Object.fromEntries(changed.map(field => [field, valueOf(field)])) };
  const action = useAction(
    contractChanges,
    () =>
      ask('POST /orders/{id}/contract-versions', {
        id: order.id,
        body: { ...version, comment: comment.trim() || null },
      }),
    recorded => {
      close();
      const known = new Set(contractRecord.versions.map(({ id }) => id));
      const added = recorded.contractRecord.versions.find(({ id }) => !known.has(id));
      if (added === undefined) return confirmDone(t`The amounts are changed.`);
      return confirmUndo({
        done: t`The amounts are changed.`,
        undo: () => withdrawVersion(order.id, added.id),
        undone: t`The change is withdrawn.`,
      });
    },
  );
  return (
    <PayEffectForm
      order={order.id}
      change={isValid ? { version } : null}
      action={action}
      close={close}
      submit={<Trans>Change the amounts</Trans>}
    >
      <NativeSelect
        label={t`From month`}
        description={t`Amounts of earlier months stay.`}
        value={from}
        data={months.map(month => ({ value: month, label: monthName(month) }))}
        onChange={({ currentTarget }) => setFrom(currentTarget.value)}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {fields.map(field => (
          <DecimalField
            key={field}
            label={names[field]}
            currency={order.contract!.currency}
            value={valueOf(field)}
            error={!isDecimal(valueOf(field)) && t`Enter an amount.`}
            onChange={value => setTyped(before => ({ ...before, [field]: value }))}
          />
        ))}
      </SimpleGrid>
      <CommentField value={comment} change={setComment} />
    </PayEffectForm>
  );
}
