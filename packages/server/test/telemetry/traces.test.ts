import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { type Running, start } from '../cli/kontor.ts';
import { type ApiClient, apiClient } from '../support/contract/client.ts';
import { testDatabase, type TestDatabase } from '../support/database/database.ts';
import { findFreePort } from '../support/service/free-port.ts';
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from '../support/servers/otlp-receiver.ts';
import { insertTestData, testPepper, type TestData } from '../support/data/test-data.ts';

let testing: TestDatabase;
let testData: TestData;
before(async () => {
  testing = await testDatabase();
  testData = await insertTestData(testing.database.sql);
});
after(() => testing.drop());

interface Service {
  readonly running: Running;
  readonly client: ApiClient;
}

/** Runs `kontor serve`, and resolves with what it has logged when it has ended. */
async function serveWhile(
  variables: Record<string, string>,
  use: (service: Service) => Promise<void>,
): Promise<Record<string, unknown>[]> {
  const running = start(['serve', '--json'], {
    DATABASE_URL: testing.url,
    KONTOR_KEY_PEPPER: testPepper.toString(),
    PORT: '0',
    MANAGEMENT_PORT: '0',
    ...variables,
  });
  const { baseUrl } = JSON.parse(await running.line(/^\{/)) as { baseUrl: string };
  const client = apiClient(baseUrl, { key: testData.keys.all });
  try {
    await use({ running, client });
  } finally {
    client.close();
    running.process.kill('SIGTERM');
  }
  const { code, stderr } = await running.ended;
  assert.equal(code, 0, stderr);
  return stderr
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as Record<string, unknown>);
}

const traceId = (n: number) => n.toString(16).padStart(32, '0');
const traceparent = (n: number, flags = '01') => `00-${traceId(n)}-00000000000000ff-${flags}`;

function employee(n: number) {
  return {
    email: `planted-mail-${n}@example.com`,
    firstName: 'Planted First',
    lastName: 'Planted Last',
    city: 'Planted City',
    divisionId: testData.north,
  };
}

/** The names of the spans below one, with those below them: `listEmployees(authenticate, handler(SELECT))`. */
function treeOf(spans: readonly ReceivedSpan[], span: ReceivedSpan): string {
  const below = spans.filter(({ parentSpanId }) => parentSpanId === span.spanId);
  return below.length === 0
    ? span.name
    : `${span.name}(${below.map(child => treeOf(spans, child)).join(', ')})`;
}

describe('traces of kontor serve at a collector', { timeout: 120_000 }, () => {
  let receiver: OtlpReceiver;
  let log: Record<string, unknown>[];
  const createdIds: string[] = [];
  const ofTrace = (n: number) => receiver.spans.filter(span => span.traceId === traceId(n));
  const rootOf = (n: number) => ofTrace(n).find(({ kind }) => kind === 2)!;

  before(async () => {
    receiver = await startOtlpReceiver();
    const variables = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, KONTOR_JOB_INTERVAL: '1' };
    log = await serveWhile(variables, async ({ client }) => {
      const traced = (n: number, flags?: string) => ({ headers: { traceparent: traceparent(n, flags) } });
      const filter = encodeURIComponent("city = 'Planted City'");
      // Opens the connections.
      assert.equal((await client.get('/employees')).status, 200);
      assert.equal((await client.get(`/employees?filter=${filter}`, traced(1))).status, 200);
      assert.equal((await client.post('/employees', employee(2), traced(2))).status, 201);
      // The second one is a conflict, which the database or the service finds.
      assert.equal((await client.post('/employees', employee(2), traced(3))).status, 409);
      assert.equal((await client.get('/employees', { key: 'planted-key', ...traced(4) })).status, 401);
      assert.equal((await client.get('/planted/path', traced(5))).status, 404);
      assert.equal((await client.get('/employees', traced(6, '00'))).status, 200);
      assert.equal((await client.get('/health', { headers: { traceparent: 'planted' } })).status, 200);
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, n) => client.post('/employees', employee(100 + n), traced(100 + n))),
      );
      for (const { status, body } of answers) {
        assert.equal(status, 201);
        createdIds.push(body.id);
      }
    });
  });
  after(() => receiver.close());

  test('the request continues the trace of its traceparent, and its stages and statements are inside it', () => {
    const root = rootOf(1);
    assert.equal(root.name, 'listEmployees');
    assert.equal(root.parentSpanId, '00000000000000ff');
    assert.equal(root.attributes['http.response.status_code'], 200);
    // The probe of the index, the total, and the page.
    assert.equal(
      treeOf(receiver.spans, root),
      'listEmployees(authenticate, contract, handler(WITH, WITH, SELECT))',
    );
    const handler = ofTrace(1).find(({ name }) => name === 'handler')!;
    const statements = ofTrace(1).filter(({ parentSpanId }) => parentSpanId === handler.spanId);
    for (const { kind, attributes } of statements) {
      assert.equal(kind, 3);
      assert.equal(attributes['db.system.name'], 'postgresql');
    }
    const texts = statements.map(({ attributes }) => String(attributes['db.query.text']));
    assert.ok(
      texts.some(text => /FROM employee[\s\S]*folded_city = \$\d/.test(text)),
      texts.join('\n'),
    );
  });

  test('a write has its wait in the queue and the statements of its transaction', () => {
    const tree = treeOf(receiver.spans, rootOf(2));
    assert.match(tree, /handler\(wait in the write queue, write\(BEGIN, .*COMMIT\)\)\)$/);
  });

  test('writes that share a transaction have its statements once, and link to them', () => {
    const writes = createdIds.map((_, n) => {
      const [write, ...others] = ofTrace(100 + n).filter(({ name }) => name === 'write');
      assert.deepEqual(others, []);
      return write!;
    });
    const hasCommit = (write: ReceivedSpan) => treeOf(receiver.spans, write).endsWith('COMMIT)');
    for (const write of writes) {
      const linked = writes.filter(({ spanId }) => write.links.includes(spanId));
      assert.equal([write, ...linked].filter(hasCommit).length, 1, treeOf(receiver.spans, write));
    }
  });

  test('a failed request says its status, and a rejected stage the code of its error', () => {
    assert.equal(rootOf(3).attributes['http.response.status_code'], 409);
    assert.equal(rootOf(3).isError, false);
    const authenticate = ofTrace(4).find(({ name }) => name === 'authenticate')!;
    assert.equal(authenticate.attributes['error.type'], 'INVALID_API_KEY');
    assert.equal(rootOf(5).name, 'unknown');
  });

  test('a request that its client does not sample is not sent', () => {
    assert.deepEqual(ofTrace(6), []);
  });

  test('jobs have traces of their own', () => {
    const jobs = receiver.spans.filter(({ name }) => name.startsWith('job '));
    assert.ok(jobs.length > 3);
    assert.deepEqual(
      jobs.map(job => treeOf(receiver.spans, job)).filter(tree => !tree.includes('(')),
      [],
    );
    for (const job of jobs) assert.equal(job.parentSpanId, '');
  });

  test('each span names the service and its version', () => {
    for (const { service } of receiver.spans) {
      assert.equal(service['service.name'], 'kontor');
      assert.match(String(service['service.version']), /^\d+\.\d+\.\d+$/);
    }
  });

  test('no span has a key, a query value, a path or personal data', () => {
    const planted = [testData.keys.all, testData.keys.all.split('_')[2]!, ...createdIds];
    for (const value of ['planted', 'example.com', ...planted])
      assert.ok(!receiver.text.toLowerCase().includes(value.toLowerCase()), value);
  });

  test('the line of a request has its trace', () => {
    const lines = log.filter(({ msg }) => msg === 'request');
    for (const [n, operation] of [
      [1, 'listEmployees'],
      [2, 'createEmployee'],
      [6, 'listEmployees'],
    ] as const)
      assert.equal(lines.find(line => line['traceId'] === traceId(n))?.['operation'], operation);
    assert.ok(lines.every(line => /^[0-9a-f]{32}$/.test(String(line['traceId']))));
  });
});

describe('a collector that does not take traces', { timeout: 120_000 }, () => {
  const sendsRequests = async ({ client }: Service) => {
    for (let n = 0; n < 600; n++) assert.equal((await client.get('/health')).status, 200);
  };

  test('that is down costs one line of the log', async () => {
    const variables = {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await findFreePort()}`,
      OTEL_EXPORTER_OTLP_TIMEOUT: '200',
    };
    const log = await serveWhile(variables, sendsRequests);
    const warnings = log.filter(({ level }) => level !== 'info');
    assert.deepEqual(
      warnings.map(({ msg }) => msg),
      ['traces cannot be sent; they are dropped'],
    );
  });

  test('that never answers does not hold up the end', async () => {
    const mute = createServer().listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const { port } = mute.address() as { port: number };
    let stopped = 0;
    const variables = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` };
    const log = await serveWhile(variables, async service => {
      await sendsRequests(service);
      stopped = performance.now();
    });
    // By itself the exporter would wait for 10 s.
    assert.ok(performance.now() - stopped < 8_000);
    assert.equal(log.filter(({ level }) => level !== 'info').length, 1);
    mute.close();
  });
});

describe('without an endpoint', { timeout: 120_000 }, () => {
  test('OpenTelemetry is not loaded, and lines of the log have no trace', async () => {
    const preload = `import { registerHooks } from 'node:module';
      registerHooks({ resolve(name, context, next) {
        if (/^@opentelemetry.(sdk|exporter)/.test(name)) throw new Error('loads ' + name);
        return next(name, context);
      } });`;
    const log = await serveWhile(
      { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(preload)}` },
      async ({ client }) => {
        const headers = { traceparent: traceparent(1) };
        assert.equal((await client.get('/employees', { headers })).status, 200);
      },
    );
    const request = log.find(({ msg }) => msg === 'request')!;
    assert.ok(!('traceId' in request));
  });
});
