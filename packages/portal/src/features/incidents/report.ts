import { dayInYears } from '../../kit/dates.ts';
import type { OrderChange } from '../../kit/pay/effect.ts';
import type { Incident, Requirement, Solution } from './words.tsx';

/** The fields of a report as a form has them; empty: none. */
export interface ReportValues extends Record<Requirement, string> {
  readonly effectiveTo: string;
  readonly requestedSolution: Solution | '';
}

export const emptyReport: ReportValues = {
  orderId: '',
  occurredOn: '',
  effectiveFrom: '',
  effectiveTo: '',
  description: '',
  policeReference: '',
  requestedSolution: '',
};

/**
 * The fields of a report as the API takes them. Fields that the type does not need are left out. An absence happens on its first day, unless
 * another day is stored.
 */
export function bodyOf(given: ReportValues, needed: readonly Requirement[], stored = emptyReport) {
  const hasOwnDay = stored.occurredOn !== '' && stored.occurredOn !== stored.effectiveFrom;
  const isOneDay = needed.includes('effectiveFrom') && !hasOwnDay;
  const values = isOneDay ? { ...given, occurredOn: given.effectiveFrom } : given;
  const textOf = (value: string) => value.trim() || null;
  const fields = Object.fromEntries(needed.map(field => [field, textOf(values[field])]));
  return {
    ...(fields as Partial<Record<Requirement, string | null>>),
    requestedSolution: values.requestedSolution || null,
    ...(needed.includes('effectiveFrom') && { effectiveTo: textOf(values.effectiveTo) }),
  };
}

export function valuesOf(incident: Incident): ReportValues {
  const { orderId, occurredOn, effectiveFrom, effectiveTo, description, policeReference } = incident;
  return {
    orderId: orderId ?? '',
    occurredOn: occurredOn ?? '',
    effectiveFrom: effectiveFrom ?? '',
    effectiveTo: effectiveTo ?? '',
    description: description ?? '',
    policeReference: policeReference ?? '',
    requestedSolution: incident.requestedSolution ?? '',
  };
}

/** The fields that an incident needs: those that it lacks and those that it has, in their order. */
export function neededBy(incident: Incident, missing: readonly Requirement[]): Requirement[] {
  const all: readonly Requirement[] = [
    'orderId',
    'occurredOn',
    'effectiveFrom',
    'description',
    'policeReference',
  ];
  return all.filter(field => missing.includes(field) || incident[field] !== null);
}

/** An incident with the values of its form. */
export function reportedOf({ id, type }: Incident, values: ReportValues) {
  const given = (field: 'orderId' | 'occurredOn' | 'effectiveFrom' | 'effectiveTo') => values[field] || null;
  return {
    id,
    type,
    orderId: given('orderId'),
    occurredOn: given('occurredOn'),
    effectiveFrom: given('effectiveFrom'),
    effectiveTo: given('effectiveTo'),
  };
}

type Days = Pick<ReportValues, 'occurredOn' | 'effectiveFrom' | 'effectiveTo'>;
type Leave = { readonly id: string | null; readonly type: Incident['type'] } & {
  readonly [Field in 'effectiveFrom' | 'effectiveTo']: string | null;
};

/** A leave as payroll previews it; null without a first day. */
export function leaveChangeOf(leave: Leave, bikeReturned: boolean | null = null): OrderChange | null {
  const { id, type, effectiveFrom, effectiveTo } = leave;
  if (!effectiveFrom) return null;
  return {
    leave: { incidentId: id, type, effectiveFrom, effectiveTo: effectiveTo || null, bikeReturned },
  };
}

/** Whether a day is more than a year from today, as typing errors are. */
export function hasFarDay({
  occurredOn,
  effectiveFrom,
  effectiveTo,
}: { [Field in keyof Days]: string | null }) {
  return [occurredOn, effectiveFrom, effectiveTo].some(
    day => day !== null && day !== '' && (day < dayInYears(-1) || day > dayInYears(1)),
  );
}
