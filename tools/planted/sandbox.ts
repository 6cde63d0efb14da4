import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { PlacedFault } from './fault.ts';

/** Folders of node_modules that lead back into the repository. */
const workspaces = new Set(['kontor', '@kontor']);

/** Milliseconds that the tests of one fault may take, and those of all without a fault. */
const timeouts = { fault: 600_000, all: 1_800_000 };

/** How a run of tests ended, with what it printed. */
interface TestRun {
  readonly outcome: 'passed' | 'failed' | 'timed out';
  readonly output: string;
}

/** A copy of the repository in which faults are planted one after the other. */
export class Sandbox implements AsyncDisposable {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Copies the files that git knows or would add, and the pages that were built. Dependencies are links to the original. */
  static async copy(root: string): Promise<Sandbox> {
    const folder = await mkdtemp(path.join(tmpdir(), 'kontor-planted-'));
    const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root });
    const built = ['packages/server/documentation', 'packages/server/portal'];
    const files = [...listed.toString().split('\0').filter(Boolean), ...built];
    for (const file of files) {
      const target = path.join(folder, file);
      await mkdir(path.dirname(target), { recursive: true });
      await cp(path.join(root, file), target, { recursive: true }).catch(ignoreMissing);
    }
    await linkModules(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
    return new Sandbox(folder);
  }

  /** Runs tests without a fault. */
  test(tests: readonly string[], databaseUrl: string, timeout = timeouts.all): Promise<TestRun> {
    return runTests(this.#folder, tests, { databaseUrl, timeout });
  }

  /** Plants a fault, runs its tests and takes the fault away. A fault is caught when they fail, not when they time out. */
  async plant({ file, before, after, tests }: PlacedFault, databaseUrl: string): Promise<TestRun['outcome']> {
    const place = path.join(this.#folder, file);
    const text = await readFile(place, 'utf8');
    await writeFile(
      place,
      text.replace(before, () => after),
    );
    try {
      return (await this.test(tests, databaseUrl, timeouts.fault)).outcome;
    } finally {
      await writeFile(place, text);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** A file that was deleted but not committed is listed all the same. */
function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

/** The packages of the repository itself are linked within the copy, so that its tests never run the original. */
async function linkModules(from: string, to: string): Promise<void> {
  await mkdir(path.join(to, '@kontor'), { recursive: true });
  for (const name of await readdir(from))
    if (!workspaces.has(name)) await symlink(path.join(from, name), path.join(to, name));
  await symlink('../packages/server', path.join(to, 'kontor'));
  for (const name of await readdir(path.join(from, '@kontor')))
    await symlink(`../../packages/${name}`, path.join(to, '@kontor', name));
}

async function runTests(
  cwd: string,
  tests: readonly string[],
  { databaseUrl, timeout }: { databaseUrl: string; timeout: number },
): Promise<TestRun> {
  const runner = ['--import=./tools/left-open.ts', '--test', '--test-concurrency=2', '--test-reporter=dot'];
  const child = spawn(process.execPath, [...runner, ...tests], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, KONTOR_TEST_DATABASE_URL: databaseUrl, KONTOR_TEST_CLOSING_TIME: '10000' },
    timeout,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [status] = (await once(child, 'close')) as [number | null];
  return { outcome: child.killed ? 'timed out' : status === 0 ? 'passed' : 'failed', output };
}
