import type { Incident } from '@kontor/contract';
import type { Sql } from '../../support/database/sql.ts';
import { newId } from '../../../src/db/ids.ts';
import type { EmployeeData } from '../../../src/features/employees/mapping.ts';
import { type ApiClient, apiClient } from '../../support/contract/client.ts';
import { type TestDatabase, testDatabase } from '../../support/database/database.ts';
import { countersOf, storeEmployees } from '../../support/data/employees.ts';
import { startService, type TestService } from '../../support/service/service.ts';
import { insertTestData, stateOf, type TestData } from '../../support/data/test-data.ts';

/** Days outside of the bounds of an incident: a year that was typed with two digits, and the days before the first and after the last one. */
export const daysOutOfBounds = () => ['0026-11-01', '1999-12-31', dayInTenYears(1), '9999-12-31'];

/** The last day of an incident, and some days more. */
export function dayInTenYears(more: number): string {
  const now = new Date();
  const day = Date.UTC(now.getUTCFullYear() + 10, now.getUTCMonth(), now.getUTCDate() + more);
  return new Date(day).toISOString().slice(0, 10);
}

/** A fixture with a service, and what tests of incidents need. */
export interface IncidentTestData {
  readonly database: TestDatabase;
  readonly sql: Sql;
  readonly service: TestService;
  readonly testData: TestData;
  readonly client: ApiClient;
  /** An employee of tenant A who is activated by default. */
  employee(more?: Partial<EmployeeData> & { activated?: boolean }): Promise<string>;
  /** An order of the employee. */
  order(employeeId: string): Promise<string>;
  /** An employee with an order, and a report of him that lacks nothing. */
  report(more?: Record<string, unknown>, place?: Partial<EmployeeData>): Promise<Report>;
  /** An incident that was reported through the API. */
  reported(more?: Record<string, unknown>, place?: Partial<EmployeeData>): Promise<Incident>;
  close(): Promise<void>;
}

export type Report = Record<string, unknown> & { employeeId: string; orderId: string };

export async function incidentTestData(): Promise<IncidentTestData> {
  const database = await testDatabase();
  const { sql } = database.database;
  const testData = await insertTestData(sql);
  const service = await startService(sql);
  const client = apiClient(service.url, { key: testData.keys.all });

  async function employee({ activated = true, ...data }: Parameters<IncidentTestData['employee']>[0] = {}) {
    const [stored] = await storeEmployees(sql, testData.organization, [
      { tenant: testData.tenantA, ...data },
    ]);
    if (activated) await sql`UPDATE employee SET activated_at = now() WHERE id = ${stored!.id}`;
    return stored!.id;
  }
  async function report(more: Record<string, unknown> = {}, place: Partial<EmployeeData> = {}) {
    const employeeId = await employee(place);
    const orderId = await storeOrder(sql, employeeId);
    return {
      employeeId,
      orderId,
      type: 'damage',
      occurredOn: '2026-09-02',
      description: 'Rahmen gebrochen',
      ...more,
    };
  }
  return {
    database,
    sql,
    service,
    testData,
    client,
    employee,
    order: employeeId => storeOrder(sql, employeeId),
    report,
    async reported(more, place) {
      const answer = await client.post<Incident>('/incidents', await report(more, place));
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
      return answer.body;
    },
    async close() {
      client.close();
      await service.stop();
      await database.drop();
    },
  };
}

/** Only what an incident asks of an order; an import of a whole one would take longer than many of the tests. */
async function storeOrder(sql: Sql, employeeId: string): Promise<string> {
  const id = newId();
  await sql`
    INSERT INTO employee_order (organization_id, id, tenant_id, division_id, employee_id, order_number,
      folded_order_number, search, status, submitted_at, created_at, updated_at, doc_version, fold_version, doc)
    SELECT organization_id, ${id}, tenant_id, division_id, id, ${id}, ${id}, '', 'active', now(), now(), now(), 1, 1, '{}'
    FROM employee WHERE id = ${employeeId}`;
  return id;
}

/** Takes an incident on in its lifecycle, as HR does; the API cannot. */
export async function advance(sql: Sql, id: string, status: Incident['status']): Promise<void> {
  const [row] = await sql<{ doc: string }[]>`SELECT doc FROM incident WHERE id = ${id}`;
  const doc = JSON.stringify({ ...JSON.parse(row!.doc), status, editable: false });
  await sql`UPDATE incident SET status = ${status}, editable = false, doc = ${doc} WHERE id = ${id}`;
}

/** Everything that a dry run or a rejected request must leave alone, files included, as comparable text. */
export async function wholeState(sql: Sql): Promise<string> {
  const incidents = await sql`SELECT to_jsonb(i) AS row FROM incident i ORDER BY organization_id, id`;
  const slices = await sql`
    SELECT file_id, number, md5(bytes) AS bytes FROM file_slice ORDER BY organization_id, file_id, number`;
  return JSON.stringify([await stateOf(sql), incidents, slices]);
}

/** The same as {@link countersOf}, of incidents. */
export function incidentCounters(sql: Sql, organizationId: string): ReturnType<typeof countersOf> {
  return countersOf(sql, organizationId, 'incident');
}

/** A file of each admitted media type, by its first bytes. */
export const files = {
  'image/png': Buffer.from('\x89PNG\r\n\x1a\n rest of a picture', 'latin1'),
  'image/jpeg': Buffer.from('\xff\xd8\xff\xe0 rest of a picture', 'latin1'),
  'image/webp': Buffer.from('RIFF\x04\x00\x00\x00WEBPVP8 ', 'latin1'),
  'application/pdf': Buffer.from('%PDF-1.7\n%%EOF\n', 'latin1'),
} as const;
