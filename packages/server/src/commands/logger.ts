import { pino, type DestinationStream, type Logger } from 'pino';
import type { LogLevel } from '../config.ts';
import { GatheredLines } from './gathered-lines.ts';

/** A logger, and the function that writes out what it still holds. */
export interface OpenLogger {
  readonly logger: Logger;
  flush(): void;
}

/** Logs JSON lines to a file descriptor (stderr), without holding up whoever logs. */
export function jsonLogger(level: LogLevel, descriptor = 2): OpenLogger {
  const lines = new GatheredLines(descriptor, lost =>
    logger.warn({ lost }, 'lines of the log were dropped, since nobody took them'),
  );
  const logger = pino({ level, base: null }, lines);
  return { logger, flush: () => lines.flush() };
}

/** Logs one readable line each, for a person at a terminal. */
export function readableLogger(level: LogLevel, stderr: NodeJS.WritableStream): OpenLogger {
  const destination: DestinationStream = { write: line => void stderr.write(`${readable(line)}\n`) };
  return { logger: pino({ level, base: null }, destination), flush: () => {} };
}

/** A line of pino's; the request ones also say what was answered. */
interface Line {
  readonly time: number;
  readonly level: number;
  readonly msg: string;
  readonly operation?: string;
  readonly status?: number;
  readonly ms?: number;
  readonly keyId?: string | null;
  readonly actorType?: string;
  readonly actorId?: string;
  readonly requestId?: string;
}

const warnLevel = pino.levels.values['warn']!;

/** The time of day, then the message, or what was answered to whom; the rest as it is. */
function readable(text: string): string {
  const { time, level, msg, operation, status, ms, keyId, actorType, actorId, requestId, ...rest } =
    JSON.parse(text) as Line;
  const parts = [new Date(time).toTimeString().slice(0, 8)];
  const serious = level >= warnLevel;
  if (serious) parts.push(pino.levels.labels[level]!);
  parts.push(operation === undefined ? msg : `${operation} ${status} in ${ms} ms`);
  if (keyId) parts.push(`key ${keyId}`);
  if (actorId) parts.push(`${actorType} ${actorId}`);
  if (serious && requestId) parts.push(`request ${requestId}`);
  if (Object.keys(rest).length > 0) parts.push(JSON.stringify(rest));
  return parts.join('  ');
}
