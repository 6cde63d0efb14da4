import {
  ApiError,
  type PayrollSettlement,
  type PayrollSettlementCreate,
  unprocessable,
} from '@kontor/contract';
import type { Scope } from '../../../auth/scope.ts';
import { newId } from '../../../db/ids.ts';
import type { Queryable } from '../../../db/session.ts';
import { insertion, sql } from '../../../db/sql.ts';
import type { Month } from '../../../lib/calendar.ts';
import { amount, cents } from '../../../lib/money.ts';
import type { Write } from '../../../write/writes.ts';
import { assessOrder } from '../computation/assess.ts';
import { balanceOf } from '../computation/balance.ts';
import { owedFinder } from '../explain.ts';
import { lastMonth, type Released, type SettingsVersions, yearsAhead } from '../computation/facts.ts';
import type { Basis, Kind } from '../computation/owed.ts';
import { findOrder, readFacts } from '../read.ts';
import { actorOf } from '../runs.ts';
import { lockSettings, rejectDuringRelease, rejectUnconfirmed } from '../settings.ts';

export type WantedSettlement = PayrollSettlementCreate & { readonly scope: Scope };

interface PlannedSettlement {
  readonly tenantId: string;
  readonly employeeId: string;
  readonly versions: SettingsVersions;
  readonly cents: bigint;
}

/**
 * Checks a settlement. Without an amount, it is all that is open for the month.
 * @throws ApiError INVALID_REFERENCE for an unknown order or one without a tenant, INVALID_STATE_TRANSITION during a release,
 * 422 VALIDATION_ERROR for more than is open and a month out of range
 */
export async function planSettlement(
  { organizationId, at }: Pick<Write, 'organizationId' | 'at'>,
  session: Queryable,
  { scope, orderId, month, kind, meaning, amount: wanted }: WantedSettlement,
): Promise<PlannedSettlement> {
  const place = await findOrder(session, scope, orderId);
  if (place === null || place.tenantId === null)
    throw new ApiError('INVALID_REFERENCE', 'orderId must name an order of the organization, with a tenant');
  const { tenantId, employeeId } = place;
  const versions = await lockSettings(session, { organizationId, tenantId });
  await rejectDuringRelease(session, { organizationId, tenantId });
  const { firstPeriod } = versions[0];
  if (month < firstPeriod)
    throw unprocessable(`month must not be before ${firstPeriod}, the first period of the tenant`);
  const last = lastMonth(at);
  if (month > last)
    throw unprocessable(`month must not be after ${last}, ${yearsAhead} years after the present one`);
  const terms = { versions, period: month, formats: [], cutOff: null };
  const selection = { organizationId, tenantId, divisionId: null, orderIds: [orderId] };
  let unsettled = 0n;
  for await (const [facts] of readFacts(session, selection))
    unsettled = openAmount(assessOrder(facts!, terms).basis, facts!.released, { month, kind });
  // An amount to be given back is owed to the employee, and cannot be waived.
  const open = meaning === 'not_owed' && unsettled < 0n ? 0n : unsettled;
  const settled = wanted === undefined ? open : cents(wanted);
  if (
    !isPartOf(settled, open) &&
    !isPartOf(-settled, await readSettled(session, organizationId, { orderId, month, kind, meaning }))
  )
    throw unprocessable(
      open === 0n
        ? `Nothing is open for ${kind} in ${month} that is ${meaning}; an amount can take back at most what was settled so`
        : `amount must be a part of the ${amount(open)} that are open for ${kind} in ${month}, or take back what was settled`,
    );
  return { tenantId, employeeId, versions, cents: settled };
}

/**
 * Records that an amount was paid elsewhere or is not owed (balance.ts). An amount with the other sign takes back a settlement of the same
 * meaning. @throws ApiError as {@link planSettlement}, PERMISSION_DENIED where another caller has to confirm it
 */
export async function settle(
  write: Write,
  session: Queryable,
  { isConfirmed = false, ...wanted }: WantedSettlement & { readonly isConfirmed?: boolean },
): Promise<PayrollSettlement> {
  const { organizationId } = write;
  const { orderId, month, kind, meaning, reason } = wanted;
  const planned = await planSettlement(write, session, wanted);
  if (!isConfirmed) rejectUnconfirmed(planned.versions);
  const id = newId();
  const settledBy = actorOf(write.author);
  const row = {
    organization_id: organizationId,
    order_id: orderId,
    month,
    kind,
    run_id: id,
    source: 'settled',
    meaning,
    tenant_id: planned.tenantId,
    employee_id: planned.employeeId,
    cents: planned.cents.toString(),
    created_at: write.at,
    reason,
    settled_by: JSON.stringify(settledBy),
  };
  write.send(sql`INSERT INTO payroll_entry ${insertion(row)}`);
  write.audit({ id: orderId, action: 'order.settle_payroll', fields: [] });
  return {
    id,
    orderId,
    month,
    kind,
    meaning,
    amount: amount(planned.cents),
    reason,
    settledBy,
    settledAt: write.instant,
  };
}

/** More than the whole would come back in the next run with the other sign. */
function isPartOf(part: bigint, whole: bigint): boolean {
  return whole > 0n ? part > 0n && part <= whole : part < 0n && part >= whole;
}

async function readSettled(
  db: Queryable,
  organizationId: string,
  { orderId, month, kind, meaning }: Pick<PayrollSettlement, 'orderId' | 'month' | 'kind' | 'meaning'>,
): Promise<bigint> {
  const [sum] = await db.rows<{ cents: string }>(sql`
    SELECT coalesce(sum(cents), 0)::text AS cents FROM payroll_entry
    WHERE organization_id = ${organizationId} AND order_id = ${orderId} AND month = ${month} AND kind = ${kind}
      AND source = 'settled' AND coalesce(meaning, 'paid_elsewhere') = ${meaning}`);
  return BigInt(sum!.cents);
}

function openAmount(
  basis: Basis | null,
  released: readonly Released[],
  { month, kind }: { month: Month; kind: Kind },
): bigint {
  const owed = basis && owedFinder(month)(basis, month);
  const known = released.find(sum => sum.month === month && sum.kind === kind);
  const { due, overpaid } = balanceOf(owed?.owed[kind] ?? 0n, known ?? null);
  return due - overpaid;
}
