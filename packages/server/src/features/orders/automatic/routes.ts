import {
  ApiError,
  appliedOrdersMaximum,
  type DecisionRule,
  type DecisionRuleInput,
  type DecisionRuleTrial,
} from '@kontor/contract';
import { orderResource } from '../resource.ts';
import type { Pool } from '../../../db/connect.ts';
import type { Queryable } from '../../../db/session.ts';
import type { AnswerOf, CallOf, HandlersOf } from '../../../http/handlers.ts';
import { type Call, ok } from '../../../http/route.ts';
import { requestOf, type Turn, type Writes } from '../../../write/writes.ts';
import { applyRule, first } from './apply.ts';
import { type Rule, ruleOf } from './rule.ts';
import { findRule, findUndecided, insertRule, ordersBehind, type Place, type TenantRule } from './store.ts';
import { beginTrial, tryOn } from './trial.ts';

interface Parts {
  readonly reads: Pool;
  readonly writes: Writes;
}

/** The operations of rules for automatic decisions, which are the platform's. */
export function decisionRuleHandlers(parts: Parts): HandlersOf<'platform', 'Decision rules'> {
  const { reads } = parts;
  return {
    getDecisionRule: async call => ok(JSON.stringify((await holding(reads, call)).rule)),
    setDecisionRule: call => setRule(parts, call),
    removeDecisionRule: call => removeRule(parts, call),
    applyDecisionRule: call => apply(parts, call),
    tryDecisionRule: async call => ok(JSON.stringify(await tryRule(reads, call))),
  };
}

type OfTenant = Pick<Call, 'scope'> & { readonly parameters: { readonly id: string } };

function placeOf({ scope, parameters }: OfTenant): Place {
  return { organizationId: scope.organizationId, tenantId: parameters.id };
}

/** What the tenant of a call has for a rule. @throws ApiError NOT_FOUND without such a tenant. */
async function ruleOfTenant(db: Queryable, call: OfTenant): Promise<TenantRule> {
  const found = await findRule(db, placeOf(call));
  if (found === null) throw new ApiError('NOT_FOUND', 'No tenant with this id is visible to the token');
  return found;
}

/** The rule that holds. @throws ApiError NOT_FOUND without a tenant or a rule. */
async function holding(db: Queryable, call: OfTenant): Promise<{ rule: DecisionRule; version: number }> {
  const { rule, version } = await ruleOfTenant(db, call);
  if (rule === null) throw new ApiError('NOT_FOUND', 'The tenant has no rule for automatic decisions');
  return { rule, version };
}

async function setRule(
  { reads, writes }: Parts,
  call: CallOf<'setDecisionRule'>,
): Promise<AnswerOf<'setDecisionRule'>> {
  const { id: tenantId } = call.parameters;
  await ruleOfTenant(reads, call);
  const wanted = ruleOf(call.body);
  const rule = await writes.runOrdered(requestOf(call), {
    targets: [targetOf(tenantId)],
    read: db => ruleOfTenant(db, call),
    change(turn, { rule: before, version }) {
      const fields = changedFields(before, wanted);
      if (before !== null && fields.length === 0) return before;
      turn.audit({ id: tenantId, action: 'tenant.set_decision_rule', fields });
      return insertRule(turn, { rule: wanted, version: version + 1, tenantId });
    },
  });
  return ok(JSON.stringify(rule));
}

const ruleFields = ['approveUpTo', 'rejectAbove', 'withinDays'] as const;

function changedFields(before: Rule | null, after: Rule): (keyof Rule)[] {
  return ruleFields.filter(name => (before?.[name] ?? null) !== after[name]);
}

const nothing: Rule = { approveUpTo: null, rejectAbove: null, withinDays: null };

async function removeRule(
  { reads, writes }: Parts,
  call: CallOf<'removeDecisionRule'>,
): Promise<AnswerOf<'removeDecisionRule'>> {
  const { id: tenantId } = call.parameters;
  await holding(reads, call);
  const removed = await writes.runOrdered(requestOf(call), {
    targets: [targetOf(tenantId)],
    read: db => holding(db, call),
    change(turn, { rule, version }) {
      insertRule(turn, { rule: nothing, version: version + 1, tenantId });
      const fields = changedFields(rule, nothing);
      turn.audit({ id: tenantId, action: 'tenant.remove_decision_rule', fields });
      return rule;
    },
  });
  return ok(JSON.stringify(removed));
}

/** What no two writes of a transaction may have in common: the tenant has one entry of the audit in it. */
function targetOf(tenantId: string): string {
  return `decision rule ${tenantId}`;
}

async function apply(
  { reads, writes }: Parts,
  call: CallOf<'applyDecisionRule'>,
): Promise<AnswerOf<'applyDecisionRule'>> {
  const limits = { after: call.body.after ?? first, limit: appliedOrdersMaximum };
  await holding(reads, call);
  const applied = await writes.runOrdered(requestOf(call), {
    targets: [targetOf(call.parameters.id)],
    async read(db) {
      const [{ rule }, found] = await Promise.all([
        holding(db, call),
        findUndecided(db, placeOf(call), limits),
      ]);
      return { rule, found };
    },
    change: (turn: Turn, { rule, found }) => applyRule(turn, rule, found),
  });
  return ok(JSON.stringify(applied));
}

/** Most orders that are read at once: others are served between. */
const sliceSize = 500;

async function tryRule(reads: Pool, call: CallOf<'tryDecisionRule'>): Promise<DecisionRuleTrial> {
  await ruleOfTenant(reads, call);
  const { after, limit, ...said } = call.query as DecisionRuleInput & { after?: string; limit: number };
  const rule = ruleOf(said);
  const tally = beginTrial();
  let last = after?.toLowerCase() ?? first;
  for (;;) {
    const asked = Math.min(sliceSize, limit - tally.looked);
    const statement = ordersBehind(placeOf(call), last, asked);
    const rows = await reads.rows<{ doc: string }>(statement, { shared: false });
    for (const { doc } of rows) {
      const order = orderResource.parse(doc);
      tryOn(tally, rule, order);
      last = order.id;
    }
    if (rows.length < asked) return tally;
    if (tally.looked === limit) return { ...tally, next: last };
  }
}
