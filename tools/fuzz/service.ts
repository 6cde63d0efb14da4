import type { Employee, Order } from '@kontor/contract';
import { createDemoOrganization } from '../../packages/server/src/commands/demo-organization.ts';
import { connect, type Sql } from '../../packages/server/src/database/connect.ts';
import { migrate } from '../../packages/server/src/database/migrate.ts';
import { attachToOrder } from '../../packages/server/src/features/orders/attach.ts';
import { databaseStore } from '../../packages/server/src/files/database-store.ts';
import { apiClient, type ApiClient } from '../../packages/server/test/support/client.ts';
import { startTestCluster } from '../../packages/server/test/support/cluster.ts';
import { orderInput, storeOrders } from '../../packages/server/test/support/orders.ts';
import { storePayrollDocument } from '../../packages/server/test/support/payroll-documents.ts';
import { startService } from '../../packages/server/test/support/service.ts';
import { testKey } from '../../packages/server/test/support/world.ts';

/** Identifiers that exist, by the first segment of the path, and attachments with their order. */
export interface Known {
  readonly employees: string[];
  readonly divisions: string[];
  readonly orders: string[];
  readonly incidents: string[];
  readonly 'payroll-export-documents': string[];
  readonly attachments: [order: string, attachment: string][];
}

export interface FuzzedService {
  /** Ends in `/v1`. */
  readonly url: string;
  readonly key: string;
  readonly known: Known;
  /** How many requests it has answered. */
  requests(): number;
  stop(): Promise<void>;
}

/** Starts the service on a database of its own with the demo organization, and something of every family. */
export async function startFuzzedService(): Promise<FuzzedService> {
  await using started = new AsyncDisposableStack();
  const cluster = await startTestCluster();
  started.defer(() => cluster.stop());
  const { sql, close } = connect({ url: cluster.url });
  started.defer(close);
  await migrate(sql);
  const organizationId = await createDemoOrganization(sql);
  const key = await testKey(sql, organizationId, 'all');
  const service = await startService(sql);
  started.defer(() => service.stop());
  const client = apiClient(service.url, { key });
  started.defer(async () => client.close());
  const known = await fill(sql, client, organizationId);
  const all = started.move();
  const before = requestsIn(service.log);
  return {
    url: `${service.url}/v1`,
    key,
    known,
    requests: () => requestsIn(service.log) - before,
    stop: () => all.disposeAsync(),
  };
}

function requestsIn(log: readonly string[]): number {
  return log.filter(line => line.includes('"msg":"request"')).length;
}

async function fill(sql: Sql, client: ApiClient, organizationId: string): Promise<Known> {
  const query = { filter: 'tenant IS NOT NULL', pageSize: 40 };
  const people = (await client.get<{ items: Employee[] }>('/employees', { query })).body.items;
  const orders: Order[] = [];
  for (const { id, tenant } of people.slice(0, 20)) {
    const target = { organizationId, tenantId: tenant! };
    orders.push(...(await storeOrders(sql, target, [orderInput({ employeeId: id })])));
  }
  const attachments: [string, string][] = [];
  for (const { id } of orders.slice(0, 5)) {
    const pdf = { fileName: 'a.pdf', mediaType: 'application/pdf', bytes: Buffer.from('%PDF-1.7\n%%EOF\n') };
    const parts = { sql, files: databaseStore(sql) };
    const place = { organizationId, orderId: id };
    const { id: attachment } = await attachToOrder(parts, place, { kind: 'offer', ...pdf });
    attachments.push([id, attachment]);
  }
  const tenant = people[0]!.tenant!;
  for (const bytes of [Buffer.from('4711;12,50\n'), null])
    await storePayrollDocument(sql, organizationId, { tenant }, bytes);
  for (const { id } of people) await client.post('/incidents', { employeeId: id, type: 'theft' });
  return {
    employees: people.map(({ id }) => id),
    divisions: await idsOf(client, '/divisions'),
    orders: orders.map(({ id }) => id),
    incidents: await idsOf(client, '/incidents'),
    'payroll-export-documents': await idsOf(client, '/payroll-export-documents'),
    attachments,
  };
}

async function idsOf(client: ApiClient, path: string): Promise<string[]> {
  const { items } = (await client.get<{ items: { id: string }[] }>(path)).body;
  return items.map(({ id }) => id);
}
