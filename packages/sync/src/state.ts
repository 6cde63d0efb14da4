import type { Division, Employee } from '@kontor/sdk';
import type { PersonField } from './config.ts';
import type { Base, Value } from './merge.ts';
import { Store } from './store.ts';

/*
 * The state is one SQLite file, for its owner only. A process locks it until it ends.
 *
 * | Table    | Content                                                                                          |
 * | -------- | ------------------------------------------------------------------------------------------------ |
 * | setting  | the company that the state belongs to, and the checkpoint of `changes()` for each kind            |
 * | mirror   | divisions and employees as Kontor last answered them                                              |
 * | base     | for each managed employee and field what the file and Kontor had when they last agreed            |
 * | division | the division of each path and number of the file, and the path that each number last had         |
 * | intent   | writes that may have been sent: stored before each write, deleted with its result                 |
 * | conflict | the conflicts of the last plan, for `resolve`                                                     |
 *
 * A write without an intent was not sent. A write with an intent may be stored or not. The transaction that deletes the intent also stores the
 * result in the mirror and the base.
 */
const tables = `
  CREATE TABLE IF NOT EXISTS mirror (kind TEXT NOT NULL, id TEXT NOT NULL, doc TEXT NOT NULL, PRIMARY KEY (kind, id)) STRICT;
  CREATE TABLE IF NOT EXISTS base (id TEXT PRIMARY KEY, fields TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS division (reference TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS intent (key TEXT PRIMARY KEY, created INTEGER NOT NULL, write TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS conflict (id TEXT NOT NULL, field TEXT NOT NULL, conflict TEXT NOT NULL, PRIMARY KEY (id, field)) STRICT;
`;

export type Kind = 'employee' | 'division';

export type Bases = Readonly<Partial<Record<PersonField, Base>>>;

/** A write as it is sent, and what becomes known with its success. */
export interface Write {
  readonly kind: Kind;
  /** The resource that is updated; null for a create. */
  readonly id: string | null;
  /** The `updatedAt` that the resource must have; null for a create. */
  readonly version: string | null;
  readonly body: Readonly<Record<string, Value>>;
  /** The values of the file, by which the next plan knows what has changed. */
  readonly sources: Readonly<Partial<Record<PersonField, Value>>>;
  /** New knowledge of the divisions of the file; null stands for the identifier of the resource. */
  readonly references: Readonly<Record<string, string | null>>;
  /** How a report names the person or division. */
  readonly name: string;
}

export interface Intent {
  /** The `Idempotency-Key`. */
  readonly key: string;
  readonly created: number;
  readonly write: Write;
}

/** A field that the file and a person in Kontor have both changed, or whose first values differ. */
export interface Conflict {
  readonly id: string;
  readonly field: PersonField;
  readonly name: string;
  readonly line: number;
  readonly employeeNumber: string | null;
  readonly email: string;
  readonly kind: 'conflict' | 'first_contact';
  readonly source: Value;
  readonly server: Value;
}

type Resource = Employee | Division;

/** An erased person has this email, and no personal data. */
export const isErased = ({ id, email }: { readonly id: string; readonly email?: string }) =>
  email === `${id}@erased.invalid`;

export class State extends Store {
  constructor(file: string, origin: string) {
    super(file, { origin, tables, synchronous: 'FULL' });
  }

  employees(): Map<string, Employee> {
    return this.#mirror<Employee>('employee');
  }

  divisions(): Map<string, Division> {
    return this.#mirror<Division>('division');
  }

  #mirror<T extends Resource>(kind: Kind): Map<string, T> {
    const rows = this.rows<{ doc: string }>('SELECT doc FROM mirror WHERE kind = ?', kind);
    return new Map(rows.map(({ doc }) => JSON.parse(doc) as T).map(resource => [resource.id, resource]));
  }

  /** Stores a resource as Kontor has it. An erased person is forgotten. */
  put(kind: Kind, resource: Resource): void {
    if (isErased(resource)) this.forget(resource.id);
    else
      this.run('INSERT OR REPLACE INTO mirror VALUES (?, ?, ?)', kind, resource.id, JSON.stringify(resource));
  }

  /** Forgets an employee who was erased, or is no longer in the company. */
  forget(id: string): void {
    this.run('DELETE FROM mirror WHERE id = ?', id);
    this.run('DELETE FROM base WHERE id = ?', id);
    this.run('DELETE FROM conflict WHERE id = ?', id);
  }

  /** Forgets what Kontor has, so that everything is read again. */
  forgetMirror(): void {
    this.run('DELETE FROM mirror');
    for (const kind of ['employee', 'division']) this.setSetting(`checkpoint ${kind}`, null);
  }

  bases(): Map<string, Bases> {
    const rows = this.rows<{ id: string; fields: string }>('SELECT id, fields FROM base');
    return new Map(rows.map(({ id, fields }) => [id, JSON.parse(fields) as Bases]));
  }

  /** Adds what is known of fields of an employee. The employee is managed from then on. */
  addBases(id: string, bases: Bases): void {
    const [row] = this.rows<{ fields: string }>('SELECT fields FROM base WHERE id = ?', id);
    const known = row === undefined ? {} : (JSON.parse(row.fields) as Bases);
    this.run('INSERT OR REPLACE INTO base VALUES (?, ?)', id, JSON.stringify({ ...known, ...bases }));
  }

  /** The divisions of the paths and numbers of the file. */
  references(): Map<string, string> {
    const rows = this.rows<{ reference: string; value: string }>('SELECT reference, value FROM division');
    return new Map(rows.map(({ reference, value }) => [reference, value]));
  }

  replaceReferences(references: ReadonlyMap<string, string>): void {
    this.run('DELETE FROM division');
    for (const [reference, value] of references) this.setReference(reference, value);
  }

  setReference(reference: string, value: string): void {
    this.run('INSERT OR REPLACE INTO division VALUES (?, ?)', reference, value);
  }

  intents(): Intent[] {
    const rows = this.rows<{ key: string; created: number; write: string }>(
      'SELECT * FROM intent ORDER BY rowid',
    );
    return rows.map(({ key, created, write }) => ({ key, created, write: JSON.parse(write) as Write }));
  }

  addIntent({ key, created, write }: Intent): void {
    this.run('INSERT INTO intent VALUES (?, ?, ?)', key, created, JSON.stringify(write));
  }

  deleteIntent(key: string): void {
    this.run('DELETE FROM intent WHERE key = ?', key);
  }

  conflicts(): Conflict[] {
    const rows = this.rows<{ conflict: string }>('SELECT conflict FROM conflict ORDER BY rowid');
    return rows.map(({ conflict }) => JSON.parse(conflict) as Conflict);
  }

  setConflicts(conflicts: readonly Conflict[]): void {
    this.run('DELETE FROM conflict');
    for (const conflict of conflicts)
      this.run(
        'INSERT INTO conflict VALUES (?, ?, ?)',
        conflict.id,
        conflict.field,
        JSON.stringify(conflict),
      );
  }

  deleteConflict({ id, field }: Conflict): void {
    this.run('DELETE FROM conflict WHERE id = ? AND field = ?', id, field);
  }
}
