import type { Pool } from '../db/connect.ts';
import type { Queryable } from '../db/session.ts';
import { empty, type Fragment, raw, sql } from '../db/sql.ts';
import type { ResourceType } from './resource-types.ts';
import type { Placement, StoredRow } from './check-row.ts';

/** Maximum rows per statement, which takes a few milliseconds. */
const sliceSize = 500;

/** A row with the place of its employee; null for types without one. */
export interface PlacedRow {
  readonly row: StoredRow;
  readonly employee: Placement | null;
}

/** Reads all rows of a type in slices, one statement each, so that no transaction stays open for long. */
export async function* slicesOf(
  db: Pool,
  organizationId: string,
  type: ResourceType,
): AsyncGenerator<PlacedRow[]> {
  let last = '';
  for (;;) {
    const after = sql`id > ${last} ORDER BY id LIMIT ${sliceSize}`;
    const rows = await readRows(db, organizationId, type, after);
    if (rows.length > 0) yield rows;
    if (rows.length < sliceSize) return;
    last = rows.at(-1)!.row.id;
  }
}

export function rowsOf(
  db: Queryable,
  organizationId: string,
  type: ResourceType,
  ids: readonly string[],
): Promise<PlacedRow[]> {
  return readRows(db, organizationId, type, sql`id = ANY(${[...ids]}::text[])`);
}

/** Reads rows with the place of their employee in one statement, because employees may move meanwhile. */
function readRows(
  db: Queryable,
  organizationId: string,
  { table, follows }: ResourceType,
  condition: Fragment,
): Promise<PlacedRow[]> {
  const place = follows
    ? sql`jsonb_build_object('tenantId', e.tenant_id, 'divisionId', e.division_id)`
    : sql`NULL::jsonb`;
  const join = follows
    ? sql`JOIN employee e ON e.organization_id = ${organizationId} AND e.id = t.employee_id`
    : empty;
  return db.rows<PlacedRow>(sql`
    SELECT to_jsonb(t) AS row, ${place} AS employee
    FROM (SELECT * FROM ${raw(table)} WHERE organization_id = ${organizationId} AND ${condition}) AS t ${join}
    ORDER BY t.id`);
}
