import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { after, before, test } from 'node:test';
import { text } from 'node:stream/consumers';
import { testDatabase, type TestDatabase } from '../support/database/database.ts';
import { startServiceProcess, type ServiceProcess } from '../support/service/kontor.ts';
import { insertTestData, type TestData } from '../support/data/test-data.ts';

const timeout = 60_000;
const writers = 16;
/** In seconds. */
const drain = 2;

let database: TestDatabase;
let testData: TestData;
let service: ServiceProcess;
before(async () => {
  database = await testDatabase();
  testData = await insertTestData(database.database.sql);
  const variables = { DATABASE_URL: database.url, KONTOR_DRAIN: String(drain) };
  service = await startServiceProcess({ variables });
});
after(async () => {
  await service.end('SIGKILL');
  await database.drop();
});

/** What came back of a create, and when. */
interface Outcome {
  readonly from: number;
  readonly to: number;
  readonly status: number | undefined;
  readonly connection: string | undefined;
  /** The code of the error of the connection. */
  readonly failure: string | undefined;
}

/** Creates an employee on a connection of its own, which asks to be kept. */
async function create(email: string): Promise<Outcome> {
  const agent = new Agent({ keepAlive: true });
  const { promise, resolve } = Promise.withResolvers<Omit<Outcome, 'from' | 'to'>>();
  const from = performance.now();
  const headers = { 'x-api-key': testData.keys.all, 'content-type': 'application/json' };
  const outgoing = request(`${service.url}/v1/employees`, { method: 'POST', headers, agent }, incoming => {
    const { statusCode: status, headers } = incoming;
    const end = (failure?: string) => resolve({ status, connection: headers.connection, failure });
    text(incoming).then(
      () => end(),
      () => end('body'),
    );
  });
  outgoing.on('error', (error: NodeJS.ErrnoException) =>
    resolve({ status: undefined, connection: undefined, failure: error.code }),
  );
  outgoing.end(JSON.stringify({ email, firstName: 'A', lastName: 'B', divisionId: testData.north }));
  const outcome = await promise;
  agent.destroy();
  return { from, to: performance.now(), ...outcome };
}

/** Creates employees until the service is gone; answers what came back. */
async function write(name: string): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  do outcomes.push(await create(`${name}.${outcomes.length}@example.com`));
  while (outcomes.at(-1)!.failure === undefined);
  return outcomes;
}

test(
  'SIGTERM: not ready at once; writers with new connections are served until the drain is over',
  { timeout },
  async () => {
    const all = Promise.all(Array.from({ length: writers }, (_, number) => write(`w${number}`)));
    assert.equal((await create('first@example.com')).status, 201);
    const began = performance.now();
    const ended = service.end('SIGTERM');
    const notReady = await untilNotReady();
    const off = performance.now();
    const over = began + drain * 1000;
    assert.ok(off < over);
    assert.match(notReady.headers.get('retry-after') ?? '', /^[1-9][0-9]*$/);
    const outcomes = (await all).flat();
    for (const { to, failure, status } of outcomes)
      if (to < over) assert.deepEqual([failure, status], [undefined, 201]);
    const drained = outcomes.filter(({ from, to }) => from > off && to < over);
    assert.ok(drained.length >= writers);
    assert.deepEqual(new Set(drained.map(({ connection }) => connection)), new Set(['close']));
    await ended;
  },
);

async function untilNotReady(): Promise<Response> {
  for (;;) {
    const answer = await fetch(`${service.managementUrl}/readyz`);
    await answer.text();
    if (answer.status === 503) return answer;
  }
}
