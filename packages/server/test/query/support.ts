import {
  Employee as EmployeeSchema,
  type Employee,
  employeeFields,
  type Filter,
  fold,
} from '@kontor/contract';
import { evaluate, type FilterRecord } from '../../../contract/test/support/evaluate.ts';
import { checkList, type ListParameters } from '../../src/query/check.ts';
import { Collection, type CollectionOptions, type Listing, type PageRequest } from '../../src/query/page.ts';
import { execute } from '../../src/db/pool.ts';
import { employeeData } from '../support/data/employees.ts';
import type { Sql } from '../support/database/sql.ts';
import { writtenAs } from '../support/database/stored-documents.ts';
import { type Fragment, raw, sql as query } from '../../src/db/sql.ts';
import { employeeResource, employeeRow } from '../../src/features/employees/mapping.ts';
import type { Scope } from '../../src/auth/scope.ts';

/** The body of a list, parsed. */
export interface ListBody {
  readonly page: number;
  readonly pageSize: number;
  readonly totalPages: number;
  readonly totalElements: number;
  readonly items: Employee[];
}

/** Two tenants with divisions; `below` has each division with all that are below it, itself included. */
const organization = id('0', 1);
export const tenants = [id('a', 1), id('a', 2), id('a', 3)] as const;
export const divisions = [
  { id: id('d', 1), tenant: tenants[0], parent: null },
  { id: id('d', 2), tenant: tenants[0], parent: id('d', 1) },
  { id: id('d', 3), tenant: tenants[0], parent: id('d', 2) },
  { id: id('d', 4), tenant: tenants[0], parent: null },
  { id: id('d', 5), tenant: tenants[1], parent: null },
  { id: id('d', 6), tenant: tenants[1], parent: id('d', 5) },
] as const;

/** 24 hexadecimal characters. */
export function id(kind: string, number: number): string {
  return kind + number.toString(16).padStart(23, '0');
}

/** The divisions from this one to its root. */
function ancestorsOf(division: string | null): string[] {
  if (division === null) return [];
  const found = divisions.find(candidate => candidate.id === division);
  return [division, ...ancestorsOf(found?.parent ?? null)];
}

/** Writes organization, tenants and divisions. */
export async function insertTestData(sql: Sql): Promise<void> {
  await sql`INSERT INTO organization (id, name, folded_name) VALUES (${organization}, 'Muster', 'muster')`;
  for (const tenant of tenants)
    await sql`INSERT INTO tenant (organization_id, id, name, folded_name)
      VALUES (${organization}, ${tenant}, ${tenant}, ${tenant})`;
  for (const { id: division, tenant, parent } of divisions) {
    await sql`
      INSERT INTO division (organization_id, id, tenant_id, parent_id, name, folded_name, sort_order, created_at, updated_at,
        doc_version, fold_version, doc)
      VALUES (${organization}, ${division}, ${tenant}, ${parent}, ${division}, ${division}, 1, now(), now(), 1, 1, '{}')`;
    for (const ancestor of ancestorsOf(division))
      await sql`INSERT INTO division_ancestor VALUES (${organization}, ${ancestor}, ${division})`;
  }
}

/** Makes the table hold exactly these employees, with the counters, and moves the clock. */
export async function replaceEmployees(sql: Sql, employees: readonly Employee[]): Promise<void> {
  await sql.begin(async transaction => {
    await transaction`UPDATE organization SET clock = (clock AT TIME ZONE 'UTC' + interval '1 millisecond') AT TIME ZONE 'UTC' WHERE id = ${organization}`;
    await transaction`DELETE FROM employee WHERE organization_id = ${organization}`;
    await insertRows(transaction as unknown as Sql, employees);
    await recount(transaction as unknown as Sql);
  });
}

/** Adds employees as a write does: under the clock, with the counters. */
export async function addEmployees(sql: Sql, employees: readonly Employee[]): Promise<void> {
  await sql.begin(async transaction => {
    await transaction`UPDATE organization SET clock = (clock AT TIME ZONE 'UTC' + interval '1 millisecond') AT TIME ZONE 'UTC' WHERE id = ${organization}`;
    await insertRows(transaction as unknown as Sql, employees);
    await recount(transaction as unknown as Sql);
  });
}

/** Removes employees, as a move out of a scope does. */
export async function removeEmployees(sql: Sql, ids: readonly string[]): Promise<void> {
  await sql.begin(async transaction => {
    await transaction`UPDATE organization SET clock = (clock AT TIME ZONE 'UTC' + interval '1 millisecond') AT TIME ZONE 'UTC' WHERE id = ${organization}`;
    await transaction`DELETE FROM employee WHERE id = ANY(${ids})`;
    await recount(transaction as unknown as Sql);
  });
}

async function insertRows(sql: Sql, employees: readonly Employee[]): Promise<void> {
  if (employees.length === 0) return;
  const rows = employees.map(employee => {
    const { head: _, ...row } = employeeRow(employee.id, employee);
    return {
      ...row,
      organization_id: organization,
      // Random emails and numbers may be equal, which these tests have no interest in.
      email_key: employee.id,
      employee_number: null,
      created_at: employee.createdAt,
      updated_at: employee.updatedAt,
      doc: writtenAs(EmployeeSchema, employee),
    };
  });
  await sql`INSERT INTO employee SELECT * FROM jsonb_populate_recordset(NULL::employee, ${JSON.stringify(rows)}::jsonb)`;
}

async function recount(sql: Sql): Promise<void> {
  await sql`DELETE FROM counter WHERE organization_id = ${organization}`;
  await sql`
    INSERT INTO counter
    SELECT organization_id, 'employee', scope, count(*)
    FROM employee, unnest(ARRAY['', coalesce(tenant_id, 'none'), division_id]) AS scope
    WHERE organization_id = ${organization} AND scope IS NOT NULL GROUP BY organization_id, scope`;
}

/** A scope with grants; keys are distinguished by the grants. */
export function scopeOf(grants: Scope['grants']): Scope {
  return { organizationId: organization, callerId: JSON.stringify(grants), grants };
}

/** What the tests see and steer: the statements run so far with how they were, what happens before and after each, and the clock in milliseconds. */
interface Watch {
  at: number;
  readonly statements: Fragment[];
  readonly running: Listing[];
  /** How many statements have ended. */
  ended: number;
  before: (statement: Fragment, how: Listing) => Promise<void>;
  after: (statement: Fragment, how: Listing) => Promise<void>;
}

/**
 * The plan that PostgreSQL has for a prepared statement once it has run six times. From then on it keeps a plan without
 * values (`$1`), or plans each run again.
 */
export function lastingPlan(sql: Sql, { text, values }: Fragment): Promise<string> {
  const given = values.length === 0 ? '' : `(${values.map(written).join(', ')})`;
  return sql.begin(async session => {
    await session.unsafe(`PREPARE lasting AS ${text}`);
    for (let run = 0; run < 6; run++) await session.unsafe(`EXECUTE lasting ${given}`);
    const plan = await session.unsafe(`EXPLAIN (COSTS OFF) EXECUTE lasting ${given}`);
    await session.unsafe('DEALLOCATE lasting');
    return plan.map(row => row['QUERY PLAN'] as string).join('\n');
  });
}

/** A value as a literal of SQL. */
function written(value: unknown): string {
  if (Array.isArray(value)) return `ARRAY[${value.map(written).join(', ')}]`;
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
}

/** Whether the statement looks for a list in the few rows that an index finds. */
export function isProbe({ text }: Fragment): boolean {
  return text.includes('AS candidate');
}

/** The plan of a statement for the values at hand. */
export async function planOf(sql: Sql, statement: Fragment, options = 'COSTS OFF'): Promise<string> {
  const plan = await sql.rows<{ 'QUERY PLAN': string }>(query`EXPLAIN (${raw(options)}) ${statement}`);
  return plan.map(row => row['QUERY PLAN']).join('\n');
}

/** The collection of employees, watched. */
export function watchedCollection(
  sql: Sql,
  {
    ignoresAccents = false,
    ...options
  }: Partial<CollectionOptions> & { readonly ignoresAccents?: boolean } = {},
) {
  const statements: Fragment[] = [];
  const running: Listing[] = [];
  const run = execute(sql.database.lists);
  const watch: Watch = {
    at: 0,
    statements,
    running,
    ended: 0,
    before: () => Promise.resolve(),
    after: () => Promise.resolve(),
  };
  const collection = new Collection(
    employeeResource,
    async (statement, how) => {
      statements.push(statement);
      running.push(how);
      try {
        await watch.before(statement, how);
        const rows = await run(statement, how);
        await watch.after(statement, how);
        return rows;
      } finally {
        watch.ended++;
      }
    },
    { now: () => watch.at, ...options },
  );
  function page(
    query: ListParameters,
    scope: Scope = scopeOf('all'),
    tenant: string | null = null,
    signal?: AbortSignal,
  ): Promise<string> {
    const request: PageRequest = {
      scope,
      tenant,
      list: checkList(query, employeeFields, { ignoresAccents }),
    };
    return collection.page(signal ? { ...request, signal } : request);
  }
  async function list(...request: Parameters<typeof page>): Promise<ListBody> {
    return JSON.parse(await page(...request)) as ListBody;
  }
  return { watch, page, list };
}

/** The access of a key, written as plainly as possible (specification.md 1.3). */
function isVisible(employee: Employee, scope: Scope, tenant: string | null): boolean {
  if (tenant !== null && employee.tenant !== tenant) return false;
  if (scope.grants === 'all') return true;
  return scope.grants.some(
    grant =>
      grant.tenantId === employee.tenant &&
      (grant.divisions === 'all' ||
        ancestorsOf(employee.divisionId).some(ancestor => grant.divisions.includes(ancestor))),
  );
}

/** The employees of a list in its order, from the definitions of section 3 alone. */
export function expectedList(
  employees: readonly Employee[],
  query: Pick<ListParameters, 'sort' | 'createdAtFrom' | 'createdAtTo'>,
  filter: Filter | null,
  scope: Scope,
  tenant: string | null,
): Employee[] {
  const bounds: Filter[] = [];
  if (query.createdAtFrom !== undefined) bounds.push(createdAt('>=', query.createdAtFrom));
  if (query.createdAtTo !== undefined) bounds.push(createdAt('<=', query.createdAtTo));
  const conditions = filter === null ? bounds : [...bounds, filter];
  const selected = employees.filter(
    employee =>
      isVisible(employee, scope, tenant) &&
      conditions.every(condition => evaluate(condition, employee as FilterRecord, employeeFields)),
  );
  const field = (query.sort ?? 'id').replace(/^-/, '') as keyof Employee;
  const ascending = selected.sort((a, b) => compareValues(a[field], b[field]) || compareValues(a.id, b.id));
  return query.sort?.startsWith('-') ? ascending.reverse() : ascending;
}

function createdAt(operator: '>=' | '<=', value: string): Filter {
  return { kind: 'comparison', field: 'createdAt', operator, value };
}

/** Null first, then by folded code points. */
function compareValues(a: string | boolean | null, b: string | boolean | null): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  if (typeof a === 'boolean' || typeof b === 'boolean') return Number(a) - Number(b);
  return Buffer.compare(Buffer.from(fold(a)), Buffer.from(fold(b)));
}

/** An employee with nothing but what is given. */
export function employee(given: Partial<Employee> & { id: string }): Employee {
  return {
    ...employeeData({ email: `${given.id}@example.com` }),
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    ...given,
  };
}
