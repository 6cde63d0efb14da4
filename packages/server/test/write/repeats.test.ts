import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { apis } from '@kontor/contract';
import { idempotencyKeyRemoval } from '../../src/jobs/idempotency-keys.ts';
import { databaseStore } from '../../src/files/database-store.ts';
import { eraseDataSubject } from '../../src/privacy/erase.ts';
import { operator } from '../../src/write/writes.ts';
import { type Answer, apiClient, type RequestOptions } from '../support/contract/client.ts';
import { moveEmployee } from '../support/data/employees.ts';
import { overtaken } from '../support/database/locks.ts';
import { orderInput, storeOrders } from '../support/data/orders.ts';
import { testKey } from '../support/data/test-data.ts';
import { testToken } from '../support/data/tokens.ts';
import { findTablesWith, readWholeDatabase } from '../support/database/whole-database.ts';
import { runOnce } from '../jobs/support.ts';
import { advance, files, incidentTestData, type IncidentTestData } from '../features/incidents/support.ts';

let context: IncidentTestData;
before(async () => (context = await incidentTestData()));
after(() => context.close());

type Send = (options: RequestOptions) => Promise<Answer<any>>;

/** A request of an operation, and another one that it would accept as well. */
interface Sample {
  readonly send: Send;
  readonly other: Send;
  readonly status: 201 | 200;
  /** The resource in the answer, as it is now. */
  readonly path: (body: { id: string }) => string;
  /** Moves it out of the scope of the key `sales`. */
  readonly hide: (body: { id: string }) => Promise<unknown>;
}

const email = () => `${crypto.randomUUID()}@example.com`;

const post =
  (path: string, body: object): Send =>
  options =>
    context.client.post(path, body, options);

const moveOut = (id: string) =>
  context.sql.begin(session =>
    moveEmployee(session, context.testData.organization, { id, to: context.testData.support }),
  );

/** The operations that accept the header. */
const samples: Record<string, () => Promise<Sample>> = {
  async createEmployee() {
    const body = { email: email(), firstName: 'A', lastName: 'B', divisionId: context.testData.sales };
    return {
      send: post('/employees', body),
      other: post('/employees', { ...body, email: email() }),
      status: 201,
      path: ({ id }) => `/employees/${id}`,
      hide: ({ id }) => moveOut(id),
    };
  },
  async createDivision() {
    const { sales: parentId, support } = context.testData;
    const name = crypto.randomUUID();
    return {
      send: post('/divisions', { name, parentId }),
      other: post('/divisions', { name: `${name} 2`, parentId }),
      status: 201,
      path: ({ id }) => `/divisions/${id}`,
      hide: ({ id }) => context.client.patch(`/divisions/${id}`, { parentId: support }),
    };
  },
  async createIncident() {
    const report = await context.report({}, { divisionId: context.testData.sales });
    return {
      send: post('/incidents', report),
      other: post('/incidents', { ...report, type: 'accident' }),
      status: 201,
      path: ({ id }) => `/incidents/${id}`,
      hide: () => moveOut(report.employeeId),
    };
  },
  async decideOrder() {
    const { sql, testData } = context;
    const employeeId = await context.employee({ divisionId: testData.sales });
    const target = { organizationId: testData.organization, tenantId: testData.tenantA };
    const [order] = await storeOrders(sql, target, [orderInput({ employeeId })]);
    const path = `/orders/${order!.id}`;
    return {
      send: post(`${path}/decision`, { decision: 'approved' }),
      other: post(`${path}/decision`, { decision: 'approved', comment: 'Ja' }),
      status: 200,
      path: () => path,
      hide: () => moveOut(employeeId),
    };
  },
  async uploadIncidentAttachment() {
    const { id, employeeId } = await context.reported({}, { divisionId: context.testData.sales });
    const path = `/incidents/${id}`;
    const upload =
      (fileName: string): Send =>
      options =>
        context.client.upload(`${path}/attachments`, { bytes: pdf, fileName }, options);
    return {
      send: upload('a.pdf'),
      other: upload('b.pdf'),
      status: 201,
      path: () => path,
      hide: () => moveOut(employeeId),
    };
  },
};

const pdf = files['application/pdf'];

const withKey = (key: string, more: RequestOptions = {}): RequestOptions => ({
  ...more,
  headers: { 'idempotency-key': key },
});
const outcome = ({ status, body }: Answer<any>) => `${status} ${body.error?.code ?? ''}`.trim();
const isReplayed = ({ headers }: Answer<any>) => headers['idempotency-replayed'];

/** All rows but the clock and the keys, which a replay changes. */
async function storedRows(): Promise<unknown> {
  const { organization: _clock, idempotency_key: _keys, ...tables } = await readWholeDatabase(context.sql);
  return tables;
}

test('every POST of the public API has a sample in this file', () => {
  const posts = Object.entries(apis.public.operations).filter(([, { method }]) => method === 'POST');
  assert.deepEqual(Object.keys(samples).toSorted(), posts.map(([id]) => id).toSorted());
});

for (const [operation, sample] of Object.entries(samples))
  describe(`Idempotency-Key of ${operation}`, () => {
    test('a repeat answers as the first request, and stores nothing', async () => {
      const { send, status } = await sample();
      const key = crypto.randomUUID();
      const first = await send(withKey(key));
      assert.deepEqual([first.status, isReplayed(first)], [status, undefined]);
      const stored = await storedRows();
      for (let n = 0; n < 2; n++) {
        const again = await send(withKey(key));
        assert.deepEqual([again.status, isReplayed(again)], [status, 'true']);
        assert.deepEqual(again.body, first.body);
        const { location, etag } = first.headers;
        assert.deepEqual([again.headers.location, again.headers.etag], [location, etag]);
      }
      assert.deepEqual(await storedRows(), stored);
    });

    test('without the header, and under another key, it is decided again', async () => {
      const { send } = await sample();
      const first = await send(withKey(crypto.randomUUID()));
      for (const options of [{}, withKey(crypto.randomUUID())]) {
        const again = await send(options);
        assert.equal(isReplayed(again), undefined);
        if (again.status === 409) continue;
        assert.equal(again.status, 201);
        assert.notEqual(again.body.id, first.body.id);
      }
    });

    test('of 32 at once one is stored, and all answer the same', async () => {
      const { send, status } = await sample();
      const key = crypto.randomUUID();
      const answers = await Promise.all(Array.from({ length: 32 }, () => send(withKey(key))));
      assert.deepEqual(new Set(answers.map(outcome)), new Set([`${status}`]));
      for (const { body } of answers) assert.deepEqual(body, answers[0]!.body);
      assert.equal(answers.filter(answer => isReplayed(answer) === undefined).length, 1);
    });

    test('422 VALIDATION_ERROR: another request under the key; the message names the header', async () => {
      const { send, other } = await sample();
      const key = crypto.randomUUID();
      const first = await send(withKey(key));
      const stored = await storedRows();
      const others = [
        await other(withKey(key)),
        // Another operation.
        await post('/employees', { email: email(), firstName: 'A', lastName: 'C' })(withKey(key)),
        // The tenant was not selected before.
        await send(withKey(key, { tenant: context.testData.tenantA })),
      ];
      for (const answer of others) {
        assert.equal(outcome(answer), '422 VALIDATION_ERROR');
        assert.match(answer.body.error.message, /^Idempotency-Key /);
        assert.equal(isReplayed(answer), undefined);
      }
      assert.deepEqual(await storedRows(), stored);
      assert.deepEqual((await send(withKey(key))).body, first.body);
    });

    test('a dry run ignores it: it does not use the key up, and is not a repeat', async () => {
      const { send, other } = await sample();
      const key = crypto.randomUUID();
      const dryRun = withKey(key, { query: { dryRun: true } });
      const tried = await other(dryRun);
      assert.deepEqual([tried.status, isReplayed(tried)], [200, undefined]);
      const first = await send(withKey(key));
      assert.ok(first.status < 300 && isReplayed(first) === undefined, outcome(first));
      assert.equal(isReplayed(await send(dryRun)), undefined);
    });

    test('a rejected request leaves the key free', async () => {
      const { send, hide, status } = await sample();
      const key = crypto.randomUUID();
      const rejected = await send(withKey(key, { tenant: context.testData.tenantB }));
      assert.ok([404, 422].includes(rejected.status), outcome(rejected));
      const first = await send(withKey(key));
      assert.deepEqual([first.status, isReplayed(first)], [status, undefined]);
      await hide(first.body);
    });

    test('each API key has keys of its own', async () => {
      const { send } = await sample();
      const key = crypto.randomUUID();
      await send(withKey(key));
      const another = await testKey(context.sql, context.testData.organization, 'all');
      assert.equal(isReplayed(await send(withKey(key, { key: another }))), undefined);
    });

    test('404 NOT_FOUND: the key no longer has access to it; the message says that it was stored', async () => {
      const { send, hide, status } = await sample();
      const options = withKey(crypto.randomUUID(), { key: context.testData.keys.sales });
      const first = await send(options);
      assert.equal(first.status, status);
      await hide(first.body);
      const again = await send(options);
      assert.equal(outcome(again), '404 NOT_FOUND');
      assert.match(again.body.error.message, /was stored/);
      assert.equal(isReplayed(again), undefined);
    });

    test('a replay is a write: it waits for the clock of the organization, and moves it', async () => {
      const { send } = await sample();
      const { sql, testData } = context;
      const clock = async () =>
        (await sql<{ clock: Date }[]>`SELECT clock FROM organization WHERE id = ${testData.organization}`)[0]!
          .clock;
      const key = crypto.randomUUID();
      await send(withKey(key));
      const before = await clock();
      const [again] = await overtaken(sql, testData.organization, () => [send(withKey(key))]);
      assert.equal(isReplayed(again!), 'true');
      assert.ok((await clock()) > before);
    });

    test('24 hours later its row is removed, and the key is free', async () => {
      const { send } = await sample();
      const { sql } = context;
      const key = crypto.randomUUID();
      await send(withKey(key));
      const storedBefore = (minutes: number) =>
        sql`UPDATE idempotency_key SET stored_at = ${new Date(Date.now() - minutes * 60_000)}`;
      await storedBefore(24 * 60 - 1);
      await runOnce(context.sql, idempotencyKeyRemoval);
      assert.equal(isReplayed(await send(withKey(key))), 'true');
      await storedBefore(24 * 60);
      const stored = await storedRows();
      await runOnce(context.sql, idempotencyKeyRemoval);
      assert.equal((await sql`SELECT FROM idempotency_key`).length, 0);
      assert.deepEqual(await storedRows(), stored);
      assert.equal(isReplayed(await send(withKey(key))), undefined);
    });
  });

describe('a replay', () => {
  test('answers with the resource as it is now', async () => {
    const { send, path } = await samples['createEmployee']!();
    const key = crypto.randomUUID();
    const first = await send(withKey(key));
    const patched = await context.client.patch(path(first.body), { city: 'Bonn' });
    const again = await send(withKey(key));
    assert.deepEqual([again.status, again.body], [201, patched.body]);
    assert.equal(again.headers.etag, patched.headers.etag);
  });

  test('comes before the rules of the operation, which would reject the request now', async () => {
    const { send, path } = await samples['uploadIncidentAttachment']!();
    const key = crypto.randomUUID();
    const first = await send(withKey(key));
    await advance(context.sql, path(first.body).split('/').at(-1)!, 'resolved');
    assert.equal(outcome(await send({})), '409 INVALID_STATE_TRANSITION');
    const again = await send(withKey(key));
    assert.deepEqual([again.status, again.body], [201, first.body]);
  });

  test('404 NOT_FOUND: of an upload whose file was removed; the message says that it was stored', async () => {
    const { sql, testData, service } = context;
    const { send, path } = await samples['uploadIncidentAttachment']!();
    const key = crypto.randomUUID();
    const { body } = await send(withKey(key));
    const platform = apiClient(service.managementUrl, { api: 'platform', key: await testToken(sql) });
    const file = `/organizations/${testData.organization}${path(body)}/attachments/${body.id}`;
    assert.equal((await platform.request('DELETE', file)).status, 200);
    platform.close();
    const again = await send(withKey(key));
    assert.equal(outcome(again), '404 NOT_FOUND');
    assert.match(again.body.error.message, /was stored/);
    assert.equal(isReplayed(again), undefined);
  });

  test('of an upload stores no bytes, also when both arrive at once', async () => {
    const slices = async () => (await context.sql`SELECT FROM file_slice`).length;
    const { send } = await samples['uploadIncidentAttachment']!();
    const before = await slices();
    const key = crypto.randomUUID();
    await Promise.all([send(withKey(key)), send(withKey(key)), send(withKey(key))]);
    await send(withKey(key));
    assert.equal(await slices(), before + 1);
  });

  test('has the same file in another multipart body, and identifiers in upper case, for the same request', async () => {
    const { id } = await context.reported();
    const key = crypto.randomUUID();
    const upload = (incident: string) =>
      context.client.upload(
        `/incidents/${incident}/attachments`,
        { bytes: pdf, fileName: 'a.pdf' },
        withKey(key),
      );
    const first = await upload(id);
    const again = await upload(id.toUpperCase());
    assert.deepEqual([isReplayed(again), again.body], ['true', first.body]);
  });

  test('does not take a body with other white space for the same request', async () => {
    const { divisionId: _division, ...body } = { divisionId: '', name: crypto.randomUUID() };
    const send = (raw: string) =>
      context.client.request('POST', '/divisions', {
        raw,
        ...withKey(body.name, { tenant: context.testData.tenantA }),
        headers: { 'idempotency-key': body.name, 'content-type': 'application/json' },
      });
    assert.equal((await send(JSON.stringify(body))).status, 201);
    assert.equal(outcome(await send(JSON.stringify(body, null, 1))), '422 VALIDATION_ERROR');
  });

  test('ends with the erasure of the person', async () => {
    const { sql, testData } = context;
    const { send } = await samples['createEmployee']!();
    const key = crypto.randomUUID();
    const first = await send(withKey(key));
    const incident = await context.client.post(
      '/incidents',
      { employeeId: first.body.id, type: 'other' },
      withKey(`${key} `.trim() + '-2'),
    );
    assert.equal(incident.status, 422);
    const rows = async () =>
      (await sql`SELECT FROM idempotency_key WHERE resource_id = ${first.body.id}`).length;
    assert.equal(await rows(), 1);
    const owner = { organizationId: testData.organization, employeeId: first.body.id };
    await eraseDataSubject({ db: sql, store: databaseStore(sql) }, owner, operator);
    assert.equal(await rows(), 0);
  });
});

describe('the value of Idempotency-Key', () => {
  const accepted = { 'one character': '!', '255 characters': '~'.repeat(255), 'a quoted one': '"a,b"' };
  for (const [what, key] of Object.entries(accepted))
    test(`201: ${what}`, async () => {
      const { send } = await samples['createEmployee']!();
      assert.equal((await send(withKey(key))).status, 201);
    });

  const rejected: Record<string, string | string[]> = {
    'an empty one': '',
    '256 characters': 'x'.repeat(256),
    'a space inside': 'a b',
    'another alphabet': '\u00fc',
    'two headers': ['a', 'a'],
    'a tab inside': 'a\tb',
  };
  for (const [what, key] of Object.entries(rejected))
    test(`400 UNSUPPORTED_HEADER: ${what}`, async () => {
      const { send } = await samples['createEmployee']!();
      const answer = await send({ headers: { 'idempotency-key': key } });
      assert.equal(outcome(answer), '400 UNSUPPORTED_HEADER');
      assert.match(answer.body.error.message, /^idempotency-key must be/);
    });

  test('is in no table and in no log', async () => {
    const key = `secret-${crypto.randomUUID()}`;
    const { send, other } = await samples['createEmployee']!();
    for (const each of [send, send, other]) await each(withKey(key));
    await send({ headers: { 'idempotency-key': `${key} x` } });
    assert.deepEqual(await findTablesWith(context.sql, key), []);
    assert.doesNotMatch(context.service.log.join('\n'), new RegExp(key));
  });
});
