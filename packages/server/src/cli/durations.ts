import { CommandError } from './command.ts';

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

/** A time from the command line in milliseconds: `90m`, `24h`, `7d`, `2w`, `0`. */
export function parseDuration(text: string): number {
  const [, amount, unit] = /^([0-9]{1,5})([mhdw])$/.exec(text) ?? [];
  if (text === '0') return 0;
  if (unit === undefined) throw new CommandError('expected a time such as 90m, 24h, 7d or 2w');
  return Number(amount) * units[unit]!;
}

/** When something ends: at an instant, or a time from now, in milliseconds. */
export type End = Date | number;

/** An end in the future: a day, `2027-01-31`, of which it is the end in UTC, or a time from now. */
export function parseEnd(text: string): End {
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text)) return parseDuration(text);
  const start = new Date(`${text}T00:00:00Z`);
  if (Number.isNaN(start.getTime()) || !start.toISOString().startsWith(text))
    throw new CommandError(`there is no day ${text}`);
  const end = new Date(start.getTime() + units['d']!);
  if (end.getTime() <= Date.now()) throw new CommandError(`${text} is over`);
  return end;
}

/** The instant of an end. */
export function endOf(end: End): Date {
  return typeof end === 'number' ? new Date(Date.now() + end) : end;
}
