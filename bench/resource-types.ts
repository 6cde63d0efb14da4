import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from '../packages/server/src/db/connect.ts';
import { sql } from '../packages/server/src/db/sql.ts';
import { newId } from '../packages/server/src/db/ids.ts';
import { employeeRow } from '../packages/server/src/features/employees/mapping.ts';
import { newEmployee } from '../packages/server/src/features/employees/rules.ts';
import { insertEmployees } from '../packages/server/src/features/employees/store.ts';
import { runAtClock } from '../packages/server/src/write/run-at-clock.ts';
import { operator } from '../packages/server/src/write/writes.ts';
import { createOrganization, createTenant } from '../packages/server/src/features/organizations/store.ts';
import type { Case } from './cases.ts';
import { createKey, runKontor } from './keys.ts';

/** An organization with orders under review, for the resource types other than employees. */
export interface ResourceTypes {
  readonly organization: string;
  readonly key: string;
  readonly employees: readonly string[];
  readonly orders: readonly string[];
  /** A payroll export document with a file. */
  readonly document: string;
}

const employeeCount = 1000;
const productCount = 10;
const fileSize = 65_536;

/** Builds the organization again: decisions use its orders up, those of each second beginning at another one. */
export async function populateResourceTypes(
  db: Pool,
  dataDirectory: string,
  orderCount: number,
): Promise<ResourceTypes> {
  const folder = await mkdtemp(join(tmpdir(), 'kontor-bench-'));
  const organization = await createOrganization(db, `bench families ${newId()}`);
  const tenant = await createTenant(db, organization, 'Families GmbH');
  const employees = await hire(db, organization, tenant);
  const place = ['--tenant', tenant, '--data-dir', dataDirectory];
  await runKontor(['employee', 'activate', ...place]);
  const lines = Array.from({ length: orderCount }, (_, n) => orderLine(n, employees));
  await writeFile(join(folder, 'orders.jsonl'), lines.join('\n'));
  await runKontor(['import', 'orders', join(folder, 'orders.jsonl'), ...place]);
  await writeFile(join(folder, 'payroll.csv'), 'x'.repeat(fileSize));
  const payroll = ['import', 'payroll-document', join(folder, 'payroll.csv'), ...place];
  const { id } = await runKontor([...payroll, '--period', '2026-10', '--format', 'csv']);
  await rm(folder, { recursive: true });
  const rows = await db.rows<{ id: string }>(
    sql`SELECT id FROM employee_order WHERE organization_id = ${organization}`,
  );
  const key = await createKey(dataDirectory, organization);
  return { organization, key, employees, orders: rows.map(row => row.id), document: String(id) };
}

/** Stores employees, and answers their identifiers. */
export async function hire(db: Pool, organization: string, tenant: string): Promise<string[]> {
  const rows = Array.from({ length: employeeCount }, (_, n) => {
    const id = newId();
    const names = { firstName: 'Olga', lastName: `Orderer ${n}` };
    const person = { ...names, email: `order.${n}@example.com`, employeeNumber: String(n) };
    return employeeRow(id, newEmployee(person, { tenant, divisionId: null }));
  });
  await runAtClock(db, organization, operator, write => {
    insertEmployees(rows.map(row => ({ write, row })));
  });
  return rows.map(row => row.id);
}

export const product = {
  model: 'Nox Cycles Helium 5.9 All Mountain',
  vatRate: '19.00',
  manufacturerName: 'Nox Cycles',
  articleGroupName: 'E-Bike',
  grossAmount: '3599.00',
  netAmount: '3024.3697',
  service: 'Jährliche Inspektion',
  grossService: '119.00',
  netService: '100.00',
};

export const contract = {
  termMonths: 36,
  currency: 'EUR',
  listPrice: '3599.00',
  purchasePrice: '3419.05',
  leasingRate: '98.10',
  leasingRateSubsidy: '20.00',
  insuranceRate: '9.90',
  insuranceRateSubsidy: '9.90',
  serviceRate: '5.00',
  serviceRateSubsidy: '0.00',
};

function orderLine(n: number, employees: readonly string[]): string {
  return JSON.stringify({
    orderNumber: `A-2026-${n}`,
    employeeId: employees[n % employees.length],
    status: 'under_review',
    products: Array.from({ length: productCount }, () => product),
    contract: null,
    hrHistory: null,
    submittedAt: '2026-09-02T08:15:30.123Z',
  });
}

/** A list and a write of every resource type; payroll documents have no public write, so their download stands in. */
export function resourceTypeCases(resourceTypes: ResourceTypes, service: string, ceiling: string): Case[] {
  const headers = { 'X-API-Key': resourceTypes.key };
  const list = (path: string, table: string): Pick<Case, 'kontor' | 'ceiling'> => ({
    kontor: { url: `${service}/v1/${path}`, headers },
    ceiling: { url: `${ceiling}/rows/${table}/${resourceTypes.organization}` },
  });
  const post = (setup: string, request: string): Pick<Case, 'kontor'> => ({
    kontor: { url: service, headers: { ...headers, 'Content-Type': 'application/json' }, setup, request },
  });
  const run = 'local run = string.format("%08x", os.time())';
  return [
    {
      name: 'create divisions',
      ...post(run, `return "/v1/divisions", string.format('{"name":"%s-%d","order":%d}', run, n, n)`),
      goal: '',
    },
    { name: 'list 100 divisions', ...list('divisions', 'division'), goal: '' },
    {
      name: `list 100 orders of ${productCount} products`,
      ...list('orders', 'employee_order'),
      goal: 'half the bytes a second of employees',
    },
    {
      name: 'decide orders',
      ...post(
        // Every run begins elsewhere: an order is decided once.
        `${luaNames('orders', resourceTypes.orders)}\nlocal first = os.time() * 3001`,
        `return "/v1/orders/" .. orders[(first + n) % #orders + 1] .. "/decision", '{"decision":"approved"}'`,
      ),
      goal: '',
    },
    {
      name: 'create incidents',
      ...post(
        luaNames('employees', resourceTypes.employees),
        `return "/v1/incidents", '{"type":"damage","employeeId":"' .. employees[n % #employees + 1] .. '"}'`,
      ),
      goal: '',
    },
    { name: 'list 100 incidents', ...list('incidents', 'incident'), goal: '' },
    {
      name: 'list payroll export documents',
      ...list('payroll-export-documents', 'payroll_export_document'),
      goal: '',
    },
    {
      name: `download ${fileSize / 1024} KiB`,
      kontor: { url: `${service}/v1/payroll-export-documents/${resourceTypes.document}/download`, headers },
      goal: '',
    },
  ];
}

/** A table of Lua from one long text, since a function may not have so many constants. */
function luaNames(name: string, values: readonly string[]): string {
  return `local ${name} = {}\nfor value in string.gmatch("${values.join(' ')}", "%S+") do ${name}[#${name} + 1] = value end`;
}
