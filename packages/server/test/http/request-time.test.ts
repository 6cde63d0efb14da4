import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { keys, newEmployee, type StubService, stubService, tenantA } from './stub-service.ts';

/** A service with handlers that never end and a request timeout of 50 ms. */
let service: StubService;
/** Those of lists; other work has none. */
let signals: AbortSignal[];

before(async () => {
  const hang = async ({ signal }: { signal: AbortSignal | undefined }): Promise<never> => {
    if (signal) signals.push(signal);
    return new Promise(() => {});
  };
  service = await stubService({
    requestTimeout: 50,
    handlers: { listEmployees: hang, getEmployee: hang, createEmployee: hang },
  });
});
after(() => service.close());

test('a request beyond its timeout gets 503, and a list is aborted', async () => {
  signals = [];
  for (const path of ['/employees', '/employees/65f0c0ffee0123456789abcd']) {
    const answer = await service.client.get(path);
    assert.deepEqual([answer.status, answer.body.error.code], [503, 'SERVICE_UNAVAILABLE']);
    assert.match(answer.body.error.message, /longer than 0.05 s; try again later/);
  }
  assert.deepEqual(
    signals.map(signal => signal.aborted),
    [true],
  );
});

test('a write that takes longer than it may is 503 with the advice to read first or to use the key again, a dry run without it', async () => {
  signals = [];
  const written = await service.client.post('/employees', newEmployee);
  assert.equal(written.status, 503);
  assert.match(written.body.error.message, /may have been stored: read before you send it again/);
  const keyed = await service.client.post('/employees', newEmployee, {
    headers: { 'idempotency-key': 'one' },
  });
  assert.equal(keyed.status, 503);
  assert.match(keyed.body.error.message, /may have been stored: send it again with the same Idempotency-Key/);
  const tried = await service.client.post('/employees', newEmployee, { query: { dryRun: true } });
  assert.equal(tried.status, 503);
  assert.doesNotMatch(tried.body.error.message, /may have been stored/);
});

test('the time of a request counts from its authentication on, and the check of its tenant is part of it', async () => {
  const never = () => new Promise<never>(() => {});
  for (const hanging of [{ authenticating: never }, { tenantExists: never }]) {
    const stuck = await stubService({ requestTimeout: 50, ...hanging });
    const answer = await stuck.client.get('/employees', { headers: { 'X-Tenant-ID': tenantA } });
    assert.equal(answer.status, 503);
    assert.match(answer.body.error.message, /longer than 0.05 s/);
    await stuck.close();
  }
});

test('authentication and the work of a request share its time', async () => {
  const work = () => delay(150);
  const slow = await stubService({
    requestTimeout: 200,
    authenticating: work,
    handlers: {
      async getEmployee() {
        await work();
        return { status: 200, body: '{}' };
      },
    },
  });
  const answer = await slow.client.get('/employees/65f0c0ffee0123456789abcd');
  assert.equal(answer.status, 503);
  assert.match(answer.body.error.message, /longer than 0.2 s/);
  await slow.close();
});

test('the wait for the body of a request does not count', async () => {
  const work = () => delay(150);
  const patient = await stubService({
    requestTimeout: 400,
    authenticating: work,
    handlers: {
      async createEmployee() {
        await work();
        return { status: 201, body: '{}' };
      },
    },
  });
  const body = JSON.stringify(newEmployee);
  const sent = request(`${patient.url}/employees`, {
    method: 'POST',
    headers: { 'X-API-Key': keys.all, 'Content-Type': 'application/json', 'Content-Length': body.length },
  });
  sent.write(body.slice(0, 1));
  await delay(500);
  sent.end(body.slice(1));
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  assert.equal(answer.statusCode, 201);
  answer.resume();
  await patient.close();
});

test('when the client leaves, the work of a read is aborted, and is counted as 499', async () => {
  signals = [];
  const slow = await stubService({
    handlers: {
      async listEmployees({ signal }) {
        signals.push(signal!);
        return new Promise(() => {});
      },
    },
  });
  const sent = request(`${slow.url}/employees`, { headers: { 'X-API-Key': keys.all } }).end();
  sent.on('error', () => {});
  while (signals.length === 0) await new Promise(setImmediate);
  const reported = once(signals[0]!, 'abort');
  sent.destroy();
  await reported;
  while (!slow.log.some(line => line['status'] === 499)) await new Promise(setImmediate);
  await slow.close();
});
