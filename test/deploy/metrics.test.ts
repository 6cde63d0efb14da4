import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { testDatabase, type TestDatabase } from '../../packages/server/test/support/database/database.ts';
import { findFreePort } from '../../packages/server/test/support/service/free-port.ts';
import {
  type ServiceProcess,
  startServiceProcess,
} from '../../packages/server/test/support/service/kontor.ts';
import { insertTestData } from '../../packages/server/test/support/data/test-data.ts';
import { blocksOf } from '../../tools/guides.ts';
import { noPrometheus, type Prometheus, startPrometheus } from './prometheus.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
const file = (name: string) => path.join(root, name);
const alerts = file('deploy/alerts.yml');

/** The name of each alert, and the heading of the runbook that it refers to. */
async function readAlerts(): Promise<{ name: string; heading: string }[]> {
  const text = await readFile(alerts, 'utf8');
  const entries = text.split(/^ +- (?=alert: )/m).slice(1);
  return entries.map(entry => ({
    name: /^alert: (\w+)$/m.exec(entry)![1]!,
    heading: /runbook: docs\/runbook\.md#(\S+)$/m.exec(entry)![1]!,
  }));
}

describe('each alert of deploy/alerts.yml', () => {
  test('has an entry in the runbook, and each entry an alert', async () => {
    const found = await readAlerts();
    assert.ok(found.length > 10);
    for (const { name, heading } of found) assert.equal(heading, name.toLowerCase());
    const runbook = await readFile(file('docs/runbook.md'), 'utf8');
    const headings = Array.from(runbook.matchAll(/^### (\w+)$/gm), match => match[1]);
    assert.deepEqual(
      headings,
      found.map(({ name }) => name),
    );
  });

  test('fires and stays silent as its unit test says', { skip: noPrometheus }, async () => {
    const tests = file('test/deploy/alerts.test.yml');
    const text = await readFile(tests, 'utf8');
    for (const { name } of await readAlerts())
      assert.equal(text.match(new RegExp(`alertname: ${name}\\b`, 'g'))?.length, 2, name);
    await run('promtool', ['check', 'rules', alerts]);
    await run('promtool', ['test', 'rules', tests]);
  });
});

test('the configuration in the runbook is one of Prometheus', { skip: noPrometheus }, async () => {
  const blocks = blocksOf(await readFile(file('docs/runbook.md'), 'utf8'));
  const { text } = blocks.find(({ sample }) => sample === 'prometheus')!;
  const folder = await mkdtemp(path.join(tmpdir(), 'kontor-runbook-'));
  await writeFile(path.join(folder, 'prometheus.yml'), text);
  await run('promtool', ['check', 'config', '--syntax-only', path.join(folder, 'prometheus.yml')]);
  await rm(folder, { recursive: true });
});

describe('a Prometheus that reads a service under load', { skip: noPrometheus, timeout: 120_000 }, () => {
  let testing: TestDatabase;
  let service: ServiceProcess;
  let prometheus: Prometheus;
  const stopping = new AbortController();
  let load: Promise<void>;

  before(async () => {
    testing = await testDatabase();
    const testData = await insertTestData(testing.database.sql);
    service = await startServiceProcess({
      variables: {
        DATABASE_URL: testing.url,
        KONTOR_WORKERS: '2',
        KONTOR_JOB_INTERVAL: '1',
        // So that there are the metrics of mails. None is sent.
        KONTOR_PUBLIC_URL: 'https://kontor.example.com',
        KONTOR_SMTP_HOST: '127.0.0.1',
        KONTOR_SMTP_PORT: String(await findFreePort()),
        KONTOR_MAIL_FROM: 'kontor@example.com',
      },
    });
    prometheus = await startPrometheus({ metrics: service.managementUrl, rules: alerts });
    load = sendRequests([testData.keys.all, 'wrong']);
  });
  after(async () => {
    stopping.abort();
    await load;
    await prometheus.stop();
    await service.end('SIGTERM');
    await testing.drop();
  });

  async function sendRequests(keys: readonly string[]): Promise<void> {
    while (!stopping.signal.aborted)
      for (const key of keys) {
        const answer = await fetch(`${service.url}/v1/employees`, { headers: { 'X-API-Key': key } });
        await answer.arrayBuffer();
        await delay(5);
      }
  }

  test('answers each query of the dashboard', async () => {
    const { panels } = JSON.parse(await readFile(file('deploy/grafana-dashboard.json'), 'utf8')) as {
      panels: { title: string; targets: { expr: string }[] }[];
    };
    const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    assert.ok(queries.length > 30);
    for (const query of queries) await untilAnswered(query.replaceAll('$__rate_interval', '10s'));
  });

  async function untilAnswered(query: string): Promise<void> {
    for (let found = 0; found === 0; await delay(50)) {
      const { result } = await prometheus.ask('query', { query });
      found = (result as unknown[]).length;
    }
  }

  test('has the metrics that the alerts read, evaluates each alert, and fires none', async () => {
    const text = await readFile(alerts, 'utf8');
    const read = new Set(text.match(/\b(?:kontor|nodejs)_[a-z0-9_]+/g));
    for (const name of read) await untilAnswered(name);
    const rules = async () => {
      const { groups } = await prometheus.ask('rules');
      return groups[0].rules as { name: string; health: string; state: string }[];
    };
    let evaluated = await rules();
    for (; evaluated.some(({ health }) => health === 'unknown'); evaluated = await rules()) await delay(50);
    assert.equal(evaluated.length, (await readAlerts()).length);
    for (const { name, health, state } of evaluated)
      assert.deepEqual([name, health, state === 'firing'], [name, 'ok', false]);
  });

  test('finds no fault with the names and the help of the metrics', async () => {
    const input = await (await fetch(`${service.managementUrl}/metrics`)).text();
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
      input,
      encoding: 'utf8',
    });
    assert.deepEqual({ status, stdout, stderr }, { status: 0, stdout: '', stderr: '' });
  });
});
