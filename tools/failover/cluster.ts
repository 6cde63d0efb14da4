import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, existsSync, readFileSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { processTreeOf } from '../../bench/processes.ts';
import { findFreePort } from '../../packages/server/test/support/service/free-port.ts';
import { findDebianBinaries } from '../debian-postgres.ts';
import { prepareEnvironment } from '../clients/python-environment.ts';
import { has } from '../clients/sandbox.ts';

/** The version that lost no acknowledged write in any measured freeze. */
const patroniVersion = '4.1.5';

const requirements = [`patroni[etcd3]==${patroniVersion}`, 'psycopg[binary]'];

/** Python of Debian, as the user of the servers must be able to read it. */
const python = '/usr/bin/python3';

/** PostgreSQL rejects to run as root. */
const credentials = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** Seconds of Patroni: the leader keeps its key for `ttl`. They are shorter than the default ones, so that a drill is short. */
export const times = { ttl: 20, loop_wait: 5, retry_timeout: 5 };

/** A server with its agent. */
export interface Node {
  readonly name: string;
  readonly port: number;
  /** Port of the REST interface of Patroni. */
  readonly agentPort: number;
  readonly data: string;
  agent: ChildProcess;
}

/**
 * Three PostgreSQL servers under Patroni with synchronous replication, etcd, and HAProxy before them. With two, a new primary would acknowledge
 * nothing until the old one is back.
 */
export interface Cluster extends AsyncDisposable {
  /** Through HAProxy. */
  readonly url: string;
  readonly folder: string;
  /** Resolves when the cluster has a leader and a synchronous standby, and all nodes stream. @throws Error after the timeout */
  healthy(timeout: number): Promise<Roles>;
}

export interface Roles {
  readonly leader: Node;
  /** The synchronous one. */
  readonly standby: Node;
  readonly other: Node;
}

/** Finds the packages that have to be installed first. */
export function findMissing(): string[] {
  const packages = { etcd: 'etcd-server', haproxy: 'haproxy', [python]: 'python3-venv' };
  const missing = Object.entries(packages).flatMap(([program, name]) => (has(program) ? [] : [name]));
  return findDebianBinaries() === undefined ? [...missing, 'postgresql-15'] : missing;
}

/** Aborting the signal ends the wait for a healthy cluster. */
export async function startCluster(stopping: AbortSignal): Promise<Cluster> {
  await using started = new AsyncDisposableStack();
  const folder = await mkdtemp(path.join(tmpdir(), 'kontor-failover-'));
  started.defer(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755);
  const environment = await prepareEnvironment('patroni', requirements, python);
  const own = async (name: string) => {
    const made = path.join(folder, name);
    await mkdir(made, { mode: 0o700 });
    if (credentials.uid !== undefined) await chown(made, credentials.uid, credentials.gid);
    return made;
  };
  const run = (name: string, program: string, args: readonly string[], cwd: string): ChildProcess => {
    const child = spawn(program, args, {
      ...credentials,
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH!, HOME: cwd },
    });
    const log = createWriteStream(path.join(folder, `${name}.log`));
    child.on('error', error => log.write(`${error.message}\n`));
    child.stdout.pipe(log, { end: false });
    child.stderr.pipe(log, { end: false });
    return child;
  };

  const [etcdPort, peerPort, proxyPort] = [await findFreePort(), await findFreePort(), await findFreePort()];
  const peer = `http://127.0.0.1:${peerPort}`;
  const client = `http://127.0.0.1:${etcdPort}`;
  const etcdFolder = await own('etcd');
  const etcdArguments = {
    'data-dir': etcdFolder,
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `default=${peer}`,
  };
  const etcd = run(
    'etcd',
    'etcd',
    Object.entries(etcdArguments).map(([name, value]) => `--${name}=${value}`),
    etcdFolder,
  );
  started.defer(() => void etcd.kill('SIGKILL'));

  const nodes = await Promise.all(
    ['one', 'two', 'three'].map(async name => {
      const home = await own(name);
      const node = {
        name,
        port: await findFreePort(),
        agentPort: await findFreePort(),
        data: path.join(home, 'data'),
      };
      const file = path.join(folder, `${name}.json`);
      await writeFile(file, JSON.stringify(settingsOf(node, home, etcdPort)));
      const agent = run(name, path.join(environment, 'bin/patroni'), [file], home);
      started.defer(() => stopNode({ ...node, agent }));
      return { ...node, agent };
    }),
  );
  const proxyFile = path.join(folder, 'haproxy.cfg');
  await writeFile(proxyFile, proxyRules(proxyPort, nodes));
  const proxy = run('haproxy', 'haproxy', ['-db', '-f', proxyFile], folder);
  started.defer(() => void proxy.kill('SIGKILL'));

  const roles = async (): Promise<Roles> => {
    for (const { agentPort } of nodes) {
      const members = await membersBy(agentPort);
      const find = (state: string) => nodes.find(({ name }) => members?.[name] === state);
      const leader = find('leader running');
      const standby = find('sync_standby streaming');
      const other = find('replica streaming');
      if (leader && standby && other) return { leader, standby, other };
    }
    throw new Error('the cluster has no leader with two standbys');
  };
  const healthy = async (timeout: number) => {
    for (const until = performance.now() + timeout; ; await delay(200))
      try {
        return await roles();
      } catch (error) {
        if (performance.now() > until || stopping.aborted) throw error;
      }
  };
  const { leader } = await healthy(120_000);
  await createDatabase(leader.port);
  const stack = started.move();
  return {
    url: `postgres://postgres@127.0.0.1:${proxyPort}/kontor`,
    folder,
    healthy,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** JSON is YAML, which Patroni reads. */
function settingsOf({ name, port, agentPort, data }: Omit<Node, 'agent'>, home: string, etcdPort: number) {
  const user = (username: string) => ({ username, password: 'drill' });
  return {
    scope: 'kontor',
    name,
    restapi: { listen: `127.0.0.1:${agentPort}`, connect_address: `127.0.0.1:${agentPort}` },
    etcd3: { hosts: `127.0.0.1:${etcdPort}` },
    watchdog: { mode: 'off' },
    bootstrap: {
      dcs: {
        ...times,
        synchronous_mode: true,
        synchronous_mode_strict: true,
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 100, wal_keep_size: '256MB' } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: data,
      bin_dir: findDebianBinaries(),
      pgpass: path.join(home, 'pgpass'),
      authentication: {
        superuser: user('postgres'),
        replication: user('replicator'),
        rewind: user('rewinder'),
      },
      parameters: { unix_socket_directories: home },
      // The data of a drill is made up, and nothing but this machine reaches the servers.
      pg_hba: [
        'host all all 127.0.0.1/32 trust',
        'host replication all 127.0.0.1/32 trust',
        'local all all trust',
      ],
    },
  };
}

/** Without `on-marked-down shutdown-sessions`: Kontor must leave an old primary by itself. */
function proxyRules(port: number, nodes: readonly Node[]): string {
  const servers = nodes.map(
    node => `  server ${node.name} 127.0.0.1:${node.port} check port ${node.agentPort}\n`,
  );
  return `defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
listen postgres
  bind 127.0.0.1:${port}
  option httpchk GET /primary
  default-server inter 1s fall 2 rise 1
${servers.join('')}`;
}

/** Role and state of each member as an agent knows them; null when it does not answer. */
async function membersBy(agentPort: number): Promise<Record<string, string> | null> {
  try {
    const answer = await fetch(`http://127.0.0.1:${agentPort}/cluster`, {
      signal: AbortSignal.timeout(1_000),
    });
    const { members } = (await answer.json()) as { members: { name: string; role: string; state: string }[] };
    return Object.fromEntries(members.map(({ name, role, state }) => [name, `${role} ${state}`]));
  } catch {
    return null;
  }
}

/** Runs statements on a server, over a connection of their own. */
export async function query<Row>(url: string, text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 2_000,
    query_timeout: 5_000,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query(text, values)).rows as Row[];
  } finally {
    await client.end().catch(() => {});
  }
}

async function createDatabase(port: number): Promise<void> {
  await query(`postgres://postgres@127.0.0.1:${port}/postgres`, 'CREATE DATABASE kontor');
}

/** The main process of the PostgreSQL of a node; null when it does not run. */
export function postmasterOf({ data }: Pick<Node, 'data'>): number | null {
  const file = path.join(data, 'postmaster.pid');
  if (!existsSync(file)) return null;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  return existsSync(`/proc/${pid}`) ? pid : null;
}

/** All processes of a node: its agent, PostgreSQL, and the processes of its sessions. */
export function processesOf(node: Pick<Node, 'data' | 'agent'>): number[] {
  const postmaster = postmasterOf(node);
  const roots = postmaster === null ? [node.agent.pid!] : [node.agent.pid!, postmaster];
  return [...new Set(roots.flatMap(processTreeOf))];
}

export function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, name);
    } catch {
      // It has ended in the meantime.
    }
}

async function stopNode(node: Pick<Node, 'data' | 'agent'>): Promise<void> {
  signal(processesOf(node), 'SIGCONT');
  node.agent.kill('SIGKILL');
  const postmaster = postmasterOf(node);
  if (postmaster !== null) signal([postmaster], 'SIGQUIT');
  for (const until = performance.now() + 10_000; postmasterOf(node) !== null; await delay(50))
    if (performance.now() > until) return signal(processesOf(node), 'SIGKILL');
}
