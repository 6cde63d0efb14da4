import type { PayrollFinding, PayrollFindingCode, PayrollPayer } from '@kontor/contract';
import type { Month } from '../../../lib/calendar.ts';
import type { Kind } from './owed.ts';

export interface Finding {
  readonly code: PayrollFindingCode;
  readonly month?: Month;
  readonly kind?: Kind;
  readonly field?: string;
  readonly cents?: bigint;
  readonly payer?: PayrollPayer | null;
  /** The fact of a question. Its answer holds for this fact, so that another one asks again. */
  readonly fact?: string;
}

type Meaning = Pick<PayrollFinding, 'severity' | 'action'>;

/** The effect of each finding on a run, and the place where it is resolved. */
const meanings: Readonly<Record<PayrollFindingCode, Meaning>> = {
  unmapped_kind: { severity: 'error', action: 'settings' },
  currency: { severity: 'error', action: 'order' },
  adviser_number: { severity: 'error', action: 'settings' },
  client_number: { severity: 'error', action: 'settings' },
  wage_type: { severity: 'error', action: 'settings' },
  processing_key: { severity: 'error', action: 'settings' },
  characters: { severity: 'error', action: 'order' },
  no_contract: { severity: 'skipped', action: 'order' },
  personnel_number: { severity: 'skipped', action: 'employee' },
  cost_center: { severity: 'skipped', action: 'division' },
  amount: { severity: 'skipped', action: 'order' },
  correction_out_of_range: { severity: 'skipped', action: 'settlement' },
  after_cut_off: { severity: 'skipped', action: 'order' },
  blocked: { severity: 'question', action: 'employee' },
  left: { severity: 'question', action: 'incidents' },
  retired: { severity: 'question', action: 'incidents' },
  deceased: { severity: 'question', action: 'incidents' },
  employer_changed: { severity: 'question', action: 'incidents' },
  leave_rule: { severity: 'question', action: 'settings' },
  leave_open: { severity: 'question', action: 'incidents' },
  leave_before_contract: { severity: 'question', action: 'incidents' },
  leave_far: { severity: 'question', action: 'incidents' },
  leave_takes_back: { severity: 'question', action: 'incidents' },
  end_takes_back: { severity: 'question', action: 'order' },
  conversion_bound: { severity: 'question', action: 'explanation' },
  skipped_month: { severity: 'question', action: 'run' },
  paid_elsewhere: { severity: 'question', action: 'settlement' },
  number_changed: { severity: 'question', action: 'employee' },
  s_pedelec: { severity: 'info', action: 'order' },
  reversal: { severity: 'info', action: 'explanation' },
  late: { severity: 'info', action: 'explanation' },
  correction: { severity: 'info', action: 'explanation' },
  changed_after_cut_off: { severity: 'info', action: 'order' },
  suspended: { severity: 'info', action: 'incidents' },
  end_after_term: { severity: 'info', action: 'order' },
  starts: { severity: 'info', action: 'explanation' },
  stops: { severity: 'info', action: 'explanation' },
  changes: { severity: 'info', action: 'explanation' },
};

const actionsOfFields: Readonly<Record<string, Meaning['action']>> = {
  employeeNumber: 'employee',
  costCenter: 'division',
};

/** Where to resolve a finding. Characters are changed where their field is. */
export function actionOf({ code, field }: Pick<Finding, 'code' | 'field'>): Meaning['action'] {
  return (code === 'characters' && actionsOfFields[field ?? '']) || meanings[code].action;
}

export function severityOf(code: PayrollFindingCode): Meaning['severity'] {
  return meanings[code].severity;
}
