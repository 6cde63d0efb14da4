import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { build } from '../../src/lib/build.ts';
import { kontor, processesNaming, type Running, start } from '../cli/kontor.ts';
import { apiClient, type ApiClient } from '../support/contract/client.ts';

let folder: string;
let variables: Record<string, string>;
let service: Running;
let addresses: { baseUrl: string; referenceUrl: string; managementUrl: string };
let client: ApiClient;

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'kontor-serve-'));
  variables = { KONTOR_DATA_DIR: folder, PORT: '0', MANAGEMENT_PORT: '0' };
  service = start(['serve', '--json'], variables);
  addresses = JSON.parse(await service.line(/^\{/)) as typeof addresses;
  client = apiClient(addresses.baseUrl);
});
after(async () => {
  client.close();
  service.process.kill('SIGKILL');
  await service.ended;
  await rm(folder, { recursive: true, force: true });
});

/** Runs a command as a process of its own on the data folder of the service. */
async function json(...args: string[]): Promise<Record<string, unknown>> {
  const run = await kontor([...args, '--json'], variables);
  assert.equal(run.code, 0, run.stderr);
  return JSON.parse(run.stdout) as Record<string, unknown>;
}

describe('serve on the embedded database', () => {
  let organizationId: string;
  let key: { id: string; key: string };

  test('migrates, answers and is ready', async () => {
    assert.equal((await client.get('/health')).status, 200);
    assert.equal((await client.get('/employees')).status, 401);
    for (const page of ['/livez', '/readyz', '/metrics']) {
      const answer = await fetch(addresses.managementUrl + page);
      assert.equal(answer.status, 200, page);
      await answer.text();
    }
  });

  test('names its version and commit in its metrics, and the version as the command does', async () => {
    const { stdout } = await kontor(['--version'], variables);
    assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
    const metrics = await (await fetch(`${addresses.managementUrl}/metrics`)).text();
    const labels = `version="${stdout.trim()}",commit="unknown"`;
    assert.ok(metrics.includes(`\nkontor_build_info{${labels}} 1\n`));
  });

  test('commands work beside it, and what they create is there at once', async () => {
    organizationId = (await json('organization', 'create', '--name', 'Muster')).id as string;
    const tenant = await json('tenant', 'create', '--organization', organizationId, '--name', 'Muster GmbH');
    key = (await json(
      'key',
      'create',
      '--organization',
      organizationId,
      '--name',
      'k',
      '--all',
    )) as typeof key;
    const person = { email: 'maria@example.com', firstName: 'Maria', lastName: 'Schulz' };
    const created = await client.post('/employees', person, { key: key.key });
    assert.equal(created.status, 201);
    assert.equal(created.body.tenant, tenant['id']);
  });

  test('a key that a command has deactivated is rejected 1 s later, and works again when it is reactivated', async () => {
    assert.equal((await client.get('/employees', { key: key.key })).status, 200);
    await json('key', 'deactivate', key.id);
    await delay(1000);
    assert.equal((await client.get('/employees', { key: key.key })).status, 401);
    await json('key', 'reactivate', key.id);
    assert.equal((await client.get('/employees', { key: key.key })).status, 200);
  });

  test('SIGTERM ends it with exit code 0 and no process left; its log is JSON without keys', async () => {
    service.process.kill('SIGTERM');
    const run = await service.ended;
    assert.equal(run.code, 0);
    assert.equal(run.stdout.trim().split('\n').length, 1);
    const lines = run.stderr
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as Record<string, unknown>);
    const { msg, version, commit, settings } = lines[0]! as Record<string, any>;
    assert.deepEqual([msg, version, commit], ['starting', build.version, build.commit]);
    assert.equal(settings.KONTOR_POOL_SIZE, 10);
    assert.ok(lines.some(line => line['operation'] === 'listEmployees' && line['keyId'] === key.id));
    assert.ok(!run.stderr.includes(key.key.split('_')[2]!));
    assert.deepEqual(await processesNaming(folder), []);
  });

  test('commands work without it, and when it was last used is known of the key', async () => {
    const { keys } = await json('key', 'list', '--organization', organizationId);
    const [listed] = keys as { id: string; lastUsedAt: string | null }[];
    assert.equal(listed?.id, key.id);
    assert.match(listed.lastUsedAt ?? '', /^\d{4}-.*Z$/);
    assert.deepEqual(await processesNaming(folder), []);
  });

  test('it prints only lines of JSON if no terminal is there', async () => {
    const second = start(['serve'], variables);
    await second.line(/"msg":"ready"/, 'stderr');
    second.process.kill('SIGTERM');
    const { stdout, stderr } = await second.ended;
    assert.equal(stdout, '');
    for (const line of stderr.trim().split('\n')) assert.doesNotThrow(() => JSON.parse(line), line);
  });

  test('an invalid value stops the start with one line that names it', async () => {
    const run = await kontor(['serve'], { ...variables, MANAGEMENT_PORT: 'x' });
    assert.equal(run.code, 1);
    const { msg } = JSON.parse(run.stderr) as { msg: string };
    assert.equal(msg, 'MANAGEMENT_PORT is invalid: expected a whole number from 0 to 65535');
  });
});
