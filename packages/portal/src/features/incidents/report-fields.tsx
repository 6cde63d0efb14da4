import { NativeSelect, Text } from '@mantine/core';
import type { FormErrors } from '@mantine/form';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { ordersOfQuery } from '../../api/queries.ts';
import { day, dayInYears, parseDay, typedDay } from '../../kit/dates.ts';
import { DateField } from '../../kit/form/date-field.tsx';
import type { ReportValues } from './report.ts';
import { type Requirement, type Solution, useRequirementWords, useSolutionWords } from './words.tsx';
import { TextArea, TextField } from '../../kit/form/limited-fields.tsx';

interface Props {
  readonly employeeId: string;
  readonly needed: readonly Requirement[];
  readonly values: ReportValues;
  readonly errors: FormErrors;
  readonly change: (changed: Partial<ReportValues>) => void;
}

/** The fields of a report that its type needs. */
export function ReportFields({ employeeId, needed, values, errors, change }: Props) {
  const { t } = useLingui();
  const names = useRequirementWords();
  const solutions = useSolutionWords();
  const has = (field: Requirement) => needed.includes(field);
  const isAbsence = has('effectiveFrom');
  return (
    <>
      <Text size="sm" c="dimmed">
        <Trans>A complete report needs the fields with an asterisk.</Trans>
      </Text>
      {has('orderId') && (
        <OrderField
          label={names.orderId}
          withAsterisk
          employeeId={employeeId}
          value={values.orderId}
          onChange={orderId => change({ orderId })}
        />
      )}
      {has('occurredOn') && !isAbsence && (
        <DateField
          name="occurredOn"
          label={names.occurredOn}
          withAsterisk
          value={values.occurredOn}
          error={errors['occurredOn']}
          onChange={occurredOn => change({ occurredOn })}
        />
      )}
      {isAbsence && (
        <>
          <DateField
            name="effectiveFrom"
            label={names.effectiveFrom}
            withAsterisk
            value={values.effectiveFrom}
            error={errors['effectiveFrom']}
            onChange={effectiveFrom => change({ effectiveFrom })}
          />
          <DateField
            name="effectiveTo"
            label={t`Last day of absence, if it is known`}
            value={values.effectiveTo}
            error={errors['effectiveTo']}
            onChange={effectiveTo => change({ effectiveTo })}
          />
        </>
      )}
      {has('policeReference') && (
        <TextField
          name="policeReference"
          label={names.policeReference}
          withAsterisk
          placeholder="ST/0123456/2026"
          limit={200}
          value={values.policeReference}
          onChange={({ currentTarget }) => change({ policeReference: currentTarget.value })}
        />
      )}
      {has('description') && (
        <TextArea
          name="description"
          label={names.description}
          withAsterisk
          limit={4000}
          autosize
          minRows={3}
          value={values.description}
          onChange={({ currentTarget }) => change({ description: currentTarget.value })}
        />
      )}
      <NativeSelect
        name="requestedSolution"
        label={t`Requested solution, if there is one`}
        value={values.requestedSolution}
        onChange={({ currentTarget }) => change({ requestedSolution: currentTarget.value as Solution | '' })}
        data={[
          { value: '', label: t`None yet` },
          ...Object.entries(solutions).map(([value, label]) => ({ value, label })),
        ]}
      />
    </>
  );
}

/** The states in which the person has or had the bike. */
const handedOver: ReadonlySet<string> = new Set(['active', 'completed']);

interface OrderProps {
  readonly label: string;
  readonly withAsterisk: true;
  readonly employeeId: string;
  readonly value: string;
  readonly onChange: (id: string) => void;
}

function OrderField({ label, withAsterisk, employeeId, value, onChange }: OrderProps) {
  const { t } = useLingui();
  const { data } = useQuery(ordersOfQuery(employeeId));
  const orders = (data?.items ?? []).filter(({ id, status }) => handedOver.has(status) || id === value);
  const only = orders.length === 1 ? orders[0]!.id : undefined;
  const isProposed = useRef(false);
  // The only order of a person is the affected one, unless it is taken back.
  useEffect(() => {
    if (only === undefined || isProposed.current) return;
    isProposed.current = true;
    if (value === '') onChange(only);
  }, [only, value, onChange]);
  return (
    <NativeSelect
      name="orderId"
      label={label}
      withAsterisk={withAsterisk}
      description={data && orders.length === 0 ? t`No bike was handed over to this person.` : undefined}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      data={[
        { value: '', label: t`Choose …` },
        ...orders.map(({ id, orderNumber, products, submittedAt }) => {
          const model = products.map(product => product.model ?? product.articleGroupName).filter(Boolean);
          return { value: id, label: [orderNumber, ...model, day(submittedAt)].join(' · ') };
        }),
      ]}
    />
  );
}

const dateFields = ['occurredOn', 'effectiveFrom', 'effectiveTo'] as const;
type DateFieldName = (typeof dateFields)[number];

/** The bounds of the service for dates that are new. */
const firstDay = '2000-01-01';
const yearsAhead = 10;

/** Why the fields cannot be sent; missing ones can be. Days of `stored` may be out of the bounds. */
export function useReportProblems(
  stored?: ReportValues,
): (values: ReportValues) => Partial<Record<DateFieldName, string | null>> {
  const { t } = useLingui();
  const problemOf = (value: string) => {
    const lastDay = dayInYears(yearsAhead);
    if (parseDay(value) === null) return t`Enter a day, such as ${typedDay('2026-11-01')}.`;
    if (value < firstDay || value > lastDay)
      return t`Enter a day from ${typedDay(firstDay)} to ${typedDay(lastDay)}.`;
    return null;
  };
  return values => {
    const { effectiveFrom, effectiveTo } = values;
    const changed = dateFields.filter(field => values[field] !== '' && values[field] !== stored?.[field]);
    const problems: Partial<Record<DateFieldName, string | null>> = Object.fromEntries(
      changed.map(field => [field, problemOf(values[field])]),
    );
    const isReversed = effectiveFrom !== '' && effectiveTo !== '' && effectiveTo < effectiveFrom;
    if (isReversed) problems.effectiveTo ??= t`The last day must not be before the first one.`;
    return problems;
  };
}
