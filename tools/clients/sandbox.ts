import { spawn, spawnSync } from 'node:child_process';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** The contract that clients are made from. */
export const document = path.join(repository, 'openapi/public.json');

/** Where sources of the sessions are. */
export const sessions = path.join(repository, 'tools/clients/sessions');

/**
 * Where everything is installed and built; it may be deleted at any time. Not below node_modules: there neither the compiler of
 * TypeScript nor Node takes a file for one of ours.
 */
export const cache = path.join(tmpdir(), `kontor-clients-${userInfo().uid}`);

/** A command failed or took too long; the message names it, and the place of its output. */
export class StepFailed extends Error {
  override readonly name = 'StepFailed';
}

/** A program with its arguments. */
export type Command = readonly [program: string, ...args: string[]];

/** Whether a program or a file can be found; of Python, whether it is new enough and can make environments. */
export function has(program: string): boolean {
  if (path.isAbsolute(program)) return existsSync(program);
  const usable = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))';
  const [name, ...args] =
    program === 'python3' ? [program, '-c', usable] : ['sh', '-c', `command -v ${program}`];
  return spawnSync(name, args, { stdio: 'ignore' }).status === 0;
}

/** A folder below the cache, created empty unless `keep` is set. */
export async function prepareFolder(name: string, keep = false): Promise<string> {
  const folder = path.join(cache, name);
  if (!keep) await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  return folder;
}

/** Minutes after which a command is given up, and a session. */
const timeout = { command: 10, session: 2 };

/**
 * Runs a command in a folder to its end; its output goes to `log` there, and what it prints is answered.
 * @throws StepFailed when it ends with another status than 0, but for a session, which prints its status.
 */
export async function run(
  folder: string,
  [program, ...args]: Command,
  options: { variables?: Record<string, string>; mayFail?: boolean } = {},
): Promise<string> {
  const log = createWriteStream(path.join(folder, 'log'), { flags: 'a' });
  log.write(`$ ${program} ${args.join(' ')}\n`);
  const child = spawn(program, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...quiet, ...options.variables },
    timeout: (options.mayFail === true ? timeout.session : timeout.command) * 60_000,
  });
  let printed = '';
  let end = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (end = (end + chunk.toString()).slice(-2000)));
    stream.pipe(log, { end: false });
  }
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.once('error', reject);
  child.once('close', resolve);
  const status = await promise;
  log.end();
  if (status === 0) return printed;
  // Where the log is gone, this is all that is known.
  console.error(end);
  if (options.mayFail === true) return printed;
  throw new StepFailed(`${path.basename(program)} ${args[0] ?? ''} failed, see ${path.join(folder, 'log')}`);
}

/** Attempts for what comes from a registry, and milliseconds between them: now and then one of them answers nothing. */
const attempts = 3;
const pause = 5_000;

/** The same for a command that installs from a registry, which is tried again when it fails. @throws StepFailed when it fails each time. */
export async function install(
  folder: string,
  command: Command,
  options: { variables?: Record<string, string> } = {},
): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      await run(folder, command, options);
      return;
    } catch (error) {
      if (!(error instanceof StepFailed) || attempt === attempts) throw error;
      await delay(pause);
    }
}

/** No generator calls home or asks for updates. */
const quiet = {
  SCARF_ANALYTICS: 'false',
  DO_NOT_TRACK: '1',
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  GOFLAGS: '-mod=mod',
  PYTHONUNBUFFERED: '1',
};
