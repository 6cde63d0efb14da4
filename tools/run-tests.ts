import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ChosenTests, chooseTests, NoTests } from './chosen-tests.ts';

const repository = fileURLToPath(new URL('..', import.meta.url));

/** Aborted by Ctrl-C and SIGTERM, from the moment this module is loaded on: whatever was started must be stopped. */
const interruption = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => interruption.abort());

/** A PostgreSQL server for the tests. */
export interface TestServer {
  /** A database from which others can be made. */
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Runs the tests that the arguments choose (see {@link chooseTests}) against a server that is started for them, and answers
 * the exit status of node:test. Ctrl-C ends the run; the server is stopped all the same.
 *
 * Runs that are given one KONTOR_TEST_ANSWERS collect in it what was answered. The one without any argument is the last of them:
 * it fails when a declared answer was never given.
 */
export async function runTests(start: () => Promise<TestServer>, args: readonly string[]): Promise<number> {
  const chosen = await chooseTests(args, repository).catch((error: unknown) => {
    if (!(error instanceof NoTests)) throw error;
    console.error(`error: ${error.message}`);
    return null;
  });
  if (chosen === null || !(await isGenerated())) return 1;
  const server = await start();
  try {
    return await runOn(server.url, chosen, args.length === 0);
  } finally {
    await server.stop();
  }
}

/** Whether the generated files are up to date; else it names the command to run. Without this every test of an answer would fail instead. */
async function isGenerated(): Promise<boolean> {
  const check = spawn(process.execPath, ['tools/generate.ts', '--check'], {
    cwd: repository,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [status] = (await once(check, 'exit')) as [number | null];
  return status === 0;
}

async function runOn(url: string, chosen: ChosenTests, whole: boolean): Promise<number> {
  const folder = await mkdtemp(path.join(tmpdir(), 'kontor-test-run-'));
  // Every file of tests is a process of its own. With this its imports take half of the CPU time.
  const variables: Record<string, string> = {
    KONTOR_TEST_DATABASE_URL: url,
    KONTOR_TEST_PAGES: 'built',
    NODE_COMPILE_CACHE: path.join(folder, 'compiled'),
  };
  if (whole) variables.KONTOR_TEST_WHOLE = 'yes';
  try {
    execFileSync(process.execPath, ['tools/build.ts', '--if-changed'], {
      cwd: repository,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return await runNode(chosen, variables);
  } finally {
    // A process that outlives its test for a moment may still write to the cache.
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

/** Files that run at the same time: one more than the two cores of CI, since many wait for a second now and then. */
const concurrency = 3;

/** Milliseconds after which a test that still waits has failed. Else a hang would have no name. */
const longest = 600_000;

async function runNode({ options, files }: ChosenTests, variables: Record<string, string>): Promise<number> {
  const { signal } = interruption;
  if (signal.aborted) return 130;
  const runner = [
    '--import=./tools/left-open.ts',
    '--test',
    `--test-concurrency=${concurrency}`,
    '--test-reporter=./tools/test-reporter.ts',
    `--test-timeout=${longest}`,
  ];
  const child = spawn(process.execPath, [...runner, ...options, ...files], {
    cwd: repository,
    stdio: 'inherit',
    env: { ...process.env, ...variables },
  });
  signal.addEventListener('abort', () => child.kill('SIGINT'));
  const [status] = (await once(child, 'exit')) as [number | null];
  return signal.aborted ? 130 : (status ?? 1);
}
