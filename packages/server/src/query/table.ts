import type { FieldRegistry } from '@kontor/contract';

/** The column of a public field. */
export interface Column {
  readonly name: string;
  /** The text of the column is part of the `search` column of its row (see search-text.ts). */
  readonly search?: boolean;
  /** There is an index of (whole organization or one tenant or one division, this column, id) for each that is named. */
  readonly indexed?: readonly ('organization' | 'tenant' | 'division')[];
}

/**
 * A table that a collection reads. It has `organization_id`, `tenant_id`, `division_id`, `id`, `doc` (the public JSON of
 * the row), `search` when a column says so, and a column for every public field. A string column holds folded text in
 * collation "C", a date-time column milliseconds; its rows are counted in `counter` under `family`.
 */
export interface CollectionTable {
  readonly table: string;
  readonly family: string;
  readonly fields: FieldRegistry;
  readonly columns: ReadonlyMap<string, Column>;
}
