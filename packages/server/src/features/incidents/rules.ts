import {
  ApiError,
  type Incident,
  IncidentCreate,
  type IncidentLeave,
  type IncidentLeavePatch,
  type IncidentPatch,
  type IncidentRequirement,
  incidentAttachmentMaximum,
  incidentRequirements,
  unprocessable,
} from '@kontor/contract';
import { checkNextState, type Transitions } from '../../lib/next-state.ts';
import { withNulls } from '../../lib/with-nulls.ts';
import { changedFields } from '../../lib/changed-fields.ts';

export type IncidentReport = Pick<
  Incident,
  | 'orderId'
  | 'type'
  | 'requestedSolution'
  | 'occurredOn'
  | 'effectiveFrom'
  | 'effectiveTo'
  | 'description'
  | 'policeReference'
>;

export type IncidentState = IncidentReport & Pick<Incident, 'status' | 'editable'>;

export interface Reporter {
  readonly activated: boolean;
  readonly blocked: boolean;
  /** Whether the order in the body belongs to the employee. */
  readonly ownsOrder: boolean;
}

/** Absences of an employee who stays employed. `release` is garden leave (Freistellung). */
const leaves: readonly Incident['type'][] = [
  'long_term_illness',
  'maternity_leave',
  'parental_leave',
  'unpaid_leave',
  'release',
];

/** The states in which payroll counts a leave. */
const countingStates: readonly Incident['status'][] = ['completed', 'in_progress', 'resolved'];

const crimes: readonly Incident['type'][] = ['theft', 'loss'];

/**
 * The state of a new incident (specification.md 5.5). `reporter` is null for an employee outside the scope or the selected tenant.
 * @throws ApiError in this order: INVALID_REFERENCE for the employee, EMPLOYEE_NOT_ACTIVATED, EMPLOYEE_BLOCKED, INVALID_REFERENCE for the
 * order, 422 VALIDATION_ERROR
 */
export function newIncident(
  body: IncidentCreate,
  reporter: Reporter | null,
  today: Date,
  needsHandover = false,
): IncidentState {
  if (reporter === null)
    throw new ApiError('INVALID_REFERENCE', 'employeeId must name an employee in the scope of the caller');
  if (!reporter.activated)
    throw new ApiError(
      'EMPLOYEE_NOT_ACTIVATED',
      'employeeId: the referenced employee is not activated; report the incident once the activation is complete',
    );
  if (reporter.blocked)
    throw new ApiError(
      'EMPLOYEE_BLOCKED',
      'employeeId: the account of the referenced employee is blocked; unblock it first',
    );
  const { employeeId: _employee, ...given } = withNulls(IncidentCreate, body);
  const report = given as IncidentReport;
  if (report.orderId !== null && !reporter.ownsOrder) throw unusableOrder(needsHandover);
  checkDates(report, dateFields, today);
  return inState(report);
}

export interface IncidentChange {
  readonly incident: Incident;
  /** The fields of the body come first. */
  readonly fields: readonly string[];
}

interface OrderOfPatch {
  /** The order in the patch belongs to the employee, and was handed over where that is needed. */
  readonly ownsOrder: boolean;
  readonly needsHandover?: boolean;
}

/**
 * The incident after a patch.
 * @throws ApiError in this order: INVALID_STATE_TRANSITION, INVALID_REFERENCE, 422 VALIDATION_ERROR
 */
export function changeIncident(
  before: Incident,
  patch: IncidentPatch,
  { ownsOrder, needsHandover = false }: OrderOfPatch,
  today: Date,
): IncidentChange {
  if (!before.editable)
    throw new ApiError(
      'INVALID_STATE_TRANSITION',
      `The incident is ${before.status} and can no longer be changed; read it again`,
    );
  const sent = changedFields(before, patch);
  if (sent.length === 0) return { incident: before, fields: [] };
  if (sent.includes('orderId') && patch.orderId !== null && !ownsOrder) throw unusableOrder(needsHandover);
  checkDates(
    patch,
    dateFields.filter(field => sent.includes(field)),
    today,
  );
  const incident = { ...before, ...inState({ ...before, ...(patch as Partial<IncidentReport>) }) };
  const fields = incident.status === before.status ? sent : [...sent, 'status'];
  return { incident, fields };
}

/** Facts of a leave that only portal and platform know. */
export type LeaveFacts = Omit<IncidentLeave, 'incident'>;

export interface LeaveChange extends IncidentLeave {
  readonly fields: readonly string[];
}

/** Whether the end of an incident and its payer can be recorded: it is a leave that counts. */
export function isRecordable({ type, status, effectiveFrom }: Incident): boolean {
  return leaves.includes(type) && countingStates.includes(status) && effectiveFrom !== null;
}

/**
 * A leave after a change of its end, payer or bike, in each state in which it counts.
 * @throws ApiError in this order: INVALID_STATE_TRANSITION, 422 VALIDATION_ERROR
 */
export function changeLeave(
  incident: Incident,
  facts: LeaveFacts,
  patch: IncidentLeavePatch,
  today: Date,
): LeaveChange {
  const { type, status, effectiveFrom } = incident;
  if (!countingStates.includes(status))
    throw new ApiError(
      'INVALID_STATE_TRANSITION',
      `The incident is ${status}; a leave is recorded while it is completed, in progress or resolved`,
    );
  if (effectiveFrom === null && leaves.includes(type))
    throw new ApiError('INVALID_STATE_TRANSITION', 'The leave has no first day, as its data were erased');
  if (!leaves.includes(type))
    throw unprocessable(`The incident is of the type ${type}, which is not a leave`);
  const { effectiveTo = incident.effectiveTo, ...changes } = patch;
  const fields = changedFields({ ...facts, effectiveTo: incident.effectiveTo }, patch);
  checkDates({ effectiveTo }, fields.includes('effectiveTo') ? ['effectiveTo'] : [], today);
  checkOrder({ effectiveFrom, effectiveTo });
  return { incident: { ...incident, effectiveTo }, ...facts, ...changes, fields };
}

/** @throws ApiError INVALID_STATE_TRANSITION when no file can be attached */
export function checkUpload({ status, editable, attachments }: Incident, acceptsDrafts: boolean): void {
  if (editable && status === 'draft' && !acceptsDrafts)
    throw new ApiError(
      'INVALID_STATE_TRANSITION',
      'This incident is a draft. Complete it before you attach files',
    );
  if (!editable)
    throw new ApiError(
      'INVALID_STATE_TRANSITION',
      `The incident is ${status}; files can be attached while it is editable`,
    );
  if (attachments.length >= incidentAttachmentMaximum)
    throw new ApiError(
      'INVALID_STATE_TRANSITION',
      `The incident has ${incidentAttachmentMaximum} attachments already, the maximum`,
    );
}

/** @throws ApiError INVALID_STATE_TRANSITION when no file can be removed */
export function checkRemoval({ status, editable }: Incident): void {
  if (!editable)
    throw new ApiError(
      'INVALID_STATE_TRANSITION',
      `The incident is ${status}; its files can be removed while it is editable`,
    );
}

/** A state that the platform sets. `draft` and `completed` are derived from the report. */
export type Destination = Exclude<Incident['status'], 'draft' | 'completed'>;

/** The next states of each state (specification.md 5.5). */
// prettier-ignore
const transitions: Transitions<Incident['status'], Destination> = {
  draft:       { in_progress: false, resolved: false, rejected: false, cancelled: true },
  completed:   { in_progress: true,  resolved: false, rejected: false, cancelled: true },
  in_progress: { in_progress: false, resolved: true,  rejected: true,  cancelled: false },
  resolved:    { in_progress: false, resolved: false, rejected: false, cancelled: false },
  rejected:    { in_progress: false, resolved: false, rejected: false, cancelled: false },
  cancelled:   { in_progress: false, resolved: false, rejected: false, cancelled: false },
};

/** @throws ApiError INVALID_STATE_TRANSITION */
export function checkTransition({ status }: Pick<Incident, 'status'>, to: Destination): void {
  checkNextState('incident', status, to, transitions);
}

/** The number of an incident: its year in UTC and its place in the sequence of the organization. */
export function incidentNumber(at: Date, sequence: bigint): string {
  return `S-${at.toISOString().slice(0, 4)}-${sequence.toString().padStart(6, '0')}`;
}

const dateFields = ['occurredOn', 'effectiveFrom', 'effectiveTo'] as const;

type DateField = (typeof dateFields)[number];

const firstDate = '2000-01-01';

/** Years from today to the last date. */
const yearsAhead = 10;

/**
 * Rejects typing errors such as the year 0026, which would change released payroll months. `fields` are those that the request changes, so
 * that dates from before this rule stay valid.
 * @throws ApiError 422 VALIDATION_ERROR for a date out of bounds
 */
function checkDates(
  values: Partial<Pick<IncidentReport, DateField>>,
  fields: readonly DateField[],
  today: Date,
): void {
  const lastDate = `${today.getUTCFullYear() + yearsAhead}${today.toISOString().slice(4, 10)}`;
  for (const field of fields) {
    const date = values[field];
    if (typeof date === 'string' && (date < firstDate || date > lastDate))
      throw unprocessable(`${field} must be from ${firstDate} to ${lastDate}; check the year`, { field });
  }
}

/** @throws ApiError 422 VALIDATION_ERROR for dates in the wrong order */
function inState(report: IncidentReport): IncidentState {
  checkOrder(report);
  return { ...report, status: missingFields(report).length === 0 ? 'completed' : 'draft', editable: true };
}

/** @throws ApiError 422 VALIDATION_ERROR */
function checkOrder({
  effectiveFrom,
  effectiveTo,
}: Pick<IncidentReport, 'effectiveFrom' | 'effectiveTo'>): void {
  if (effectiveFrom !== null && effectiveTo !== null && effectiveTo < effectiveFrom)
    throw unprocessable('effectiveTo must not be before effectiveFrom');
}

/** The fields that a report lacks to be complete. Texts of white space count as missing. */
export function missingFields(report: IncidentReport): IncidentRequirement[] {
  const { type } = report;
  return incidentRequirements.filter(field => {
    if (field === 'effectiveFrom' && !leaves.includes(type)) return false;
    if (field === 'policeReference' && !crimes.includes(type)) return false;
    return !hasText(report[field]);
  });
}

function hasText(text: string | null): boolean {
  return text !== null && text.trim() !== '';
}

function unusableOrder(needsHandover: boolean): ApiError {
  const which = needsHandover ? ' whose bike was handed over' : '';
  return new ApiError('INVALID_REFERENCE', `orderId must name an order of the employee${which}`);
}
