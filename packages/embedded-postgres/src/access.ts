import { randomBytes } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { clusterUser, type Layout } from './cluster.ts';
import type { Identity } from './identity.ts';
import { computeVerifier, readPassword } from './password.ts';

// The file postgres.password decides. PostgreSQL requires that password from every user, root included. When it does not have it (a new cluster, one of
// Kontor 0.2.0, a file that was lost), the rules of access are open until a process has set it:
//
//   open: a session that can reach the socket needs no password. Only root and the user of PostgreSQL can, and these can read the file or replace it.
//   closed: every session needs the password.

const closed = `# Kontor writes this file when PostgreSQL starts.
local all all scram-sha-256
local replication all scram-sha-256
host all all all scram-sha-256
`;
const opened = `# Until the password is set.
local postgres ${clusterUser} trust
${closed}`;

const rulesOf = ({ cluster }: Layout) => path.join(cluster, 'pg_hba.conf');

/** Before a start: all rules but our own are replaced, such as those of Kontor 0.2.0, which trusted everybody. */
export async function prepareAccess(layout: Layout, identity: Identity): Promise<void> {
  if ((await readRules(layout)) !== closed) await writeRules(layout, identity, opened);
}

/** For a PostgreSQL that rejected the password. It must read its rules again afterwards. */
export function openAccess(layout: Layout, identity: Identity): Promise<void> {
  return writeRules(layout, identity, opened);
}

/** An advisory lock, as two sessions cannot change one role at once. The number is arbitrary. */
const passwordLock = 7_316_540_284;

/** Sets the password if the rules are open, and closes them. */
export async function closeAccess(layout: Layout, identity: Identity, session: pg.Client): Promise<void> {
  if ((await readRules(layout)) !== opened) return;
  await session.query('SELECT pg_advisory_lock($1::bigint)', [passwordLock]);
  const verifier = await computeVerifier(await readPassword(layout));
  await session.query(`ALTER ROLE ${clusterUser} PASSWORD '${verifier}'`);
  await writeRules(layout, identity, closed);
  await session.query('SELECT pg_reload_conf()');
  await session.query('SELECT pg_advisory_unlock($1::bigint)', [passwordLock]);
}

function readRules(layout: Layout): Promise<string> {
  return readFile(rulesOf(layout), 'utf8').catch(() => '');
}

/** Replaces the file, and never writes through a link: as root, the folder belongs to another user. */
async function writeRules(layout: Layout, { uid, gid, credentials }: Identity, rules: string): Promise<void> {
  const file = rulesOf(layout);
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    if (credentials.uid !== undefined) await handle.chown(uid, gid);
    await handle.writeFile(rules);
    await handle.sync();
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}
