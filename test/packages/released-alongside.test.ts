import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { OpenApiDocument } from '@kontor/contract';
import { type Running, start } from '../../packages/server/test/cli/kontor.ts';
import { type ApiClient, apiClient } from '../../packages/server/test/support/contract/client.ts';
import { emptyDatabase, type TestDatabase } from '../../packages/server/test/support/database/database.ts';
import { findLatestMigration } from '../../packages/server/test/support/database/migrations.ts';
import {
  lastRelease,
  nextVersion,
  releasedVersion,
  type Version,
} from '../../packages/server/test/support/database/versions.ts';
import { testPepper } from '../../packages/server/test/support/data/test-data.ts';

/** Employees that are created through each service before something else happens. */
const enough = 60;

/** The release after the last one adds a column, fills it and builds an index on it; the one behind that relies on it. */
function plantedMigrations(released: string): {
  expand: Record<string, string>;
  contract: Record<string, string>;
} {
  const expand = {
    '9001_planted': `-- compatible with: ${released}\n
ALTER TABLE employee ADD COLUMN planted text`,
    '9002_fill_planted': `-- compatible with: ${released}
-- runs: in batches\n
UPDATE employee SET planted = folded_last_name
WHERE (organization_id, id) IN (
  SELECT organization_id, id FROM employee
  WHERE planted IS NULL AND created_at < (SELECT applied_at FROM migration WHERE name = '9001_planted')
  LIMIT 10)`,
    '9003_planted_index': `-- compatible with: ${released}
-- runs: outside of a transaction\n
CREATE INDEX CONCURRENTLY employee_planted ON employee (organization_id, planted, id)`,
  };
  const contract = {
    '9004_planted_default': `-- compatible with: 9003\n
ALTER TABLE employee ALTER COLUMN planted SET DEFAULT 'b'`,
  };
  return { expand, contract: { ...expand, ...contract } };
}

let testing: TestDatabase;
let variables: Record<string, string>;
let key: string;
const running = new Set<Running>();

before(async () => {
  testing = await emptyDatabase();
  variables = {
    DATABASE_URL: testing.url,
    KONTOR_KEY_PEPPER: testPepper.toString('utf8'),
    KONTOR_QUOTA: '1000000/60',
    KONTOR_LOG_LEVEL: 'error',
    PORT: '0',
    MANAGEMENT_PORT: '0',
  };
});
after(async () => {
  for (const service of running) service.process.kill('SIGKILL');
  await Promise.all([...running].map(service => service.ended));
  await testing.drop();
});

/** A service of a version, with a client that knows the contract of that version. */
interface Service {
  readonly client: ApiClient;
  stop(): Promise<void>;
}

async function serve({ program, document }: Version): Promise<Service> {
  const service = start(['serve', '--json'], variables, program);
  running.add(service);
  const { baseUrl } = JSON.parse(await service.line(/^\{/)) as { baseUrl: string };
  const openapi = JSON.parse(await readFile(document, 'utf8')) as OpenApiDocument;
  const client = apiClient(baseUrl, { key, openapi });
  return {
    client,
    async stop() {
      client.close();
      service.process.kill('SIGTERM');
      const { code, stderr } = await service.ended;
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    },
  };
}

/** Runs a command of a version and returns what it printed. */
async function command({ program }: Version, ...args: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await start([...args, '--json'], variables, program).ended;
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout) as Record<string, unknown>;
}

/** Makes the organization in which everything happens, and its key. */
async function createOrganization(version: Version): Promise<void> {
  const { id } = await command(version, 'organization', 'create', '--name', 'Muster');
  await command(version, 'tenant', 'create', '--organization', String(id), '--name', 'Muster GmbH');
  const created = await command(
    version,
    'key',
    'create',
    '--organization',
    String(id),
    '--name',
    'k',
    '--all',
  );
  key = String(created.key);
}

/** Creates and changes employees through a service until it is stopped. Every answer must be that of a success. */
class Writer {
  readonly written: string[] = [];
  readonly #client: ApiClient;
  readonly #ended: Promise<void>;
  #isStopped = false;

  constructor({ client }: Service, name: string) {
    this.#client = client;
    this.#ended = this.#write(name);
    this.#ended.catch(() => {});
  }

  /** Resolves when that many more were written. */
  async more(count: number): Promise<void> {
    const goal = this.written.length + count;
    while (this.written.length < goal) await Promise.race([this.#ended, delay(10)]);
  }

  async stop(): Promise<string[]> {
    this.#isStopped = true;
    await this.#ended;
    return this.written;
  }

  async #write(name: string): Promise<void> {
    for (let n = 0; !this.#isStopped; n++) {
      const email = `${name}.${n}@example.com`;
      const created = await this.#client.post('/employees', { email, firstName: 'A', lastName: 'B' });
      assert.equal(created.status, 201);
      const changed = await this.#client.patch(`/employees/${created.body.id}`, { city: name });
      assert.equal(changed.status, 200);
      this.written.push(created.body.id as string);
    }
  }
}

/** All employees as a service answers them. */
async function employeesOf({ client }: Service): Promise<Map<string, object>> {
  const found = new Map<string, object>();
  for (let page = 1; ; page++) {
    const { status, body } = await client.get('/employees', { query: { page, pageSize: 1000 } });
    assert.equal(status, 200);
    for (const item of body.items as { id: string }[]) found.set(item.id, item);
    if (page < body.totalPages) continue;
    assert.equal(found.size, body.totalElements);
    return found;
  }
}

/** Each service shows everything that was written, as the other does. */
async function assertSame(services: Service[], written: string[]): Promise<void> {
  const [first, ...others] = await Promise.all(services.map(employeesOf));
  for (const id of written) assert.ok(first!.has(id));
  for (const other of others) assert.deepEqual(other, first);
}

test('docs/upgrades.md names the release that this version is tested beside', async t => {
  if (lastRelease === null) return t.skip('the history does not reach back to a release');
  const text = await readFile(new URL('../../docs/upgrades.md', import.meta.url), 'utf8');
  const rows = [...text.matchAll(/^\| (\d\S*) \| (\d\S*|none)/gm)];
  const [newest, oldest] = rows[0]?.slice(1) ?? [];
  // The commit of a release is tested beside the release before it, later ones beside that release.
  assert.ok([newest, oldest].includes(lastRelease.version), lastRelease.version);
});

test(
  'the last release serves on beside the next one, which migrates, starts again on its schema, takes over again in a rollback under load, and stops at the contraction',
  { timeout: 180_000 },
  async t => {
    const old = await releasedVersion();
    if (old === null) return t.skip('the history does not reach back to a release');
    const planted = plantedMigrations(await findLatestMigration(old.migrations));
    const next = await nextVersion(planted.expand);
    await createOrganization(old);

    const oldService = await serve(old);
    const oldWriter = new Writer(oldService, 'old');
    await oldWriter.more(enough);
    const nextService = await serve(next);
    const nextWriter = new Writer(nextService, 'next');
    await Promise.all([oldWriter.more(enough), nextWriter.more(enough)]);
    const written = [...(await oldWriter.stop()), ...(await nextWriter.stop())];
    await assertSame([oldService, nextService], written);
    await assertExpanded();

    await oldService.stop();
    const restarted = await serve(old);
    const writers = [new Writer(restarted, 'again'), new Writer(nextService, 'still')];
    await Promise.all(writers.map(writer => writer.more(enough)));
    for (const writer of writers) written.push(...(await writer.stop()));
    await assertSame([restarted, nextService], written);

    // The rollback: the next release is stopped and replaced by the old one, while clients write.
    const staying = new Writer(restarted, 'staying');
    await staying.more(enough);
    await nextService.stop();
    await staying.more(enough);
    const replacement = await serve(old);
    const back = new Writer(replacement, 'back');
    await Promise.all([staying.more(enough), back.more(enough)]);
    written.push(...(await staying.stop()), ...(await back.stop()));
    await assertSame([restarted, replacement], written);
    const { findings } = await command(old, 'verify');
    assert.deepEqual(findings, []);
    await restarted.stop();
    await replacement.stop();

    await assertContraction(old, next, await nextVersion(planted.contract));
  },
);

/** All three migrations are done: those who were there before have the column filled, and the index is complete. */
async function assertExpanded(): Promise<void> {
  const { sql } = testing.database;
  const [state] = await sql`
    SELECT
      (SELECT count(*)::int FROM migration WHERE name > '9' AND applied_at IS NOT NULL) AS applied,
      (SELECT count(*)::int FROM employee WHERE planted = 'b') AS filled,
      (SELECT indisvalid FROM pg_index WHERE indexrelid = 'employee_planted'::regclass) AS valid`;
  assert.equal(state!.applied, 3);
  assert.ok(state!.filled >= enough);
  assert.equal(state!.valid, true);
}

/** The release between works on the contracted schema; the old one reports that it does not. */
async function assertContraction(old: Version, next: Version, last: Version): Promise<void> {
  assert.deepEqual(await command(last, 'migrate'), { applied: ['9004_planted_default'] });
  await (await serve(next)).stop();
  const rejected = await start(['serve', '--json'], variables, old.program).ended;
  assert.equal(rejected.code, 1);
  assert.match(
    rejected.stderr,
    /its migration 9004_planted_default is for versions that know 9003.*: update Kontor"\}\n$/,
  );
}
