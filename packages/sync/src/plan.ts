import { pathsOf, planDivisions, type NewDivision, type Rename } from './divisions.ts';
import {
  type Create,
  EmployeesPlan,
  type Kept,
  type Manual,
  type PlanInput,
  type Update,
} from './employees.ts';
import type { Value } from './merge.ts';
import type { Reject } from './source/source.ts';
import type { Bases, Conflict } from './state.ts';

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
  employeePlan.rejectLikeness();
  const { blocks, absent, hint } = employeePlan.findAbsent();
  const moves = divisions.moves.map(({ before, after }) => ({
    line: null,
    name: before,
    todo: `the file names this division ${after}: rename or move it in the portal`,
  }));
  const { updates, conflicts, kept } = employeePlan;
  const creates = employeePlan.creates.map(({ create }) => create);
  const newDivisions = usedDivisions(divisions.creates, [
    ...creates.map(({ body }) => body['divisionId']),
    ...updates.flatMap(({ changes }) => changes.map(({ after }) => after)),
  ]);
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
    divisions: { creates: newDivisions, renames: divisions.renames },
    paths: Object.fromEntries([...paths].filter(([id]) => named.has(id))),
    creates,
    updates,
    blocks,
    absent,
    conflicts,
    kept,
    rejects: [...source.rejects, ...employeePlan.rejects].sort((one, other) => one.line - other.line),
    manual: [...employeePlan.manual, ...moves, ...hint],
    brake: findBrake(input, { updates, blocks, creates }),
  };
  return { plan, known: { bases: employeePlan.known, references: divisions.references } };
}

/** The new divisions that people come into, and those above them. A row that writes nothing creates none. */
function usedDivisions(creates: readonly NewDivision[], values: readonly (Value | undefined)[]) {
  const used = new Set<Value | undefined>(values);
  // Parents come first, so they are reached last.
  for (const { reference, parent } of creates.toReversed()) if (used.has(reference)) used.add(parent);
  return creates.filter(({ reference }) => used.has(reference));
}

type Writes = Pick<Plan, 'updates' | 'blocks' | 'creates'>;

/** People that a plan writes: `--yes-change` allows as many. */
export const countPersons = ({ updates, blocks, creates }: Writes) =>
  updates.length + blocks.length + creates.length;

/** A file of another company has only new people, so they count as changed ones once a first sync is complete. */
function findBrake(
  { config, bases, employees, isFirst }: PlanInput,
  { updates, blocks, creates }: Writes,
): string | null {
  const { changed, blocked } = config.brake;
  const total = [...bases.keys()].filter(id => employees.has(id)).length;
  const isOver = (count: number, percent: number) => count * 100 > total * percent;
  if (isOver(blocks.length, blocked))
    return `${blocks.length} of ${total} managed people would be blocked, more than ${blocked} %`;
  const created = isFirst || total === 0 ? 0 : creates.length;
  if (isOver(updates.length + created, changed))
    return `${updates.length} of ${total} managed people would be changed and ${created} created, more than ${changed} %`;
  return null;
}
