import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('..', import.meta.url));

/** Aborted by Ctrl-C and SIGTERM, from the moment this module is loaded on: whatever was started must be stopped. */
const interruption = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => interruption.abort());

/**
 * Runs node:test against the server of a URL, and answers its exit status. Without a file among the arguments it runs all
 * tests. Ctrl-C ends the run; the caller then still cleans up.
 */
export async function runTests(databaseUrl: string, args: readonly string[]): Promise<number> {
  const { signal } = interruption;
  if (signal.aborted) return 130;
  const chosen = args.some(argument => !argument.startsWith('-'));
  const files = chosen ? [] : ['packages/*/test/**/*.test.ts'];
  const child = spawn(
    process.execPath,
    ['--test', '--test-concurrency=2', '--test-reporter=./tools/test-reporter.ts', ...args, ...files],
    { cwd: repository, stdio: 'inherit', env: { ...process.env, KONTOR_TEST_DATABASE_URL: databaseUrl } },
  );
  signal.addEventListener('abort', () => child.kill('SIGINT'));
  const [status] = (await once(child, 'exit')) as [number | null];
  return signal.aborted ? 130 : (status ?? 1);
}
