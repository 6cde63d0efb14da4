import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { SingleBar } from 'cli-progress';
import { type CommandContext, CommandError } from './command.ts';

/** How far long work is, shown where somebody watches. */
export interface Progress {
  advance(amount: number): void;
  /** Names what is done now; from then on only the time shows that it goes on. */
  step(name: string): void;
  close(): void;
}

/** What work is counted in. */
type Unit = 'MB' | 'employees' | 'rows';

const silent: Progress = { advance() {}, step() {}, close() {} };

/** Milliseconds between two looks at the clock, where only the time shows that work goes on. */
const tick = 1000;

/** A bar of work of a known size, counted in `unit`, with its rate and the time that is left. */
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
  // A bar of nothing would have no percentage.
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
    close() {
      clearInterval(timer);
      bar.stop();
    },
  };
}

/** Long work of several parts, whose sizes show one after the other. */
export interface Stages extends Progress {
  /** A part begins, of so many bytes. */
  begin(step: string, total: number): void;
}

/** A bar for each part of the work. */
export function showStages(context: Pick<CommandContext, 'json' | 'stderr'>): Stages {
  let present = silent;
  return {
    begin(step, total) {
      present.close();
      present = showProgress(context, { step, total, unit: 'MB' });
    },
    advance: amount => present.advance(amount),
    step: name => present.step(name),
    close: () => present.close(),
  };
}

/** How fast work goes and how long the rest takes if that stays so; nothing in the first half second, which tells little. */
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
export interface WatchedFile {
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly onStep: (step: 'read' | 'check' | 'insert' | 'settle') => void;
  close(): void;
}

const steps = { read: 'Reading', check: 'Checking', insert: 'Inserting', settle: 'Sorting' } as const;

/** Opens a file to import it. @throws CommandError where there is none. */
export async function watchFile(file: string, context: CommandContext): Promise<WatchedFile> {
  const found = await stat(file).catch(() => null);
  if (!found?.isFile()) throw new CommandError(`there is no file ${file}`);
  const stream = createReadStream(file);
  const progress = showProgress(context, { step: steps.read, total: found.size, unit: 'MB' });
  return {
    chunks: counted(stream, progress),
    onStep: step => progress.step(steps[step]),
    close() {
      progress.close();
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
