import { setTimeout as delay } from 'node:timers/promises';
import type { ServerSession } from '../session.ts';
import { raw, sql } from '../sql.ts';
import { inTransactionOn, type Session } from '../transaction.ts';
import { distributeTables, isDistributed, onEveryNode } from './distribution.ts';
import type { Migration } from './file.ts';
import { limitLocks, type Timeout, politely } from './patience.ts';
import { record } from './record.ts';
import { statementsOf } from './statements.ts';
import { how } from './turn.ts';

/** Milliseconds between two lines of progress. */
const progressInterval = 5_000;

/**
 * Runs a migration in the manner that its header names, and records it. One that was broken off is taken up again.
 * @throws those of the database, and those of {@link politely}.
 */
export async function runMigration(
  session: ServerSession,
  migration: Migration,
  timeout: Timeout,
): Promise<void> {
  switch (migration.mode) {
    case 'in one transaction':
      return runInTransaction(session, migration, timeout);
    case 'in batches':
      return runInBatches(session, migration, timeout);
    case 'outside of a transaction':
      return runOutside(session, migration, timeout);
  }
}

function runInTransaction(session: ServerSession, migration: Migration, timeout: Timeout): Promise<void> {
  return politely(
    migration.name,
    () =>
      inTransactionOn(
        session,
        async transaction => {
          const distributed = await isDistributed(transaction);
          if (distributed) await transaction.run(onEveryNode);
          await transaction.run(limitLocks);
          for (const statement of statementsOf(migration.text)) await transaction.run(raw(statement));
          if (distributed) await distributeTables(transaction);
          await transaction.run(record(migration, 'applied'));
        },
        how,
      ),
    timeout,
  );
}

/** Repeats the statement, each time in a transaction of its own, until it changes no more rows. */
async function runInBatches(session: ServerSession, migration: Migration, timeout: Timeout): Promise<void> {
  const { name } = migration;
  await session.send(record(migration, 'begun'), how);
  let total = 0;
  let told = -Infinity;
  for (;;) {
    const began = performance.now();
    const changed = await politely(
      name,
      () => inTransactionOn(session, transaction => runBatch(transaction, migration), how),
      timeout,
    );
    if (changed === 0) {
      if (total > 0) timeout.log(`${name} has changed ${total} rows`);
      return;
    }
    total += changed;
    const now = performance.now();
    if (now - told > progressInterval) {
      timeout.log(`${name} has changed ${total} rows so far`);
      told = now;
    }
    // It leaves half of the time to those who work meanwhile.
    await delay(now - began, undefined, { signal: timeout.signal });
  }
}

/** Changes the rows of one batch, and records the migration when there was none left. */
async function runBatch(transaction: Session, migration: Migration): Promise<number> {
  await transaction.run(limitLocks);
  const { command, rowCount } = await transaction.server.send(raw(migration.text), how);
  // The rows of a SELECT would never end.
  if (!/^(UPDATE|INSERT|DELETE|MERGE)$/.test(command))
    throw new Error(`Migration ${migration.name} runs in batches, but is no UPDATE, INSERT, DELETE or MERGE`);
  if (rowCount === 0) await transaction.run(record(migration, 'applied'));
  return rowCount ?? 0;
}

/** How long building an index takes until it is told of, in milliseconds. */
const silence = 1000;

/**
 * Builds or drops an index concurrently. It waits for others without limit, since nobody who reads or writes waits behind it.
 */
async function runOutside(session: ServerSession, migration: Migration, timeout: Timeout): Promise<void> {
  const { name, checksum, index, text } = migration;
  const begun = await session.send(
    sql`SELECT FROM migration WHERE name = ${name} AND checksum = ${checksum}`,
    how,
  );
  await session.send(record(migration, 'begun'), how);
  // Built before this process was broken off, so that only the record was missing.
  const isBuilt = begun.rowCount === 1 && index !== null && (await isValid(session, index)) === true;
  if (!isBuilt) {
    // What is done at once, as on an empty table, is not worth a word.
    const telling = setTimeout(() => timeout.log(`${name} has begun`), silence);
    await politely(name, () => runAfresh(session, index, text), timeout).finally(() => clearTimeout(telling));
  }
  await session.send(record(migration, 'applied'), how);
}

/** Drops what is left of an index that was not completed, and does not leave one behind. */
async function runAfresh(session: ServerSession, index: string | null, text: string): Promise<void> {
  await dropInvalid(session, index);
  try {
    await session.send(raw(text), how);
  } catch (error) {
    // PostgreSQL would keep it up to date for nothing, and refuse rows for the sake of a unique one.
    if (!session.isLost) await dropInvalid(session, index);
    throw error;
  }
}

async function dropInvalid(session: ServerSession, index: string | null): Promise<void> {
  if (index !== null && (await isValid(session, index)) === false)
    await session.send(raw(`DROP INDEX CONCURRENTLY ${index}`), how);
}

/** Whether the index is complete; null when it does not exist. */
async function isValid(session: ServerSession, index: string): Promise<boolean | null> {
  const { rows } = await session.send(
    sql`SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass(${index})`,
    how,
  );
  return (rows[0] as { valid: boolean } | undefined)?.valid ?? null;
}
