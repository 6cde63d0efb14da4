import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:https';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type TestDatabase, testDatabase } from '../../packages/server/test/support/database/database.ts';
import {
  insertTestData,
  type TestData,
  testPepper,
} from '../../packages/server/test/support/data/test-data.ts';
import { findFreePort } from '../../packages/server/test/support/service/free-port.ts';
import { type Nginx, noNginx, startNginx } from './nginx.ts';

const place = (file: string) => fileURLToPath(import.meta.resolve(file));
const noPython = spawnSync('python3', ['--version']).status !== 0 && 'there is no python3';
const clients = 8;
/** Requests of each client after the restart. */
const afterwards = 20;

/** A service with the socket of deploy/kontor.socket, which a stand-in for systemd keeps. */
async function startActivated(variables: Readonly<Record<string, string>>) {
  const port = await findFreePort();
  const command = [process.execPath, place('../../packages/server/bin/kontor.js'), 'serve', '--json'];
  const options = ['--port', String(port), '--management-port', '0'];
  const child: ChildProcess = spawn(
    'python3',
    [place('./systemd.py'), String(port), ...command, ...options],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: {
        ...process.env,
        KONTOR_LOG_LEVEL: 'silent',
        KONTOR_QUOTA: '1000000/60',
        KONTOR_KEY_PEPPER: testPepper.toString('utf8'),
        ...variables,
      },
    },
  );
  const lines = createInterface(child.stdout!)[Symbol.asyncIterator]();
  const started = async () => JSON.parse((await lines.next()).value as string) as { baseUrl: string };
  const { baseUrl } = await started();
  return {
    url: new URL(baseUrl).origin,
    /** Resolves when the next process answers. */
    async restart() {
      child.stdin!.write('\n');
      await started();
    },
    async stop() {
      const ended = once(child, 'exit');
      child.stdin!.end();
      await ended;
    },
  };
}

describe('deploy/kontor.socket behind deploy/nginx.conf', { skip: noNginx || noPython }, () => {
  let database: TestDatabase;
  let testData: TestData;
  before(async () => {
    database = await testDatabase();
    testData = await insertTestData(database.database.sql);
  });
  after(() => database.drop());

  /** Alternately reads and creates; answers the status of each request, or the error of its connection. */
  async function useService(nginx: Nginx, name: string, isOver: () => boolean): Promise<string[]> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const outcomes: string[] = [];
    for (let left = afterwards; left > 0; left -= isOver() ? 1 : 0) {
      const number = outcomes.length;
      const body = { firstName: 'A', lastName: 'B', divisionId: testData.north };
      const create = JSON.stringify({ ...body, email: `${name}.${number}@example.com` });
      outcomes.push(await send(nginx, agent, number % 2 === 0 ? undefined : create));
    }
    agent.destroy();
    return outcomes;
  }

  function send({ url }: Nginx, agent: Agent, body: string | undefined): Promise<string> {
    const headers = { 'x-api-key': testData.keys.all, 'content-type': 'application/json' };
    const method = body === undefined ? 'GET' : 'POST';
    const target = `${url}/v1/employees${body === undefined ? '?pageSize=1' : ''}`;
    const { promise, resolve } = Promise.withResolvers<string>();
    const sent = request(target, { method, headers, agent, rejectUnauthorized: false }, response => {
      text(response).then(
        () => resolve(`${method} ${response.statusCode}`),
        () => resolve(`${method} cut off`),
      );
    });
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(`${method} ${error.code}`));
    sent.end(body);
    return promise;
  }

  for (const workers of [1, 2])
    test(
      `a restart of ${workers === 1 ? 'one process' : `${workers} workers`} fails no request of ${clients} clients, and stores each create once`,
      { timeout: 120_000 },
      async () => {
        await using resources = new AsyncDisposableStack();
        const service = await startActivated({
          DATABASE_URL: database.url,
          KONTOR_POOL_SIZE: '3',
          KONTOR_WORKERS: String(workers),
        });
        resources.defer(() => service.stop());
        const nginx = await startNginx(service.url);
        resources.defer(() => nginx.stop());
        let isOver = false;
        const all = Promise.all(
          Array.from({ length: clients }, (_, number) =>
            useService(nginx, `${workers}.${number}`, () => isOver),
          ),
        );
        await service.restart();
        isOver = true;
        const outcomes = (await all).flat();
        assert.deepEqual(new Set(outcomes), new Set(['GET 200', 'POST 201']));
        const [{ count }] = await database.database.sql<[{ count: string }]>`
          SELECT count(*) FROM employee WHERE doc::json->>'email' LIKE ${`${workers}.%`}`;
        assert.equal(Number(count), outcomes.filter(outcome => outcome === 'POST 201').length);
      },
    );
});
