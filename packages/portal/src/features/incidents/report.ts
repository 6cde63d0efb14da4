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
