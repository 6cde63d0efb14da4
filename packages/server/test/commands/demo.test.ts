import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { apiClient } from '../support/client.ts';
import { kontor, processesNaming, type Running, start } from './kontor.ts';

let folder: string;
let variables: Record<string, string>;

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'kontor-demo-'));
  // A database of the user's own has nothing to do with the demo.
  const elsewhere = 'postgres://nobody@127.0.0.1:1/none';
  variables = { KONTOR_DATA_DIR: folder, PORT: '0', MANAGEMENT_PORT: '0', DATABASE_URL: elsewhere };
});
after(() => rm(folder, { recursive: true, force: true }));

interface Announcement {
  readonly baseUrl: string;
  readonly key: string;
  readonly referenceUrl: string;
  readonly curl: string;
}

async function announced(running: Running): Promise<Announcement> {
  return JSON.parse(await running.line(/^\{/)) as Announcement;
}

/** Ctrl-C at a terminal reaches the whole process group. */
async function pressCtrlC(running: Running): Promise<void> {
  const pressed = performance.now();
  process.kill(-running.process.pid!, 'SIGINT');
  assert.equal((await running.ended).code, 0);
  assert.ok(performance.now() - pressed < 2000, 'it took longer than the 2 s that are promised');
  assert.deepEqual(await processesNaming(folder), []);
}

describe('demo', () => {
  let key: string;

  test('serves a demo organization, and Ctrl-C stops all of it within 2 s', async () => {
    const running = start(['demo', '--json'], variables);
    const demo = await announced(running);
    ({ key } = demo);
    const client = apiClient(demo.baseUrl, { key });
    const list = await client.get('/employees', { query: { pageSize: 1000 } });
    const employees = list.body.items as { tenant: string; divisionId: string | null; lastName: string }[];
    assert.equal(list.body.totalElements, 1000);
    assert.equal(new Set(employees.map(employee => employee.tenant)).size, 2);
    assert.equal(new Set(employees.flatMap(employee => employee.divisionId ?? [])).size, 12);
    for (const name of [/[äöüß]/, /\p{Script=Greek}/u, /\p{Script=Cyrillic}/u, /\p{Script=Han}/u])
      assert.ok(
        employees.some(employee => name.test(employee.lastName)),
        String(name),
      );
    const page = await fetch(demo.referenceUrl);
    assert.equal(page.status, 200);
    await page.text();
    client.close();
    await pressCtrlC(running);
  });

  test('keeps the key where only the owner may read it', async () => {
    assert.equal((await stat(path.join(folder, 'demo.json'))).mode & 0o777, 0o600);
  });

  test('keeps the data: a second start prints the same key, and the printed curl line works', async () => {
    const running = start(['demo'], variables);
    const line = await running.line(/^ {2}curl /);
    assert.ok(line.includes(key));
    const [, address, query] = /curl -G (\S+) .*"(filter=.*)"$/.exec(line)!;
    const base = address!.replace(/\/employees$/, '');
    const client = apiClient(base, { key });
    const [name, value] = query!.split(/=(.*)/s) as [string, string];
    const answer = await client.get('/employees', { query: { pageSize: 3, [name]: value } });
    assert.equal(answer.status, 200);
    assert.equal(answer.body.items.length, 3);
    assert.equal((await client.get('/employees')).body.totalElements, 1000);
    client.close();
    await pressCtrlC(running);
  });

  test('says in one line that its port is taken, and leaves no process', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    const { port } = blocker.address() as AddressInfo;
    const run = await kontor(['demo', '--port', String(port)], { ...variables, KONTOR_LOG_LEVEL: 'silent' });
    assert.equal(run.code, 1);
    assert.equal(run.stdout, '');
    assert.equal(
      run.stderr,
      `error: port ${port} of 127.0.0.1 is taken: choose another one with --port or PORT\n`,
    );
    assert.deepEqual(await processesNaming(folder), []);
    blocker.close();
  });
});
