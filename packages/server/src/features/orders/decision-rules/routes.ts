import {
  ApiError,
  appliedOrdersMaximum,
  applyDecisionRule,
  type DecisionRule,
  type DecisionRuleChange,
  type DecisionRuleInput,
  type DecisionRulePreview,
  type DecisionRuleSample,
  getDecisionRule,
  getPortalDecisionRule,
  type Order,
  removeDecisionRule,
  removePortalDecisionRule,
  sampledOrdersMaximum,
  samplePortalDecisionRule,
  setDecisionRule,
  setPortalDecisionRule,
  tryDecisionRule,
} from '@kontor/contract';
import type { Pool } from '../../../db/connect.ts';
import type { Queryable } from '../../../db/session.ts';
import { type CallOf, implement } from '../../../http/implement.ts';
import { notFound } from '../../../http/read-resource.ts';
import { type Call, type OkAnswer, ok, type Route, type RouteParts } from '../../../http/route.ts';
import { changedValues } from '../../../lib/changed-values.ts';
import { amount } from '../../../lib/money.ts';
import { decision, unchanged, type Writes } from '../../../write/writes.ts';
import { monthlyRate } from '../contract.ts';
import { orderResource } from '../mapping.ts';
import { moveOrders } from '../transitions.ts';
import {
  applyRule,
  beginDryRun,
  completeRule,
  first,
  type Rule,
  tryRule,
  decideAutomatically,
} from './rule.ts';
import {
  findRule,
  findUndecided,
  insertRule,
  ordersBehind,
  type TenantKey,
  type TenantRule,
  readLastOrders,
} from './store.ts';

export function decisionRuleRoutes({ reads, writes }: RouteParts): Route[] {
  return [
    implement(getDecisionRule, call => getRule(reads, call)),
    implement(setDecisionRule, call => setRule(writes, call)),
    implement(removeDecisionRule, async call => ok(JSON.stringify(await writes.decide(call, ruleRemoval)))),
    implement(applyDecisionRule, async call =>
      ok(JSON.stringify(await writes.decide(call, ruleApplication))),
    ),
    implement(tryDecisionRule, async call => ok(JSON.stringify(await tryOnOrders(reads, call)))),
  ];
}

/** Rules as company admins set them, by the rules of the platform API. */
export function portalDecisionRuleRoutes({ reads, writes }: RouteParts): Route[] {
  return [
    implement(getPortalDecisionRule, call => getRule(reads, call)),
    implement(setPortalDecisionRule, call => setRule(writes, call)),
    implement(removePortalDecisionRule, async call =>
      ok(JSON.stringify(await writes.decide(call, ruleRemoval))),
    ),
    implement(samplePortalDecisionRule, async call => {
      await readTenantRule(reads, call);
      const rule = completeRule(call.body);
      const docs = await readLastOrders(reads, placeOf(call), sampledOrdersMaximum);
      const items = docs.map(doc => sampled(rule, orderResource.parse(doc)));
      const count = (decision: string) => items.filter(({ wouldBe }) => wouldBe === decision).length;
      const [wouldApprove, wouldReject] = [count('approved'), count('rejected')];
      return ok(
        JSON.stringify({
          inspected: items.length,
          decided: wouldApprove + wouldReject,
          wouldApprove,
          wouldReject,
          items,
        } satisfies DecisionRuleSample),
      );
    }),
  ];
}

type TenantCall = Pick<Call, 'scope' | 'caller'> & { readonly parameters: { readonly id: string } };

function placeOf({ scope, parameters }: TenantCall): TenantKey {
  return { organizationId: scope.organizationId, tenantId: parameters.id };
}

/** @throws ApiError NOT_FOUND for an unknown tenant */
async function readTenantRule(db: Queryable, call: TenantCall): Promise<TenantRule> {
  const found = await findRule(db, placeOf(call));
  if (found === null) notFound('tenant', call);
  return found;
}

/** @throws ApiError NOT_FOUND for an unknown tenant, and for one without a rule */
async function readRule(db: Queryable, call: TenantCall): Promise<{ rule: DecisionRule; version: number }> {
  const { rule, version } = await readTenantRule(db, call);
  if (rule === null) throw new ApiError('NOT_FOUND', 'The tenant has no rule for automatic decisions');
  return { rule, version };
}

async function getRule(reads: Pool, call: TenantCall): Promise<OkAnswer> {
  return ok(JSON.stringify((await readRule(reads, call)).rule));
}

async function setRule(
  writes: Writes,
  call: CallOf<typeof setDecisionRule | typeof setPortalDecisionRule>,
): Promise<OkAnswer> {
  const { expectedVersion, ...input } = call.body as DecisionRuleChange;
  const setting = { ...call, input, expectedVersion: expectedVersion?.toString() };
  return ok(JSON.stringify(await writes.decide(setting, ruleSetting)));
}

const ruleSetting = decision({
  targets: (call: TenantCall & { readonly input: DecisionRuleInput }) => targetsOf(call),
  read: readTenantRule,
  plan({ input }, { rule: before, version }) {
    const wanted = completeRule(input);
    const changes = changedValues(before, wanted);
    if (before !== null && Object.keys(changes).length === 0) return unchanged(before);
    return { rule: wanted, version: version + 1, changes };
  },
  version: ({ rule }) => String(rule?.version ?? 0),
  outdated: () =>
    new ApiError('INVALID_STATE_TRANSITION', 'expectedVersion: the rule has changed since; read it again', {
      rejectedField: { field: 'expectedVersion' },
    }),
  store(write, { changes, ...next }, { parameters: { id: tenantId } }) {
    const fields = Object.keys(changes);
    write.audit({ id: tenantId, action: 'tenant.set_decision_rule', fields, changes });
    return insertRule(write, { ...next, tenantId });
  },
});

const noRule: Rule = { approveUpTo: null, rejectAbove: null, withinDays: null };

const ruleRemoval = decision({
  targets: targetsOf,
  read: readRule,
  plan: (_call, found) => found,
  store(write, { rule, version }, { parameters: { id: tenantId } }) {
    insertRule(write, { rule: noRule, version: version + 1, tenantId });
    const changes = changedValues(rule, noRule);
    const fields = Object.keys(changes);
    write.audit({ id: tenantId, action: 'tenant.remove_decision_rule', fields, changes });
    return rule;
  },
});

/** Keeps two changes of one rule in separate transactions, because a transaction can have one audit entry per tenant. */
function targetsOf({ parameters }: TenantCall): string[] {
  return [`decision rule ${parameters.id}`];
}

const ruleApplication = decision({
  targets: (call: CallOf<typeof applyDecisionRule>) => targetsOf(call),
  async read(db, call) {
    const limits = { after: call.body.after ?? first, limit: appliedOrdersMaximum };
    const [{ rule }, found] = await Promise.all([
      readRule(db, call),
      findUndecided(db, placeOf(call), limits),
    ]);
    return { rule, found };
  },
  plan(_call, { rule, found }, at) {
    const { moves, application } = applyRule(rule, found, at);
    return moves.length === 0 ? unchanged(application) : { moves, application };
  },
  store(write, { moves, application }) {
    moveOrders(write, moves);
    return application;
  },
});

/** Orders per read. Other requests are served between two reads. */
const sliceSize = 500;

async function tryOnOrders(reads: Pool, call: CallOf<typeof tryDecisionRule>): Promise<DecisionRulePreview> {
  await readTenantRule(reads, call);
  const { after, limit, ...input } = call.query as DecisionRuleInput & { after?: string; limit: number };
  const rule = completeRule(input);
  const tally = beginDryRun();
  let last = after?.toLowerCase() ?? first;
  for (;;) {
    const size = Math.min(sliceSize, limit - tally.inspected);
    const statement = ordersBehind(placeOf(call), last, size);
    const rows = await reads.rows<{ doc: string }>(statement, { shared: false });
    for (const { doc } of rows) {
      const order = orderResource.parse(doc);
      tryRule(tally, rule, order);
      last = order.id;
    }
    if (rows.length < size) return tally;
    if (tally.inspected === limit) return { ...tally, next: last };
  }
}

/** As of the instant of the order's creation. */
function sampled(rule: Rule, order: Order): DecisionRuleSample['items'][number] {
  const { id: orderId, orderNumber, submittedAt, status, contract, hrHistory } = order;
  return {
    orderId,
    orderNumber,
    submittedAt,
    status,
    monthlyRate: contract && amount(monthlyRate(contract)),
    decision: hrHistory?.decision ?? null,
    source: hrHistory?.source ?? null,
    wouldBe: decideAutomatically(rule, order, new Date(order.createdAt)),
  };
}
