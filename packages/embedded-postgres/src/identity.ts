import type { Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { EmbeddedPostgresError } from './error.ts';

/** The user that PostgreSQL runs as. `credentials` is empty for the user of this process. */
export interface Identity {
  readonly uid: number;
  readonly gid: number;
  readonly credentials: { readonly uid?: number; readonly gid?: number };
}

/** PostgreSQL does not run as root. 65534 is `nobody` on every Linux. */
const unprivileged = 65_534;

/** The complete environment of PostgreSQL. */
export const childEnvironment = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/local/bin:/usr/bin:/bin' };

/**
 * The user that PostgreSQL runs as: the user of this process. As root, the owner of an existing cluster, else `nobody`.
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
  const owner = await ownerOf(cluster);
  const child =
    owner === null || owner.uid === 0
      ? { uid: unprivileged, gid: unprivileged }
      : { uid: owner.uid, gid: owner.gid };
  return { ...child, credentials: child };
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
