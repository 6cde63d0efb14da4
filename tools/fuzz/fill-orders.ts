import type { ApiClient } from '../../packages/server/test/support/contract/client.ts';
import {
  contractInput,
  historyInput,
  orderInput,
  storeOrders,
} from '../../packages/server/test/support/data/orders.ts';
import { storeEmployees } from '../../packages/server/test/support/data/employees.ts';
import type { Sql } from '../../packages/server/test/support/database/sql.ts';

/** What takes part: the clients of both APIs, each for the organization, and a tenant of it. */
export interface Place {
  readonly organizationId: string;
  readonly tenantId: string;
  /** Of the public API. */
  readonly client: ApiClient;
  /** Of the platform API. */
  readonly platform: ApiClient;
}

/** Orders and incidents in each state that an operation begins with: each goes through it once. */
const each = 60;

/** The states of orders that operations begin with. */
const states = {
  recordOrderDecision: 'under_review',
  cancelOrder: 'under_review',
  expireOrder: 'under_review',
  makeOrderReady: 'approved',
  handOverOrder: 'ready_for_pickup',
  completeOrder: 'active',
} as const;

/** Identifiers of orders by the operation that moves them; `orders` are left alone. */
export async function fillOrders(
  sql: Sql,
  { organizationId, tenantId }: Place,
): Promise<Record<string, string[]>> {
  const [employee] = await storeEmployees(sql, organizationId, [{ tenant: tenantId }]);
  const store = async (status: string) => {
    const hrHistory = status === 'under_review' ? null : historyInput('approved');
    const inputs = Array.from({ length: each }, () =>
      orderInput({ employeeId: employee!.id, status, hrHistory, contract: contractInput() }),
    );
    return (await storeOrders(sql, { organizationId, tenantId }, inputs)).map(({ id }) => id);
  };
  const known: Record<string, string[]> = { orders: await store('under_review') };
  for (const [operation, status] of Object.entries(states)) known[operation] = await store(status);
  return known;
}

/** Identifiers of incidents by the operation that moves them. */
export async function fillIncidents(sql: Sql, place: Place): Promise<Record<string, string[]>> {
  const { organizationId, tenantId, client } = place;
  const [employee] = await storeEmployees(sql, organizationId, [{ tenant: tenantId }]);
  await sql`
    UPDATE employee SET activated_at = now() WHERE organization_id = ${organizationId} AND id = ${employee!.id}`;
  const [order] = await storeOrders(sql, { organizationId, tenantId }, [
    orderInput({ employeeId: employee!.id }),
  ]);
  const report = {
    employeeId: employee!.id,
    orderId: order!.id,
    type: 'damage',
    occurredOn: '2026-09-02',
    description: 'Rahmen gebrochen',
  };
  const make = async () => (await client.post<{ id: string }>('/incidents', report)).body.id;
  const completed = () => many(make);
  const inProgress = () =>
    many(async () => {
      const id = await make();
      await place.platform.request('POST', `/organizations/${organizationId}/incidents/${id}/processing`);
      return id;
    });
  return {
    incidents: await completed(),
    startIncident: await completed(),
    cancelIncident: await completed(),
    resolveIncident: await inProgress(),
    rejectIncident: await inProgress(),
  };
}

async function many(make: () => Promise<string>): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < each; n++) ids.push(await make());
  return ids;
}
