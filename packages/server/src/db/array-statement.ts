import pg from 'pg';
import type { Fragment } from './sql.ts';

/** What is called with the outcome of a statement. */
export type Done = (error: Error | null, result: pg.QueryResult) => void;

/**
 * A statement whose rows are the values as they come, or of whose rows nobody needs anything. The driver's own makes objects,
 * parsers and a copy of the configuration for each statement, which for a page of 100 documents is some 7 % of what the process
 * does, for a create some 3 %.
 */
export class ArrayStatement extends pg.Query {
  readonly #rows: unknown[][] = [];
  readonly #done: Done;
  #command = '';
  #count = 0;

  /** `name`: under which the server keeps the plan. */
  constructor({ text, values }: Fragment, name: string | undefined, done: Done) {
    super(text, values, done as unknown as (error: Error | undefined) => void);
    this.#done = done;
    // The driver reads it when it sends the statement (pg 8.23).
    if (name !== undefined) Object.assign(this, { name });
  }

  handleRowDescription(): void {}

  handleDataRow({ fields }: { fields: unknown[] }): void {
    this.#rows.push(fields);
  }

  /** `text` is a command and what it has counted: `COMMIT`, `UPDATE 3`, `INSERT 0 1`. */
  handleCommandComplete({ text }: { text: string }): void {
    const words = text.split(' ');
    this.#command = words[0]!;
    this.#count = Number(words.at(-1)) || 0;
  }

  handleReadyForQuery(): void {
    this.#done(null, {
      rows: this.#rows,
      rowCount: this.#count,
      command: this.#command,
      oid: 0,
      fields: [],
    });
  }
}
