import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { stringify } from 'csv-stringify/sync';
import type { CsvRecord } from './parse.ts';
import type { Rejection } from './store.ts';

/** `people.csv` → `people.rejected.csv`. */
function rejectedPath(file: string): string {
  return `${file.replace(/\.csv$/i, '')}.rejected.csv`;
}

/**
 * What the rejected file shows of a record: its own text, which fills its columns; or, where it does not fit the header,
 * the whole text in the first column, so that nothing is lost. A NUL character, which the database cannot hold on the way,
 * becomes U+FFFD.
 */
export function originalOf(record: CsvRecord, header: readonly string[]): string {
  const text = record.text.replaceAll('\0', '\ufffd');
  if (record.cells?.length === header.length) return text;
  return csvLine([text, ...header.slice(1).map(() => '')]);
}

function csvLine(cells: readonly string[]): string {
  return stringify([[...cells]]).trimEnd();
}

/**
 * The file of the rejected rows: the columns of the original, the line and the reason. It is written under another name
 * and takes its own when it is complete.
 */
export class RejectedFile {
  readonly path: string;
  readonly #draft: string;
  readonly #stream: WriteStream;
  #count = 0;

  private constructor(path: string, draft: string, stream: WriteStream) {
    this.path = path;
    this.#draft = draft;
    this.#stream = stream;
    // An error is reported by the write or the end that follows it.
    this.#stream.on('error', () => {});
  }

  /** Opens the file of the rejected rows of `file`. */
  static async open(file: string, header: readonly string[]): Promise<RejectedFile> {
    const path = rejectedPath(file);
    const draft = `${path}.partial`;
    const stream = createWriteStream(draft);
    await once(stream, 'open');
    stream.write(`${csvLine([...header, ...addedColumns(header)])}\n`);
    return new RejectedFile(path, draft, stream);
  }

  /** How many rows were written. */
  get count(): number {
    return this.#count;
  }

  async write(rejections: readonly Rejection[]): Promise<void> {
    if (this.#stream.errored) throw this.#stream.errored;
    const lines = rejections.map(
      ({ line, original, reason }) => `${original},${csvLine([String(line), reason])}\n`,
    );
    this.#count += rejections.length;
    if (!this.#stream.write(lines.join(''))) await once(this.#stream, 'drain');
  }

  /** Writes what is left to the disk; the file still has its other name. */
  async complete(): Promise<void> {
    this.#stream.end();
    await finished(this.#stream);
  }

  /** Gives the file its name; one of an earlier import is replaced, and removed when nothing was rejected this time. */
  async publish(): Promise<void> {
    if (this.#count === 0) {
      await Promise.all([rm(this.#draft, { force: true }), rm(this.path, { force: true })]);
      return;
    }
    await rename(this.#draft, this.path).catch(error => {
      throw new Error(`the valid rows were imported; the rejected ones had to stay in ${this.#draft}`, {
        cause: error,
      });
    });
  }

  async discard(): Promise<void> {
    this.#stream.destroy();
    await rm(this.#draft, { force: true });
  }
}

/** `line` and `reason`, unless the original has columns of these names, as a rejected file has that is imported again. */
function addedColumns(header: readonly string[]): string[] {
  return ['line', 'reason'].map(name => {
    let added = name;
    for (let n = 2; header.includes(added); n++) added = `${name}${n}`;
    return added;
  });
}
