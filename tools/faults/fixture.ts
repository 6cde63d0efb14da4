import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Division, Employee, Order } from '@kontor/contract';
import { ask } from './database.ts';
import { runKontor, type Environment } from './kontor.ts';

/** What exists before the first fault. */
export interface TestData {
  readonly key: string;
  /** A key that was deleted. */
  readonly retiredKey: string;
  /** Employees that are not changed, in the order of their identifiers, all of one instant. */
  readonly stable: readonly Employee[];
  /** Employees with changes of `city`. */
  readonly changing: readonly Employee[];
  /** Employees who report incidents. */
  readonly reporting: readonly Employee[];
  /** Orders to be decided, each once. */
  readonly orders: readonly Order[];
  /** An order to be decided in dry runs only. */
  readonly undecided: Order;
  /** A division that other divisions are made in. */
  readonly division: Division;
}

const employeeCounts = { stable: 120, changing: 60, reporting: 20 } as const;

type Role = keyof typeof employeeCounts;

/** The surname of those in a role, by which they are found. */
export const surnames: Readonly<Record<Role, string>> = {
  stable: 'Bleibt',
  changing: 'Wechselt',
  reporting: 'Meldet',
};

/** Fills a database with the commands of the operator. */
export async function insertTestData(environment: Environment, orders: number): Promise<TestData> {
  const run = <Result>(...args: string[]) => runKontor<Result>(environment, ...args);
  await run('migrate');
  const { id: organization } = await run<{ id: string }>(
    'organization',
    'create',
    '--name',
    'Muster Holding',
  );
  const holder = ['--organization', organization];
  const { id: tenant } = await run<Created>('tenant', 'create', ...holder, '--name', 'Muster GmbH');
  await run('import', 'employees', await writeEmployees(environment.folder), '--tenant', tenant);
  const [key, retired] = await Promise.all([
    createKey(environment, organization),
    createKey(environment, organization),
    run('employee', 'activate', '--tenant', tenant),
    run('import', 'orders', await writeOrders(environment.folder, orders + 1), '--tenant', tenant),
    run('division', 'create', '--tenant', tenant, '--name', 'Werk'),
  ]);
  await run('key', 'delete', retired.id, '--yes');
  const [undecided, ...decided] = await queryDocuments<Order>(environment, 'employee_order');
  return {
    key: key.key,
    retiredKey: retired.key,
    ...(await queryEmployeesByRole(environment)),
    orders: decided,
    undecided: undecided!,
    division: (await queryDocuments<Division>(environment, 'division'))[0]!,
  };
}

interface Created {
  readonly id: string;
}

function createKey(environment: Environment, organization: string): Promise<Created & { key: string }> {
  const quota = ['--quota', '1000000/60'];
  return runKontor(
    environment,
    'key',
    'create',
    '--organization',
    organization,
    '--name',
    'faults',
    '--all',
    ...quota,
  );
}

async function writeEmployees(folder: string): Promise<string> {
  const rows = Object.entries(employeeCounts).flatMap(([role, count]) =>
    Array.from({ length: count }, (_, n) => `${role}.${n}@example.com,N${n},${surnames[role as Role]}\n`),
  );
  const file = path.join(folder, 'employees.csv');
  await writeFile(file, `email,firstName,lastName\n${rows.join('')}`);
  return file;
}

async function writeOrders(folder: string, count: number): Promise<string> {
  const rows = Array.from({ length: count }, (_, n) =>
    JSON.stringify({
      orderNumber: `A-${n}`,
      email: `reporting.${n % employeeCounts.reporting}@example.com`,
      products: [{ vatRate: '19.00', grossAmount: '3599.00', netAmount: '3024.3697' }],
      submittedAt: '2026-09-01T10:00:00Z',
    }),
  );
  const file = path.join(folder, 'orders.jsonl');
  await writeFile(file, rows.join('\n'));
  return file;
}

async function queryEmployeesByRole(environment: Environment): Promise<Record<Role, Employee[]>> {
  const all = await queryDocuments<Employee>(environment, 'employee');
  const of = (role: Role) => all.filter(({ lastName }) => lastName === surnames[role]);
  return { stable: of('stable'), changing: of('changing'), reporting: of('reporting') };
}

async function queryDocuments<Document>({ databaseUrl }: Environment, table: string): Promise<Document[]> {
  const rows = await ask<{ doc: string }>(databaseUrl, `SELECT doc FROM ${table} ORDER BY id`);
  return rows.map(({ doc }) => JSON.parse(doc) as Document);
}
