import type { FieldRegistry } from '@kontor/contract';
import type { Fragment } from '../database/sql.ts';

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

/**
 * Text in UTF-8, each byte as one character (latin1). So documents go from the database to the client without being decoded:
 * they are written as `latin1`. ASCII looks the same in both forms; anything else is read with {@link textOf}.
 */
export type Bytes = string;

/** The text that the bytes stand for. */
export function textOf(bytes: Bytes): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** How a statement is run. */
export interface Running {
  /** A wish: the text recurs, so it is worth while that the server keeps its plan. */
  readonly prepare: boolean;
  /** The key that asks, so that none starves the others. */
  readonly keyId: string;
  /** The statement takes some milliseconds at most, so others may stand in line behind it on the same connection. */
  readonly brief?: boolean;
  /** Ends the statement when nobody waits for it any longer. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs a statement; resolves with its rows, each value as text.
 * @throws the reason of the signal when that is aborted.
 */
export type Execute = (statement: Fragment, how: Running) => Promise<(Bytes | null)[][]>;
