import { anonymous } from '../../auth/caller.ts';
import type { AuditedTogether } from '../../write/writes.ts';

/** Refusals that are alike. */
export type Gathered = AuditedTogether;

/** Most kinds of denials that are told apart in memory at once; some hundred bytes each. */
export const maxGroups = 10_000;

/** Most entries of an organization a minute and process that name what was refused to whom; what is more is one entry for each reason. */
export const maxNamed = 20;

/** The identifier of what are too many to name each. */
export const others = 'others';

/** Makes those one that are alike in all but their number, request and instant. */
export function gather(refusals: readonly Gathered[]): Gathered[] {
  const groups = new Map<string, Gathered>();
  for (const refusal of refusals) {
    const { action, id, reason, actor, address } = refusal;
    const name = JSON.stringify([action, id, reason, actor.id, address]);
    const alike = groups.get(name);
    groups.set(name, alike ? joined(alike, refusal) : refusal);
  }
  return [...groups.values()];
}

/** As many as a minute may have: the first ones as they are, of the others one for each reason, without names and addresses. */
export function bounded(refusals: readonly Gathered[]): Gathered[] {
  const named = refusals.slice(0, maxNamed);
  const rest = refusals.slice(maxNamed);
  const nameless = rest.map(refusal => ({
    ...refusal,
    id: others,
    actor: anonymous.actor,
    address: null,
    requestId: null,
  }));
  return [...named, ...gather(nameless)];
}

function joined(one: Gathered, other: Gathered): Gathered {
  const later = one.age <= other.age ? one : other;
  return { ...later, count: one.count + other.count };
}
