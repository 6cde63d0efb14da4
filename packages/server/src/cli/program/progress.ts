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

/** The unit that work is counted in. */
type Unit = 'MB' | 'employees' | 'rows';

const silent: Progress = { advance() {}, step() {}, [Symbol.dispose]() {} };

/** Milliseconds between two updates of the time of a step. */
const tick = 1000;

/** Shows a bar of work of a known size, with its rate and the time that is left. Nothing is shown where no person watches. */
export function showProgress(
  { json, stderr }: Pick<CommandContext, 'json' | 'stderr'>,
  work: { step: string; total: number; unit: Unit },
): Progress {
  if (json || !stderr.isTTY) return silent;
  const format = '{step} {bar} {percentage}%  {pace}';
  const bar = new SingleBar({ format, stream: stderr, hideCursor: true, clearOnComplete: true });
  const began = performance.now();
  let done = 0;
  let timer: NodeJS.Timeout | undefined;
  // A bar over 0 has no percentage.
  bar.start(Math.max(work.total, 1), 0, { step: work.step, pace: '' });
  return {
    advance(amount) {
      done += amount;
      const milliseconds = performance.now() - began;
      bar.update(done, { pace: pace({ done, total: work.total, unit: work.unit, milliseconds }) });
    },
    step(name) {
      const since = performance.now();
      const show = () =>
        bar.update({ step: name, pace: `for ${duration((performance.now() - since) / 1000)}` });
      clearInterval(timer);
      timer = setInterval(show, tick).unref();
      show();
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      bar.stop();
    },
  };
}

/** Progress of work of several parts, one bar after the other. */
export interface Stages extends Progress {
  /** Begins a part of so many bytes. */
  begin(step: string, total: number): void;
}

export function showStages(context: Pick<CommandContext, 'json' | 'stderr'>): Stages {
  let present = silent;
  return {
    begin(step, total) {
      present[Symbol.dispose]();
      present = showProgress(context, { step, total, unit: 'MB' });
    },
    advance: amount => present.advance(amount),
    step: name => present.step(name),
    [Symbol.dispose]: () => present[Symbol.dispose](),
  };
}

/** Renders the rate, and the time that is left at that rate; nothing in the first half second, when the rate is not known yet. */
export function pace({
  done,
  total,
  unit,
  milliseconds,
}: {
  done: number;
  total: number;
  unit: Unit;
  milliseconds: number;
}): string {
  if (milliseconds < 500 || done === 0) return '';
  const perSecond = (done / milliseconds) * 1000;
  const rate = unit === 'MB' ? (perSecond / 1e6).toFixed(1) : String(Math.round(perSecond));
  return `${rate} ${unit}/s, ${duration((total - done) / perSecond)} left`;
}

function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/** A file that is imported, with a bar of how much of it is read. */
export interface WatchedFile extends Disposable {
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly onStep: (step: keyof typeof steps) => void;
}

const steps = { read: 'Reading', check: 'Checking', insert: 'Inserting', settle: 'Sorting' } as const;

/** Opens a file to import it. @throws CommandError where there is none. */
export async function watchFile(file: string, context: CommandContext): Promise<WatchedFile> {
  const total = await sizeOfFile(file);
  const stream = createReadStream(file);
  const progress = showProgress(context, { step: steps.read, total, unit: 'MB' });
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
