import { NativeSelect, Stack, Text, Title } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQueries } from '@tanstack/react-query';
import { useEffect } from 'react';
import { payrollPreviewQuery } from '../../api/queries.ts';
import { day } from '../../kit/dates.ts';
import { DateField } from '../../kit/form/date-field.tsx';
import { modelsOf, useEndReasonWords } from '../../kit/hr-words.tsx';
import { usePayEffect } from '../../kit/pay/effect.ts';
import { EffectView, PendingCorrections } from '../../kit/pay/effect-view.tsx';
import { type Bike, changeOf, type Choice, isDayOf } from './departure.ts';
import shared from '../../kit/shared.module.css';

interface ChoiceProps {
  readonly bike: Bike;
  readonly choice: Choice;
  /** Whether what is missing is named. */
  readonly isAsked: boolean;
  readonly change: (changed: Partial<Choice>) => void;
}

/** The choice for one bike, with its effect on pay. */
export function BikeChoice({ bike, choice, isAsked, change }: ChoiceProps) {
  const { t } = useLingui();
  const reasons = useEndReasonWords();
  const effect = usePayEffect(bike.id, changeOf(bike, choice));
  const { outcome, lastDay } = choice;
  const { startDate, endDate } = bike.contract;
  const [first, last] = [day(startDate), endDate === null ? '…' : day(endDate)];
  return (
    <Stack component="section" gap="sm">
      <BikeName bike={bike} />
      <NativeSelect
        label={t`What happens to the bike`}
        required
        value={outcome}
        error={isAsked && outcome === '' && t`Choose what happens to the bike.`}
        data={[
          { value: '', label: t`Choose …` },
          ...Object.entries(reasons).map(([value, label]) => ({ value, label })),
          { value: 'continue', label: t`The contract goes on here` },
        ]}
        onChange={({ currentTarget }) => change({ outcome: currentTarget.value as Choice['outcome'] })}
      />
      {outcome === 'continue' ? (
        <Text size="sm">
          <Trans>Nothing is recorded. Deductions go on as agreed, and the check asks about them.</Trans>
        </Text>
      ) : (
        <DateField
          label={t`Last day of the contract`}
          required
          value={lastDay}
          error={!isDayOf(bike, choice) && t`Enter a day of the contract, from ${first} to ${last}.`}
          onChange={changed => change({ lastDay: changed })}
        />
      )}
      {outcome === 'purchase' && (
        <Text size="sm" c="dimmed">
          <Trans>Kontor does not deduct the purchase price.</Trans>
        </Text>
      )}
      {changeOf(bike, choice) !== null && <EffectView effect={effect} isAsking={false} />}
    </Stack>
  );
}

function BikeName({ bike }: { bike: Bike }) {
  const { orderNumber } = bike;
  return (
    <Title order={3} size="h4">
      {modelsOf(bike)}{' '}
      <Text span size="sm" c="dimmed" fw={400}>
        <Trans>Order {orderNumber}</Trans>
      </Text>
    </Title>
  );
}

interface EffectsProps {
  readonly bikes: readonly Bike[];
  readonly choice: (bike: Bike) => Choice;
  /** The changes whose unusual parts are confirmed. */
  readonly confirmed: readonly string[];
  readonly confirm: (confirmed: readonly string[]) => void;
  readonly isAsked: boolean;
  /** Whether all effects are there, and confirmed where they ask. */
  readonly ready: (isReady: boolean) => void;
}

/** The last deductions of each bike, before anything is stored. */
export function BikeEffects({ bikes, choice, confirmed, confirm, isAsked, ready }: EffectsProps) {
  const { t } = useLingui();
  const changes = bikes.map(bike => changeOf(bike, choice(bike)) ?? {});
  const answers = useQueries({
    queries: bikes.map((bike, at) => payrollPreviewQuery(bike.id, changes[at]!)),
  });
  const keys = bikes.map((bike, at) => JSON.stringify([bike.id, changes[at]]));
  const isReady = answers.every(
    ({ data }, at) => data !== undefined && (data.questions.length === 0 || confirmed.includes(keys[at]!)),
  );
  useEffect(() => ready(isReady), [isReady, ready]);
  return bikes.map((bike, at) => {
    const key = keys[at]!;
    const { data, error, refetch } = answers[at]!;
    return (
      <Stack key={bike.id} component="section" gap="xs">
        <BikeName bike={bike} />
        <ChosenOutcome choice={choice(bike)} />
        <EffectView
          effect={{
            preview: data,
            error,
            refetch,
            isConfirmed: confirmed.includes(key),
            confirm: confirms =>
              confirm(confirms ? [...confirmed, key] : confirmed.filter(each => each !== key)),
            canSend: isReady,
          }}
          problem={isAsked && !confirmed.includes(key) && t`Confirm this, or go back and change it.`}
        />
      </Stack>
    );
  });
}

function ChosenOutcome({ choice: { outcome, lastDay } }: { choice: Choice }) {
  const reasons = useEndReasonWords();
  if (outcome === 'continue' || outcome === '')
    return (
      <Text size="sm">
        <Trans>The contract goes on here</Trans>
      </Text>
    );
  const last = day(lastDay);
  return (
    <Text size="sm">
      {reasons[outcome]}. <Trans>The contract ends on {last}.</Trans>
    </Text>
  );
}

interface RecordedProps extends Pick<EffectsProps, 'bikes' | 'choice'> {
  readonly recorded: readonly string[];
  /** Whether each end says if it is recorded; not where all are. */
  readonly isPartial?: boolean;
}

/** The recorded ends, with the corrections of the next run. */
export function BikesRecorded({ bikes, choice, recorded, isPartial = false }: RecordedProps) {
  return (
    <ul className={shared.list}>
      {bikes.map(bike => (
        <li key={bike.id}>
          <BikeName bike={bike} />
          <ChosenOutcome choice={choice(bike)} />
          {isPartial && choice(bike).outcome !== 'continue' && (
            <Text size="sm" fw={600}>
              {recorded.includes(bike.id) ? <Trans>Recorded</Trans> : <Trans>Not recorded yet</Trans>}
            </Text>
          )}
          {recorded.includes(bike.id) && <PendingCorrections order={bike.id} />}
        </li>
      ))}
    </ul>
  );
}
