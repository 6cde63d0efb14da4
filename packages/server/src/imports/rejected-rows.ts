import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { type Draft, openDraft } from '../lib/draft-file.ts';

export interface Rejection {
  readonly line: number;
  readonly original: string;
  readonly reason: string;
}

/** Writes the rejected rows of an import. The file is a draft until `publish` renames it. */
export class RejectedRows {
  readonly path: string;
  readonly #draft: Draft;
  readonly #render: (rejection: Rejection) => string;
  #count = 0;

  private constructor(place: string, draft: Draft, render: (rejection: Rejection) => string) {
    this.path = place;
    this.#draft = draft;
    this.#render = render;
  }

  /** `header` begins the file. `render` returns the text of a row with its line end. */
  static async open(
    place: string,
    { header = '', render }: { header?: string; render: (rejection: Rejection) => string },
  ): Promise<RejectedRows> {
    const draft = await openDraft(place);
    draft.stream.write(header);
    return new RejectedRows(place, draft, render);
  }

  get count(): number {
    return this.#count;
  }

  async write(rejections: readonly Rejection[]): Promise<void> {
    const { stream } = this.#draft;
    if (stream.errored) throw stream.errored;
    this.#count += rejections.length;
    if (!stream.write(rejections.map(this.#render).join(''))) await once(stream, 'drain');
  }

  /** All rows are on the disk afterwards. */
  complete(): Promise<void> {
    return this.#draft.complete();
  }

  /** Renames the draft and so replaces the file of an earlier import. Without rejected rows both files are removed. */
  async publish(): Promise<void> {
    if (this.#count === 0) {
      await Promise.all([this.discard(), rm(this.path, { force: true })]);
      return;
    }
    await this.#draft.publish().catch(error => {
      throw new Error(`the valid rows were imported; the rejected ones had to stay in ${this.#draft.file}`, {
        cause: error,
      });
    });
  }

  discard(): Promise<void> {
    return this.#draft.discard();
  }
}

/** The path of the rejected rows of a file: `people.txt` → `people.rejected.csv`. */
export function rejectedPath(file: string, format: 'csv' | 'jsonl'): string {
  const { dir, name } = path.parse(file);
  return path.join(dir, `${name}.rejected.${format}`);
}
