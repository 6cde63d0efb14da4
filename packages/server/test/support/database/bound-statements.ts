import { AssertionError } from 'node:assert/strict';
import { type DatabaseTarget, openSession } from '../../../src/db/open-session.ts';
import type { ServerSession } from '../../../src/db/session.ts';
import { raw } from '../../../src/db/sql.ts';
import { findChangingFunction } from './changing-functions.ts';
import { type PlanNode, unboundScans } from './plan-scans.ts';
import { ofTest } from './sent-statements.ts';
import { tasksOf } from './shard-tasks.ts';
import { isUnbound } from './unbound-statements.ts';

/** What the server plans; all else neither reads nor writes rows of its own choice. */
const planned = /^\s*(SELECT|WITH|INSERT|UPDATE|DELETE|MERGE|VALUES)\b/i;

const temporary = /^\s*CREATE TEMPORARY TABLE (\w+)/i;

/** Texts that were found to be bound, in this process. */
const known = new Set<string>();

/**
 * Checks that each statement reads and changes rows of one organization only: the server plans it, and every scan of a
 * table that belongs to organizations has a condition on the organization. Only those of `unbound-statements.ts` need none.
 * And none that changes rows calls what a distributed database rejects, see {@link findChangingFunction}. Where tables are
 * distributed each must be one task of one shard instead, which is the same and more. The texts are in the order in which they
 * were sent.
 *
 * @throws AssertionError that names the statements and the tables
 */
export async function checkBound(target: DatabaseTarget, texts: readonly string[]): Promise<void> {
  if (!texts.some(isQuestion)) return;
  const problems = await findProblems(target, texts);
  if (problems.length > 0)
    throw new AssertionError({
      message: `${problems.length} statements are not as every statement must be:\n${problems.join('\n')}`,
    });
}

function isQuestion(text: string): boolean {
  return planned.test(text) && !known.has(text);
}

async function findProblems(target: DatabaseTarget, texts: readonly string[]): Promise<string[]> {
  const session = await openSession(target, { applicationName: 'explaining' });
  try {
    const checker = await createChecker(session);
    const problems: string[] = [];
    for (const text of texts) {
      await makeTemporary(session, text);
      const problem =
        isQuestion(text) && !checker.passes(text) ? await findProblem(session, checker, text) : null;
      if (problem === null) known.add(text);
      else problems.push(`- ${problem}: ${text.trim()}`);
    }
    return problems;
  } finally {
    session.destroy(new Error('everything is explained'));
  }
}

/** Makes the table again that the statement makes, for those that were sent behind it: two imports make different ones of a name. */
async function makeTemporary(session: ServerSession, text: string): Promise<void> {
  const name = temporary.exec(text)?.[1];
  if (name === undefined) return;
  await run(session, `DROP TABLE IF EXISTS pg_temp.${name}`);
  await run(session, text.replace('ON COMMIT DROP', ''));
}

async function run<Row extends object>(session: ServerSession, text: string): Promise<Row[]> {
  return (await session.send(ofTest(raw(text)), { deadline: 60_000 })).rows as Row[];
}

async function queryOrganizationTables(session: ServerSession): Promise<Set<string>> {
  const rows = await run<{ name: string }>(
    session,
    `SELECT table_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name = 'organization_id'`,
  );
  return new Set(rows.map(row => row.name));
}

/** What is wrong with a plan, and what is to be planned: the text, or the prepared `question` with values of these types. */
interface Checker {
  readonly problem: (plan: PlanNode, text: string) => Promise<string | null>;
  /** Whether the text is not looked at. */
  readonly passes: (text: string) => boolean;
  readonly asked: (text: string, types: readonly string[]) => string;
}

async function createChecker(session: ServerSession): Promise<Checker> {
  const [found] = await run<{ exists: boolean }>(
    session,
    `SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') AS exists`,
  );
  return found!.exists ? createTaskChecker() : createScanChecker(session);
}

/** The plan is the one for any values. */
async function createScanChecker(session: ServerSession): Promise<Checker> {
  await run(session, 'SET plan_cache_mode = force_generic_plan');
  const owned = await queryOrganizationTables(session);
  return {
    passes: () => false,
    asked: (_text, types) =>
      `EXECUTE question${types.length > 0 ? `(${types.map(() => 'NULL').join(', ')})` : ''}`,
    async problem(plan, text) {
      const unbound = unboundScans(plan, owned);
      if (unbound.length > 0 && !isUnbound(text)) return `any organization in ${unbound.join(', ')}`;
      return findChangingFunction(session, text);
    },
  };
}

/**
 * All texts are the same, hence one organization: a null one would be of no shard. The values stand in the text, since Citus
 * does not explain every INSERT … SELECT with parameters that it runs.
 */
function createTaskChecker(): Checker {
  const valueOf = (type: string) => (type === 'text' ? `'a'::text` : `NULL::${type}`);
  return {
    // Citus explains in another session, which has no temporary tables: of an import, which is no request. And with values that are null it
    // rejects joins of all organizations that it runs with others.
    passes: text => /\bimport_(stage|rejection|repeated|employee)\b/.test(text) || isUnbound(text),
    asked: (text, types) => text.replaceAll(/\$(\d+)/g, (_, number) => valueOf(types[Number(number) - 1]!)),
    async problem(plan) {
      const tasks = tasksOf(plan);
      return tasks <= 1 ? null : `${tasks} tasks on the cluster`;
    },
  };
}

async function findProblem(session: ServerSession, checker: Checker, text: string): Promise<string | null> {
  try {
    return await checker.problem(await planOf(session, checker, text), text);
  } catch (error) {
    return `it cannot be planned (${(error as Error).message})`;
  }
}

/**
 * The plan of EXPLAIN. Its option GENERIC_PLAN would do without values, but PostgreSQL 15 has it not. The statement stays
 * prepared as `question`.
 */
async function planOf(session: ServerSession, checker: Checker, text: string): Promise<PlanNode> {
  await run(session, 'DEALLOCATE ALL');
  await run(session, `PREPARE question AS ${text}`);
  const [question] = await run<{ types: string[] }>(
    session,
    'SELECT parameter_types::text[] AS types FROM pg_prepared_statements',
  );
  const [row] = await run<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
    session,
    `EXPLAIN (FORMAT JSON, COSTS OFF) ${checker.asked(text, question!.types)}`,
  );
  return row!['QUERY PLAN'][0]!.Plan;
}
