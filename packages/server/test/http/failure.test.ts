import assert from 'node:assert/strict';
import pg from 'pg';
import { ConnectionLost, NoSession, StatementOverdue, UnconfirmedCommit } from '../../src/db/failure.ts';
import { after, before, describe, test } from 'node:test';
import { ApiError } from '@kontor/contract';
import { describeCause } from '../../src/telemetry/cause.ts';
import { type StubService, keys, newEmployee, stubService, tenantA } from './stub-service.ts';

let thrown: unknown;
let healthy = async () => true;
let service: StubService;
before(
  async () =>
    (service = await stubService({
      healthy: () => healthy(),
      handlers: {
        getEmployee: async () => {
          throw thrown;
        },
        updateEmployee: async () => {
          throw thrown;
        },
        createEmployee: async () => ({ status: 201, body: '{}', headers: { Location: 'two\nlines' } }),
      },
    })),
);
after(() => service.close());

const getEmployee = (error: unknown) => {
  thrown = error;
  return service.client.get('/employees/65f0c0ffee0123456789abcd');
};

/** An error as the driver throws it, with the value of a row in its message. */
function databaseError(code: string): Error {
  return Object.assign(new pg.DatabaseError('duplicate key (email)=(maria@example.com)', 0, 'error'), {
    severity: 'ERROR',
    code,
    constraint: 'employee_email_key',
    detail: 'Key (email)=(maria@example.com) already exists.',
  });
}

describe('GET /employees/{id}: what a handler throws', () => {
  test('404: an ApiError becomes the envelope with its code and message', async () => {
    const answer = await getEmployee(new ApiError('NOT_FOUND', 'There is no such employee'));
    assert.equal(answer.status, 404);
    assert.deepEqual(answer.body.error, {
      code: 'NOT_FOUND',
      message: 'There is no such employee',
      requestId: answer.headers['x-request-id'],
    });
  });

  for (const error of [new TypeError('secret detail'), 'secret text', undefined, databaseError('23505')])
    test(`500 INTERNAL_SERVER_ERROR with a generic message: ${String(error)}`, async () => {
      const answer = await getEmployee(error);
      assert.equal(answer.status, 500);
      assert.equal(answer.body.error.code, 'INTERNAL_SERVER_ERROR');
      assert.doesNotMatch(answer.bytes.toString(), /secret|duplicate|maria/);
    });

  const unavailable: [string, Error][] = [
    ...['57P01', '57014', '55P03', '25006', '28P01'].map((code): [string, Error] => [
      `it reports ${code}`,
      databaseError(code),
    ]),
    ['no session is to be had', new NoSession('connect ECONNREFUSED')],
    ['the connection is lost', new ConnectionLost('connection terminated')],
    ['a statement gets no reply', new StatementOverdue('no reply within 5000 ms')],
    ['a commit is not confirmed', new UnconfirmedCommit('not replicated')],
  ];
  for (const [name, error] of unavailable)
    test(`503 SERVICE_UNAVAILABLE: the database: ${name}`, async () => {
      const answer = await getEmployee(error);
      assert.equal(answer.status, 503);
      assert.equal(answer.body.error.code, 'SERVICE_UNAVAILABLE');
      assert.match(answer.headers['retry-after']!, /^[1-9][0-9]*$/);
    });
});

describe('a write with an unknown outcome', () => {
  for (const error of [
    new ConnectionLost('x'),
    new StatementOverdue('x'),
    new UnconfirmedCommit('x'),
    databaseError('57P01'),
  ])
    test(`is advised to read first: ${error.constructor.name}`, async () => {
      thrown = error;
      const answer = await service.client.patch('/employees/65f0c0ffee0123456789abcd', { city: 'Bonn' });
      assert.equal(answer.status, 503);
      assert.match(answer.body.error.message, /may have been stored: read before you send it again/);
      const dryRun = await service.client.patch(
        '/employees/65f0c0ffee0123456789abcd',
        { city: 'Bonn' },
        { query: { dryRun: true } },
      );
      assert.equal(dryRun.status, 503);
      assert.doesNotMatch(dryRun.body.error.message, /may have been stored/);
    });

  test('is not one of a write that got no session, or that was rejected', async () => {
    for (const error of [new NoSession('x'), databaseError('55P03')]) {
      thrown = error;
      const answer = await service.client.patch('/employees/65f0c0ffee0123456789abcd', { city: 'Bonn' });
      assert.equal(answer.status, 503);
      assert.doesNotMatch(answer.body.error.message, /may have been stored/);
    }
  });
});

test('POST /employees 500: an answer that cannot be sent', async () => {
  const lines = service.log.length;
  const answer = await service.client.post('/employees', newEmployee);
  assert.equal(answer.status, 500);
  assert.equal(service.log.slice(lines).filter(({ msg }) => msg === 'request').length, 1);
});

describe('GET /health', () => {
  test('200 with the version of the contract, without a key', async () => {
    const answer = await service.client.get('/health', { key: null });
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body, { status: 'ok', version: '1.0.0' });
  });

  test('503 while the service is not healthy', async () => {
    healthy = async () => false;
    const answer = await service.client.get('/health', { key: null });
    healthy = async () => true;
    assert.equal(answer.status, 503);
    assert.equal(answer.body.error.code, 'SERVICE_UNAVAILABLE');
    assert.match(answer.headers['retry-after']!, /^[1-9][0-9]*$/);
  });
});

describe('the log', () => {
  test('has one line per request: request id, key id, operation, status, milliseconds, and nothing else', async () => {
    const before = service.log.length;
    const answer = await service.client.get('/employees?filter=lastName=Schulz', { tenant: tenantA });
    const lines = service.log.slice(before);
    assert.equal(lines.length, 1);
    const { level: _level, time: _time, pid: _pid, hostname: _hostname, ms, ...line } = lines[0]!;
    assert.equal(typeof ms, 'number');
    assert.deepEqual(line, {
      requestId: answer.headers['x-request-id'],
      keyId: 'all',
      operation: 'listEmployees',
      status: 200,
      msg: 'request',
    });
  });

  test('has the error code, and of an unknown operation the path masked behind its first unknown segment', async () => {
    const lineOf = async (path: string) => {
      const { headers } = await service.client.get(path);
      const {
        operation,
        status,
        code,
        path: logged,
      } = service.log.find(
        ({ requestId, msg }) => requestId === headers['x-request-id'] && msg === 'request',
      )!;
      return { operation, status, code, path: logged };
    };
    const unknown = (path: string) => ({ operation: 'unknown', status: 404, code: 'NOT_FOUND', path });
    assert.deepEqual(
      await lineOf('/worker-list/maria?email=maria@example.com'),
      unknown('/v1/worker-list/*'),
    );
    assert.deepEqual(await lineOf('/employees/maria/files'), unknown('/v1/employees/*/files'));
    assert.deepEqual(await lineOf('/kontor_4a8b2c1d_x'), unknown('/v1/*'));
    assert.deepEqual(await lineOf(`/${'a/'.repeat(500)}`), unknown(`/v1/a${'/*'.repeat(6)}`));
    const { code, path } = await lineOf('/employees?pageSize=x');
    assert.deepEqual([code, path], ['VALIDATION_ERROR', undefined]);
  });

  test('has the cause of a 500 under the request identifier', async () => {
    const answer = await getEmployee(new TypeError('wrong type'));
    const line = service.log.find(
      ({ requestId, msg }) => requestId === answer.headers['x-request-id'] && msg !== 'request',
    )!;
    const cause = line['cause'] as Record<string, string>;
    assert.deepEqual([line['level'], cause['type'], cause['message']], [50, 'TypeError', 'wrong type']);
    assert.match(cause['stack']!, /failure\.test\.ts/);
  });

  test('never has a key, a URL, a body, or values that the database quotes in its messages', async () => {
    await getEmployee(databaseError('23505'));
    await getEmployee(new Error('outer', { cause: databaseError('23505') }));
    await service.client.post('/employees?dryRun=true', { email: 'maria@example.com' });
    await service.client.get('/nothing/maria', { key: keys.small });
    const text = JSON.stringify(service.log);
    assert.doesNotMatch(text, /maria|key-|dryRun|\?/);
    assert.match(text, /"code":"23505","constraint":"employee_email_key"/);
  });

  test('describes what is no Error by its type only', () => {
    assert.deepEqual(describeCause('secret'), { type: 'string' });
  });
});

test('metrics count requests by operation and status, with their duration; labels hold nothing of the request', async () => {
  await service.client.get('/nothing/maria');
  await service.client.get('/employees');
  const text = await service.metrics.registry.metrics();
  assert.match(text, /kontor_requests_total\{operation="listEmployees",status="200"\} [1-9]/);
  assert.match(text, /kontor_requests_total\{operation="unknown",status="404"\} [1-9]/);
  assert.match(text, /kontor_request_duration_seconds_bucket\{le="0.05",operation="listEmployees"\} [1-9]/);
  assert.doesNotMatch(text, /maria/);
});
