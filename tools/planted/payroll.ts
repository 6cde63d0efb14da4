import type { Fault } from './fault.ts';

/** Rules of amounts, releases and files of payroll. */
export const payrollFaults: readonly Fault[] = [
  {
    name: 'payroll-rounded-parts',
    breaks: 'parts of a term are rounded as a running sum, so that they sum to the term',
    before: 'roundHalfUp(total[kind], unit) - roundHalfUp(before[kind], unit)',
    after: 'roundHalfUp(total[kind] - before[kind], unit)',
    caughtBy: ['payroll/owed'],
  },
  {
    name: 'payroll-leave-moves-cents',
    breaks: 'what a leave takes off moves no cent of a later month',
    before: 'const suspended = byKind(kind => scheduled[kind] - owed[kind]);',
    after: `const suspended = byKind(kind => scheduled[kind] - owed[kind]);
    total = byKind(kind => total[kind] - (rates[kind] * month.share * BigInt(suspendedDays[kind])) / BigInt(month.contractDays));`,
    caughtBy: ['payroll/owed'],
  },
  {
    name: 'payroll-old-rates',
    breaks: 'a change of rates counts from its month on',
    before: 'all.findLast(({ from }) => from <= month.month)',
    after: 'all.findLast(({ from, version }) => version === 1 || from < month.month)',
    caughtBy: ['payroll/owed'],
  },
  {
    name: 'payroll-kinds-of-leaves',
    breaks: 'a leave takes off the kinds that it names',
    before: 'if (suspended && !suspended.includes(kind)) continue;',
    after: 'if (suspended && suspended.length === 0) continue;',
    caughtBy: ['payroll/owed'],
  },
  {
    name: 'payroll-early-remainder',
    breaks: 'a contract that ends early takes no remainder of its term',
    before: 'const isLastOfTerm = endDate === regularEnd && month === lastMonth;',
    after: 'const isLastOfTerm = month === lastMonth;',
    caughtBy: ['payroll/owed'],
  },
  {
    name: 'payroll-suspended-twice',
    breaks: 'a day that two leaves share is suspended once',
    before: 'return days.size;',
    after: 'return suspensions.reduce((sum, { from, to }) => sum + daysWithin(month, from, to), 0);',
    caughtBy: ['payroll/owed'],
  },
  {
    name: 'payroll-correction-booking',
    breaks: 'a correction keeps the wage type of what it corrects',
    before: 'const booking = kept ?? bookingOf(',
    after: 'const booking = (mapping === null ? kept : null) ?? bookingOf(',
    caughtBy: ['payroll/assess'],
  },
  {
    name: 'payroll-draft-leftovers',
    breaks:
      'a release compares what the draft has and it did not compute, such as orders that left the division',
    before: 'if (differences.length === 0 && (await countDraft(session, key)) > report.entries)',
    after: 'if (differences.length === 0 && (await countDraft(session, key)) < report.entries)',
    caughtBy: ['payroll/release'],
  },
  {
    name: 'payroll-first-period',
    breaks: 'months before the first period of a tenant are never owed',
    before: 'if (month < versions[0].firstPeriod || month > period) continue;',
    after: 'if (month > period) continue;',
    caughtBy: ['payroll/assess'],
  },
  {
    name: 'payroll-sign',
    breaks: 'amounts have the sign of the settings',
    before: "sign: sign === 'plus' ? 1 : -1, costCenter",
    after: 'sign: 1, costCenter',
    caughtBy: ['payroll/assess'],
  },
  {
    name: 'payroll-correction-dates',
    breaks: 'a correction of LODAS names the month of the run first, and then the month that it corrects',
    before: '[[firstDay(period), firstDay(month)], decimalComma(cents)]',
    after: '[[firstDay(month), firstDay(period)], decimalComma(cents)]',
    caughtBy: ['formats/golden'],
  },
  {
    name: 'payroll-moved-leave',
    breaks:
      'a leave that moved to another order after the cut-off changes the order that it left in the next run',
    before: 'const changing = lacksLeave(bases.get(orderId), leaves) ? ofEmployee : ofOrder;',
    after: 'const changing = ofOrder;',
    caughtBy: ['payroll/cut-off'],
  },
  {
    name: 'payroll-discarded-draft',
    breaks: 'a run that was discarded while it was computed does not become a draft',
    before: 'AND id = ${id} AND status = ANY(${from}::text[])`;',
    after: 'AND id = ${id}`;',
    caughtBy: ['payroll/states', 'payroll/operations'],
  },
  {
    name: 'payroll-client-of-reversal',
    breaks: 'a reversal leaves amounts with a wrong client number where they are',
    before: '(head === null || isDeepStrictEqual(head, clientSettings(settingsIn(versions, period))))',
    after: 'true',
    caughtBy: ['payroll/doors', 'payroll/reversal'],
  },
];
