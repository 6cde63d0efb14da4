import { pino, type DestinationStream, type Logger } from 'pino';
import type { LogLevel } from '../config.ts';

/** A logger, and the function that writes out what it still holds. */
export interface OpenLogger {
  readonly logger: Logger;
  flush(): void;
}

/** Logs JSON lines to stderr, without holding up whoever logs. */
export function jsonLogger(level: LogLevel): OpenLogger {
  const destination = pino.destination({ dest: 2, sync: false });
  return { logger: pino({ level, base: null }, destination), flush: () => destination.flushSync() };
}

/** Logs one readable line each, for a person at a terminal. */
export function readableLogger(level: LogLevel, stderr: NodeJS.WritableStream): OpenLogger {
  const destination: DestinationStream = { write: line => void stderr.write(`${readable(line)}\n`) };
  return { logger: pino({ level, base: null }, destination), flush: () => {} };
}

/** The time of day, then the message, then what a request was; the rest as it is. */
function readable(line: string): string {
  const { time, level, msg, operation, status, ms, keyId, requestId, ...rest } = JSON.parse(line) as Record<
    string,
    unknown
  >;
  const clock = new Date(time as number).toTimeString().slice(0, 8);
  const what =
    operation === undefined ? String(msg) : `${String(operation)} ${String(status)} in ${String(ms)} ms`;
  const who = typeof keyId === 'string' ? `  key ${keyId}` : '';
  const severity = (level as number) >= 40 ? `${pino.levels.labels[level as number]}: ` : '';
  const more = Object.keys(rest).length > 0 ? `  ${JSON.stringify(rest)}` : '';
  const id = severity !== '' && typeof requestId === 'string' ? `  request ${requestId}` : '';
  return `${clock}  ${severity}${what}${who}${id}${more}`;
}
