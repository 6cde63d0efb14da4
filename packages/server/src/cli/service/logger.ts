import { setTimeout as delay } from 'node:timers/promises';
import { pino, type DestinationStream, type Logger } from 'pino';
import type { LogLevel } from '../../config.ts';

/** A logger, and the function that writes out what it still holds. */
export interface OpenLogger {
  readonly logger: Logger;
  flush(): Promise<void>;
}

/** Max bytes of lines that wait for the reader of the log, so that a stalled reader does not fill the memory. */
const maxWaiting = 16 * 1024 * 1024;

/** How long a process that ends waits for the reader of its log, in milliseconds. */
const maxFlush = 1000;

/** Levels are words. */
const formatters = { level: (level: string) => ({ level }) };

/** Lines are written together: a write for each costs a busy process more than everything else that it does for a log. */
const buffering = { minLength: 4096, periodicFlush: 100 };

/**
 * Logs JSON lines to a file descriptor (stderr), without holding up the process. A process that is killed loses the lines of its last
 * 100 ms. Lines beyond 16 MiB that no process reads are dropped; the log reports how many once it is read again.
 */
export function jsonLogger(level: LogLevel, descriptor = 2): OpenLogger {
  const destination = pino.destination({
    dest: descriptor,
    sync: false,
    maxLength: maxWaiting,
    ...buffering,
  });
  const logger = pino({ level, base: null, formatters }, destination);
  let dropped = 0;
  destination.on('drop', () => dropped++);
  destination.on('drain', () => {
    if (dropped === 0) return;
    const lost = dropped;
    dropped = 0;
    logger.warn({ lost }, 'lines of the log were dropped because nothing read them');
  });
  const flush = async () => {
    const written = new Promise<void>(resolve => destination.flush(() => resolve()));
    await Promise.race([written, delay(maxFlush)]);
  };
  return { logger, flush };
}

/** Logs one readable line each, for a person at a terminal. */
export function readableLogger(level: LogLevel, stderr: NodeJS.WritableStream): OpenLogger {
  const destination: DestinationStream = { write: line => void stderr.write(`${readable(line)}\n`) };
  return { logger: pino({ level, base: null, formatters }, destination), flush: async () => {} };
}

/** A line of pino's; the request ones also say what was answered. */
interface Line {
  readonly time: number;
  readonly level: string;
  readonly msg: string;
  readonly operation?: string;
  readonly status?: number;
  readonly code?: string;
  readonly ms?: number;
  readonly keyId?: string | null;
  readonly actorType?: string;
  readonly actorId?: string;
  readonly requestId?: string;
}

const warnLevel = pino.levels.values['warn']!;

/** The time of day, then the message, or what was answered to whom; the rest as it is. */
function readable(text: string): string {
  const { time, level, msg, operation, status, code, ms, keyId, actorType, actorId, requestId, ...rest } =
    JSON.parse(text) as Line;
  const parts = [new Date(time).toTimeString().slice(0, 8)];
  const serious = pino.levels.values[level]! >= warnLevel;
  if (serious) parts.push(level);
  parts.push(
    operation === undefined
      ? msg
      : [operation, status, code, `in ${ms} ms`].filter(part => part !== undefined).join(' '),
  );
  if (keyId) parts.push(`key ${keyId}`);
  if (actorId) parts.push(`${actorType} ${actorId}`);
  if (serious && requestId) parts.push(`request ${requestId}`);
  if (Object.keys(rest).length > 0) parts.push(JSON.stringify(rest));
  return parts.join('  ');
}
