import { EmployeeChange, fold } from '@kontor/contract';
import type { Scope } from '../../auth/scope.ts';
import { scopePredicateOfOne } from '../../auth/scope-predicate.ts';
import { newId } from '../../db/ids.ts';
import { columnsOf, insertRows } from '../../db/insert-rows.ts';
import { type Fragment, sql } from '../../db/sql.ts';
import { removalJob } from '../../jobs/removal.ts';
import { listValues } from '../../lib/changed-values.ts';
import { renderRow } from '../../lib/render-row.ts';
import { defineRows, type RowList } from '../../query/rows.ts';
import type { Write } from '../../write/writes.ts';

/** The values of fields before and after a change, by field. */
export type ChangedValues = Readonly<Record<string, readonly [before: Value, after: Value]>>;

type Value = string | boolean | null;

export interface RecordedChange {
  readonly write: Write;
  readonly id: string;
  readonly changes: ChangedValues;
  readonly reason?: string | null;
}

/** Records changed values of employees of one transaction. A create has none: its values are those of the employee. */
export function recordChanges(changes: readonly RecordedChange[]): void {
  if (changes.length === 0) return;
  const { write } = changes[0]!;
  const column = columnsOf(changes);
  const columns = [
    { name: 'organization_id', type: 'text', value: write.organizationId },
    { name: 'at', type: 'timestamptz', value: write.at },
    column('employee_id', ({ id }) => id),
    column('id', () => newId()),
    column('actor_type', ({ write }) => write.author.actor.type),
    column('actor', ({ write }) => write.author.actor.id),
    column('actor_name', ({ write }) => write.author.actor.name),
    column('folded_actor_name', ({ write }) => fold(write.author.actor.name)),
    column('changes', ({ changes }) => JSON.stringify(changes), 'jsonb'),
    column('reason', ({ reason = null }) => reason),
  ];
  write.send(insertRows('employee_change', columns));
}

/** The values of the named fields. */
export function valuesOf(before: object, after: object, fields: readonly string[]): ChangedValues {
  const of = (document: object, field: string) =>
    (document as Record<string, Value | undefined>)[field] ?? null;
  return Object.fromEntries(fields.map(field => [field, [of(before, field), of(after, field)]]));
}

const listed = defineRows(EmployeeChange, { actorId: 'folded_actor', actorName: 'folded_actor_name' });

export const changeList: RowList<EmployeeChange> = {
  ...listed,
  item: row => ({ ...renderRow(EmployeeChange, row), values: listValues(row['changes'] as ChangedValues) }),
};

/** The changes of an employee in the scope. */
export function changeRows(scope: Scope, tenant: string | null, id: string): Fragment {
  return sql`
    SELECT id, at AS created_at, actor_type, actor AS actor_id, lower(actor) COLLATE "C" AS folded_actor,
      actor_name, folded_actor_name, changes, reason
    FROM employee_change WHERE organization_id = ${scope.organizationId} AND employee_id = ${id}
      AND EXISTS (SELECT FROM employee WHERE ${scopePredicateOfOne(scope, tenant)} AND id = ${id})`;
}

/** Removes changes after the retention of their organization. The removal is not audited. */
export const employeeChangeRemoval = removalJob({
  table: 'employee_change',
  days: sql`o.employee_history_days`,
  day: sql`(u.at AT TIME ZONE 'UTC')::date`,
  before: day => sql`u.at < ${day}::timestamp AT TIME ZONE 'UTC'`,
});
