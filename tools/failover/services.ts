import { type ChildProcess, spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '../../packages/server/test/support/service/free-port.ts';
import { type Environment, program, runKontor, variables } from '../faults/kontor.ts';

/** `kontor serve` on a port of its own, where it can be started again. */
export interface Service {
  /** Ends in `/v1`. */
  readonly url: string;
  readonly managementUrl: string;
  readonly pid: number;
  /** Kills the process without a warning, and starts another one. */
  restart(): Promise<void>;
  stop(): void;
}

/** Clients of services on one database need this. */
export interface Setup {
  /** Addresses of the services, ending in `/v1`. */
  readonly urls: readonly string[];
  /** An API key. */
  readonly key: string;
  /** An employee who may report incidents. */
  readonly employee: string;
}

/** Starts a service, and resolves when it is ready. Its log goes to the folder of the environment. */
async function startService(environment: Environment, name: string): Promise<Service> {
  const [port, managementPort] = [await findFreePort(), await findFreePort()];
  const log = openSync(path.join(environment.folder, `${name}.log`), 'a');
  const managementUrl = `http://127.0.0.1:${managementPort}`;
  let child: ChildProcess;
  const start = async () => {
    const args = ['serve', '--port', `${port}`, '--management-port', `${managementPort}`, '--json'];
    child = spawn(process.execPath, [program, ...args], {
      stdio: ['ignore', log, log],
      env: { ...variables(environment), KONTOR_QUOTA: '1000000/60' },
    });
    for (const until = performance.now() + 240_000; ; await delay(50)) {
      const ready = await fetch(`${managementUrl}/readyz`, { signal: AbortSignal.timeout(1_000) }).catch(
        () => null,
      );
      if (ready?.ok) return;
      if (performance.now() < until && child.exitCode === null) continue;
      child.kill('SIGKILL');
      throw new Error(`${name} does not start, see its log`);
    }
  };
  await start();
  return {
    url: `http://127.0.0.1:${port}/v1`,
    managementUrl,
    get pid() {
      return child.pid!;
    },
    async restart() {
      child.kill('SIGKILL');
      await start();
    },
    stop: () => void child.kill('SIGKILL'),
  };
}

/** Starts services of these names, with an organization. */
export async function startServices(
  environment: Environment,
  names: readonly string[],
): Promise<Setup & { readonly services: readonly Service[] } & AsyncDisposable> {
  await using started = new AsyncDisposableStack();
  const services: Service[] = [];
  for (const name of names) {
    const service = await startService(environment, name);
    started.defer(() => service.stop());
    services.push(service);
  }
  const setup = await prepareOrganization(
    environment,
    services.map(({ url }) => url),
  );
  const stack = started.move();
  return { ...setup, services, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

/** Makes an organization with a key and an active employee, through services at these addresses. */
export async function prepareOrganization(environment: Environment, urls: readonly string[]): Promise<Setup> {
  const kontor = <Result>(...args: string[]) => runKontor<Result>(environment, ...args);
  const { id: organization } = await kontor<{ id: string }>('organization', 'create', '--name', 'Drill');
  const inside = ['--organization', organization];
  const { id: tenant } = await kontor<{ id: string }>('tenant', 'create', ...inside, '--name', 'Drill');
  const scope = ['--name', 'drill', '--tenant', tenant];
  const { key } = await kontor<{ key: string }>('key', 'create', ...inside, ...scope);
  const person = { email: 'drill@example.com', firstName: 'D', lastName: 'R' };
  const created = await fetch(`${urls[0]!}/employees`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(person),
  });
  const { id: employee } = (await created.json()) as { id: string };
  await kontor('employee', 'activate', employee);
  return { urls, key, employee };
}
