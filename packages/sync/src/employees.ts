import { type Division, type Employee, fold } from '@kontor/sdk';
import { type Config, type PersonField, personFields } from './config.ts';
import type { DivisionPlan } from './divisions.ts';
import { type Base, mergeField, type Value } from './merge.ts';
import { emailKey, isOfKey, keysOf, type Reject, rejectRow, type Row, type Source } from './source/source.ts';
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

/** Everything that a plan depends on. */
export interface PlanInput {
  readonly origin: string;
  readonly config: Config;
  readonly source: Source;
  readonly employees: ReadonlyMap<string, Employee>;
  readonly divisions: ReadonlyMap<string, Division>;
  readonly bases: ReadonlyMap<string, Bases>;
  readonly references: ReadonlyMap<string, string>;
  /** Whether no sync has been completed under this state. */
  readonly isFirst: boolean;
}

function nameOf({ firstName, lastName, email, employeeNumber }: Partial<Employee>): string {
  const name = [firstName, lastName].filter(Boolean).join(' ') || email || 'without a name';
  return (employeeNumber ?? null) === null ? name : `${name} (${employeeNumber})`;
}

/** The first word of a first name: a marriage changes the last name and the email, but not that. */
const firstWord = (name: string) => name.toLowerCase().split(/[\s-]/, 1)[0];

/** Whether a number probably has a new owner: of another first name, and of another email or, without one, of another last name. */
function isOtherPerson(employee: Employee, { email, values }: Row): boolean {
  const { firstName, lastName } = values as Partial<Employee>;
  if (!firstName || !employee.firstName || firstWord(firstName) === firstWord(employee.firstName))
    return false;
  if (email !== null) return emailKey(email) !== emailKey(employee.email);
  return Boolean(lastName && employee.lastName) && fold(lastName!) !== fold(employee.lastName!);
}

/** The rest of a person whose number and email have changed: the name, or without one the digits of the number. */
function likenessOf({
  firstName,
  lastName,
  employeeNumber,
}: Pick<Partial<Employee>, 'firstName' | 'lastName' | 'employeeNumber'>): string | null {
  if (firstName && lastName) return `name ${fold(`${firstName} ${lastName}`)}`;
  return employeeNumber ? `number ${employeeNumber.replace(/^0+/, '')}` : null;
}

/** Compares the people of a file with those of Kontor. */
export class EmployeesPlan {
  creates: { readonly row: Row; readonly create: Create }[] = [];
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
  /** The fields that columns fill. */
  readonly #mapped: readonly PersonField[];
  readonly #present = new Set<string>();
  /** The rows of each person: one has the number only, another one the email. */
  readonly #rowsOf: ReadonlyMap<string | undefined, readonly Row[]>;
  /** Rows of unknown people that are not created. */
  readonly #unknown: Row[] = [];
  /** Those of them whose number or email cannot be read, and who can be anybody. */
  #strangers = 0;

  constructor(input: PlanInput, divisions: DivisionPlan) {
    this.#input = input;
    this.#divisions = divisions;
    const fields = [...input.config.columns.values()].map(({ field }) => field);
    this.#mapped = personFields.filter(field => fields.includes(field === 'divisionId' ? 'division' : field));
    const employees = [...input.employees.values()];
    this.#byEmail = new Map(employees.map(employee => [emailKey(employee.email), employee]));
    this.#byNumber = new Map(employees.map(employee => [employee.employeeNumber, employee]));
    this.#rowsOf = Map.groupBy(input.source.rows, row => this.#find(row)[0]?.id);
  }

  /** The person of a row, and the one of its other key. */
  #find({ email, employeeNumber }: Row): [Employee | undefined, Employee | undefined] {
    const withEmail = email === null ? undefined : this.#byEmail.get(emailKey(email));
    const withNumber = employeeNumber === null ? undefined : this.#byNumber.get(employeeNumber);
    const isByNumber =
      employeeNumber !== null && (this.#input.config.matchBy === 'employeeNumber' || email === null);
    return isByNumber ? [withNumber, withEmail] : [withEmail, withNumber];
  }

  add(row: Row): void {
    const { line } = row;
    const [employee, other] = this.#find(row);
    for (const found of [employee, other]) if (found) this.#present.add(found.id);
    const twin = employee && this.#rowsOf.get(employee.id)!.find(each => each.line !== line);
    const key = other?.employeeNumber === row.employeeNumber ? 'number' : 'email';
    if (other && other !== employee) this.#reject(line, `its ${key} belongs to ${nameOf(other)}: correct it`);
    else if (twin) this.#reject(line, `line ${twin.line} is the same person: export one row for each person`);
    else if (employee) this.#update(employee, row);
    else this.#create(row);
  }

  #reject(line: number, reason: string, found: string | null = null): void {
    this.rejects.push(rejectRow(line, reason, found));
  }

  /** A row of an unknown person may be of one whom no row has, with another number or email. Then neither is written. */
  rejectLikeness(): void {
    const { employees, source } = this.#input;
    const missing = [...employees.values()].filter(
      employee =>
        !employee.blocked &&
        !this.#present.has(employee.id) &&
        !keysOf(employee).some(key => source.rejectedKeys.has(key)),
    );
    const byLikeness = new Map(
      missing.flatMap(employee =>
        [likenessOf(employee), likenessOf({ employeeNumber: employee.employeeNumber })].map(
          likeness => [likeness, employee] as const,
        ),
      ),
    );
    const find = ({ values }: Row) => {
      const likeness = likenessOf(values as Partial<Employee>);
      const found = likeness === null ? undefined : byLikeness.get(likeness);
      if (found) this.#present.add(found.id);
      return found;
    };
    this.#strangers = this.#unknown.filter(row => !find(row) && row.doubts.some(isOfKey)).length;
    this.creates = this.creates.filter(({ row }) => {
      const found = find(row);
      if (found === undefined) return true;
      const reason = `may be ${nameOf(found)}, who is in no row: HR changes the number or email of this person in the portal, or creates a new one there`;
      this.#reject(row.line, reason);
      return false;
    });
  }

  #create(row: Row): void {
    const { email, values, doubts, line } = row;
    const { firstName, lastName } = values;
    this.rejects.push(...doubts);
    const hasNames = typeof firstName === 'string' && typeof lastName === 'string';
    const isKeyDamaged = doubts.some(isOfKey);
    if (isKeyDamaged || email === null || !hasNames) {
      this.#unknown.push(row);
      const missing = email === null ? 'an email' : 'a first and a last name';
      if (!isKeyDamaged) this.#reject(line, `a new person needs ${missing}: add it in the HR program`);
      return;
    }
    const division = this.#divisionOf(row);
    const given = Object.entries(values).filter(([, value]) => value !== null);
    const body = {
      email,
      ...Object.fromEntries(given),
      ...(division !== undefined && { divisionId: division }),
    };
    const name = nameOf({ ...values, email } as Partial<Employee>);
    this.creates.push({ row, create: { line, name, body } });
  }

  #divisionOf({ line, division }: Row): string | undefined {
    if (division === null) return undefined;
    const id = this.#divisions.idOf(division);
    const path = division.names.join(' / ');
    const unclear = `write "${path}" if it is a path, or create one of this name in the portal`;
    if (id === undefined && division.isAmbiguous)
      this.#reject(line, `Kontor has no division ${division.names.join('/')}: ${unclear}`);
    else if (id === undefined)
      this.#reject(line, `Kontor has no division ${path}: create it in the portal, or correct the name`);
    return id;
  }

  #update(employee: Employee, row: Row): void {
    const { id, updatedAt: version } = employee;
    const { line, email } = row;
    const name = nameOf(employee);
    const hasOtherEmail = email !== null && emailKey(email) !== emailKey(employee.email);
    if (isOtherPerson(employee, row)) {
      const reason = `the number is of ${name}: a new person needs another number; for a new name, HR changes it in the portal`;
      this.#reject(line, reason, row.employeeNumber);
      return;
    }
    if (hasOtherEmail) this.manual.push({ line, name, todo: `change the email to ${email} in the portal` });
    // A value that looks damaged and is stored is right.
    const doubts = row.doubts.filter(({ field, found }) => employee[field as PersonField] !== found);
    this.rejects.push(...doubts);
    const bases = this.#input.bases.get(id) ?? {};
    const known: Record<string, Bases[PersonField]> = {};
    const changes: Change[] = [];
    const wanted = this.#wantedOf(row, bases);
    if (employee.blocked && bases.blocked?.source === true && !wanted.has('blocked'))
      this.manual.push({ line, name, todo: 'is blocked, and the cell is empty: write "no" to unblock' });
    // Neither has a value: if the file gets one, only the file has changed.
    for (const field of this.#mapped)
      if (!wanted.has(field) && !employee[field] && bases[field] === undefined)
        known[field] = { source: null, server: employee[field] };
    for (const [field, source] of wanted) {
      const server = employee[field];
      const merge = mergeField(source, server, this.#baseOf(field, bases[field]));
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

  /** A conflict can be decided before its division is created. */
  #baseOf(field: PersonField, base: Base | undefined): Base | undefined {
    if (field !== 'divisionId' || typeof base?.source !== 'string') return base;
    return { ...base, source: this.#divisions.references.get(base.source) ?? base.source };
  }

  /** The values of the file. A person whom the tool has blocked, and who is back, is unblocked, unless a column says who is blocked. */
  #wantedOf(row: Row, bases: Bases): ReadonlyMap<PersonField, Value> {
    const wanted = new Map(Object.entries(row.values) as [PersonField, Value][]);
    const division = this.#divisionOf(row);
    if (division !== undefined) wanted.set('divisionId', division);
    if (!this.#mapped.includes('blocked') && bases.blocked?.source === true) wanted.set('blocked', false);
    return wanted;
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
    const unread = source.anonymousRejects + this.#strangers;
    const isBlocking = config.absent === 'block' && unread === 0;
    const hint = `${unread === 1 ? '1 row' : `${unread} rows`} cannot be read, so nobody is blocked: correct the file`;
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
  const changes = [{ field: 'blocked' as const, before, after: true }];
  return { line: null, id, name: nameOf(employee), version, changes };
}
