import {
  ApiError,
  type ContractAmounts,
  type ContractEnd,
  getOrderContractRecord,
  type OrderContract,
  type OrderPayrollChange,
  type OrderWithRecord,
  recordContractEnd,
  recordContractVersion,
  recordPortalContractEnd,
  recordPortalContractVersion,
  withdrawContractEnd,
  withdrawContractVersion,
  withdrawPortalContractEnd,
  withdrawPortalContractVersion,
} from '@kontor/contract';
import type { Scope } from '../../auth/scope.ts';
import type { Pool } from '../../db/connect.ts';
import { dryRunId, newId } from '../../db/ids.ts';
import { sql } from '../../db/sql.ts';
import { type CallOf, implement } from '../../http/implement.ts';
import { notFound, type ResourceCall } from '../../http/read-resource.ts';
import { ok, type Route, type RouteParts } from '../../http/route.ts';
import { callOf, decision, operator, unchanged, type WriteCall, Writes } from '../../write/writes.ts';
import {
  type Authorship,
  type Change,
  planChanges,
  recordEnd,
  type Recorded,
  recordOf,
  recordVersion,
  withdrawEnd,
  withdrawVersion,
} from './contract-record.ts';
import { findOrder, type FoundOrder, type OrderAction, updateOrder } from './store.ts';

export function orderContractRoutes({ reads, writes }: RouteParts): Route[] {
  return [
    implement(getOrderContractRecord, async call => {
      const { scope, tenant, parameters } = call;
      const found = (await findOrder(reads, scope, tenant, parameters.id)) ?? notFound('order', call);
      return ok(render(found));
    }),
    implement(recordContractEnd, async call => ok(await endContract(writes, call, call.body))),
    implement(withdrawContractEnd, async call => ok(await withdrawContract(writes, call))),
    implement(recordContractVersion, async call => ok(await changeContract(writes, call))),
    implement(withdrawContractVersion, async call => ok(await withdrawChange(writes, call))),
  ];
}

/** The same for HR, in the scope of the user's permission. */
export function portalOrderContractRoutes({ writes }: Pick<RouteParts, 'writes'>): Route[] {
  return [
    implement(recordPortalContractEnd, async call => ok(await endContract(writes, call, call.body))),
    implement(withdrawPortalContractEnd, async call => ok(await withdrawContract(writes, call))),
    implement(recordPortalContractVersion, async call => ok(await changeContract(writes, call))),
    implement(withdrawPortalContractVersion, async call => ok(await withdrawChange(writes, call))),
  ];
}

type Target = Pick<ResourceCall, 'tenant' | 'parameters'> & WriteCall & { readonly scope: Scope };

function endContract(writes: Writes, call: Target, end: ContractEnd): Promise<string> {
  const plan: Changing['change'] = (found, author) => recordEnd(found, end, author);
  return record(writes, call, {
    action: 'order.end_contract',
    fields: ['contract', 'contractEnd'],
    change: plan,
  });
}

function withdrawContract(writes: Writes, call: Target): Promise<string> {
  return record(writes, call, {
    action: 'order.withdraw_end',
    fields: ['contract', 'contractEnd'],
    change: withdrawEnd,
  });
}

function changeContract(
  writes: Writes,
  call: CallOf<typeof recordContractVersion | typeof recordPortalContractVersion>,
): Promise<string> {
  const given = { id: call.dryRun ? dryRunId : newId(), ...call.body };
  return record(writes, call, {
    action: 'order.change_contract',
    fields: ['contract', 'contractVersion'],
    change: (found, author) => recordVersion(found, given, author),
    showsFrom: given.from,
  });
}

function withdrawChange(
  writes: Writes,
  call: CallOf<typeof withdrawContractVersion | typeof withdrawPortalContractVersion>,
): Promise<string> {
  return record(writes, call, {
    action: 'order.withdraw_version',
    fields: ['contract', 'contractVersion'],
    change: (found, author) => withdrawVersion(found, call.parameters.versionId, author),
  });
}

/** Records an early end for a command, or withdraws it with null. @throws ApiError as the operations do */
export function endContractOf(
  db: Pool,
  { organizationId, orderId }: { organizationId: string; orderId: string },
  end: ContractEnd | null,
): Promise<string> {
  const scope: Scope = { organizationId, callerId: operator.actor.id, grants: 'all' };
  const call = { ...callOf(organizationId, operator), scope, tenant: null, parameters: { id: orderId } };
  const writes = new Writes(db);
  return end ? endContract(writes, call, end) : withdrawContract(writes, call);
}

/** The contract of an order after changes that are not stored, and its amounts by month. @throws ApiError as the recording operations do */
export async function planContract(
  db: Pool,
  call: ResourceCall,
  changes: Omit<OrderPayrollChange, 'leave'>,
): Promise<{ contract: OrderContract | null; amounts: readonly ContractAmounts[] }> {
  const found = (await findOrder(db, call.scope, call.tenant, call.parameters.id)) ?? notFound('order', call);
  if (Object.keys(changes).length > 0) checkErasure(found);
  const { order, record } = planChanges(found, changes, { by: call.caller.actor, at: call.receivedAt });
  return { contract: order.contract, amounts: recordOf({ order, record }).amounts };
}

interface Changing {
  readonly action: OrderAction;
  readonly fields: readonly string[];
  /** Null: nothing changes. */
  readonly change: (before: Recorded, author: Authorship) => Change | null;
  /** The month from which a version is shown. */
  readonly showsFrom?: string;
}

function record(writes: Writes, call: Target, changing: Changing): Promise<string> {
  return writes.decide({ ...call, changing }, contractChange);
}

/** Changes the contract of an order and its record. `updatedAt` always moves: the cut-off of payroll compares it. */
const contractChange = decision({
  targets: ({ parameters }: Target & { readonly changing: Changing }) => [parameters.id],
  read: async (db, { scope, tenant, parameters }) => {
    const found = await findOrder(db, scope, tenant, parameters.id);
    if (!found) throw new ApiError('NOT_FOUND', 'No order with this id is visible to the caller');
    return found;
  },
  plan({ caller: { actor }, changing }, found, at) {
    checkErasure(found);
    const changed = changing.change(found, { by: actor, at });
    return changed
      ? { order: { ...found.order, contract: changed.contract }, changed }
      : unchanged(render(found));
  },
  store(write, { order, changed }, { parameters: { id }, changing: { action, fields, showsFrom } }) {
    const updated = { ...order, updatedAt: write.instant };
    const { record } = changed;
    updateOrder(write, { order: updated, action, fields, record });
    if (showsFrom !== undefined && showsFrom > write.instant.slice(0, 7))
      write.send(sql`
        INSERT INTO contract_version_due (organization_id, from_month, order_id)
        VALUES (${write.organizationId}, ${showsFrom}, ${id}) ON CONFLICT DO NOTHING`);
    return render({ order: updated, record });
  },
});

/** @throws ApiError INVALID_STATE_TRANSITION */
function checkErasure({ erased }: FoundOrder): void {
  if (erased)
    throw new ApiError(
      'INVALID_STATE_TRANSITION',
      'The data of the employee were erased, so nothing is recorded any more',
    );
}

function render(recorded: Pick<Recorded, 'order' | 'record'>): string {
  return JSON.stringify({
    order: recorded.order,
    contractRecord: recordOf(recorded),
  } satisfies OrderWithRecord);
}
