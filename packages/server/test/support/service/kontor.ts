import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { testPepper } from '../data/test-data.ts';

const program = fileURLToPath(import.meta.resolve('../../../bin/kontor.js'));

export interface ProcessOptions {
  /** Options of the command line. */
  readonly args?: readonly string[];
  /** Environment variables on top of those of the tests. */
  readonly variables?: Readonly<Record<string, string>>;
  /** A module that is loaded first, and may answer messages. */
  readonly preload?: string;
}

/** Starts `kontor` with these arguments and `--json`. Its log is at most errors, on the stderr of the tests. */
function startKontor(args: readonly string[], options: ProcessOptions = {}): ChildProcess {
  const preload = options.preload === undefined ? [] : ['--import', options.preload];
  return spawn(process.execPath, [...preload, program, ...args, '--json'], {
    stdio: ['ignore', 'pipe', 'inherit', ...(options.preload === undefined ? [] : (['ipc'] as const))],
    env: {
      ...process.env,
      KONTOR_KEY_PEPPER: testPepper.toString('utf8'),
      KONTOR_LOG_LEVEL: 'silent',
      ...options.variables,
    },
  });
}

/** Runs a command to its end and answers its exit code and the object that it printed, if any. */
export async function runKontor(
  args: readonly string[],
  options?: ProcessOptions,
): Promise<{ exitCode: number | null; json: any }> {
  const child = startKontor(args, options);
  const exit = once(child, 'exit') as Promise<[number | null]>;
  let text = '';
  for await (const chunk of child.stdout!) text += String(chunk);
  const [exitCode] = await exit;
  return { exitCode, json: text === '' ? null : JSON.parse(text) };
}

/** A service in a process of its own, on free ports. */
export interface ServiceProcess {
  readonly url: string;
  readonly managementUrl: string;
  readonly pid: number;
  /** Sends a message to the module that was loaded first, and resolves with its answer. */
  ask(message: string): Promise<unknown>;
  /** Sends a signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<void>;
}

/** Services that were not stopped, since a test failed: they do not outlive this process. */
const running = new Set<ChildProcess>();
process.on('exit', () => running.forEach(child => child.kill('SIGKILL')));

/** Starts `kontor serve` and resolves when it answers, with a quota that tests do not reach by accident. */
export async function startServiceProcess(options: ProcessOptions): Promise<ServiceProcess> {
  const child = startKontor(['serve', '--port', '0', '--management-port', '0', ...(options.args ?? [])], {
    ...options,
    variables: { KONTOR_QUOTA: '1000000/60', ...options.variables },
  });
  running.add(child);
  const ended = once(child, 'exit').finally(() => running.delete(child));
  const lines = createInterface(child.stdout!);
  const first = await Promise.race([once(lines, 'line'), ended.then(() => null)]);
  if (first === null) throw new Error(`kontor serve ended with ${String(child.exitCode)} before it answered`);
  const { baseUrl, managementUrl } = JSON.parse(String(first[0])) as Record<string, string>;
  for (const handle of [child, child.stdout as Socket, child.channel]) handle?.unref();
  return {
    url: new URL(baseUrl!).origin,
    managementUrl: managementUrl!,
    pid: child.pid!,
    async ask(message) {
      const answered = once(child, 'message');
      child.send(message);
      return ((await answered) as unknown[])[0];
    },
    async end(signal) {
      child.ref();
      child.kill(signal);
      await ended;
    },
  };
}
