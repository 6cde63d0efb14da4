import { execFileSync, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chmod, chown, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect, type Database } from '../../../src/db/connect.ts';
import { raw, sql } from '../../../src/db/sql.ts';
import { startTestCluster, type TestCluster } from './cluster.ts';

/** Why no certificates can be made here; false: they can. */
export const noOpenssl = spawnSync('openssl', ['version']).error !== undefined && 'there is no openssl';

/** A PostgreSQL with TCP on a loopback address of its own, which other tests do not use. */
export interface NetworkCluster extends TestCluster {
  readonly address: string;
  /** As administrator, over the socket. */
  readonly administer: Database;
  /** Replaces the lines of pg_hba.conf for TCP. */
  allow(...lines: readonly string[]): Promise<void>;
  /** A file that PostgreSQL may read, in its data folder. */
  addFile(name: string, bytes: Buffer | string): Promise<void>;
  /** Changes settings that a reload applies. */
  set(settings: Readonly<Record<string, string>>): Promise<void>;
}

export async function startNetworkCluster(folder?: string): Promise<NetworkCluster> {
  const address = `127.${randomInt(20, 250)}.${randomInt(250)}.${randomInt(2, 250)}`;
  const settings = {
    listen_addresses: address,
    wal_level: 'replica',
    max_wal_senders: '4',
    hot_standby: 'on',
  };
  const cluster = await startTestCluster({ settings, ...(folder !== undefined && { folder }) });
  const administer = connect({ url: cluster.url });
  const { uid, gid } = await stat(cluster.data);
  const addFile = async (name: string, bytes: Buffer | string) => {
    const file = path.join(cluster.data, name);
    await writeFile(file, bytes);
    await chmod(file, 0o600);
    await chown(file, uid, gid);
  };
  const reload = () => reloaded(administer);
  return {
    ...cluster,
    address,
    administer,
    addFile,
    async allow(...lines) {
      await addFile(
        'pg_hba.conf',
        ['local all all trust', 'local replication all trust', ...lines, ''].join('\n'),
      );
      await reload();
    },
    async set(values) {
      for (const [name, value] of Object.entries(values))
        await administer.writes.run(sql`ALTER SYSTEM SET ${raw(name)} = '${raw(value)}'`);
      await reload();
    },
    async stop() {
      await administer.close();
      await cluster.stop();
    },
  };
}

/** Reloads the configuration. Another session reads the time of that, which the postmaster sets. */
async function reloaded({ writes }: Database): Promise<void> {
  const [before] = await writes.rows<{ at: Date }>(sql`SELECT pg_conf_load_time() AS at`);
  await writes.run(sql`SELECT pg_reload_conf()`);
  for (;;) {
    const [after] = await writes.rows<{ at: Date }>(sql`SELECT pg_conf_load_time() AS at, pg_sleep(0.01)`);
    if (after!.at > before!.at) return;
  }
}

/** Files of certificates, made by openssl. */
export interface Certificates {
  readonly folder: string;
  /** The file of the authority. */
  readonly authority: string;
  /** The file of another authority. */
  readonly otherAuthority: string;
  /** The key and the certificate of the server. */
  readonly server: { readonly key: Buffer; readonly certificate: Buffer };
  /** The files of the user `kontor`. */
  readonly client: { readonly key: string; readonly certificate: string };
  remove(): Promise<void>;
}

/** `name` is what the certificate of the server is for, such as `DNS:localhost`. */
export async function makeCertificates(name: string): Promise<Certificates> {
  const folder = await mkdtemp(path.join(tmpdir(), 'kontor-certificates-'));
  const file = (end: string) => path.join(folder, end);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'ignore' });
  const authority = (end: string) => {
    const out = ['-keyout', file(`${end}.key`), '-out', file(`${end}.pem`)];
    openssl('req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', `/CN=${end}`, '-days', '1', ...out);
    return file(`${end}.pem`);
  };
  const [own, otherAuthority] = [authority('authority'), authority('other')];
  const certify = async (end: string, subject: string, names: string) => {
    const request = ['-keyout', file(`${end}.key`), '-out', file(`${end}.csr`)];
    openssl('req', '-newkey', 'rsa:2048', '-nodes', '-subj', `/CN=${subject}`, ...request);
    await writeFile(file(`${end}.ext`), `subjectAltName=${names}`);
    const signed = [
      '-CA',
      own,
      '-CAkey',
      file('authority.key'),
      '-CAcreateserial',
      '-extfile',
      file(`${end}.ext`),
    ];
    openssl('x509', '-req', '-in', file(`${end}.csr`), '-days', '1', ...signed, '-out', file(`${end}.pem`));
  };
  await certify('server', 'server', name);
  await certify('client', 'kontor', 'DNS:client');
  return {
    folder,
    authority: own,
    otherAuthority,
    server: { key: await readFile(file('server.key')), certificate: await readFile(file('server.pem')) },
    client: { key: file('client.key'), certificate: file('client.pem') },
    remove: () => rm(folder, { recursive: true }),
  };
}
