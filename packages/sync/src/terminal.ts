import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { SyncError } from './sync-error.ts';

/** The parts of the process that a command needs. */
export interface Terminal {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** Variables of the environment. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Whether a person can be asked. */
export const canAsk = ({ stdin, stderr }: Terminal) => stdin.isTTY && stderr.isTTY;

/**
 * Asks a person. An empty answer is the default. A secret is not shown.
 * @throws SyncError when the person ends the input
 */
export async function ask(
  { stdin, stderr }: Terminal,
  question: string,
  { preset = '', isSecret = false }: { readonly preset?: string; readonly isSecret?: boolean } = {},
): Promise<string> {
  const prompt = preset === '' ? `${question}: ` : `${question} [${preset}]: `;
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: stdin, output: isSecret ? nowhere : stderr, terminal: true });
  if (isSecret) stderr.write(prompt);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const stop = () => reject(new SyncError('stopped: there was no answer'));
  reader.once('close', stop);
  reader.once('SIGINT', stop);
  reader.question(isSecret ? '' : prompt, resolve);
  try {
    const answer = await promise;
    if (isSecret) stderr.write('\n');
    return answer.trim() || preset;
  } catch (error) {
    stderr.write('\n');
    throw error;
  } finally {
    reader.close();
  }
}

/** Milliseconds between two lines where nobody watches. */
const quietPause = 30_000;
/** Milliseconds between two updates of the line of a terminal. */
const shortPause = 200;

/** Gets how much of the work is done. */
export type OnProgress = (done: number, total: number) => void;

/** Reports progress: on a terminal in one line with rate and time left, elsewhere in a line now and then. */
export function progressOf({ stderr, environment }: Terminal, unit: string, from = 0): OnProgress {
  const start = performance.now();
  let reported = start;
  let hasEnded = false;
  const isLine = stderr.isTTY && environment['TERM'] !== 'dumb';
  return (done, total) => {
    const now = performance.now();
    const isEnd = done >= total;
    if (hasEnded || total === 0 || (!isEnd && now - reported < (isLine ? shortPause : quietPause))) return;
    reported = now;
    hasEnded = isEnd;
    const rate = ((done - from) / Math.max(1, now - start)) * 1000;
    const seconds = Math.ceil((total - done) / Math.max(rate, 0.001));
    const left = isEnd ? '' : `, ${seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`} left`;
    const text = `${done.toLocaleString('en')} of ${total.toLocaleString('en')} ${unit}, ${rate.toFixed(1)}/s${left}`;
    if (isLine) stderr.write(`\r${text.padEnd(60)}${isEnd ? '\n' : ''}`);
    else if (!isEnd) stderr.write(`${text}\n`);
  };
}
