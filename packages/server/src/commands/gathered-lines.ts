import { pino } from 'pino';

/** How long lines are gathered, in milliseconds: so much of the log a process that is killed has not written. */
const gatherFor = 10;

/** Most bytes that wait to be taken. A reader of the log that stands still would fill the memory otherwise. */
const mostWaiting = 16 * 1024 * 1024;

/**
 * Writes lines to a file descriptor, those of a few milliseconds at a time: a write for each costs a busy process more than
 * all else that it does for a log. Lines that nobody takes are dropped, and `onLost` is told how many once lines go out again.
 */
export class GatheredLines {
  readonly #destination: ReturnType<typeof pino.destination>;
  readonly #onLost: (lines: number) => void;
  #lines: string[] = [];
  #lost = 0;

  constructor(descriptor: number, onLost: (lines: number) => void) {
    this.#onLost = onLost;
    this.#destination = pino.destination({ dest: descriptor, sync: false, maxLength: mostWaiting });
    this.#destination.on('drop', (text: string) => (this.#lost += text.split('\n').length - 1));
  }

  write(line: string): void {
    if (this.#lines.push(line) === 1) setTimeout(this.#handOn, gatherFor);
  }

  /** Writes out what is gathered, and waits until it is. */
  flush(): void {
    this.#handOn();
    this.#destination.flushSync();
  }

  readonly #handOn = () => {
    if (this.#lines.length === 0) return;
    const lost = this.#lost;
    const text = this.#lines.join('');
    this.#lines = [];
    this.#destination.write(text);
    if (lost === 0 || this.#lost > lost) return;
    this.#lost = 0;
    this.#onLost(lost);
  };
}
