import type { Database, Pool } from '../../../src/db/connect.ts';
import { openSession } from '../../../src/db/open-session.ts';
import type { Queryable, ServerSession } from '../../../src/db/session.ts';
import { type Fragment, raw, sql } from '../../../src/db/sql.ts';
import { inTransaction, type Session } from '../../../src/db/transaction.ts';
import { ofTest } from './sent-statements.ts';

/** Runs a statement at once: rows = await sql<{ id: string }[]>`SELECT id FROM tenant`. */
export interface Tag {
  // Rows of a test have the shape of its statement.
  <Rows extends object[] = any[]>(strings: TemplateStringsArray, ...values: unknown[]): Promise<Rows>;
  /** Runs a text that is made up by the test. */
  unsafe<Row extends object = Record<string, unknown>>(text: string): Promise<Row[]>;
}

/** The session of a transaction as a tag. */
export type TestSession = Session & Tag;

/** The pool of writes of a test's database as a tag, with what is behind it. */
export type Sql = Pool &
  Tag & {
    readonly database: Database;
    /** Runs the work in a transaction. */
    begin<T>(work: (session: TestSession) => Promise<T>): Promise<T>;
  };

/** The database as tests use it; `pool` is the one that the tag runs statements on. */
export function testSql(database: Database, pool: Pool = database.writes): Sql {
  return tagged(pool, {
    database,
    begin: <T>(work: (session: TestSession) => Promise<T>) =>
      inTransaction(pool, session => work(tagged(session, {}) as TestSession)),
  }) as Sql;
}

/** Something that runs statements, as a tag that has everything of it and more. */
function tagged(target: Queryable, more: object): unknown {
  const own = { unsafe: (text: string) => target.rows(ofTest(raw(text))), ...more };
  const tag = (strings: TemplateStringsArray, ...values: unknown[]) =>
    target.rows(ofTest(sql(strings, ...values)));
  return new Proxy(tag, {
    get(_tag, name) {
      if (name in own) return Reflect.get(own, name) as unknown;
      const value = Reflect.get(target, name, target) as unknown;
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** A session of its own as a tag, outside of any transaction until the test begins one. */
export async function reserveSession({
  database,
}: Pick<Sql, 'database'>): Promise<TestSession & { release(): void }> {
  const server = await openSession(database.target, { applicationName: 'reserved' });
  const send = (statement: Fragment) => server.send(statement, { deadline: 60_000 });
  const session = {
    server,
    rows: async <Row extends object>(statement: Fragment) => (await send(statement)).rows as Row[],
    run: async (statement: Fragment) => (await send(statement)).rowCount ?? 0,
    begun: Promise.resolve(),
    post: (statement: Fragment) => void send(statement),
  };
  return tagged(session, {
    release: () => server.destroy(new Error('the test is done with it')),
  }) as TestSession & { release(): void };
}

/** The same pool, which reports the text of every statement. */
export function recordingPool(pool: Pool, record: (text: string) => void): Pool {
  return rewritingPool(pool, statement => {
    record(statement.text);
    return statement;
  });
}

/** The same pool, which runs another statement in the place of each. */
export function rewritingPool(pool: Pool, rewrite: (statement: Fragment) => Fragment): Pool {
  const rewritten =
    (work: (...args: unknown[]) => unknown) =>
    (statement: Fragment, ...rest: unknown[]) =>
      work(rewrite(statement), ...rest);
  const session = (server: ServerSession) =>
    overriding(server, { send: rewritten(server.send.bind(server) as never) });
  return overriding(pool, {
    rows: rewritten(pool.rows.bind(pool) as never),
    run: rewritten(pool.run.bind(pool) as never),
    arrays: rewritten(pool.arrays.bind(pool) as never),
    use: <T>(work: (server: ServerSession) => Promise<T>) => pool.use(server => work(session(server))),
  });
}

/** The object with other methods in the place of some. */
function overriding<T extends object>(target: T, methods: object): T {
  return new Proxy(target, {
    get(_target, name) {
      const value = Reflect.get(name in methods ? methods : target, name) as unknown;
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
