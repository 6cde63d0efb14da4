import { randomBytes } from 'node:crypto';
import { rmSync, type WriteStream } from 'node:fs';
import { link, mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';

/**
 * A file in the making, which only its owner can read: a draft with a random name in the folder of its place. `publish` gives it the name of the
 * place. All files of the service and the commands are made here; the linter rejects another way.
 */
export interface Draft {
  readonly file: string;
  readonly stream: WriteStream;
  /** Writes everything to the disk. Nothing can be written afterwards. */
  complete(): Promise<void>;
  /** Completes the file and replaces what is at its place. */
  publish(): Promise<void>;
  /** Completes the file. Returns false, and removes it, if there is a file at its place. */
  publishOnce(): Promise<boolean>;
  discard(): Promise<void>;
}

/** Drafts to remove when the process ends, such as by Ctrl-C. */
const drafts = new Set<string>();
process.once('exit', () => drafts.forEach(file => rmSync(file, { recursive: true, force: true })));

const draftName = (place: string) => `${place}.${randomBytes(6).toString('hex')}.partial`;

export async function openDraft(place: string): Promise<Draft> {
  const file = draftName(place);
  const handle = await open(file, 'wx', 0o600);
  drafts.add(file);
  const stream = handle.createWriteStream({ flush: true });
  // The next write, or the end, reports the error.
  stream.on('error', () => {});
  const complete = async () => {
    stream.end();
    await finished(stream);
  };
  const remove = async () => {
    await rm(file, { force: true });
    drafts.delete(file);
  };
  return {
    file,
    stream,
    complete,
    async publish() {
      await complete();
      // Kept if it cannot be renamed.
      drafts.delete(file);
      await rename(file, place);
      await syncFolder(path.dirname(place));
    },
    async publishOnce() {
      await complete();
      const isFirst = await link(file, place).then(() => true, whenPresent);
      await remove();
      await syncFolder(path.dirname(place));
      return isFirst;
    },
    async discard() {
      stream.destroy();
      await remove();
    },
  };
}

function whenPresent(error: NodeJS.ErrnoException): false {
  if (error.code === 'EEXIST') return false;
  throw error;
}

/** Writes a whole file, which replaces the one at its place. */
export async function writeWhole(place: string, content: Readable | string | Buffer): Promise<void> {
  const draft = await openDraft(place);
  try {
    await pipeline(content instanceof Readable ? content : Readable.from([content]), draft.stream);
    await draft.publish();
  } catch (error) {
    await draft.discard();
    throw error;
  }
}

/** Makes a folder that only its owner can read, and the folders above it. It is removed if it is disposed before it is published. */
export async function makeDraftFolder(
  place: string,
): Promise<Pick<Draft, 'file' | 'publish'> & AsyncDisposable> {
  const file = draftName(place);
  await mkdir(path.dirname(place), { recursive: true, mode: 0o700 });
  await mkdir(file, { mode: 0o700 });
  drafts.add(file);
  return {
    file,
    async publish() {
      await rename(file, place);
      drafts.delete(file);
      await syncFolder(path.dirname(place));
    },
    async [Symbol.asyncDispose]() {
      await rm(file, { recursive: true, force: true });
      drafts.delete(file);
    },
  };
}

/** Writes a folder to the disk: only then the names in it last. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
