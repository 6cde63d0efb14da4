import type { ServerSession } from '../../../src/db/session.ts';
import { raw } from '../../../src/db/sql.ts';
import { ofTest } from './sent-statements.ts';

/** What may hold something that a distributed database rejects. */
const changes = /\b(UPDATE|DELETE)\b/i;

/** A node of a parsed statement, as PostgreSQL writes it down. */
interface Node {
  readonly name: string;
  /** The function that it calls; 0: none. */
  readonly calls: number;
  /** 1: SELECT, 2: UPDATE, 3: INSERT, 4: DELETE; 0: no statement. */
  readonly command: number;
  readonly below: readonly Node[];
}

/**
 * What a change of rows calls that each node of a distributed database would answer differently, which such a database
 * rejects (Citus: "functions used in UPDATE queries on distributed tables must not be VOLATILE", "STABLE functions … cannot be
 * called with column references"); null when it is nothing. The statement is prepared as `question` in the session.
 */
export async function findChangingFunction(session: ServerSession, text: string): Promise<string | null> {
  if (!changes.test(text)) return null;
  const functions = await queryMutableFunctions(session);
  const tree = parseNodes(await parseStatement(session, text));
  for (const node of tree.flatMap(root => [...nodesOf(root)])) {
    if (node.command !== 2 && node.command !== 4) continue;
    for (const call of nodesOf(node)) {
      const found = functions.get(call.calls);
      if (!found) continue;
      if (found.volatility === 'v') return `VOLATILE ${found.name} in an UPDATE`;
      if ([...nodesOf(call)].some(({ name }) => name === 'VAR'))
        return `STABLE ${found.name} of a column in an UPDATE`;
    }
  }
  return null;
}

/** The statement as the server has parsed it, with every operator and cast as the function behind it. */
async function parseStatement(session: ServerSession, text: string): Promise<string> {
  const [prepared] = await queryRows<{ types: string }>(
    session,
    `SELECT array_to_string(parameter_types, ', ') AS types FROM pg_prepared_statements WHERE name = 'question'`,
  );
  const signature = `pg_temp.question(${prepared!.types})`;
  await queryRows(
    session,
    `CREATE FUNCTION ${signature} RETURNS void LANGUAGE sql BEGIN ATOMIC ${text.trim().replace(/;$/, '')}; END`,
  );
  const [parsed] = await queryRows<{ body: string }>(
    session,
    `SELECT prosqlbody::text AS body FROM pg_proc
     WHERE pronamespace = pg_my_temp_schema() AND proname = 'question'`,
  );
  await queryRows(session, `DROP FUNCTION ${signature}`);
  return parsed!.body;
}

interface MutableFunction {
  readonly name: string;
  /** v: another value each time; s: one value in a statement. */
  readonly volatility: 'v' | 's';
}

let known: Promise<Map<number, MutableFunction>> | undefined;

/** The functions of the server that are not IMMUTABLE: the same in all databases. */
function queryMutableFunctions(session: ServerSession): Promise<Map<number, MutableFunction>> {
  known ??= queryRows<MutableFunction & { oid: number }>(
    session,
    `SELECT oid::int8::float8 AS oid, proname AS name, provolatile AS volatility FROM pg_proc
     WHERE provolatile <> 'i' AND oid < 16384`,
  ).then(found => new Map(found.map(({ oid, ...each }) => [oid, each])));
  return known;
}

async function queryRows<Row extends object>(session: ServerSession, text: string): Promise<Row[]> {
  return (await session.send(ofTest(raw(text)), { deadline: 60_000 })).rows as Row[];
}

/** Reads nodes: `{NAME :field value :field {NAME …} …}`; a backslash takes the meaning from what stands behind it. */
function parseNodes(text: string): Node[] {
  const roots: Node[] = [];
  const open: { name: string; calls: number; command: number; below: Node[] }[] = [];
  const tokens = text.match(/(?:\\.|[^\s{}()\\])+|[{}()]/gs) ?? [];
  for (const [index, token] of tokens.entries()) {
    const next = tokens[index + 1]!;
    if (token === '{') open.push({ name: next, calls: 0, command: 0, below: [] });
    else if (token === '}') {
      const node = open.pop()!;
      (open.at(-1)?.below ?? roots).push(node);
    } else if (token === ':funcid' || token === ':opfuncid') open.at(-1)!.calls = Number(next);
    else if (token === ':commandType') open.at(-1)!.command = Number(next);
  }
  return roots;
}

function* nodesOf(node: Node): Generator<Node> {
  yield node;
  for (const child of node.below) yield* nodesOf(child);
}
