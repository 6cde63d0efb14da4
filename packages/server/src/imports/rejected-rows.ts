import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { finished } from 'node:stream/promises';

export interface Rejection {
  readonly line: number;
  readonly original: string;
  readonly reason: string;
}

/** Writes the rejected rows of an import. The file is a draft until `publish` renames it. */
export class RejectedRows {
  readonly path: string;
  readonly #draft: string;
  readonly #stream: WriteStream;
  readonly #render: (rejection: Rejection) => string;
  #count = 0;

  private constructor(place: string, stream: WriteStream, render: (rejection: Rejection) => string) {
    this.path = place;
    this.#draft = draftOf(place);
    this.#stream = stream;
    this.#render = render;
    // The next write or `complete` reports the error.
    this.#stream.on('error', () => {});
  }

  /** `header` begins the file. `render` returns the text of a row with its line end. */
  static async open(
    place: string,
    { header = '', render }: { header?: string; render: (rejection: Rejection) => string },
  ): Promise<RejectedRows> {
    const stream = createWriteStream(draftOf(place));
    await once(stream, 'open');
    stream.write(header);
    return new RejectedRows(place, stream, render);
  }

  get count(): number {
    return this.#count;
  }

  async write(rejections: readonly Rejection[]): Promise<void> {
    if (this.#stream.errored) throw this.#stream.errored;
    this.#count += rejections.length;
    if (!this.#stream.write(rejections.map(this.#render).join(''))) await once(this.#stream, 'drain');
  }

  async complete(): Promise<void> {
    this.#stream.end();
    await finished(this.#stream);
  }

  /** Renames the draft and so replaces the file of an earlier import. Without rejected rows both files are removed. */
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

/** The path of the rejected rows of a file: `people.txt` → `people.rejected.csv`. */
export function rejectedPath(file: string, format: 'csv' | 'jsonl'): string {
  const { dir, name } = path.parse(file);
  return path.join(dir, `${name}.rejected.${format}`);
}

function draftOf(place: string): string {
  return `${place}.partial`;
}
