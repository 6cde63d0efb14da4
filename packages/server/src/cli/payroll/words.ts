import type { PayrollFinding, PayrollFindingCode, PayrollReceipt, PayrollSettlement } from '@kontor/contract';

export const kindWords: Readonly<Record<PayrollSettlement['kind'], string>> = {
  salary_conversion: 'salary conversion',
  taxable_benefit: 'taxable benefit',
  employer_subsidy: "employer's subsidy",
};

/** Headings of the report, by severity. */
export const severityWords: Readonly<Record<PayrollFinding['severity'], string>> = {
  error: 'Errors: fix them, discard this run and create a new one',
  skipped: 'Left out: it remains owed until it is fixed or settled',
  question: 'Questions: decide them, or answer them with kontor payroll acknowledge',
  info: 'For information',
};

export const findingWords: Readonly<Record<PayrollFindingCode, string>> = {
  unmapped_kind: 'The settings of the tenant have neither a wage type nor "export": false for a kind',
  currency: 'The contract is not in EUR',
  adviser_number: 'The settings of the tenant lack the adviser number of DATEV',
  client_number: 'The settings of the tenant lack the client number of DATEV',
  wage_type: 'A format does not accept the wage type',
  processing_key: 'LODAS needs a processing key for the kind',
  characters: 'DATEV cannot read characters of this field: change them',
  no_contract: 'The order lacks its contract, or a day of it: import them',
  personnel_number:
    'The employee has no personnel number that the payroll system takes: enter it as employeeNumber',
  cost_center: 'A format does not accept the cost centre: change the cost centre of the division',
  amount: 'The amount is too large for a format',
  correction_out_of_range:
    'DATEV takes corrections of this and the last year only: correct it there and use kontor payroll settle',
  after_cut_off: 'The order changed after the cut-off day: it is in the next run',
  blocked: 'The employee is blocked and still pays: record a last day, or answer the question',
  left: 'The employment has ended, but the order goes on',
  retired: 'The employee has retired, but the order goes on',
  deceased: 'The employee has died, but the order goes on',
  employer_changed: 'The employee has changed the employer, but the order goes on',
  leave_rule: 'No rule says whether this leave suspends amounts. They continue',
  leave_open: 'A leave that suspends amounts has no end yet: record it with kontor incident leave',
  leave_before_contract: 'A leave begins before the contract: check its dates',
  leave_far: 'A leave begins or ends more than a year away from the month: check its dates',
  leave_takes_back: 'A leave takes back released months: check its dates',
  end_takes_back: 'An early end takes back released months: check the last day',
  conversion_bound: 'The conversions of the person are together above the bound of the settings',
  skipped_month: 'No run has exported this month, and this run exports it late',
  paid_elsewhere:
    'More was paid elsewhere than is owed: settle the difference there, then record it with kontor payroll settle',
  number_changed:
    'The personnel number differs from the exported one: if that was wrong, use kontor payroll reverse',
  s_pedelec:
    'The bike is an S-pedelec: the benefit is exported; add 0.03 % of a quarter of the list price for each kilometre to work in the payroll system',
  reversal: 'Booked anew: amounts that were released under other values',
  late: 'Amounts of earlier months that were not exported yet. Tax law accepts only conversions that were agreed before the pay was due',
  correction: 'Corrections of earlier months',
  changed_after_cut_off:
    'The order changed after the cut-off day: it is exported as before, and the change is in the next run',
  suspended: 'A leave suspends the amount; the payer owes it otherwise',
  end_after_term: 'The contract ends after its term',
  starts: 'New this month',
  stops: 'No longer owed this month',
  changes: 'Differs from the month before',
};

export const ruleWords: Readonly<Record<NonNullable<PayrollReceipt['computation']>['rule'], string>> = {
  full_month: 'a full month',
  part_month: 'a part month, by days',
  thirty_days: 'a part month, by days of 30',
  whole_month: 'a part month, deducted as a whole one',
  next_month: 'a part month, whose deductions begin with the next month',
  remainder: 'the last month of the term has the remainder',
  after_term: 'days after the term, by days',
  whole_benefit: 'the benefit of a month is owed in full',
};
