import { type ApiName, apis, type Employee, type Order } from '@kontor/contract';
import { createDemoOrganization } from '../../packages/server/src/cli/demo/organization.ts';
import type { Sql } from '../../packages/server/test/support/database/sql.ts';
import { attachToOrder } from '../../packages/server/src/features/orders/attachments.ts';
import { databaseStore } from '../../packages/server/src/files/database-store.ts';
import { apiClient, type ApiClient } from '../../packages/server/test/support/contract/client.ts';
import { testDatabase } from '../../packages/server/test/support/database/database.ts';
import { orderInput, storeOrders } from '../../packages/server/test/support/data/orders.ts';
import { storePayrollDocument } from '../../packages/server/test/support/data/payroll-documents.ts';
import { startService } from '../../packages/server/test/support/service/service.ts';
import { testToken } from '../../packages/server/test/support/data/tokens.ts';
import { testKey } from '../../packages/server/test/support/data/test-data.ts';
import type { GivenAnswer } from './answer-table.ts';
import { fieldsByPath } from './fields.ts';
import { fillPlatform, fillPortal } from './fill.ts';
import { signIn } from './fill-users.ts';

/** What exists, for the hooks: identifiers by the segment of the path in front of them, or by the operation. */
interface Known {
  readonly tenants: string[];
  readonly employees: string[];
  readonly divisions: string[];
  readonly orders: string[];
  readonly incidents: string[];
  /** Incidents that take attachments. */
  readonly uploadIncidentAttachment: string[];
  readonly 'payroll-export-documents': string[];
  readonly attachments: [order: string, attachment: string][];
  /** Employees who may report incidents, each with an order of his; none of them is among `employees`, which change. */
  readonly reporters: [order: string, employee: string][];
  /** The fields of filter and sort by the path of the collection. */
  readonly fields: Record<string, readonly string[]>;
}

/** An API of the service. */
export interface FuzzedApi {
  readonly name: ApiName;
  /** Ends in `/v1`. */
  readonly url: string;
  /** The header of the credential, with its value. */
  readonly credential: readonly [name: string, value: string];
  readonly known: object;
  /** Operations that are not sent: they would end what lets all others in. */
  readonly left?: readonly string[];
}

export interface FuzzedService {
  readonly apis: Readonly<Record<ApiName, FuzzedApi>>;
  /** What it has answered so far. */
  answers(): GivenAnswer[];
  stop(): Promise<void>;
}

/** Employees that are changed, and as many that have orders and report incidents. */
const employeeCount = 40;

/** Orders of each who has some: each is decided once only. */
const ordersEach = 15;

/** Starts the service on a database of its own with the demo organization, and something of every resource type. */
export async function startFuzzedService(): Promise<FuzzedService> {
  await using started = new AsyncDisposableStack();
  const testing = await testDatabase();
  started.defer(() => testing.drop());
  const { sql } = testing.database;
  const { organizationId } = await createDemoOrganization(sql);
  const key = await testKey(sql, organizationId, 'all');
  const service = await startService(sql);
  started.defer(() => service.stop());
  const client = apiClient(service.url, { key });
  started.defer(async () => client.close());
  const token = await testToken(sql);
  const platform = apiClient(service.managementUrl, { api: 'platform', key: token });
  started.defer(async () => platform.close());
  const known = await fill(sql, client, organizationId);
  const { userId, secret } = await signIn(sql, organizationId);
  const place = { organizationId, tenantId: known.tenants[0]!, client, platform };
  const fuzzed: FuzzedService['apis'] = {
    public: {
      name: 'public',
      url: `${service.url}${apis.public.prefix}`,
      credential: ['X-API-Key', key],
      known,
    },
    platform: {
      name: 'platform',
      url: `${service.managementUrl}${apis.platform.prefix}`,
      credential: ['Authorization', `Bearer ${token}`],
      known: await fillPlatform(sql, place),
    },
    portal: {
      name: 'portal',
      url: `${service.url}${apis.portal.prefix}`,
      credential: ['Cookie', `${apis.portal.credential.cookie}=${secret}`],
      known: await fillPortal(sql, organizationId, userId),
      left: ['signOut', 'endSession', 'endUserSession', 'changePassword'],
    },
  };
  const all = started.move();
  const before = service.log.length;
  return {
    apis: fuzzed,
    answers: () => parseAnswers(service.log.slice(before)),
    stop: () => all.disposeAsync(),
  };
}

function parseAnswers(log: readonly string[]): GivenAnswer[] {
  return log.filter(line => line.includes('"msg":"request"')).map(line => JSON.parse(line) as GivenAnswer);
}

async function fill(sql: Sql, client: ApiClient, organizationId: string): Promise<Known> {
  const query = { filter: 'tenant IS NOT NULL AND blocked = false', pageSize: 2 * employeeCount };
  const found = (await client.get<{ items: Employee[] }>('/employees', { query })).body.items;
  const [changing, reporting] = [found.slice(0, employeeCount), found.slice(employeeCount)];
  await sql`UPDATE employee SET activated_at = now() WHERE id = ANY(${found.map(({ id }) => id)})`;
  const orders = await storeOrdersOf(sql, organizationId, reporting);
  const attachments: [string, string][] = [];
  for (const { id } of orders.slice(0, 5)) {
    const pdf = { fileName: 'a.pdf', mediaType: 'application/pdf', bytes: Buffer.from('%PDF-1.7\n%%EOF\n') };
    const parts = { db: sql, files: databaseStore(sql) };
    const place = { organizationId, orderId: id };
    const { id: attachment } = await attachToOrder(parts, place, { kind: 'offer', ...pdf });
    attachments.push([id, attachment]);
  }
  const tenants = [...new Set(found.map(({ tenant }) => tenant!))];
  for (const tenant of tenants)
    for (const bytes of [Buffer.from('4711;12,50\n'), Buffer.alloc(200_000, '4711;12,50\n'), null])
      await storePayrollDocument(sql, organizationId, { tenant }, bytes);
  for (const { id } of changing) await client.post('/incidents', { employeeId: id, type: 'theft' });
  const incidents = await listIds(client, '/incidents');
  return {
    tenants,
    employees: changing.map(({ id }) => id),
    divisions: await listIds(client, '/divisions'),
    orders: orders.map(({ id }) => id),
    incidents,
    uploadIncidentAttachment: await report(client, orders.slice(0, 100)),
    'payroll-export-documents': await listIds(client, '/payroll-export-documents'),
    attachments,
    reporters: orders.map(({ id, employeeId }) => [id, employeeId]),
    fields: fieldsByPath('public'),
  };
}

async function storeOrdersOf(sql: Sql, organizationId: string, employees: Employee[]): Promise<Order[]> {
  const stored: Order[] = [];
  for (const [tenantId, list] of Map.groupBy(employees, ({ tenant }) => tenant!)) {
    const inputs = list.flatMap(({ id }) =>
      Array.from({ length: ordersEach }, () => orderInput({ employeeId: id })),
    );
    stored.push(...(await storeOrders(sql, { organizationId, tenantId }, inputs)));
  }
  return stored;
}

/** Reports an incident to each order that lacks nothing, and answers their identifiers. */
async function report(client: ApiClient, orders: readonly Order[]): Promise<string[]> {
  const ids: string[] = [];
  for (const { id: orderId, employeeId } of orders) {
    const complete = { type: 'damage', occurredOn: '2026-09-02', description: 'Rahmen gebrochen' };
    ids.push((await client.post<{ id: string }>('/incidents', { employeeId, orderId, ...complete })).body.id);
  }
  return ids;
}

async function listIds(client: ApiClient, path: string): Promise<string[]> {
  const { items } = (await client.get<{ items: { id: string }[] }>(path)).body;
  return items.map(({ id }) => id);
}
