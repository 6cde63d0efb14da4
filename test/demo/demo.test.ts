import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { incidentStatuses, orderStatuses, payrollFormats, payrollStatuses } from '@kontor/contract';
import { apiClient } from '../../packages/server/test/support/contract/client.ts';
import { kontor, processesNaming, type Running, start } from '../../packages/server/test/cli/kontor.ts';

const noCurl = spawnSync('curl', ['--version']).status !== 0 && 'there is no curl';

let folder: string;
let variables: Record<string, string>;

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'kontor-demo-'));
  // A database of the user's own has nothing to do with the demo.
  const elsewhere = 'postgres://nobody@127.0.0.1:1/none';
  variables = {
    KONTOR_DATA_DIR: folder,
    PORT: '0',
    MANAGEMENT_PORT: '0',
    DATABASE_URL: elsewhere,
    // Filling the cache would count as time that the end of the demo takes.
    NODE_COMPILE_CACHE: '',
  };
});
after(() => rm(folder, { recursive: true, force: true }));

interface Announcement {
  readonly baseUrl: string;
  readonly key: string;
  readonly referenceUrl: string;
  readonly divisionKey: string;
  readonly requests: readonly { readonly resourceType: string; readonly curl: string }[];
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
    assert.equal(new Set(employees.map(employee => employee.tenant)).size, 3);
    assert.equal(new Set(employees.flatMap(employee => employee.divisionId ?? [])).size, 16);
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
    const { stderr } = await running.ended;
    assert.match(stderr, /listEmployees 200/);
    assert.doesNotMatch(
      stderr,
      /createIncident/,
      'the requests that create the data are not those of the reader',
    );
  });

  test('keeps the key where only the owner may read it', async () => {
    assert.equal((await stat(path.join(folder, 'demo.json'))).mode & 0o777, 0o600);
  });

  test('keeps the data and shows all of it: each state, format and kind of file, and what a key of a division sees', async () => {
    const running = start(['demo', '--json'], variables);
    const demo = await announced(running);
    assert.equal(demo.key, key);
    const client = apiClient(demo.baseUrl, { key });
    const all = async (path: string) => {
      const { body } = await client.get(path, { query: { pageSize: 1000 } });
      return body.items as Record<string, any>[];
    };
    const bytesOf = async (path: string) => {
      const answer = await fetch(`${demo.baseUrl}${path}`, { headers: { 'X-API-Key': key } });
      return (await answer.bytes()).length;
    };
    const values = (items: readonly Record<string, any>[], name: string) =>
      [...new Set(items.map(item => item[name] as string))].toSorted();
    const orders = await all('/orders');
    assert.deepEqual(values(orders, 'status'), [...orderStatuses].toSorted());
    assert.ok(orders.every(({ products, contract }) => products.length === 2 && contract !== null));
    const kinds = orders.flatMap(({ attachments }) => attachments.map(({ kind }: { kind: string }) => kind));
    assert.deepEqual([...new Set(kinds)].toSorted(), ['contract', 'handover', 'invoice', 'offer']);
    const decided = orders.flatMap(({ hrHistory }) => hrHistory ?? []);
    assert.deepEqual(values(decided, 'source'), ['api_key', 'automatic', 'user']);
    const incidents = await all('/incidents');
    assert.deepEqual(values(incidents, 'status'), [...incidentStatuses].toSorted());
    const evidence = incidents.flatMap(({ attachments }) =>
      attachments.map(({ mediaType }: any) => mediaType),
    );
    assert.deepEqual([...new Set(evidence)].toSorted(), ['application/pdf', 'image/png']);
    const documents = await all('/payroll-export-documents');
    assert.deepEqual(values(documents, 'format'), [...payrollFormats].toSorted());
    assert.deepEqual(values(documents, 'status'), [...payrollStatuses].toSorted());
    assert.ok(documents.some(({ divisionId }) => divisionId !== null));
    const files = documents.filter(({ status }) => status === 'available');
    assert.deepEqual(values(files, 'format'), [...payrollFormats].toSorted());
    for (const { id, size } of files)
      assert.equal(await bytesOf(`/payroll-export-documents/${id}/download`), size);
    for (const { id, attachments } of orders)
      for (const { id: attachment, size } of attachments)
        assert.equal(await bytesOf(`/orders/${id}/attachments/${attachment}`), size);
    const part = apiClient(demo.baseUrl, { key: demo.divisionKey });
    const { body } = await part.get('/divisions', { query: { sort: 'name' } });
    const names = (body.items as { name: string }[]).map(({ name }) => name);
    assert.deepEqual(names, ['Betrieb', 'Entwicklung', 'Plattform', 'Technik']);
    const { totalElements } = (await part.get('/employees')).body;
    assert.ok(totalElements > 100 && totalElements < 400);
    client.close();
    part.close();
    await pressCtrlC(running);
  });

  test('prints a request of each family, which work in a shell as they stand', { skip: noCurl }, async () => {
    const running = start(['demo', '--json'], variables);
    const { requests } = await announced(running);
    const answers = requests.map(({ curl }) => execFileSync('sh', ['-c', curl]).toString());
    const [employees, divisions, decision, incidents, payroll] = answers as [
      string,
      string,
      string,
      string,
      string,
    ];
    for (const list of [employees, divisions, incidents]) assert.ok(JSON.parse(list).items.length >= 3, list);
    assert.equal(JSON.parse(decision).status, 'approved');
    assert.match(
      payroll,
      /^\uFEFFperiod;month;employeeNumber;[^\n]+\r\n\d{4}-\d{2};\d{4}-\d{2};\d{5};[^\n]+;salary_conversion;3010;-\d+,\d{2};/,
    );
    await pressCtrlC(running);
  });

  test('reports in one line that its port is taken, and leaves no process', async () => {
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
