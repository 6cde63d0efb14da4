import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('../../bin/kontor.js', import.meta.url));

/** Milliseconds that a test waits for a line, after which the command is ended. */
const longestPause = 120_000;

type Variables = Readonly<Record<string, string>>;

/** What a finished run of `kontor` left. */
export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A `kontor` in progress. */
export interface Running {
  readonly process: ChildProcess;
  /** Resolves with the first line of the stream that the pattern matches. @throws Error when the process ends before. */
  line(pattern: RegExp, stream?: 'stdout' | 'stderr'): Promise<string>;
  /** Resolves when the process has ended. */
  readonly ended: Promise<Run>;
}

/**
 * Starts the real command with these variables and nothing else of Kontor's in its environment; `program` is that of another
 * version.
 */
export function start(args: readonly string[], variables: Variables, program: string = script): Running {
  const { PATH = '', HOME = '', TMPDIR = '/tmp', NODE_COMPILE_CACHE = '' } = process.env;
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const output = { stdout: '', stderr: '' };
  const changed = new EventTarget();
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
      changed.dispatchEvent(new Event('change'));
    });
  const ended = once(child, 'close').then(([code]): Run => ({ code: code as number | null, ...output }));
  void ended.then(() => changed.dispatchEvent(new Event('change')));
  return {
    process: child,
    ended,
    line(pattern, stream = 'stdout') {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      // Else a command without output would outlive its test, and hold up the run.
      const late = setTimeout(() => child.kill('SIGKILL'), longestPause);
      const inspect = () => {
        const found = output[stream]
          .split('\n')
          .slice(0, -1)
          .find(line => pattern.test(line));
        if (found !== undefined) resolve(found);
        else if (child.exitCode !== null || child.signalCode !== null)
          reject(new Error(`kontor ended without ${pattern}: ${output.stderr}`));
      };
      changed.addEventListener('change', inspect);
      inspect();
      return promise.finally(() => clearTimeout(late));
    },
  };
}

/** Runs the real command to its end. */
export function kontor(args: readonly string[], variables: Variables): Promise<Run> {
  return start(args, variables).ended;
}

/** The processes whose command line names the text; Linux only. */
export async function processesNaming(text: string): Promise<string[]> {
  const ids = (await readdir('/proc')).filter(name => /^\d+$/.test(name));
  const lines = await Promise.all(ids.map(id => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')));
  return lines.filter(line => line.includes(text)).map(line => line.replaceAll('\0', ' '));
}
