import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { type Database, openDatabase } from '../packages/server/src/db/connect.ts';
import { migrate } from '../packages/server/src/db/migrate.ts';
import { createOrganization, createTenant } from '../packages/server/src/features/organizations/store.ts';

const program = path.join(import.meta.dirname, '../packages/server/bin/kontor.js');

/** The announcement of `kontor serve` or `kontor demo`, and its process. */
export interface Announced {
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  readonly managementUrl: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Runs `kontor serve`, or another command that announces itself, on free ports until it is stopped. */
export async function startKontor<More = unknown>(
  environment: Readonly<Record<string, string>>,
  args: readonly string[] = ['serve'],
): Promise<Announced & More> {
  const child: ChildProcess = spawn(process.execPath, [program, ...args, '--json'], {
    env: { ...process.env, PORT: '0', MANAGEMENT_PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit');
  const line = await Promise.race([once(createInterface(child.stdout!), 'line'), ended.then(() => null)]);
  if (line === null) throw new Error(`kontor ${args.join(' ')} ended with ${child.exitCode}`);
  return {
    ...(JSON.parse(String(line[0])) as Announced & More),
    pid: child.pid!,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** An embedded database with one organization and company, which the service is started on once it is filled. */
export interface FreshService extends AsyncDisposable {
  readonly database: Database;
  readonly dataDirectory: string;
  readonly organization: string;
  readonly tenant: string;
  start(): Promise<Announced>;
}

/** Opens a database in a temporary folder. All is removed in the end. */
export async function openFresh(name: string): Promise<FreshService> {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(path.join(tmpdir(), `kontor-${name}-`));
  opened.defer(() => rm(folder, { recursive: true }));
  const dataDirectory = path.join(folder, 'data');
  const database = await openDatabase({ dataDirectory, owner: 'service', poolSize: 4 });
  opened.defer(() => database.close());
  await migrate(database);
  const organization = await createOrganization(database.writes, `bench ${name}`);
  const tenant = await createTenant(database.writes, organization, 'Muster GmbH');
  const all = opened.move();
  return {
    database,
    dataDirectory,
    organization,
    tenant,
    async start() {
      const service = await startKontor({ KONTOR_DATA_DIR: dataDirectory });
      all.defer(() => service.stop());
      return service;
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** The day, the machine and its load, which each report begins with. */
export function describeMachine(): string {
  const day = new Date().toISOString().slice(0, 10);
  return `${day}, ${cpus().length} × ${cpus()[0]?.model ?? 'cores'}, Node ${process.version}, load ${loadavg()[0]!.toFixed(1)}`;
}
