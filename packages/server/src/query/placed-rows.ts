import type { Employee } from '@kontor/contract';
import { scopePredicate } from '../auth/scope-predicate.ts';
import type { Scope } from '../auth/scope.ts';
import { type Fragment, raw, sql } from '../db/sql.ts';
import type { Row } from '../lib/render-row.ts';
import type { CollectionTable } from './check.ts';
import type { FileField } from './file-fields.ts';
import type { RowList } from './rows.ts';
import { divisionPath } from './search-all.ts';

/** The company, the division and the person of a row, in words. */
export interface Placed {
  readonly tenantName: string | null;
  readonly divisionPath: string | null;
  readonly person: Pick<Employee, 'firstName' | 'lastName' | 'employeeNumber' | 'email'> | null;
}

/** The rows of a table that a caller sees, with what {@link placedList} shows. */
export function placedRows(
  table: 'employee' | 'employee_order' | 'incident',
  scope: Scope,
  tenant: string | null,
): Fragment {
  const { organizationId } = scope;
  const person =
    table === 'employee'
      ? sql`NULL::text`
      : sql`(SELECT e.doc FROM employee e WHERE e.organization_id = ${organizationId} AND e.id = r.employee_id)`;
  return sql`SELECT r.*,
      (SELECT t.name FROM tenant t WHERE t.organization_id = ${organizationId} AND t.id = r.tenant_id) AS tenant_name,
      ${divisionPath(organizationId, sql`r.division_id`)} AS division_path, ${person} AS person_doc
    FROM (SELECT * FROM ${raw(table)} WHERE ${scopePredicate(scope, tenant)}) AS r`;
}

/** The list of such rows, each with its resource. */
export function placedList<Item>(
  table: CollectionTable & { parse(document: string): Item },
): RowList<Item & Placed> {
  return { table, item: row => ({ ...table.parse(row['doc'] as string), ...placedOf(row) }) };
}

function placedOf(row: Row): Placed {
  const { tenant_name: tenantName, division_path: path, person_doc: person } = row;
  return {
    tenantName: tenantName as string | null,
    divisionPath: path === null ? null : (path as string[]).join(' › '),
    person: person === null ? null : (JSON.parse(person as string) as Placed['person']),
  };
}

const text = (read: (item: Placed) => unknown): FileField<Placed> => ({ type: 'string', read });

export const placeFields = {
  tenantName: text(({ tenantName }) => tenantName),
  divisionPath: text(({ divisionPath }) => divisionPath),
} as const;

export const personFields = {
  'person.firstName': text(({ person }) => person?.firstName),
  'person.lastName': text(({ person }) => person?.lastName),
  'person.employeeNumber': text(({ person }) => person?.employeeNumber),
  'person.email': text(({ person }) => person?.email),
  ...placeFields,
} as const;
