import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { testDatabase } from '../../packages/server/test/support/database/database.ts';
import { findFreePort } from '../../packages/server/test/support/service/free-port.ts';
import { startServiceProcess } from '../../packages/server/test/support/service/kontor.ts';
import { noPrometheus, startPrometheus } from './prometheus.ts';

const deployed = (name: string) => fileURLToPath(new URL(`../../deploy/${name}`, import.meta.url));
const hasNoAlertmanager = spawnSync('prometheus-alertmanager', ['--version']).error !== undefined;
const skip = noPrometheus || (hasNoAlertmanager && 'there is no prometheus-alertmanager');

interface Notification {
  readonly receiver: string;
  readonly status: string;
  readonly alerts: readonly Pick<Alert, 'labels'>[];
}

/** Keeps what Alertmanager sends to the receivers of deploy/alertmanager.yml. */
async function startReceiver(stack: AsyncDisposableStack) {
  const received: Notification[] = [];
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    received.push((await json(request)) as Notification);
    response.end();
  };
  const server = createServer((request, response) => void receive(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  stack.defer(() => void server.close());
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Starts Alertmanager as shipped, but that the receivers are at `receiver`. Resolves with its host and port. */
async function startAlertmanager(stack: AsyncDisposableStack, receiver: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'kontor-alertmanager-'));
  const file = path.join(folder, 'alertmanager.yml');
  const shipped = await readFile(deployed('alertmanager.yml'), 'utf8');
  const changed = shipped.replaceAll(/https:\/\/\w+\.example\.com/g, receiver);
  assert.notEqual(changed, shipped);
  await writeFile(file, changed);
  const address = `127.0.0.1:${await findFreePort()}`;
  const flags = [`--config.file=${file}`, `--storage.path=${folder}`, `--web.listen-address=${address}`];
  const child = spawn(
    'prometheus-alertmanager',
    [...flags, '--cluster.listen-address=', '--log.level=error'],
    {
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  const ended = once(child, 'exit');
  stack.defer(async () => {
    child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true });
  });
  const isReady = () =>
    fetch(`http://${address}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`Alertmanager ended with ${child.exitCode}`);
    await delay(50);
  }
  return address;
}

interface Alert {
  readonly labels: { readonly alertname: string };
  readonly state: string;
}

const namesOf = (alerts: readonly Pick<Alert, 'labels'>[]) =>
  alerts.map(({ labels }) => labels.alertname).toSorted();

test(
  'an outage is one page within a minute, which suppresses all other alerts',
  { skip, timeout: 240_000 },
  async () => {
    await using stack = new AsyncDisposableStack();
    const testing = await testDatabase();
    stack.defer(() => testing.drop());
    const { sql } = testing.database;
    const role = `paged_${process.pid}`;
    await sql.unsafe(`CREATE ROLE ${role} LOGIN SUPERUSER PASSWORD 'x'`);
    stack.defer(async () => void (await sql.unsafe(`DROP ROLE ${role}`)));
    const url = Object.assign(new URL(testing.url), { username: role, password: 'x' });
    const service = await startServiceProcess({ variables: { DATABASE_URL: url.href } });
    stack.defer(() => service.end('SIGTERM'));
    const { received, url: receiver } = await startReceiver(stack);
    const alertmanager = await startAlertmanager(stack, receiver);
    const prometheus = await startPrometheus({
      metrics: service.managementUrl,
      rules: deployed('alerts.yml'),
      alertmanager,
    });
    stack.defer(() => prometheus.stop());
    const isFiring = async (name: string) =>
      ((await prometheus.ask('alerts')).alerts as Alert[]).some(
        ({ labels, state }) => labels.alertname === name && state === 'firing',
      );
    const readiness = async () =>
      (await prometheus.ask('query', { query: 'kontor_ready' })).result[0]?.value[1];
    while ((await readiness()) !== '1') await delay(100);

    const begun = Date.now();
    await sql.unsafe(`ALTER ROLE ${role} NOLOGIN`);
    await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = ${role}`;
    while (received.length === 0) await delay(100);
    assert.ok(Date.now() - begun < 60_000, 'within a minute');

    // The other alerts of an outage fire minutes later, so they are sent here.
    const others = ['KontorServerErrors', 'KontorDatabaseErrors', 'KontorDown'];
    await fetch(`http://${alertmanager}/api/v2/alerts`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(
        others.map(alertname => ({
          labels: { alertname, severity: alertname === 'KontorDown' ? 'warning' : 'critical' },
        })),
      ),
    });
    const suppressed = async () => {
      const answer = await fetch(`http://${alertmanager}/api/v2/alerts?active=false`);
      return namesOf((await answer.json()) as Alert[]);
    };
    while ((await suppressed()).length < others.length) await delay(100);
    assert.deepEqual(await suppressed(), others.toSorted());
    assert.deepEqual(
      received.map(({ receiver, status, alerts }) => [receiver, status, namesOf(alerts)]),
      [['page', 'firing', ['KontorUnavailable']]],
    );

    await sql.unsafe(`ALTER ROLE ${role} LOGIN`);
    while (await isFiring('KontorUnavailable')) await delay(100);
    assert.equal(await readiness(), '1');
    assert.ok(!(await isFiring('KontorDatabaseErrors')), 'the errors of the outage are not a second page');
  },
);
