import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { type TestDatabase, testDatabase } from '../../packages/server/test/support/database.ts';
import type { Sql } from '../../packages/server/test/support/sql.ts';
import { insertTestData, testPepper, type TestData } from '../../packages/server/test/support/test-data.ts';
import { program, variables } from '../faults/kontor.ts';

/** `kontor serve` on this machine, in a process of its own. */
export interface ServiceProcess {
  readonly url: string;
  readonly managementUrl: string;
  /** Sends a message to the modules that were loaded before the service, and resolves with what they send back. */
  ask(message: string): Promise<unknown>;
  end(signal: NodeJS.Signals): Promise<void>;
}

/** A database of its own with the organizations of the tests, which services are started on. */
export interface Target extends AsyncDisposable {
  readonly sql: Sql;
  readonly testData: TestData;
  /** Starts a service; `preload` is a module that is loaded before it. */
  start(preload?: string): Promise<ServiceProcess>;
}

export async function openTarget(): Promise<Target> {
  const testing: TestDatabase = await testDatabase();
  const folder = await mkdtemp(path.join(tmpdir(), 'kontor-attack-'));
  const running = new Set<ServiceProcess>();
  const { sql } = testing.database;
  return {
    sql,
    testData: await insertTestData(sql),
    async start(preload) {
      const service = await startProcess({ folder, databaseUrl: testing.url }, preload);
      running.add(service);
      return service;
    },
    async [Symbol.asyncDispose]() {
      for (const service of running) await service.end('SIGTERM');
      await testing.drop();
      await rm(folder, { recursive: true });
    },
  };
}

async function startProcess(
  environment: Parameters<typeof variables>[0],
  preload: string | undefined,
): Promise<ServiceProcess> {
  const imports = preload === undefined ? [] : ['--import', preload];
  const args = [...imports, program, 'serve', '--port', '0', '--management-port', '0', '--json'];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: {
      ...variables(environment),
      KONTOR_KEY_PEPPER: testPepper.toString('utf8'),
      KONTOR_LOG_LEVEL: 'silent',
      KONTOR_QUOTA: '1000000/60',
    },
  });
  const ended = once(child, 'exit');
  const first = await Promise.race([once(createInterface(child.stdout!), 'line'), ended.then(() => null)]);
  if (first === null) throw new Error(`kontor serve ended with ${String(child.exitCode)}`);
  const { baseUrl, managementUrl } = JSON.parse(String(first[0])) as Record<string, string>;
  return {
    url: new URL(baseUrl!).origin,
    managementUrl: managementUrl!,
    async ask(message) {
      const answered = once(child, 'message');
      child.send(message);
      return ((await answered) as unknown[])[0];
    },
    async end(signal) {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      await ended;
    },
  };
}
