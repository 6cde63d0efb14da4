import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { after, beforeEach, describe, test } from 'node:test';
import { databaseStore } from '../../../src/files/database-store.ts';
import type { FileStore } from '../../../src/files/file-store.ts';
import { s3Store } from '../../../src/files/s3-store.ts';
import { usePlatform } from '../../platform/support.ts';
import { type ApiClient, apiClient } from '../../support/contract/client.ts';
import { s3Url } from '../../support/servers/s3.ts';
import { startService } from '../../support/service/service.ts';
import { testToken } from '../../support/data/tokens.ts';
import { readCsv } from './formats/readers.ts';
import { Tenants } from './tenants.ts';

const resources = new AsyncDisposableStack();
/** The platform API of a service whose file store a test can replace. */
let own: ApiClient;
let store: FileStore;
const fixture = usePlatform(async ({ sql }) => {
  const replaceable: FileStore = {
    put: (session, file) => store.put(session, file),
    open: file => store.open(file),
    discard: file => store.discard(file),
    list: organizationId => store.list(organizationId),
    removing: files => store.removing(files),
  };
  const service = await startService(sql, { files: { store: replaceable, timeout: 10_000 } });
  resources.defer(() => service.stop());
  own = apiClient(service.managementUrl, { api: 'platform', key: await testToken(sql) });
  resources.defer(() => own.close());
});
const tenants = new Tenants(fixture, () => own);

beforeEach(() => {
  store = databaseStore(fixture.sql);
});
after(() => resources.disposeAsync());

/** S3 that accepts connections and sends nothing, or that accepts none. */
async function brokenStore(accepts: boolean): Promise<FileStore & AsyncDisposable> {
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' });
  const sockets = new Set<Socket>();
  const server = createServer(socket => {
    sockets.add(socket);
    socket.on('error', () => {}).resume();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  if (!accepts) await new Promise(resolve => server.close(resolve));
  const files = s3Store(s3Url(port), 300, fixture.sql);
  return {
    ...files.store,
    async [Symbol.asyncDispose]() {
      files[Symbol.dispose]();
      for (const socket of sockets) socket.destroy();
      if (accepts) await new Promise(resolve => server.close(resolve));
    },
  };
}

/** The public documents of a tenant. */
async function documentsOf(tenant: { id: string }) {
  const query = { filter: `tenant = '${tenant.id}'`, pageSize: 100 };
  return (await fixture.client.get('/payroll-export-documents', { query })).body.items;
}

const countEntries = async (run: { id: string }) =>
  (
    await fixture.sql`
      SELECT FROM payroll_entry WHERE organization_id = ${fixture.testData.organization} AND run_id = ${run.id}`
  ).length;

describe('a file store that cannot store a file', () => {
  for (const [name, accepts] of [
    ['fails', false],
    ['is too slow', true],
  ] as const)
    test(`it ${name}: nothing is released, and a failed document says so; the next release succeeds`, async () => {
      const tenant = await tenants.create();
      await tenants.activeOrder(tenant);
      await tenants.activeOrder(tenant, { employee: { employeeNumber: null } });
      const run = await tenants.draft(tenant, '2026-09');
      {
        await using broken = await brokenStore(accepts);
        store = broken;
        const { body } = await tenants.release(run);
        assert.match(body.failure.message, /nothing was released; release the run again/);
      }
      const { failure, status: state, documents } = await tenants.read(run);
      assert.deepEqual(
        [state, failure.reason, documents, await countEntries(run)],
        ['draft', 'files', [], 0],
      );
      const [failed, ...others] = await documentsOf(tenant);
      const { status, fileName, rowCount, skippedCount } = failed;
      assert.deepEqual([status, fileName, rowCount, skippedCount, others], ['failed', null, 0, 1, []]);

      store = databaseStore(fixture.sql);
      const released = (await tenants.release(run)).body;
      assert.deepEqual([released.status, released.failure], ['released', null]);
      assert.equal(await countEntries(run), 2);
      const all = await documentsOf(tenant);
      assert.deepEqual(all.map((document: { status: string }) => document.status).toSorted(), [
        'available',
        'failed',
      ]);
      const [file] = await tenants.filesOf(released);
      assert.equal(readCsv(file!.bytes).length, 2);
      assert.deepEqual(
        (await tenants.auditOf(run.id)).map(({ action, outcome, reason }) => [action, outcome, reason]),
        [
          ['payroll_run.create', 'done', null],
          ['payroll_run.release', 'rejected', 'file_not_stored'],
          ['payroll_run.release', 'done', null],
        ],
      );
    });
});

describe('a stale draft', () => {
  test('fails its release, which is audited with its caller; 409 INVALID_STATE_TRANSITION: the next one', async () => {
    const tenant = await tenants.create();
    const order = await tenants.activeOrder(tenant);
    const run = await tenants.draft(tenant, '2026-09');
    await tenants.reportLeave(order, '2026-09-16', '2026-09-30');
    const { body } = await tenants.release(run);
    assert.deepEqual([body.status, body.failure.reason], ['draft', 'stale']);
    const [, rejected, ...others] = await tenants.auditOf(run.id);
    const { action, actor_type, outcome, reason } = rejected!;
    assert.deepEqual(
      [action, actor_type, outcome, reason, others],
      ['payroll_run.release', 'platform_token', 'rejected', 'stale_draft', []],
    );
    const again = await tenants.release(run);
    assert.deepEqual([again.status, again.body.error?.code], [409, 'INVALID_STATE_TRANSITION']);
    assert.match(
      again.body.error.message,
      /create a new one; salary_conversion of order \w+ in 2026-09: 83.10 →/,
    );
  });
});

test('an order of the draft that has left the division is a difference', async () => {
  const { client } = fixture;
  const tenant = await tenants.create();
  const name = `Lager ${tenant.id}`;
  const division = await client.post('/divisions', { name }, { tenant: tenant.id });
  assert.equal(division.status, 201, division.bytes.toString());
  const divisionId = division.body.id;
  const { employeeId, orderId } = await tenants.activeOrder(tenant, { employee: { divisionId } });
  const run = await tenants.draft(tenant, '2026-09', { divisionId });
  assert.equal(run.summary.entries, 2);
  const moved = await client.patch(`/employees/${employeeId}`, { divisionId: null });
  assert.equal(moved.status, 200, moved.bytes.toString());
  const { failure } = (await tenants.release(run)).body;
  const expected = { orderId, month: '2026-09', now: null };
  assert.deepEqual(failure.differences, [
    { ...expected, kind: 'salary_conversion', draft: '83.10' },
    { ...expected, kind: 'taxable_benefit', draft: '8.00' },
  ]);
});

/** A store that takes no file until `go` is called. `asked` resolves when the first one comes. */
function heldStore(): Disposable & { readonly asked: Promise<void>; readonly go: () => void } {
  const asked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const inDatabase = databaseStore(fixture.sql);
  store = {
    ...inDatabase,
    async put(session, file) {
      asked.resolve();
      await held.promise;
      await inDatabase.put(session, file);
    },
  };
  return { asked: asked.promise, go: held.resolve, [Symbol.dispose]: held.resolve };
}

describe('writes while a run is released', () => {
  const amountsOf = (bytes: Buffer) =>
    readCsv(bytes).map(({ month, kind, cents }) => `${month} ${kind} ${cents}`);

  test('a leave and a new order are stored at once; the run exports what it computed, and the next run the rest', async () => {
    const tenant = await tenants.create();
    const order = await tenants.activeOrder(tenant);
    const run = await tenants.draft(tenant, '2026-09');
    using held = heldStore();
    const releasing = tenants.release(run);
    await held.asked;
    assert.equal((await tenants.read(run)).status, 'releasing');
    await tenants.reportLeave(order, '2026-09-16', '2026-09-30');
    await tenants.activeOrder(tenant, {
      contract: { contractNumber: 'LV-2' },
      employee: { employeeNumber: '99' },
    });
    assert.equal((await tenants.read(run)).status, 'releasing');
    held.go();
    const first = (await releasing).body;
    assert.equal(first.status, 'released', JSON.stringify(first));
    const [september] = await tenants.filesOf(first);
    assert.deepEqual(amountsOf(september!.bytes), [
      '2026-09 salary_conversion -8310',
      '2026-09 taxable_benefit 800',
    ]);

    const [october] = await tenants.filesOf(await tenants.released(tenant, '2026-10'));
    assert.deepEqual(amountsOf(october!.bytes).toSorted(), [
      '2026-09 salary_conversion -8310',
      '2026-09 salary_conversion 4155',
      '2026-09 taxable_benefit 800',
      '2026-10 salary_conversion -8310',
      '2026-10 salary_conversion -8310',
      '2026-10 taxable_benefit 800',
      '2026-10 taxable_benefit 800',
    ]);
    const again = await tenants.draft(tenant, '2026-10');
    assert.equal(again.summary.entries, 0);
  });

  test('a change that came between draft and release makes the draft stale, and nothing of it is stored', async () => {
    const tenant = await tenants.create();
    await tenants.activeOrder(tenant);
    const run = await tenants.draft(tenant, '2026-09');
    await tenants.activeOrder(tenant, {
      contract: { contractNumber: 'LV-2' },
      employee: { employeeNumber: '99' },
    });
    using held = heldStore();
    const answer = await Promise.race([tenants.release(run), held.asked.then(() => null)]);
    held.go();
    assert.equal(answer?.body.failure.reason, 'stale');
    assert.deepEqual(await documentsOf(tenant), []);
  });
});
