import type { Incident, PayrollLeaveRule, PayrollPayer, PayrollSettings } from '@kontor/contract';
import { type Month, monthOf } from '../../lib/calendar.ts';
import type { Leave } from './facts.ts';
import { isOff, kinds, settingOfKind } from './kinds.ts';
import type { Kind, Suspension } from './owed.ts';

type LeaveSetting = keyof PayrollSettings['leaves'];

const settingOfLeave: Partial<Record<Incident['type'], LeaveSetting>> = {
  long_term_illness: 'longTermIllness',
  maternity_leave: 'maternityLeave',
  parental_leave: 'parentalLeave',
  unpaid_leave: 'unpaidLeave',
};

export const leaveTypes = Object.keys(settingOfLeave);

/** A leave with what the settings make of it. */
export interface RuledLeave extends Leave {
  readonly setting: LeaveSetting;
  readonly payer: PayrollPayer | null;
  /** The kinds that it takes off. */
  readonly suspends: readonly Kind[];
  /** Whether no rule says what an exported kind does. Its amounts continue. */
  readonly isOpen: boolean;
}

/** The leaves of an order by the rules of its company. Other incidents are left out. */
export function ruleLeaves(leaves: readonly Leave[], settings: PayrollSettings): RuledLeave[] {
  return leaves.flatMap(leave => {
    const setting = settingOfLeave[leave.type];
    if (setting === undefined) return [];
    const rule = settings.leaves[setting];
    const effects = kinds.map(kind => ({ kind, effect: effectOf(kind, leave, rule) }));
    return [
      {
        ...leave,
        setting,
        payer: leave.payer ?? rule.payer,
        suspends: effects.flatMap(({ kind, effect }) => (effect === 'suspend' ? [kind] : [])),
        isOpen: effects.some(({ kind, effect }) => effect === null && !isOff(kind, settings)),
      },
    ];
  });
}

/** The benefit ends with the use of the bike, whatever the rule says. */
function effectOf(kind: Kind, { isBikeReturned }: Leave, rule: PayrollLeaveRule) {
  return kind === 'taxable_benefit' && isBikeReturned ? 'suspend' : rule[settingOfKind[kind]];
}

/** `kinds` is absent when all are suspended, as in the bases of earlier runs. */
export function suspensionsOf(leaves: readonly RuledLeave[]): Suspension[] {
  return leaves.flatMap(({ from, to, suspends }) => {
    if (suspends.length === 0) return [];
    return [suspends.length === kinds.length ? { from, to } : { from, to, kinds: suspends }];
  });
}

export function coversMonth({ from, to }: Pick<Leave, 'from' | 'to'>, month: Month): boolean {
  return monthOf(from) <= month && (to === null || month <= monthOf(to));
}

/** Finds the payer of what leaves take off in a month; null where it is not decided. */
export function findPayer(leaves: readonly RuledLeave[], month: Month, kind: Kind): PayrollPayer | null {
  const paying = leaves.filter(leave => leave.suspends.includes(kind) && coversMonth(leave, month));
  return paying.find(({ payer }) => payer !== null)?.payer ?? null;
}
