import assert from 'node:assert/strict';
import { test } from 'node:test';
import { start } from '../cli/kontor.ts';
import { until } from '../../../embedded-postgres/test/visitors.ts';
import { testDatabase } from '../support/database/database.ts';
import { lockWaits } from '../support/database/locks.ts';
import { reserveSession } from '../support/database/sql.ts';
import { nextVersion } from '../support/database/versions.ts';
import { testPepper } from '../support/data/test-data.ts';

test(
  'SIGTERM while a service migrates ends it in order, and the next start goes on with the migration',
  { timeout: 120_000 },
  async () => {
    const { program } = await nextVersion({
      '9001_fill': `-- compatible with: 0003
-- runs: in batches\n
UPDATE organization SET incident_sequence = incident_sequence + 1 WHERE incident_sequence = 0`,
    });
    await using resources = new AsyncDisposableStack();
    const { database, url, drop } = await testDatabase();
    resources.defer(drop);
    const { sql } = database;
    await sql`INSERT INTO organization (id, name, folded_name) VALUES ('a', 'Muster', 'muster')`;
    const holder = await reserveSession(sql);
    resources.defer(() => holder.release());
    await holder`BEGIN`;
    await holder`SELECT FROM organization WHERE id = 'a' FOR UPDATE`;
    const variables = {
      DATABASE_URL: url,
      KONTOR_KEY_PEPPER: testPepper.toString('utf8'),
      PORT: '0',
      MANAGEMENT_PORT: '0',
    };

    const interrupted = start(['serve', '--json'], variables, program);
    await until(async () => (await lockWaits(sql)) > 0);
    interrupted.process.kill('SIGTERM');
    const { code, stdout, stderr } = await interrupted.ended;
    assert.deepEqual({ code, stdout }, { code: 0, stdout: '' });
    assert.match(stderr, /stopped while it migrated the database/);

    await holder`COMMIT`;
    const service = start(['serve', '--json'], variables, program);
    await service.line(/^\{/);
    service.process.kill('SIGTERM');
    assert.equal((await service.ended).code, 0);
    assert.deepEqual(await sql`SELECT incident_sequence::int AS n FROM organization`, [{ n: 1 }]);
  },
);
