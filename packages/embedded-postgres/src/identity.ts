import type { Stats } from 'node:fs';
import { lstat, readFile, stat } from 'node:fs/promises';
import { EmbeddedPostgresError } from './error.ts';

/** The user that PostgreSQL runs as. `credentials` is empty for the user of this process. */
export interface Identity {
  readonly uid: number;
  readonly gid: number;
  readonly credentials: { readonly uid?: number; readonly gid?: number };
}

/** The user `nobody` of Linux, also called the overflow user. Kontor 0.2.0 ran PostgreSQL as it, like many other programs. */
export const overflowUid = 65_534;

/** Numbers that neither systemd nor a distribution assigns to a user or a group (systemd.io/UIDS-GIDS). */
const unassigned = { first: 60_706, count: 478 };

/** The complete environment of PostgreSQL. */
export const childEnvironment = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/local/bin:/usr/bin:/bin' };

/**
 * The user that PostgreSQL runs as: the user of this process. PostgreSQL rejects root. Then it is the owner of the data folder. In a folder of root it
 * is a number of its own: no other process has it, to read the files, open the socket or send signals.
 * @throws when the cluster or its folder belongs to another user.
 */
export async function chooseIdentity(dataDirectory: string, cluster: string): Promise<Identity> {
  const uid = process.getuid!();
  const gid = process.getgid!();
  if (uid !== 0) {
    await requireOwner(dataDirectory, uid);
    await requireOwner(cluster, uid);
    return { uid, gid, credentials: {} };
  }
  const folder = await stat(dataDirectory);
  const owner = await ownerOf(cluster);
  const isChosen = owner !== null && owner.uid !== 0 && owner.uid !== overflowUid;
  const child = isChosen ? owner : folder.uid !== 0 ? folder : await unusedUser(folder.ino);
  return asChild(child);
}

/** `initdb` needs a user with a name. Linux Standard Base has `bin` and `daemon` for old programs: nothing runs as `bin`. */
export async function chooseInitialIdentity(identity: Identity): Promise<Identity> {
  if (identity.credentials.uid === undefined) return identity;
  const users = await readUsers();
  const found =
    users.find(({ uid }) => uid === identity.uid) ??
    users.find(({ name }) => name === 'bin') ??
    users.find(({ name }) => name === 'daemon');
  if (found === undefined)
    throw new EmbeddedPostgresError(
      'The embedded PostgreSQL does not run as root, and this machine has no user "bin" or "daemon" to set it up: run Kontor as another user, or set DATABASE_URL',
    );
  return asChild(found);
}

function asChild({ uid, gid }: { readonly uid: number; readonly gid: number }): Identity {
  return { uid, gid, credentials: { uid, gid } };
}

/** The same number for all processes that start at once on one folder. */
async function unusedUser(inode: number): Promise<{ uid: number; gid: number }> {
  const used = new Set((await readUsers()).map(({ uid }) => uid));
  let offset = inode % unassigned.count;
  while (used.has(unassigned.first + offset)) offset = (offset + 1) % unassigned.count;
  return { uid: unassigned.first + offset, gid: unassigned.first + offset };
}

async function readUsers(): Promise<{ name: string; uid: number; gid: number }[]> {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n');
  return lines.map(line => {
    const [name = '', , uid, gid] = line.split(':');
    return { name, uid: Number(uid), gid: Number(gid) };
  });
}

async function requireOwner(folder: string, uid: number): Promise<void> {
  const owner = await ownerOf(folder);
  if (owner !== null && owner.uid !== uid)
    throw new EmbeddedPostgresError(
      `The data folder ${folder} belongs to user ${owner.uid}, and Kontor runs as user ${uid}: run it as that user, or choose another data folder`,
    );
}

async function ownerOf(folder: string): Promise<Stats | null> {
  return lstat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}
