import type { QueryKey } from '@tanstack/react-query';
import type { ReactNode } from 'react';

/** A row that people know by its name, or where it has none by its identifier. */
export interface NamedRow {
  readonly id: string;
  readonly name?: string;
}

export const nameOf = ({ id, name = id }: NamedRow): string => name;

/** A text that is entered for an action, such as a reason. */
export interface ActionText {
  readonly label: string;
  readonly maxLength: number;
  /** Words where it is missing; absent: it may be. */
  readonly required?: string;
}

/** An action on one row, or on several that are selected. */
export interface RowAction<Row> {
  readonly label: string;
  readonly text?: ActionText;
  /** Whether it can be done with a row. The service decides; this only leaves out what it would reject. */
  readonly applies: (row: Row) => boolean;
  /** The consequences, for the confirmation. */
  readonly consequences: ReactNode;
  /** The queries to invalidate afterwards. */
  readonly changes: readonly QueryKey[];
  readonly act: (row: Row, text: string) => Promise<unknown>;
  /** Words for a rejection of this action; undefined: those of its code. */
  readonly explain?: (error: unknown) => ReactNode;
}

/** An action that waits for its confirmation, and the rows that were chosen for it. */
export interface Chosen<Row> {
  readonly action: RowAction<Row>;
  readonly rows: readonly Row[];
}
