import { createReadStream } from 'node:fs';
import { SingleBar } from 'cli-progress';
import type { CommandContext } from './command.ts';
import { readFileSize } from './files.ts';

/** A bar that shows how far long work is; it is removed when it is disposed of. */
export interface Progress extends Disposable {
  /** Begins a part of a known size, with the time that is left. */
  begin(step: string, total: number): void;
  advance(amount: number): void;
  /** Begins a part of unknown size, with the time since it began. */
  step(name: string): void;
}

type Output = Pick<CommandContext, 'json' | 'stderr'>;

const hidden: Progress = { begin() {}, advance() {}, step() {}, [Symbol.dispose]() {} };

/** Shows a bar for each part of a work. Nothing is shown where no person watches. */
export function showProgress({ json, stderr: stream }: Output): Progress {
  if (json || !stream.isTTY) return hidden;
  let bar: SingleBar | undefined;
  const start = (format: string, step: string, total: number) => {
    bar?.stop();
    bar = new SingleBar({ format, stream, hideCursor: true, clearOnComplete: true });
    // A bar over 0 has no percentage.
    bar.start(Math.max(total, 1), 0, { step });
  };
  return {
    begin: (step, total) => start('{step} {bar} {percentage}%  {eta_formatted} left', step, total),
    advance: amount => bar?.increment(amount),
    step: name => start('{step}  for {duration_formatted}', name, 1),
    [Symbol.dispose]: () => bar?.stop(),
  };
}

/** A file that is imported, with a bar of how much of it is read. */
export interface WatchedFile extends Disposable {
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly onStep: (step: keyof typeof steps) => void;
  /** Removes the bar until the next step, so that a person can be asked. */
  readonly hide: () => void;
}

const steps = { read: 'Reading', check: 'Checking', insert: 'Inserting', settle: 'Sorting' } as const;

/** Opens a file to import it; `-` is stdin. @throws CommandError where there is none. */
export async function watchFile(
  file: string,
  { stdin, ...output }: Output & Pick<CommandContext, 'stdin'>,
): Promise<WatchedFile> {
  const isStdin = file === '-';
  const size = isStdin ? null : await readFileSize(file);
  const progress = showProgress(output);
  if (size === null) progress.step(steps.read);
  else progress.begin(steps.read, size);
  const stream = isStdin ? stdin : createReadStream(file);
  return {
    chunks: counted(stream, progress),
    onStep: step => progress.step(steps[step]),
    hide: () => progress[Symbol.dispose](),
    [Symbol.dispose]() {
      progress[Symbol.dispose]();
      stream.destroy();
    },
  };
}

async function* counted(chunks: AsyncIterable<Uint8Array>, progress: Progress): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    progress.advance(chunk.length);
    yield chunk;
  }
}
