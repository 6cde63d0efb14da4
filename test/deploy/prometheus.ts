import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '../../packages/server/test/support/service/free-port.ts';

/** Why Prometheus cannot be run here; false: it can. */
export const noPrometheus = ((): string | false => {
  const missing = ['prometheus', 'promtool'].find(
    program => spawnSync(program, ['--version']).error !== undefined,
  );
  return missing !== undefined && `there is no ${missing}`;
})();

/** A Prometheus that reads the metrics of a service every second. */
export interface Prometheus {
  /** The data of an answer of its API. */
  ask(path: string, query?: Record<string, string>): Promise<any>;
  stop(): Promise<void>;
}

/** Starts Prometheus on a free port of this machine, and resolves when it answers. */
export async function startPrometheus(options: {
  metrics: string;
  rules: string;
  /** Host and port of an Alertmanager. */
  alertmanager?: string;
}): Promise<Prometheus> {
  const folder = await mkdtemp(path.join(tmpdir(), 'kontor-prometheus-'));
  const file = path.join(folder, 'prometheus.json');
  // JSON is YAML.
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [options.rules],
    ...(options.alertmanager !== undefined && {
      alerting: { alertmanagers: [{ static_configs: [{ targets: [options.alertmanager] }] }] },
    }),
    scrape_configs: [{ job_name: 'kontor', static_configs: [{ targets: [new URL(options.metrics).host] }] }],
  };
  await writeFile(file, JSON.stringify(config));
  const address = `127.0.0.1:${await findFreePort()}`;
  const flags = [`--config.file=${file}`, `--storage.tsdb.path=${folder}`, `--web.listen-address=${address}`];
  const child = spawn('prometheus', [...flags, '--log.level=error'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const ended = once(child, 'exit');
  const isReady = () =>
    fetch(`http://${address}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`Prometheus ended with ${child.exitCode}`);
    await delay(50);
  }
  return {
    async ask(page, query = {}) {
      const answer = await fetch(`http://${address}/api/v1/${page}?${new URLSearchParams(query)}`);
      const body = (await answer.json()) as { status: string; error?: string; data: unknown };
      if (body.status !== 'success') throw new Error(`${query['query'] ?? page}: ${body.error}`);
      return body.data;
    },
    async stop() {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}
