import type { QueryKey } from '@tanstack/react-query';
import type { ReactNode } from 'react';

/** A row that people know by its name, or where it has none by its identifier. */
export interface NamedRow {
  readonly id: string;
  readonly name?: string;
}

export const nameOf = ({ id, name = id }: NamedRow): string => name;

/** An action on one row, or on several that are selected. */
export interface RowAction<Row> {
  readonly label: string;
  /** Whether it can be done with a row. The service decides; this only leaves out what it would reject. */
  readonly applies: (row: Row) => boolean;
  /** The consequences, for the confirmation. */
  readonly consequences: ReactNode;
  /** The queries to invalidate afterwards. */
  readonly changes: readonly QueryKey[];
  readonly act: (row: Row) => Promise<unknown>;
}

/** An action that waits for its confirmation, and the rows that were chosen for it. */
export interface Chosen<Row> {
  readonly action: RowAction<Row>;
  readonly rows: readonly Row[];
}
