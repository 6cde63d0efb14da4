import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('..', import.meta.url));

/** Aborted by Ctrl-C and SIGTERM, from the moment this module is loaded on: whatever was started must be stopped. */
const interruption = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => interruption.abort());

/**
 * Runs node:test against the server of a URL, and answers its exit status. Without a file among the arguments it runs all
 * tests; without any argument it also fails when a declared error code has no test. Ctrl-C ends the run; the caller then
 * still cleans up.
 */
export async function runTests(databaseUrl: string, args: readonly string[]): Promise<number> {
  if (args.length > 0) return runNode(args, { KONTOR_TEST_DATABASE_URL: databaseUrl });
  const folder = await mkdtemp(path.join(tmpdir(), 'kontor-answers-'));
  const answers = path.join(folder, 'answers');
  await writeFile(answers, '');
  try {
    return await runNode([], { KONTOR_TEST_DATABASE_URL: databaseUrl, KONTOR_TEST_ANSWERS: answers });
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function runNode(args: readonly string[], variables: Record<string, string>): Promise<number> {
  const { signal } = interruption;
  if (signal.aborted) return 130;
  const chosen = args.some(argument => !argument.startsWith('-'));
  const files = chosen ? [] : ['packages/*/test/**/*.test.ts'];
  const child = spawn(
    process.execPath,
    ['--test', '--test-concurrency=2', '--test-reporter=./tools/test-reporter.ts', ...args, ...files],
    { cwd: repository, stdio: 'inherit', env: { ...process.env, ...variables } },
  );
  signal.addEventListener('abort', () => child.kill('SIGINT'));
  const [status] = (await once(child, 'exit')) as [number | null];
  return signal.aborted ? 130 : (status ?? 1);
}
