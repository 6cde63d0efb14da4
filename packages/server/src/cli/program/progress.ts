import { createReadStream } from 'node:fs';
import { SingleBar } from 'cli-progress';
import type { CommandContext } from './command.ts';
import { sizeOfFile } from './files.ts';

/** A bar that shows how far long work is; it is removed when it is disposed of. */
export interface Progress extends Disposable {
  advance(amount: number): void;
  /** Shows the name of a step of unknown size, with the time since it began. */
  step(name: string): void;
}

type Output = Pick<CommandContext, 'json' | 'stderr'>;

const hidden: Progress = { advance() {}, step() {}, [Symbol.dispose]() {} };

/** Shows a bar of work of a known size with the time that is left. Nothing is shown where no person watches. */
export function showProgress({ json, stderr }: Output, step: string, total: number): Progress {
  if (json || !stderr.isTTY) return hidden;
  let bar = startBar(stderr, '{step} {bar} {percentage}%  {eta_formatted} left', step, total);
  return {
    advance: amount => bar.increment(amount),
    step(name) {
      bar.stop();
      bar = startBar(stderr, '{step}  for {duration_formatted}', name, 1);
    },
    [Symbol.dispose]: () => bar.stop(),
  };
}

function startBar(stream: NodeJS.WriteStream, format: string, step: string, total: number): SingleBar {
  const bar = new SingleBar({ format, stream, hideCursor: true, clearOnComplete: true });
  // A bar over 0 has no percentage.
  bar.start(Math.max(total, 1), 0, { step });
  return bar;
}

/** Progress of work of several parts, one bar after the other. */
export interface Stages extends Progress {
  /** Begins a part of so many bytes. */
  begin(step: string, total: number): void;
}

export function showStages(output: Output): Stages {
  let present = hidden;
  return {
    begin(step, total) {
      present[Symbol.dispose]();
      present = showProgress(output, step, total);
    },
    advance: amount => present.advance(amount),
    step: name => present.step(name),
    [Symbol.dispose]: () => present[Symbol.dispose](),
  };
}

/** A file that is imported, with a bar of how much of it is read. */
export interface WatchedFile extends Disposable {
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly onStep: (step: keyof typeof steps) => void;
}

const steps = { read: 'Reading', check: 'Checking', insert: 'Inserting', settle: 'Sorting' } as const;

/** Opens a file to import it. @throws CommandError where there is none. */
export async function watchFile(file: string, output: Output): Promise<WatchedFile> {
  const progress = showProgress(output, steps.read, await sizeOfFile(file));
  const stream = createReadStream(file);
  return {
    chunks: counted(stream, progress),
    onStep: step => progress.step(steps[step]),
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
