import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { DownloadError, type Kontor, NotFoundError, ServerError } from '@kontor/sdk';
import { messageOf } from '../sync-error.ts';
import type { Output } from './output.ts';

/** A file that could not be stored. */
export interface FileProblem {
  readonly name: string;
  readonly reason: string;
}

export interface PulledFiles {
  readonly downloaded: number;
  readonly removed: number;
  readonly total: number;
  readonly problems: readonly FileProblem[];
}

/** Names of this command begin with an identifier. Others in the folder are left alone. */
const ownName = /^[0-9a-f]{24}-/;
/** In bytes of UTF-8: file systems allow 255, of which a download needs some while it is not whole. */
const maxNameBytes = 150;
/** After more files that Kontor cannot send, others are not asked for: its store may be down. */
const maxProblems = 5;

/** A name that no system reads as a path, a device or an option. */
export function safeName(name: string): string {
  let safe = name.normalize('NFC').replaceAll(/[^\p{L}\p{N}._ -]/gu, '_');
  while (Buffer.byteLength(safe) > maxNameBytes) safe = safe.replace(/^./u, '');
  return safe.replace(/[. ]+$/, '');
}

/** Downloads the payroll files that are missing or differ from the SHA-256 of their documents, and removes those without a document. */
export async function pullFiles(output: Output, kontor: Kontor, folder: string): Promise<PulledFiles> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const wanted = new Map(
    output.payrollFiles().map(document => [`${document.id}-${safeName(document.fileName!)}`, document]),
  );
  const problems: FileProblem[] = [];
  let [downloaded, removed] = [0, 0];
  for (const name of await readdir(folder))
    if (ownName.test(name) && !wanted.has(name)) {
      await rm(path.join(folder, name));
      removed++;
    }
  for (const [name, { id, sha256 }] of wanted) {
    const to = path.join(folder, name);
    if ((await hashOf(to)) === sha256) continue;
    try {
      await kontor.payrollExportDocuments.download(id, { to });
      downloaded++;
    } catch (error) {
      const isOfFile =
        error instanceof DownloadError || error instanceof NotFoundError || error instanceof ServerError;
      if (!isOfFile || problems.length === maxProblems) throw error;
      // A file that is not the one of its document must not be taken for it.
      await rm(to, { force: true });
      problems.push({ name, reason: messageOf(error) });
    }
  }
  return { downloaded, removed, total: wanted.size, problems };
}

/** The SHA-256 of a file; undefined if there is none. */
async function hashOf(file: string): Promise<string | undefined> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(file), hash);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  return hash.digest('hex');
}
