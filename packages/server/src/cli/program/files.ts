import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { cleanFileName } from '../../files/file-name.ts';
import { CommandError } from './command.ts';

/** Whether there is a file or a folder of this name. */
export const exists = (place: string): Promise<boolean> =>
  stat(place).then(
    () => true,
    () => false,
  );

/** Returns the size of a file. @throws CommandError where there is none. */
export async function readFileSize(file: string): Promise<number> {
  const found = await stat(file).catch(() => null);
  if (!found?.isFile()) throw new CommandError(`there is no file ${file}`);
  return found.size;
}

/** Reads a file of at most so many MiB, with its name as it is stored. @throws CommandError */
export async function readWhole(file: string, maxMiB: number): Promise<{ fileName: string; bytes: Buffer }> {
  if ((await readFileSize(file)) > maxMiB * 1024 * 1024)
    throw new CommandError(`${file} is larger than ${maxMiB} MiB`);
  return { fileName: cleanFileName(path.basename(file)), bytes: await readFile(file) };
}

/** @throws CommandError where a file would be overwritten. */
export async function checkIsNew(file: string): Promise<void> {
  if (await exists(file)) throw new CommandError(`${file} exists already: name another one with --file`);
}
