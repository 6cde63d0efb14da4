import type { Division, Employee } from '@kontor/sdk';
import type { Config, PersonField } from './config.ts';
import { pathsOf, planDivisions, type DivisionPlan, type NewDivision, type Rename } from './divisions.ts';
import { mergeField, type Value } from './merge.ts';
import { emailKey, keysOf, type Reject, type Row, type Source } from './source.ts';
import type { Bases, Conflict } from './state.ts';

export interface Change {
  readonly field: PersonField;
  readonly before: Value;
  readonly after: Value;
}

export interface Create {
  readonly line: number;
  readonly name: string;
  readonly body: Readonly<Record<string, Value>>;
}

export interface Update {
  /** Null for a person that the file no longer has. */
  readonly line: number | null;
  readonly id: string;
  readonly name: string;
  /** The `updatedAt` of the employee. */
  readonly version: string;
  readonly changes: readonly Change[];
}

/** A change that a person made in Kontor, and that is kept. */
export interface Kept {
  readonly id: string;
  readonly name: string;
  readonly field: PersonField;
  readonly source: Value;
  readonly server: Value;
}

/** A change that the public API cannot make, and that HR makes in the portal. */
export interface Manual {
  readonly line: number | null;
  readonly name: string;
  readonly todo: string;
}

/** The work of `apply`. It is written to `plan.json`. */
export interface Plan {
  readonly version: 1;
  /** The company of the plan. */
  readonly origin: string;
  /** People of the file that can be read, and people of Kontor. */
  readonly counts: { readonly file: number; readonly kontor: number };
  readonly divisions: { readonly creates: readonly NewDivision[]; readonly renames: readonly Rename[] };
  /** The paths of the divisions that changes and conflicts have, for people. */
  readonly paths: Readonly<Record<string, string>>;
  readonly creates: readonly Create[];
  readonly updates: readonly Update[];
  readonly blocks: readonly Update[];
  /** Managed people that the file no longer has, and that are not blocked. */
  readonly absent: readonly { readonly id: string; readonly name: string }[];
  readonly conflicts: readonly Conflict[];
  readonly kept: readonly Kept[];
  readonly rejects: readonly Reject[];
  readonly manual: readonly Manual[];
  /** Why the plan needs `--yes-change`; null if it does not. */
  readonly brake: string | null;
}

/** Everything that a plan depends on. */
export interface PlanInput {
  readonly origin: string;
  readonly config: Config;
  readonly source: Source;
  readonly employees: ReadonlyMap<string, Employee>;
  readonly divisions: ReadonlyMap<string, Division>;
  readonly bases: ReadonlyMap<string, Bases>;
  readonly references: ReadonlyMap<string, string>;
}

/** Knowledge that needs no write, because the file and Kontor agree. */
export interface Known {
  readonly bases: ReadonlyMap<string, Bases>;
  readonly references: ReadonlyMap<string, string>;
}

/** Compares a file with Kontor. Reads no clock, file or network. */
export function makePlan(input: PlanInput): { plan: Plan; known: Known } {
  const { config, source, employees, references, origin } = input;
  const wanted = source.rows.flatMap(({ division }) => division ?? []);
  const divisions = planDivisions(wanted, input.divisions, references, config.createDivisions);
  const employeePlan = new EmployeesPlan(input, divisions);
  for (const row of source.rows) employeePlan.add(row);
  const { blocks, absent, hint } = employeePlan.findAbsent();
  const moves = divisions.moves.map(({ before, after }) => ({
    line: null,
    name: before,
    todo: `the file names this division ${after}: rename or move it in the portal`,
  }));
  const { creates, updates, conflicts, kept } = employeePlan;
  const paths = pathsOf(input.divisions);
  for (const { reference, path } of divisions.creates) paths.set(reference, path);
  const named = new Set([
    ...updates.flatMap(({ changes }) => changes.flatMap(({ before, after }) => [before, after])),
    ...conflicts.flatMap(({ source, server }) => [source, server]),
  ]);
  const plan = {
    version: 1 as const,
    origin,
    counts: { file: source.rows.length, kontor: employees.size },
    divisions: { creates: divisions.creates, renames: divisions.renames },
    paths: Object.fromEntries([...paths].filter(([id]) => named.has(id))),
    creates,
    updates,
    blocks,
    absent,
    conflicts,
    kept,
    rejects: [...source.rejects, ...employeePlan.rejects].sort((one, other) => one.line - other.line),
    manual: [...employeePlan.manual, ...moves, ...hint],
    brake: findBrake(config, employees.size, updates.length, blocks.length),
  };
  return { plan, known: { bases: employeePlan.known, references: divisions.references } };
}

/** People that a plan changes, apart from new ones: `--yes-change` allows as many. */
export const countChanged = ({ updates, blocks }: Pick<Plan, 'updates' | 'blocks'>) =>
  updates.length + blocks.length;

function findBrake({ brake }: Config, total: number, changed: number, blocked: number): string | null {
  const isOver = (count: number, percent: number) => count * 100 > total * percent;
  if (isOver(blocked, brake.blocked))
    return `${blocked} of ${total} people would be blocked, more than ${brake.blocked} %`;
  if (isOver(changed, brake.changed))
    return `${changed} of ${total} people would be changed, more than ${brake.changed} %`;
  return null;
}

function nameOf({ firstName, lastName, email, employeeNumber }: Partial<Employee>): string {
  const name = [firstName, lastName].filter(Boolean).join(' ') || email || 'without a name';
  return (employeeNumber ?? null) === null ? name : `${name} (${employeeNumber})`;
}

/** The first word of a first name: a marriage changes the last name and the email, but not that. */
const firstWord = (name: string) => name.toLowerCase().split(/[\s-]/, 1)[0];

class EmployeesPlan {
  readonly creates: Create[] = [];
  readonly updates: Update[] = [];
  readonly conflicts: Conflict[] = [];
  readonly kept: Kept[] = [];
  readonly rejects: Reject[] = [];
  readonly manual: Manual[] = [];
  readonly known = new Map<string, Bases>();
  readonly #input: PlanInput;
  readonly #divisions: DivisionPlan;
  readonly #byEmail: ReadonlyMap<string, Employee>;
  readonly #byNumber: ReadonlyMap<string | null, Employee>;
  readonly #present = new Set<string>();

  constructor(input: PlanInput, divisions: DivisionPlan) {
    this.#input = input;
    this.#divisions = divisions;
    const employees = [...input.employees.values()];
    this.#byEmail = new Map(employees.map(employee => [emailKey(employee.email), employee]));
    this.#byNumber = new Map(employees.map(employee => [employee.employeeNumber, employee]));
  }

  add(row: Row): void {
    const { line, email, employeeNumber } = row;
    const { matchBy } = this.#input.config;
    const withEmail = email === null ? undefined : this.#byEmail.get(emailKey(email));
    const withNumber = employeeNumber === null ? undefined : this.#byNumber.get(employeeNumber);
    const byNumber = employeeNumber !== null && (matchBy === 'employeeNumber' || email === null);
    const [employee, other] = byNumber ? [withNumber, withEmail] : [withEmail, withNumber];
    for (const found of [employee, other]) if (found) this.#present.add(found.id);
    const reject = (reason: string) => {
      this.rejects.push({ line, column: null, found: null, reason });
    };
    if (other && other !== employee)
      reject(`its ${byNumber ? 'email' : 'number'} belongs to ${nameOf(other)}`);
    else if (employee) this.#update(employee, row);
    else this.#create(row, reject);
  }

  #create(row: Row, reject: (reason: string) => void): void {
    const { email, values, doubts, line } = row;
    const { firstName, lastName } = values;
    this.rejects.push(...doubts.map(withoutField));
    if (email === null) return reject('a new person needs an email');
    if (typeof firstName !== 'string' || typeof lastName !== 'string')
      return reject('a new person needs a first and a last name');
    const division = this.#divisionOf(row, reject);
    const given = Object.entries(values).filter(([, value]) => value !== null);
    const body = {
      email,
      ...Object.fromEntries(given),
      ...(division !== undefined && { divisionId: division }),
    };
    this.creates.push({ line, name: nameOf({ ...values, email } as Partial<Employee>), body });
  }

  #divisionOf({ division }: Row, reject: (reason: string) => void): string | undefined {
    if (division === null) return undefined;
    const id = this.#divisions.idOf(division);
    if (id === undefined) reject(`Kontor has no division ${division.names.join(' / ')}`);
    return id;
  }

  #update(employee: Employee, row: Row): void {
    const { id, updatedAt: version } = employee;
    const { line, email } = row;
    const name = nameOf(employee);
    const firstName = row.values.firstName;
    const hasOtherEmail = email !== null && emailKey(email) !== emailKey(employee.email);
    if (hasOtherEmail && typeof firstName === 'string' && employee.firstName !== null)
      if (firstWord(firstName) !== firstWord(employee.firstName)) {
        const reason = `the number belonged to ${name}: is it another person?`;
        this.rejects.push({ line, column: null, found: row.employeeNumber, reason });
        return;
      }
    if (hasOtherEmail) this.manual.push({ line, name, todo: `change the email to ${email} in the portal` });
    // A value that looks damaged and is stored is right.
    const doubts = row.doubts.filter(({ field, found }) => employee[field as PersonField] !== found);
    this.rejects.push(...doubts.map(withoutField));
    const bases = this.#input.bases.get(id) ?? {};
    const known: Record<string, Bases[PersonField]> = {};
    const changes: Change[] = [];
    for (const [field, source] of this.#wantedOf(row, bases)) {
      const server = employee[field];
      const merge = mergeField(source, server, bases[field]);
      if (merge === 'equal' && (bases[field]?.source !== source || bases[field].server !== server))
        known[field] = { source, server };
      else if (merge === 'write') changes.push({ field, before: server, after: source });
      else if (merge === 'kept') this.kept.push({ id, name, field, source, server });
      else if (merge === 'conflict' || merge === 'first_contact') {
        const { email, employeeNumber } = employee;
        this.conflicts.push({ id, field, name, line, employeeNumber, email, kind: merge, source, server });
      }
    }
    if (Object.keys(known).length > 0) this.known.set(id, known);
    if (changes.length > 0) this.updates.push({ line, id, name, version, changes });
  }

  /** The values of the file. A person whom the tool has blocked, and who is back, is unblocked. */
  #wantedOf(row: Row, bases: Bases): [PersonField, Value][] {
    const wanted = new Map(Object.entries(row.values) as [PersonField, Value][]);
    const reject = (reason: string) => {
      this.rejects.push({ line: row.line, column: null, found: null, reason });
    };
    const division = this.#divisionOf(row, reject);
    if (division !== undefined) wanted.set('divisionId', division);
    if (!wanted.has('blocked') && bases.blocked?.source === true) wanted.set('blocked', false);
    return [...wanted];
  }

  /** The managed people whom no row has. A row that cannot be read can be anybody, so then nobody is blocked. */
  findAbsent(): { blocks: Update[]; absent: { id: string; name: string }[]; hint: Manual[] } {
    const { employees, bases, source, config } = this.#input;
    const absent = [...bases.keys()].flatMap(id => {
      const employee = employees.get(id);
      if (employee === undefined || this.#present.has(id)) return [];
      return keysOf(employee).some(key => source.rejectedKeys.has(key)) ? [] : [employee];
    });
    const open = absent.filter(
      ({ id, blocked }) => mergeField(true, blocked, bases.get(id)!.blocked ?? { server: false }) === 'write',
    );
    const isBlocking = config.absent === 'block' && source.anonymousRejects === 0;
    const hint = `${source.anonymousRejects} rows cannot be read, so nobody is blocked: correct the file`;
    return {
      blocks: isBlocking ? open.map(employee => blockOf(employee)) : [],
      absent: isBlocking ? [] : open.map(employee => ({ id: employee.id, name: nameOf(employee) })),
      hint:
        config.absent === 'block' && !isBlocking && open.length > 0
          ? [{ line: null, name: 'The file', todo: hint }]
          : [],
    };
  }
}

function blockOf(employee: Employee): Update {
  const { id, updatedAt: version, blocked: before } = employee;
  return {
    line: null,
    id,
    name: nameOf(employee),
    version,
    changes: [{ field: 'blocked', before, after: true }],
  };
}

const withoutField = ({ line, column, found, reason }: Reject): Reject => ({ line, column, found, reason });
