import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { program, type Environment, variables } from './kontor.ts';

/** `kontor serve` as a process with a busy event loop. */
export interface Service {
  /** Ends in `/v1`. */
  readonly url: string;
  readonly managementUrl: string;
  /** What it died of; null while it runs. */
  death(): string | null;
  /** Returns errors that were not caught and answers of 5xx in its log, each once. */
  complaints(): { readonly uncaught: string[]; readonly failed: string[] };
  stop(): Promise<void>;
}

export interface ServiceOptions {
  readonly seed: number;
  /** A file that its log goes to. */
  readonly log: string | undefined;
}

/** How long the service may take to end when it is reported to, in milliseconds. */
const stopTimeout = 5000;

/** How many lines are reported of its output while it dies. */
const lastWords = 12;

/** Starts the service, and resolves when it answers. */
export async function startService(environment: Environment, options: ServiceOptions): Promise<Service> {
  const errors = path.join(environment.folder, `errors-${randomUUID()}`);
  const child = startProcess({
    ...variables(environment),
    KONTOR_FAULTS_ERRORS: errors,
    KONTOR_FAULTS_SEED: String(options.seed),
  });
  const logged = readLog(child, options.log);
  const ended = once(child, 'exit');
  const death = () =>
    child.exitCode === null && child.signalCode === null
      ? null
      : `with ${child.exitCode ?? child.signalCode} ${logged.other.slice(-lastWords).join(' ')}`;
  const announced = await Promise.race([
    once(createInterface(child.stdout!), 'line') as Promise<[string]>,
    ended.then(() => null),
  ]);
  if (announced === null) throw new Error(`kontor serve ended ${death()}`);
  const { baseUrl, managementUrl } = JSON.parse(announced[0]) as { baseUrl: string; managementUrl: string };
  return {
    url: baseUrl,
    managementUrl,
    death,
    complaints: complaintsIn(errors, logged),
    async stop() {
      const impatience = setTimeout(() => child.kill('SIGKILL'), stopTimeout);
      child.kill('SIGTERM');
      await ended;
      clearTimeout(impatience);
    },
  };
}

function startProcess(environment: NodeJS.ProcessEnv): ChildProcess {
  const preloads = [import.meta.resolve('./watched.ts'), import.meta.resolve('./busy-loop.ts')];
  const imports = preloads.flatMap(file => ['--import', file]);
  const args = [...imports, program, 'serve', '--port', '0', '--management-port', '0', '--json'];
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe', 'pipe'], env: environment });
}

/** What the service has logged. */
interface LogLines {
  /** Answers of 5xx but 503. */
  readonly failed: string[];
  /** Lines that are no log. */
  readonly other: string[];
}

function readLog(child: ChildProcess, file: string | undefined): LogLines {
  const logged: LogLines = { failed: [], other: [] };
  const copy = file === undefined ? null : createWriteStream(file, { flags: 'a' });
  createInterface(child.stderr!).on('line', line => {
    copy?.write(`${line}\n`);
    if (!line.startsWith('{')) logged.other.push(line);
    else if (/"status":5(?!03)\d\d\b/.test(line)) logged.failed.push(line);
  });
  return logged;
}

function complaintsIn(file: string, logged: LogLines): Service['complaints'] {
  let reported = 0;
  return () => {
    const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
    const uncaught = lines.slice(reported);
    reported = lines.length;
    return { uncaught, failed: logged.failed.splice(0) };
  };
}
