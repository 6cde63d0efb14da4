import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { SyncError } from './sync-error.ts';

/** Writes a file whole or not at all, for its owner only. @throws SyncError that names it */
export async function writeOwnFile(file: string, text: string | Iterable<string>): Promise<void> {
  const partial = `${file}.${randomBytes(6).toString('hex')}.partial`;
  try {
    const handle = await open(partial, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw new SyncError(`${file} cannot be written: ${(error as Error).message}`);
  }
}

export const writeJson = (file: string, value: object) =>
  writeOwnFile(file, `${JSON.stringify(value, null, 2)}\n`);
