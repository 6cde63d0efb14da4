import { randomUUID } from 'node:crypto';
import {
  ApiError,
  ConflictError,
  type Division,
  type DivisionCreate,
  type Employee,
  type EmployeeCreate,
  NotFoundError,
} from '@kontor/sdk';
import { type Connection, type PersonField, personFields } from './config.ts';
import { isPathReference, type NewDivision, type Rename } from './divisions.ts';
import type { Create, Manual, Update } from './employees.ts';
import type { Value } from './merge.ts';
import { countPersons, type Plan } from './plan.ts';
import { refreshMirror, type Server } from './server.ts';
import { emailKey } from './source/source.ts';
import type { Bases, Intent, State, Write } from './state.ts';
import { messageOf } from './sync-error.ts';
import type { OnProgress } from './terminal.ts';

/** A change that was not written. */
export interface Skipped {
  readonly name: string;
  readonly reason: string;
}

export interface Applied {
  readonly divisions: number;
  readonly creates: number;
  readonly updates: number;
  readonly blocks: number;
  readonly skipped: readonly Skipped[];
  readonly manual: readonly Manual[];
}

/** Writes in flight at a time. */
const concurrency = 10;
/** Writes whose intents are stored together. */
const chunkSize = 200;
/** The service recognizes a key for 24 hours. The rest is for clocks that differ. */
const maxAge = 23 * 60 * 60 * 1000;

const inPortal =
  'somebody in Kontor, perhaps in a sister company, has this email or number: correct the file, or HR corrects that person in the portal';

const moved = 'changed in Kontor since the plan: the next run compares again';

/** Executes a plan, and nothing else. */
export class Writer {
  readonly #skipped: Skipped[] = [];
  readonly #manual: Manual[] = [];
  readonly #state: State;
  readonly #server: Server;
  readonly #onProgress: OnProgress;
  #done = 0;
  #total = 0;

  constructor(state: State, server: Server, onProgress: OnProgress = () => {}) {
    this.#state = state;
    this.#server = server;
    this.#onProgress = onProgress;
  }

  /**
   * Settles the writes of a process that was killed, and reads the changes of Kontor. A young write is repeated: a create with its key, an
   * update with its version, so each is stored once. The result of an old one is in the changes.
   */
  async settle(access: Connection['access']): Promise<void> {
    const intents = this.#state.intents();
    const young = intents.filter(({ created }) => Math.abs(Date.now() - created) < maxAge);
    await this.#send(young);
    await refreshMirror(this.#state, this.#server, access);
    this.#state.transaction(() => {
      for (const { key } of intents) this.#state.deleteIntent(key);
    });
  }

  async apply(plan: Plan, access: Connection['access']): Promise<Applied> {
    const { divisions, creates, updates, blocks } = plan;
    this.#total = divisions.creates.length + divisions.renames.length + countPersons(plan);
    const mirror = this.#state.employees();
    try {
      const createdDivisions = await this.#createDivisions(divisions.creates);
      const renamed = await this.#write(divisions.renames.map(renameOf));
      const written = await this.#write(this.#updatesOf(updates, mirror));
      const blocked = await this.#write(this.#updatesOf(blocks, mirror));
      const created = await this.#write(this.#createsOf(creates, mirror));
      return {
        divisions: createdDivisions + renamed,
        creates: created,
        updates: written,
        blocks: blocked,
        skipped: this.#skipped,
        manual: this.#manual,
      };
    } finally {
      // The next plan begins behind the own changes. A failure to read them is reported by that plan.
      if (this.#total > 0) await refreshMirror(this.#state, this.#server, access).catch(() => {});
    }
  }

  /** Level by level: a division needs the identifier of its parent. */
  async #createDivisions(creates: readonly NewDivision[]): Promise<number> {
    let count = 0;
    let waiting = creates;
    while (waiting.length > 0) {
      const known = this.#state.references();
      const idOf = ({ parent }: NewDivision) =>
        parent !== null && isPathReference(parent) ? known.get(parent) : parent;
      const ready = waiting.filter(
        division => idOf(division) !== undefined && !known.has(division.reference),
      );
      const done = waiting.filter(({ reference }) => known.has(reference));
      waiting = waiting.filter(division => !ready.includes(division) && !done.includes(division));
      this.#advance(done.length);
      if (ready.length === 0 && done.length === 0) break;
      count += await this.#write(
        ready.map(division => ({
          ...noWrite,
          kind: 'division',
          body: { name: division.name, parentId: idOf(division)! },
          references: division.references,
          name: division.path,
        })),
      );
    }
    for (const { path } of waiting) this.#skip(path, 'the division above it was not created');
    return count;
  }

  #updatesOf(updates: readonly Update[], mirror: ReadonlyMap<string, Employee>): Write[] {
    const references = this.#state.references();
    const bases = this.#state.bases();
    return updates.flatMap(({ id, name, version, changes }) => {
      const employee = mirror.get(id);
      const sources = Object.fromEntries(changes.map(({ field, after }) => [field, after]));
      const body = withDivision(sources, references);
      if (body === null) return this.#skip(name, 'its division was not created');
      if (employee && hasValues(employee, body, bases.get(id))) return this.#advance(1);
      if (employee?.updatedAt !== version) return this.#skip(name, moved);
      return { ...noWrite, kind: 'employee', id, version, body, sources: body, name };
    });
  }

  #createsOf(creates: readonly Create[], mirror: ReadonlyMap<string, Employee>): Write[] {
    const byEmail = new Map([...mirror.values()].map(employee => [emailKey(employee.email), employee]));
    const references = this.#state.references();
    const bases = this.#state.bases();
    return creates.flatMap(({ name, body: planned }) => {
      const body = withDivision(planned, references);
      if (body === null) return this.#skip(name, 'its division was not created');
      const { email, ...sources } = body;
      const employee = byEmail.get(emailKey(String(email)));
      // An apply that was killed, or this plan once before, has created the person.
      if (employee && hasValues(employee, sources, bases.get(employee.id))) return this.#advance(1);
      if (employee) return this.#skip(name, moved);
      return { ...noWrite, kind: 'employee', body, sources, name };
    });
  }

  #skip(name: string, reason: string): [] {
    this.#skipped.push({ name, reason });
    return this.#advance(1);
  }

  #advance(count: number): [] {
    this.#done += count;
    this.#onProgress(this.#done, this.#total);
    return [];
  }

  /** Writes with their intents. Returns how many were stored. */
  async #write(writes: readonly Write[]): Promise<number> {
    let count = 0;
    for (let at = 0; at < writes.length; at += chunkSize) {
      const chunk = writes.slice(at, at + chunkSize);
      const intents = chunk.map(write => ({ key: randomUUID(), created: Date.now(), write }));
      this.#state.transaction(() => intents.forEach(intent => this.#state.addIntent(intent)));
      count += await this.#send(intents);
    }
    return count;
  }

  /** Sends writes until one fails for another reason than its own. The intents of those that were not sent are deleted. */
  async #send(intents: readonly Intent[]): Promise<number> {
    const queue = intents.values();
    let count = 0;
    let failure: { readonly error: unknown } | null = null;
    const work = async () => {
      while (failure === null) {
        const { value: intent, done } = queue.next();
        if (done) return;
        try {
          if (await this.#sendOne(intent)) count++;
        } catch (error) {
          failure ??= { error };
        }
        this.#advance(1);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, work));
    if (failure === null) return count;
    this.#state.transaction(() => {
      for (const { key } of queue) this.#state.deleteIntent(key);
    });
    throw (failure as { error: unknown }).error;
  }

  /** @throws the error of a write that may be stored, or that the service does not take at present; its intent stays */
  async #sendOne(intent: Intent): Promise<boolean> {
    try {
      this.#record(intent, await this.#request(intent));
      return true;
    } catch (error) {
      const reason = this.#reasonOf(error, intent.write);
      if (reason === null) throw error;
      this.#skipped.push({ name: intent.write.name, reason });
      this.#state.deleteIntent(intent.key);
      return false;
    }
  }

  #request({ key, write: { kind, id, version, body } }: Intent): Promise<Employee | Division> {
    const resources = kind === 'employee' ? this.#server.kontor.employees : this.#server.kontor.divisions;
    if (id !== null) return resources.update(id, body, { ifMatch: version! });
    return resources.create(body as unknown as EmployeeCreate & DivisionCreate, { idempotencyKey: key });
  }

  #record({ key, write: { kind, id, sources, references } }: Intent, resource: Employee | Division): void {
    this.#state.transaction(() => {
      this.#state.put(kind, resource);
      for (const [reference, value] of Object.entries(references))
        this.#state.setReference(reference, value ?? resource.id);
      // A new person has no other values, so the file may add them later.
      const all = id === null ? { ...noSources, ...sources } : sources;
      if ('email' in resource) this.#state.addBases(resource.id, basesOf(all, resource, id === null));
      this.#state.deleteIntent(key);
    });
  }

  /** Why this write alone cannot be stored; null for an error that concerns all of them. */
  #reasonOf(error: unknown, { kind, id, version, name }: Write): string | null {
    // A proxy that answers for Kontor knows nothing of this write.
    if (!(error instanceof ApiError) || error.code === 'UNEXPECTED_ANSWER') return null;
    if (error instanceof ConflictError && error.current !== null) {
      // Kontor has an older version than it answered before, as after the restore of a backup: everything is read again.
      if (version !== null && error.current < version) this.#state.forgetMirror();
      return moved;
    }
    if (error instanceof NotFoundError) {
      if (id !== null) this.#state.forget(id);
      return 'is no longer in this company: HR checks this in the portal';
    }
    if (![400, 409, 422].includes(error.status)) return null;
    if (error.code === 'DUPLICATE_RESOURCE' && kind === 'employee')
      this.#manual.push({ line: null, name, todo: inPortal });
    return messageOf(error);
  }
}

const noSources = Object.fromEntries(personFields.map(field => [field, null]));

const noWrite = { id: null, version: null, sources: {}, references: {} } as const;

function renameOf({ id, version, before, name, references }: Rename): Write {
  return {
    ...noWrite,
    kind: 'division',
    id,
    version,
    body: { name },
    references,
    name: `${before} → ${name}`,
  };
}

/** The fields with the identifier of a division that was created; null where it was not. */
function withDivision(
  fields: Readonly<Record<string, Value>>,
  references: ReadonlyMap<string, string>,
): Record<string, Value> | null {
  const { divisionId } = fields;
  if (typeof divisionId !== 'string' || !isPathReference(divisionId)) return { ...fields };
  const id = references.get(divisionId);
  return id === undefined ? null : { ...fields, divisionId: id };
}

/** Whether an employee has these values of the file, also in the form in which Kontor stored them. */
function hasValues(employee: Employee, values: Write['sources'], bases: Bases = {}): boolean {
  return Object.entries(values).every(([name, value]) => {
    const field = name as PersonField;
    const base = bases[field];
    return employee[field] === value || (base?.source === value && base.server === employee[field]);
  });
}

/**
 * Returns the values on which the file and Kontor agree after a write. A repeated create is answered with the person as it is now, perhaps
 * edited by hand. A field with another value then has no base, so it is a conflict.
 */
function basesOf(sources: Write['sources'], employee: Employee, isCreate: boolean): Bases {
  const isChanged = isCreate && employee.updatedAt !== employee.createdAt;
  return Object.fromEntries(
    Object.entries(sources)
      .map(([field, source]) => [field, { source, server: employee[field as PersonField] }] as const)
      .filter(([, { source, server }]) => !isChanged || source === server),
  );
}
