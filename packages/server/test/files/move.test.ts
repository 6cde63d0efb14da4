import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { moveFiles, type Pass } from '../../src/consistency/move-files.ts';
import { bothStores } from '../../src/files/both-stores.ts';
import { databaseStore } from '../../src/files/database-store.ts';
import { openDownload } from '../../src/files/download.ts';
import type { FileStore, StoredFile } from '../../src/files/file-store.ts';
import { openFiles } from '../../src/files/open.ts';
import { announceCopy } from '../../src/files/pending.ts';
import { beginMove, type Destination } from '../../src/files/place.ts';
import { type S3Files, s3Store } from '../../src/files/s3-store.ts';
import { start } from '../cli/kontor.ts';
import { files as samples, incidentTestData, type IncidentTestData } from '../features/incidents/support.ts';
import { apiClient } from '../support/contract/client.ts';
import { testPepper } from '../support/data/test-data.ts';
import { storePayrollDocument } from '../support/data/payroll-documents.ts';
import { waitForLocks } from '../support/database/locks.ts';
import { startS3, type TestS3 } from '../support/servers/s3.ts';
import { startServiceProcess } from '../support/service/kontor.ts';

const timeout = 180_000;
/** Milliseconds for S3. */
const storeTimeout = 10_000;
/** Enough to interrupt a move. */
const many = 120;

let context: IncidentTestData;
let s3: TestS3;
let store: S3Files;
before(async () => {
  context = await incidentTestData();
});
after(() => context.close());
beforeEach(async () => {
  s3 = await startS3();
  store = s3Store(s3.url, storeTimeout, context.sql);
});
afterEach(async () => {
  store[Symbol.dispose]();
  await s3.close();
  for (const table of ['payroll_export_document', 'incident', 'employee_order', 'file_slice', 'file_pending'])
    await context.sql.unsafe(`DELETE FROM ${table}`);
  await context.sql`DELETE FROM setting WHERE name = 'files'`;
});

const variables = () => ({
  DATABASE_URL: context.database.url,
  KONTOR_KEY_PEPPER: testPepper.toString('utf8'),
  FILES_URL: s3.url,
  ...s3.credentials,
});

function startMove(to: Destination, ...more: string[]) {
  return start(['files', 'move', '--to', to, '--json', ...more], variables());
}

/** Runs the move to its end. */
async function move(to: Destination, ...more: string[]) {
  const { code, stdout, stderr } = await startMove(to, ...more).ended;
  return { code, stderr, json: stdout === '' ? null : JSON.parse(stdout) };
}

interface Stored {
  readonly file: StoredFile;
  readonly bytes: Buffer;
}

/** Stores payroll files of different lengths in a place. */
async function storeFiles(count: number, place: FileStore = databaseStore(context.sql)) {
  const { sql, testData } = context;
  const stored: Stored[] = [];
  for (let number = 0; number < count; number++) {
    const bytes = randomBytes(number % 7 === 0 ? 150_000 : 1 + number);
    const more = { tenant: testData.tenantA };
    const { id, sha256 } = await storePayrollDocument(sql, testData.organization, more, bytes, place);
    stored.push({ bytes, file: { organizationId: testData.organization, id, size: bytes.length, sha256 } });
  }
  return stored;
}

const slices = async () =>
  (await context.sql<{ id: string }[]>`SELECT DISTINCT file_id AS id FROM file_slice`).map(({ id }) => id);
const pending = async () => (await context.sql`SELECT FROM file_pending`).length;

async function checkAll(stored: readonly Stored[], place: FileStore): Promise<void> {
  for (const { file, bytes } of stored) {
    const stream = await openDownload({ store: place, timeout: storeTimeout }, file);
    assert.ok((await buffer(stream)).equals(bytes), file.id);
  }
}

/** Opens the configured files as a process does, and closes them. */
async function open(filesUrl: string | null): Promise<void> {
  (await openFiles({ filesUrl, fileTimeout: 5 }, context.sql))[Symbol.dispose]();
}

describe('a start', () => {
  test(
    'with FILES_URL is rejected while the database has files, until a move has begun',
    { timeout },
    async () => {
      await storeFiles(1);
      await assert.rejects(open(s3.url), /unset it, or move them first with "kontor files move --to store"/);
      const { code, stderr } = await start(['serve', '--port', '0', '--management-port', '0'], variables())
        .ended;
      assert.equal(code, 1);
      assert.match(stderr, /kontor files move --to store/);
      assert.deepEqual((await move('store', '--begin')).json, { to: 'store', begun: true });
      await open(s3.url);
    },
  );

  test('without FILES_URL is rejected while files are in the store, and during a move', async () => {
    await open(s3.url);
    await assert.rejects(
      open(null),
      /set FILES_URL to it, or move them with "kontor files move --to database"/,
    );
    await beginMove(context.sql, 'database');
    await assert.rejects(open(null), /set FILES_URL/);
  });

  test('works with and without FILES_URL while there are no files', async () => {
    await open(null);
    await open(s3.url);
  });
});

describe('kontor files move', () => {
  test('moves many files into the store and back, each checked', { timeout }, async () => {
    const stored = await storeFiles(many);
    const there = await move('store');
    assert.deepEqual(
      [there.code, there.json],
      [0, { to: 'store', moved: many, skipped: 0, unmoved: [], complete: true }],
    );
    assert.deepEqual([await slices(), (await s3.objects()).length, await pending()], [[], many, 0]);
    await checkAll(stored, store.store);
    await assert.rejects(open(null), /FILES_URL/);
    const back = await move('database');
    assert.deepEqual([back.code, back.json.moved, back.json.complete], [0, many, true]);
    assert.deepEqual([(await slices()).length, await s3.objects(), await pending()], [many, [], 0]);
    await checkAll(stored, databaseStore(context.sql));
    await open(null);
  });

  test('is complete at once without files', { timeout }, async () => {
    for (const to of ['store', 'database'] as const)
      assert.deepEqual((await move(to)).json, { to, moved: 0, skipped: 0, unmoved: [], complete: true });
    await open(null);
  });

  test('needs FILES_URL', { timeout }, async () => {
    const run = await start(['files', 'move', '--to', 'database'], { DATABASE_URL: context.database.url })
      .ended;
    assert.equal(run.code, 1);
    assert.match(run.stderr, /set FILES_URL to the file store/);
  });

  for (const to of ['store', 'database'] as const) {
    const source = () => (to === 'store' ? databaseStore(context.sql) : store.store);

    test(`goes on after kill -9 of a move into the ${to}`, { timeout }, async () => {
      if (to === 'database') await open(s3.url);
      const stored = await storeFiles(many, source());
      const killed = startMove(to);
      const moved = async () => (to === 'store' ? (await s3.objects()).length : (await slices()).length);
      while ((await moved()) < 20);
      process.kill(-killed.process.pid!, 'SIGKILL');
      await killed.ended;
      assert.ok((await moved()) < many);
      await checkAll(stored, bothStores(context.sql, store.store));
      const { code, json } = await move(to);
      assert.deepEqual([code, json.complete, await moved()], [0, true, many]);
      assert.ok(json.moved < many);
      // As services do, also with what the killed process has announced.
      await store.sweep(0);
      await checkAll(stored, to === 'store' ? store.store : databaseStore(context.sql));
      assert.deepEqual(
        [await slices(), await s3.objects()].map(({ length }) => length).sort(),
        [0, many].sort(),
      );
    });

    test(
      `leaves a damaged file where it is, names it, and moves the others into the ${to}`,
      { timeout },
      async () => {
        if (to === 'database') await open(s3.url);
        const [damaged, ...others] = await storeFiles(5, source());
        const { organizationId, id } = damaged!.file;
        if (to === 'store')
          await context.sql`UPDATE file_slice SET bytes = '\\x00' WHERE file_id = ${id} AND number = 0`;
        else await store.upload({ organizationId, id }, Buffer.from('another'));
        const { code, json } = await move(to);
        assert.deepEqual([code, json.moved, json.complete], [2, 4, false]);
        assert.deepEqual([json.unmoved.length, json.unmoved[0].file], [1, id]);
        assert.match(json.unmoved[0].problem, /bytes where .* were stored/);
        await checkAll(others, to === 'store' ? store.store : databaseStore(context.sql));
        assert.deepEqual(to === 'store' ? await slices() : (await s3.objects()).map(key => key.slice(-24)), [
          id,
        ]);
      },
    );
  }

  test('names a file that is nowhere, which does not keep it from completion', { timeout }, async () => {
    await open(s3.url);
    const [{ file }] = (await storeFiles(1, store.store)) as [Stored];
    await store.store.discard(file);
    const { code, json } = await move('database');
    assert.deepEqual(
      [code, json.complete, json.unmoved[0].file, json.unmoved[0].lost],
      [2, true, file.id, true],
    );
  });

  test('of two at once, one moves each file and the other says so', { timeout }, async () => {
    const stored = await storeFiles(many);
    const both = await Promise.all([move('store'), move('store')]);
    const complete = both.filter(({ code }) => code === 0);
    assert.equal(
      complete.reduce((sum, { json }) => sum + json.moved, 0),
      many,
    );
    for (const { code, stderr } of both)
      if (code !== 0) assert.match(stderr, /another process moves files already/);
    await checkAll(stored, store.store);
  });

  for (const to of ['store', 'database'] as const)
    test(`fails no download and loses no upload while it moves into the ${to}`, { timeout }, async () => {
      await using resources = new AsyncDisposableStack();
      if (to === 'database') await open(s3.url);
      const stored = await storeFiles(many, to === 'store' ? databaseStore(context.sql) : store.store);
      const { id: incident } = await context.reported();
      // A move leaves an order whose document cannot be read.
      await context.sql`UPDATE employee_order SET doc = '{"attachments":[]}'`;
      await move(to, '--begin');
      const service = await startServiceProcess({ variables: variables() });
      resources.defer(() => service.end('SIGTERM'));
      const client = apiClient(service.url, { key: context.testData.keys.all });
      resources.defer(() => client.close());
      const moving = new AbortController();
      const reads = async () => {
        for (let number = 0; !moving.signal.aborted; number = (number + 1) % stored.length) {
          const { file, bytes } = stored[number]!;
          const answer = await client.get(`/payroll-export-documents/${file.id}/download`);
          assert.deepEqual([answer.status, answer.bytes.equals(bytes)], [200, true]);
        }
      };
      const uploads = async () => {
        for (let count = 0; !moving.signal.aborted && count < 20; count++) {
          const pdf = { bytes: samples['application/pdf'], fileName: 'a.pdf' };
          assert.equal((await client.upload(`/incidents/${incident}/attachments`, pdf)).status, 201);
        }
      };
      const clients = Promise.all([reads(), reads(), uploads()]);
      const { code, json } = await move(to).finally(() => moving.abort());
      await clients;
      assert.deepEqual([code, json.moved, json.complete], [0, stored.length, true]);
      const { attachments } = (await client.get(`/incidents/${incident}`)).body as {
        attachments: { id: string }[];
      };
      assert.ok(attachments.length > 0);
      const [there, elsewhere] =
        to === 'store' ? [await s3.objects(), await slices()] : [await slices(), await s3.objects()];
      assert.deepEqual([there.length, elsewhere.length], [stored.length + attachments.length, 0]);
    });
});

/** Moves in this process. */
async function moveHere(to: Destination): Promise<Pass> {
  const pass: Pass = { moved: 0, skipped: 0, unmoved: [] };
  const parts = { db: context.sql, s3: store, timeout: storeTimeout, to };
  await moveFiles(parts, context.testData.organization, pass, async () => {});
  return pass;
}

test('a slow reader gets the rest of a file from the store when its slices have moved', async () => {
  const [{ file, bytes }] = (await storeFiles(1)) as [Stored];
  await beginMove(context.sql, 'store');
  const stream = await openDownload(
    { store: bothStores(context.sql, store.store), timeout: storeTimeout },
    file,
  );
  const chunks = stream[Symbol.asyncIterator]();
  const first = (await chunks.next()).value as Buffer;
  assert.ok(first.length < bytes.length);
  assert.equal((await moveHere('store')).moved, 1);
  const rest: Buffer[] = [];
  for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) rest.push(next.value);
  assert.ok(Buffer.concat([first, ...rest]).equals(bytes));
});

test('a file that is removed while it moves is nowhere afterwards', async () => {
  const [{ file }] = (await storeFiles(1)) as [Stored];
  await beginMove(context.sql, 'store');
  let removal = Promise.resolve();
  await context.sql.begin(async session => {
    assert.equal(await announceCopy(context.sql, session, file), true);
    removal = context.sql.begin(async erasing => {
      for (const statement of bothStores(context.sql, store.store).removing([file]))
        await erasing.run(statement);
    });
    await waitForLocks(context.sql, [removal]);
    await store.upload(file, Buffer.from('copy'));
    for (const statement of databaseStore(session).removing([file])) await session.run(statement);
  });
  await removal;
  await store.sweep();
  assert.deepEqual([await slices(), await s3.objects(), await pending()], [[], [], 0]);
});

test('a file that is being removed is not moved', async () => {
  const [{ file }] = (await storeFiles(1)) as [Stored];
  await context.sql.begin(async erasing => {
    for (const statement of store.store.removing([file])) await erasing.run(statement);
  });
  assert.deepEqual(await moveHere('store'), { moved: 0, skipped: 1, unmoved: [] });
  assert.deepEqual(await s3.objects(), []);
});

test('502 BAD_GATEWAY: a process without FILES_URL does not call a moved file missing', async () => {
  const [{ file }] = (await storeFiles(1)) as [Stored];
  await beginMove(context.sql, 'store');
  await moveHere('store');
  const { status, body } = await startedEarlier(file.id);
  assert.deepEqual([status, body.error.code], [502, 'BAD_GATEWAY']);
});

/** The service of the fixture began before the move. */
const startedEarlier = (id: string) =>
  context.client.get<{ error: { code: string } }>(`/payroll-export-documents/${id}/download`);
