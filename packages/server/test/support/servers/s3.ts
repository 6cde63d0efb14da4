import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';

/** S3-compatible storage on a free port of this machine, with an empty bucket. */
export interface TestS3 {
  /** The address for `FILES_URL`. */
  readonly url: string;
  readonly port: number;
  /** What its clients must have in their environment. */
  readonly credentials: Readonly<Record<string, string>>;
  /** The keys of all objects. */
  objects(): Promise<string[]>;
  close(): Promise<void>;
}

/** The name under which s3rver keeps the bytes of an object. */
const suffix = '._S3rver_object';

/** Starts the storage; the environment of this process gets its credentials, as the client reads them from there only. */
export async function startS3(): Promise<TestS3> {
  const credentials = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };
  Object.assign(process.env, credentials);
  const folder = await mkdtemp(join(tmpdir(), 'kontor-s3-'));
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    directory: folder,
    silent: true,
    configureBuckets: [{ name: 'files', configs: [] }],
  });
  const { port } = await server.run();
  return {
    url: s3Url(port),
    port,
    credentials,
    async objects() {
      const names = await listNamesBelow(join(folder, 'files'));
      return names.filter(name => name.endsWith(suffix)).map(name => name.slice(0, -suffix.length));
    },
    async close() {
      await server.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** The names of all that is below a folder. Where a folder goes while it is read, they are read again. */
async function listNamesBelow(folder: string): Promise<string[]> {
  for (;;) {
    try {
      return await readdir(folder, { recursive: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}

/** The address of storage on a port of this machine, with a prefix. */
export function s3Url(port: number): string {
  return `s3://files/kontor?endpoint=${encodeURIComponent(`http://127.0.0.1:${port}`)}`;
}
