import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('..', import.meta.url));

/**
 * Runs node:test against the server of a URL, and answers its exit status. Without a file among the arguments it runs all
 * tests. Ctrl-C ends the run; the caller then still cleans up.
 */
export async function runTests(databaseUrl: string, args: readonly string[]): Promise<number> {
  const chosen = args.some(argument => !argument.startsWith('-'));
  const files = chosen ? [] : ['packages/*/test/**/*.test.ts'];
  const child = spawn(
    process.execPath,
    ['--test', '--test-concurrency=2', '--test-reporter=./tools/test-reporter.ts', ...args, ...files],
    { cwd: repository, stdio: 'inherit', env: { ...process.env, KONTOR_TEST_DATABASE_URL: databaseUrl } },
  );
  const stop = (signal: NodeJS.Signals) => child.kill(signal);
  process.on('SIGINT', stop).on('SIGTERM', stop);
  const [status] = (await once(child, 'exit')) as [number | null];
  process.off('SIGINT', stop).off('SIGTERM', stop);
  return status ?? 1;
}
