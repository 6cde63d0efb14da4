import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Kontor, type KontorOptions, version, WriteOutcomeUnknown } from '../src/index.ts';
import { answer, cut, scriptedServer, type Step } from './support/scripted-server.ts';

const id = '65f0c0ffee0123456789abcd';
const apiKey = 'kontor_key';
const person = { email: 'maria@example.com', firstName: 'Maria', lastName: 'Schulz' };

async function start(options: KontorOptions = {}, step: Step = answer(200, { id })) {
  const server = await scriptedServer(step);
  return { server, kontor: new Kontor({ apiKey, baseUrl: server.url, ...options }) };
}

describe('an unknown option is an error, and nothing is sent', () => {
  // Each is an error of types as well: the compiler fails where one of them is not.
  const calls: Record<string, (kontor: Kontor) => unknown> = {
    'tenantId is not an option of list(): did you mean tenant?': ({ employees }) =>
      // @ts-expect-error: an unknown option
      employees.list({ tenantId: id }),
    'page_size is not an option of list(): did you mean pageSize?': ({ orders }) =>
      // @ts-expect-error: an unknown option
      orders.list({ page_size: 1 }),
    // @ts-expect-error: an unknown option
    'dryRun is not an option of list()': ({ divisions }) => divisions.list({ dryRun: true }),
    'filter is not an option of changes()': ({ employees }) =>
      // @ts-expect-error: an unknown option
      employees.changes({ filter: 'blocked = true' }),
    // @ts-expect-error: an unknown option
    'from is not an option of changes()': ({ employees }) => employees.changes({ from: null }),
    'timeOuts is not an option of a read: did you mean timeout?': ({ employees }) =>
      // @ts-expect-error: an unknown option
      employees.get(id, { timeOuts: 1 }),
    // @ts-expect-error: an unknown option
    'retries is not an option of a read: did you mean maxRetries?': kontor => kontor.health({ retries: 0 }),
    'path is not an option of a read': ({ orders }) =>
      // @ts-expect-error: an unknown option
      orders.downloadAttachment(id, id, { path: 'file' }),
    'dryrun is not an option of a create, decision or upload: did you mean dryRun?': ({ employees }) =>
      // @ts-expect-error: an unknown option
      employees.create(person, { dryrun: true }),
    'filename is not an option of a create, decision or upload': ({ incidents }) =>
      // @ts-expect-error: an unknown option
      incidents.uploadAttachment(id, new Uint8Array(1), { filename: 'a.pdf' }),
    'ifMatch is not an option of a create, decision or upload': ({ employees }) =>
      // @ts-expect-error: an unknown option
      employees.create(person, { ifMatch: '2026-11-27T12:00:00.000Z' }),
    'idempotencyKey is not an option of an update': ({ employees }) =>
      // @ts-expect-error: an unknown option
      employees.update(id, {}, { idempotencyKey: 'a' }),
  };
  for (const [message, call] of Object.entries(calls))
    test(message, async () => {
      const { server, kontor } = await start();
      await assert.rejects(async () => call(kontor), { name: 'TypeError', message });
      assert.equal(server.requests.length, 0);
    });

  test('of the client', () => {
    // @ts-expect-error: an unknown option
    const wrong = () => new Kontor({ apikey: apiKey, baseUrl: 'http://127.0.0.1' });
    const message = 'apikey is not an option of the client: did you mean apiKey?';
    assert.throws(wrong, { name: 'TypeError', message });
    // @ts-expect-error: an unknown option
    assert.throws(() => new Kontor({ apiKey, baseURL: 'http://127.0.0.1' }), /did you mean baseUrl\?$/);
    assert.throws(
      // @ts-expect-error: an unknown option
      () => new Kontor({ apiKey, signal: AbortSignal.abort() }),
      /^TypeError: signal is not an option/,
    );
  });

  test('of the hooks, which may be an object with fields of its own', () => {
    // @ts-expect-error: an unknown hook
    const wrong = () => new Kontor({ apiKey, baseUrl: 'http://127.0.0.1', hooks: { onerror: () => {} } });
    assert.throws(wrong, { message: 'onerror is not an option of hooks: did you mean onError?' });
    class Metrics {
      count = 0;
      onRequest(): void {
        this.count++;
      }
    }
    assert.ok(new Kontor({ apiKey, baseUrl: 'http://127.0.0.1', hooks: new Metrics() }));
  });

  test('of reconcile()', async () => {
    const { kontor } = await start({ maxRetries: 0 }, cut);
    const error = await kontor.employees.create(person).catch((error: unknown) => error);
    assert.ok(error instanceof WriteOutcomeUnknown);
    // @ts-expect-error: an unknown option
    await assert.rejects(error.reconcile({ timeout: 1 }), {
      message: 'timeout is not an option of reconcile()',
    });
  });
});

test('serviceDeadline and maxQuotaWait must be numbers from 0', async () => {
  for (const name of ['serviceDeadline', 'maxQuotaWait']) {
    const expected = { name: 'RangeError', message: `${name} must be a number from 0` };
    assert.throws(() => new Kontor({ apiKey, baseUrl: 'http://127.0.0.1', [name]: '10' }), expected);
  }
});

test('tenant: null is none, also with KONTOR_TENANT_ID', async t => {
  process.env['KONTOR_TENANT_ID'] = id;
  t.after(() => delete process.env['KONTOR_TENANT_ID']);
  for (const [tenant, header] of [
    [undefined, id],
    [null, undefined],
  ] as const) {
    const { server, kontor } = await start({ tenant });
    await kontor.employees.get(id);
    assert.equal(server.requests[0]!.headers['x-tenant-id'], header);
  }
});

test('since: null is from the start, as no checkpoint is', async () => {
  const list = answer(200, { page: 1, pageSize: 1000, totalPages: 0, totalElements: 0, items: [] });
  for (const options of [{ since: null }, { since: undefined }, {}]) {
    const { server, kontor } = await start({}, list);
    assert.deepEqual(await Array.fromAsync(kontor.employees.changes(options)), []);
    assert.doesNotMatch(server.requests[0]!.url!, /filter/);
  }
});

test('the User-Agent has the version, unless a header replaces it', async () => {
  const { server, kontor } = await start();
  await kontor.employees.get(id);
  await kontor.employees.get(id, { headers: { 'User-Agent': 'night job' } });
  assert.deepEqual(
    server.requests.map(({ headers }) => headers['user-agent']),
    [`kontor-sdk/${version}`, 'night job'],
  );
});
