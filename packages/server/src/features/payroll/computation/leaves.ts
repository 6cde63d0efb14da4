import type { Incident, PayrollLeaveRule, PayrollPayer, PayrollSettings } from '@kontor/contract';
import { type Day, lastDayOf, type Month, monthBefore, monthOf } from '../../../lib/calendar.ts';
import { type Leave, settingsIn } from './facts.ts';
import { isOff, kinds, settingOfKind, type SettingsOfRun } from './kinds.ts';
import type { Kind, Suspension } from './owed.ts';

type LeaveSetting = keyof PayrollSettings['leaves'];

const settingOfLeave: Partial<Record<Incident['type'], LeaveSetting>> = {
  long_term_illness: 'longTermIllness',
  maternity_leave: 'maternityLeave',
  parental_leave: 'parentalLeave',
  unpaid_leave: 'unpaidLeave',
};

export const leaveTypes = Object.keys(settingOfLeave);

/** Days of a leave under one rule. */
interface RuledDays {
  readonly from: Day;
  readonly to: Day | null;
  /** The kinds that they take off. */
  readonly suspends: readonly Kind[];
  /** Whether no rule says what an exported kind does. Its amounts continue. */
  readonly isOpen: boolean;
}

/** A leave with what the settings make of it: its days, split where another rule begins with a month. */
export interface RuledLeave extends Leave {
  readonly setting: LeaveSetting;
  readonly days: readonly RuledDays[];
}

/** The leaves of an order by the rules of its company. Other incidents are left out. */
export function ruleLeaves(leaves: readonly Leave[], settings: SettingsOfRun): RuledLeave[] {
  return leaves.flatMap(leave => {
    const setting = settingOfLeave[leave.type];
    return setting === undefined ? [] : [{ ...leave, setting, days: splitByRule(leave, setting, settings) }];
  });
}

function splitByRule(leave: Leave, setting: LeaveSetting, settings: SettingsOfRun): RuledDays[] {
  const { versions } = settings;
  const { from, to } = leave;
  const ruleIn = (month: Month) => {
    const rule = settingsIn(versions, month).leaves[setting];
    const effects = kinds.map(kind => ({ kind, effect: effectOf(kind, leave, rule) }));
    return {
      suspends: effects.flatMap(({ kind, effect }) => (effect === 'suspend' ? [kind] : [])),
      isOpen: effects.some(({ kind, effect }) => effect === null && !isOff(kind, month, settings)),
    };
  };
  const parts = [{ from, to, ...ruleIn(monthOf(from)) }];
  for (const { from: month } of versions) {
    const [first, rule] = [`${month}-01`, ruleIn(month)];
    const last = parts.at(-1)!;
    const isSame = rule.isOpen === last.isOpen && rule.suspends.join() === last.suspends.join();
    if (isSame || first <= from || (to !== null && first > to)) continue;
    last.to = lastDayOf(monthBefore(month));
    parts.push({ from: first, to, ...rule });
  }
  return parts;
}

/** The benefit ends with the use of the bike, whatever the rule says. */
function effectOf(kind: Kind, { isBikeReturned }: Leave, rule: PayrollLeaveRule) {
  return kind === 'taxable_benefit' && isBikeReturned ? 'suspend' : rule[settingOfKind[kind]];
}

/** `kinds` is absent when all are suspended, as in the bases of earlier runs. */
export function suspensionsOf(leaves: readonly RuledLeave[]): Suspension[] {
  return leaves
    .flatMap(({ days }) => days)
    .filter(({ suspends }) => suspends.length > 0)
    .map(({ from, to, suspends }) =>
      suspends.length === kinds.length ? { from, to } : { from, to, kinds: suspends },
    );
}

export function coversMonth({ from, to }: Pick<Leave, 'from' | 'to'>, month: Month): boolean {
  return monthOf(from) <= month && (to === null || month <= monthOf(to));
}

/** Finds the payer of what leaves take off in a month; null where it is not decided. */
export function findPayer(
  leaves: readonly RuledLeave[],
  { month, kind }: { month: Month; kind: Kind },
  { versions }: SettingsOfRun,
): PayrollPayer | null {
  const rules = settingsIn(versions, month).leaves;
  const paying = leaves.filter(({ days }) =>
    days.some(part => part.suspends.includes(kind) && coversMonth(part, month)),
  );
  const payers = paying.map(({ payer, setting }) => payer ?? rules[setting].payer);
  return payers.find(payer => payer !== null) ?? null;
}
