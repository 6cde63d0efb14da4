import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { connect } from '../../src/db/connect.ts';
import { migrate } from '../../src/db/migrate.ts';
import { testDatabase } from '../support/database/database.ts';
import { copyMigrationsWith } from '../support/database/migrations.ts';
import type { Sql } from '../support/database/sql.ts';

type Mode = 'once' | 'batches' | 'index';

const header = '-- compatible with: 0003\n';

/** Migrations that fail, or leave something else behind, when they are not applied exactly once and in order. */
function filesOf(modes: readonly Mode[]): Record<string, string> {
  const files: Record<string, string> = {
    '9000_rows': `${header}\nCREATE TABLE planted AS SELECT id, 0 AS filled FROM generate_series(1, 7) AS id`,
  };
  for (const [i, mode] of modes.entries())
    files[`900${i + 1}_${mode}`] = {
      once: `${header}\nALTER TABLE planted ADD COLUMN once_${i} int`,
      batches: `${header}-- runs: in batches\n
UPDATE planted SET filled = ${i + 1} WHERE id IN (SELECT id FROM planted WHERE filled < ${i + 1} LIMIT 3)`,
      index: `${header}-- runs: outside of a transaction\n
CREATE INDEX CONCURRENTLY planted_${i} ON planted (filled)`,
    }[mode];
  return files;
}

/** Writes to an organization and reads of it until it is stopped, as a service does that goes on meanwhile. */
async function serve(sql: Sql, signal: AbortSignal): Promise<void> {
  while (!signal.aborted)
    await sql.begin(async transaction => {
      await transaction`UPDATE organization SET incident_sequence = incident_sequence + 1 RETURNING clock`;
      await transaction`SELECT count(*) FROM employee`;
    });
}

test(
  'whatever is to be migrated, by however many at once beside a service, is applied once and in order',
  { timeout: 300_000 },
  () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom<Mode>('once', 'batches', 'index'), { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 2, max: 4 }),
        async (modes, count) => {
          const files = filesOf(modes);
          const directory = await copyMigrationsWith(files);
          const { database, url, drop } = await testDatabase();
          const stop = new AbortController();
          const serving = serve(database.sql, stop.signal);
          const migrators = Array.from({ length: count }, () => connect({ url }, { poolSize: 1 }));
          try {
            const applied = await Promise.all(migrators.map(each => migrate(each, { directory })));
            assert.deepEqual(applied.flat(), Object.keys(files));
            await assertComplete(database.sql, modes);
          } finally {
            stop.abort();
            await serving;
            await Promise.all(migrators.map(each => each.close()));
            await drop();
          }
        },
      ),
      { numRuns: 12 },
    ),
);

async function assertComplete(sql: Sql, modes: readonly Mode[]): Promise<void> {
  const open = await sql`SELECT FROM migration WHERE applied_at IS NULL`;
  const invalid = await sql`SELECT FROM pg_index WHERE NOT indisvalid`;
  assert.equal(open.length + invalid.length, 0);
  const rows = await sql<{ filled: number }[]>`SELECT filled FROM planted`;
  const last = modes.lastIndexOf('batches') + 1;
  assert.deepEqual(
    rows.map(row => row.filled),
    Array(7).fill(last),
  );
}
