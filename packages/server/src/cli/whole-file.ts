import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Whether there is a file of this name. */
export const isThere = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  );

/** Writes a file that has its name only once it is whole, and that nobody else may read. */
export async function writeWhole(file: string, content: Readable): Promise<void> {
  const draft = `${file}.partial`;
  try {
    await pipeline(content, createWriteStream(draft, { mode: 0o600, flush: true }));
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
