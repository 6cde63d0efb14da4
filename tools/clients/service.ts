import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Employee, Incident } from '@kontor/contract';
import { createKey } from '../../packages/server/src/commands/keys.ts';
import { connect } from '../../packages/server/src/database/connect.ts';
import { migrate } from '../../packages/server/src/database/migrate.ts';
import { attachToOrder } from '../../packages/server/src/features/orders/attach.ts';
import { databaseStore } from '../../packages/server/src/files/database-store.ts';
import { apiClient } from '../../packages/server/test/support/client.ts';
import { startTestCluster } from '../../packages/server/test/support/cluster.ts';
import { contractInput, orderInput, storeOrders } from '../../packages/server/test/support/orders.ts';
import { storePayrollDocument } from '../../packages/server/test/support/payroll-documents.ts';
import { startService } from '../../packages/server/test/support/service.ts';
import { type Sql, testSql } from '../../packages/server/test/support/sql.ts';
import { createWorld, testPepper } from '../../packages/server/test/support/world.ts';

/** What a session must know, as it reads it from `facts.json` in its folder. */
export interface Facts {
  /** Ends in `/v1`. */
  readonly url: string;
  readonly key: string;
  /** A key whose quota of one request is spent. */
  readonly spentKey: string;
  readonly tenant: string;
  /** A tenant that the key does not see. */
  readonly foreignTenant: string;
  /** One of three employees whose last names start with `Sch`. */
  readonly employee: string;
  /** An order under review, with a document and a contract of a list price of 3599.00. */
  readonly order: string;
  readonly document: string;
  /** An incident that takes files. */
  readonly incident: string;
  readonly payrollDocument: string;
}

export interface LiveService {
  /** Makes an organization of its own, and writes `facts.json` and the files of a session into the folder. */
  prepare(folder: string): Promise<void>;
  stop(): Promise<void>;
}

const pdf = Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<<>>\nendobj\n%%EOF\n', 'latin1');
const payroll = Buffer.from('Personalnummer;Monat;Betrag\r\n4711;2026-10;12,50\r\n4712;2026-10;8,00 €\r\n');
const tooLarge = Buffer.concat([pdf, Buffer.alloc(5 * 1024 * 1024)]);

/** What a session uploads, and what its downloads must be. */
const files: Record<string, Buffer> = {
  'beleg.pdf': pdf,
  'zu-gross.pdf': tooLarge,
  'kein.pdf': Buffer.from('Das ist kein PDF.\n'),
  'expected-document': pdf,
  'expected-payroll': payroll,
};

/** A service on a PostgreSQL of its own, for all sessions of a run. */
export async function startLiveService(): Promise<LiveService> {
  await using started = new AsyncDisposableStack();
  const cluster = await startTestCluster();
  started.defer(() => cluster.stop());
  const database = connect({ url: cluster.url });
  started.defer(() => database.close());
  await migrate(database);
  const sql = testSql(database);
  const service = await startService(sql);
  started.defer(() => service.stop());
  const all = started.move();
  return {
    async prepare(folder) {
      const facts = await makeFacts(sql, service.url);
      await writeFile(path.join(folder, 'facts.json'), JSON.stringify(facts));
      for (const [name, bytes] of Object.entries(files)) await writeFile(path.join(folder, name), bytes);
    },
    stop: () => all.disposeAsync(),
  };
}

async function makeFacts(sql: Sql, url: string): Promise<Facts> {
  const world = await createWorld(sql);
  const target = { organizationId: world.organization, tenantId: world.tenantA };
  const client = apiClient(url, { key: world.keys.all });
  const [employee] = await hire(client, world.tenantA);
  await sql`UPDATE employee SET activated_at = now() WHERE id = ${employee!.id}`;
  const input = orderInput({ employeeId: employee!.id, contract: contractInput() });
  const [order] = await storeOrders(sql, target, [input]);
  const attached = {
    kind: 'offer',
    fileName: 'angebot.pdf',
    mediaType: 'application/pdf',
    bytes: pdf,
  } as const;
  const place = { organizationId: world.organization, orderId: order!.id };
  const document = await attachToOrder({ db: sql, files: databaseStore(sql) }, place, attached);
  const report = { occurredOn: '2026-09-02', description: 'Rahmen gebrochen', type: 'damage' };
  const incident = { employeeId: employee!.id, orderId: order!.id, ...report };
  const reported = (await client.post<Incident>('/incidents', incident)).body;
  const payrollDocument = await storePayrollDocument(
    sql,
    world.organization,
    { tenant: world.tenantA },
    payroll,
  );
  const quota = { requests: 1, seconds: 86_400 };
  const small = { organizationId: world.organization, name: 'spent', grants: 'all', quota } as const;
  const { key: spentKey } = await createKey(sql, testPepper, small);
  await client.get('/employees', { key: spentKey });
  client.close();
  return {
    url: `${url}/v1`,
    key: world.keys.all,
    spentKey,
    tenant: world.tenantA,
    foreignTenant: world.foreign.tenant,
    employee: employee!.id,
    order: order!.id,
    document: document.id,
    incident: reported.id,
    payrollDocument: payrollDocument.id,
  };
}

/** Three employees whose last names start with `Sch`, and one other. */
async function hire(client: ReturnType<typeof apiClient>, tenant: string): Promise<Employee[]> {
  const hired: Employee[] = [];
  for (const [firstName, lastName] of [
    ['Maria', 'Schulz'],
    ['Jörg', 'Schäfer'],
    ['Ali', 'Schmidt'],
    ['Ida', 'Kaya'],
  ]) {
    const body = { email: `${firstName!.toLowerCase()}@example.com`, firstName, lastName };
    hired.push((await client.post<Employee>('/employees', body, { tenant })).body);
  }
  return hired;
}
