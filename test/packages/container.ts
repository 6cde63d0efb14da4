import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdir, readFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const repository = fileURLToPath(new URL('../..', import.meta.url));
const file = path.join(repository, 'deploy/Containerfile');

/** Where the image has Kontor. */
const home = '/opt/kontor';

/** The steps of deploy/Containerfile, done one by one in a folder in the place of the image's. */
export class Container {
  readonly folder: string;
  readonly #text: string;

  private constructor(folder: string, text: string) {
    this.folder = folder;
    this.#text = text;
  }

  /** A folder with the packed files, which any user may enter. */
  static async make(folder: string, packed: readonly string[]): Promise<Container> {
    await mkdir(folder);
    await chmod(folder, 0o755);
    for (const name of packed) await copyFile(name, path.join(folder, path.basename(name)));
    return new Container(folder, await readFile(file, 'utf8'));
  }

  /** Runs the step that installs. */
  async install(): Promise<void> {
    for (const step of this.#given('RUN')) await run('sh', ['-c', step], { cwd: this.folder });
  }

  /** The installed packages whose version is not the one that the tests of the repository ran with. */
  async findUntested(): Promise<string[]> {
    const read = async (lock: string) =>
      (JSON.parse(await readFile(lock, 'utf8')) as { packages: Record<string, { version: string }> })
        .packages;
    const installed = await read(path.join(this.folder, 'node_modules/.package-lock.json'));
    const tested = await read(path.join(repository, 'package-lock.json'));
    return Object.entries(installed)
      .filter(([place, { version }]) => tested[place]?.version !== version)
      .map(([place, { version }]) => `${place} ${version}`);
  }

  /** Starts the command as the user of the image, where the tests may do so, asks for its health, and stops it; answers its status. */
  async serve(databaseUrl: string): Promise<number | null> {
    const [program, ...args] = [...this.#given('ENTRYPOINT'), ...this.#given('CMD')].flatMap(text =>
      this.#words(text),
    );
    const variables = this.#given('ENV').flatMap(line =>
      line.split(' ').map(pair => pair.split('=') as [string, string]),
    );
    const env = {
      ...Object.fromEntries(variables),
      PATH: `${path.dirname(process.execPath)}:${process.env['PATH']}`,
      DATABASE_URL: databaseUrl,
      KONTOR_KEY_PEPPER: 'the pepper of a container, and no secret',
      KONTOR_DRAIN: '0',
      PORT: '0',
      MANAGEMENT_PORT: '0',
    };
    const [uid, gid] = this.#given('USER')[0]!.split(':').map(Number);
    const user = process.getuid?.() === 0 ? { uid: uid!, gid: gid! } : {};
    const options = { cwd: this.folder, env, ...user };
    const child = spawn(program!, [...args, '--json'], { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      const health = this.#given('HEALTHCHECK CMD')[0]!.replace('8081', await managementPort(child));
      const [node, ...rest] = this.#words(health);
      await run(node!, rest, { env });
    } finally {
      child.kill('SIGTERM');
    }
    const [status] = (await once(child, 'close')) as [number | null];
    return status;
  }

  /** The arguments of the lines with this word. */
  #given(word: string): string[] {
    return [...this.#text.matchAll(new RegExp(`^${word} (.*)$`, 'gm'))].map(([, rest]) => rest!);
  }

  #words(text: string): string[] {
    return (JSON.parse(text) as string[]).map(word => word.replace(home, this.folder));
  }
}

async function managementPort(child: ChildProcess): Promise<string> {
  const ended = once(child, 'close').then(() => {
    throw new Error('kontor ended before it answered');
  });
  const [line] = (await Promise.race([once(createInterface(child.stdout!), 'line'), ended])) as [string];
  ended.catch(() => {});
  return new URL((JSON.parse(line) as { managementUrl: string }).managementUrl).port;
}

/** PostgreSQL as another container sees it, by TCP: passes everything on to the socket of a server that has only that. */
export async function overTcp(databaseUrl: string): Promise<{ url: string; server: Server }> {
  const url = new URL(databaseUrl);
  const socket = path.join(url.searchParams.get('host')!, `.s.PGSQL.${url.port || '5432'}`);
  const server = createServer(near => {
    const far = connect(socket);
    for (const side of [near, far]) side.on('error', () => [near, far].forEach(each => each.destroy()));
    near.pipe(far).pipe(near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url.search = '';
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: url.href, server };
}
