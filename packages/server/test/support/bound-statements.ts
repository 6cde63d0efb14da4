import { AssertionError } from 'node:assert/strict';
import { openSession } from '../../src/database/open-session.ts';
import type { ServerSession } from '../../src/database/session.ts';
import { raw } from '../../src/database/sql.ts';
import type { DatabaseTarget } from '../../src/database/target.ts';
import { type PlanNode, unboundScans } from './plan-scans.ts';
import { ofTest } from './sent-statements.ts';
import { tasksOf } from './shard-tasks.ts';
import { isOfAll } from './statements-of-all.ts';

/** What the server plans; all else neither reads nor writes rows of its own choice. */
const planned = /^\s*(SELECT|WITH|INSERT|UPDATE|DELETE|MERGE|VALUES)\b/i;

const temporary = /^\s*CREATE TEMPORARY TABLE (\w+)/i;

/** Texts that were found to be bound, in this process. */
const known = new Set<string>();

/**
 * Checks that each statement reads and changes rows of one organization only: the server plans it, and every scan of a
 * table that belongs to organizations has a condition on the organization. Where tables are distributed, it must be one task
 * of one shard instead, which is the same and more. Only those of `statements-of-all.ts` need none of that.
 * The texts are in the order in which they were sent.
 *
 * @throws AssertionError that names the statements and the tables
 */
export async function checkBound(target: DatabaseTarget, texts: readonly string[]): Promise<void> {
  if (!texts.some(isQuestion)) return;
  const problems = await problemsOf(target, texts);
  if (problems.length > 0)
    throw new AssertionError({
      message: `${problems.length} statements are not bound to an organization:\n${problems.join('\n')}`,
    });
}

function isQuestion(text: string): boolean {
  return planned.test(text) && !known.has(text) && !isOfAll(text);
}

async function problemsOf(target: DatabaseTarget, texts: readonly string[]): Promise<string[]> {
  const session = await openSession(target, { applicationName: 'explaining' });
  try {
    const judge = await judgeOf(session);
    const problems: string[] = [];
    for (const text of texts) {
      await makeTemporary(session, text);
      const problem = isQuestion(text) ? await problemOf(session, judge, text) : null;
      if (problem === null) known.add(text);
      else problems.push(`- ${problem}: ${text.trim()}`);
    }
    return problems;
  } finally {
    session.destroy(new Error('everything is explained'));
  }
}

/** Makes the table anew that the statement makes, for those that were sent behind it: two imports make different ones of a name. */
async function makeTemporary(session: ServerSession, text: string): Promise<void> {
  const name = temporary.exec(text)?.[1];
  if (name === undefined) return;
  await run(session, `DROP TABLE IF EXISTS pg_temp.${name}`);
  await run(session, text.replace('ON COMMIT DROP', ''));
}

async function run<Row extends object>(session: ServerSession, text: string): Promise<Row[]> {
  return (await session.send(ofTest(raw(text)), { deadline: 60_000 })).rows as Row[];
}

async function tablesOfOrganizations(session: ServerSession): Promise<Set<string>> {
  const rows = await run<{ name: string }>(
    session,
    `SELECT table_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name = 'organization_id'`,
  );
  return new Set(rows.map(row => row.name));
}

/** What is wrong with a plan, and how the values of a statement are written for it. */
interface Judge {
  readonly problem: (plan: PlanNode) => string | null;
  readonly value: (type: string) => string;
}

async function judgeOf(session: ServerSession): Promise<Judge> {
  const [found] = await run<{ exists: boolean }>(
    session,
    `SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') AS exists`,
  );
  return found!.exists ? judgeOfTasks(session) : judgeOfScans(session);
}

/** The plan is the one for any values. */
async function judgeOfScans(session: ServerSession): Promise<Judge> {
  await run(session, 'SET plan_cache_mode = force_generic_plan');
  const owned = await tablesOfOrganizations(session);
  return {
    value: () => 'NULL',
    problem(plan) {
      const unbound = unboundScans(plan, owned);
      return unbound.length === 0 ? null : `any organization in ${unbound.join(', ')}`;
    },
  };
}

/** All texts are the same, hence one organization: a null one would be of no shard. */
async function judgeOfTasks(session: ServerSession): Promise<Judge> {
  await run(session, 'SET plan_cache_mode = force_custom_plan');
  return {
    value: type => (type === 'text' ? `'a'` : 'NULL'),
    problem(plan) {
      const tasks = tasksOf(plan);
      return tasks <= 1 ? null : `${tasks} tasks on the cluster`;
    },
  };
}

async function problemOf(session: ServerSession, judge: Judge, text: string): Promise<string | null> {
  try {
    return judge.problem(await planOf(session, judge, text));
  } catch (error) {
    return `it cannot be planned (${(error as Error).message})`;
  }
}

/** The plan of EXPLAIN. Its option GENERIC_PLAN would do without values, but PostgreSQL 15 has it not. */
async function planOf(session: ServerSession, { value }: Judge, text: string): Promise<PlanNode> {
  await run(session, 'DEALLOCATE ALL');
  await run(session, `PREPARE question AS ${text}`);
  const [question] = await run<{ types: string[] }>(
    session,
    'SELECT parameter_types::text[] AS types FROM pg_prepared_statements',
  );
  const values = question!.types.map(value).join(', ');
  const [row] = await run<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
    session,
    `EXPLAIN (FORMAT JSON, COSTS OFF) EXECUTE question${values && `(${values})`}`,
  );
  return row!['QUERY PLAN'][0]!.Plan;
}
