import { argument, CommandError, option, requiredOption } from './command.ts';

const idPattern = /^[0-9a-fA-F]{24}$/;

/** An identifier from the command line, in lower case. */
export function parseId(text: string): string {
  if (!idPattern.test(text)) throw new CommandError('expected an identifier of 24 hexadecimal characters');
  return text.toLowerCase();
}

/** Checks the form of an address; the contract of the API looks closer. */
export function parseEmail(text: string): string {
  if (!/^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+\.[^\s@\p{Cc}]+$/u.test(text) || [...text].length > 254)
    throw new CommandError('expected an email address');
  return text;
}

/** The argument of a command about an API key or a platform token. */
function secretArgument(what: 'key' | 'token') {
  return argument('<id>', `The identifier of the ${what}, 12 letters and digits`, text => {
    const [, id] = /^(?:kontor_)?([0-9A-Za-z]{12})$/.exec(text) ?? [];
    if (id === undefined)
      throw new CommandError(`expected the 12 letters and digits of a ${what} identifier`);
    return id;
  });
}

export const keyArgument = secretArgument('key');
export const tokenArgument = secretArgument('token');

export const organizationOption = option('--organization <id>', 'The organization', parseId);
export const ownOrganizationOption = requiredOption('--organization <id>', 'The organization', parseId);
export const tenantOption = requiredOption('--tenant <id>', 'The tenant', parseId);
export const nameOption = requiredOption('--name <name>', 'Its name');

export function parsePeriod(text: string): string {
  if (!/^[0-9]{4}-(0[1-9]|1[0-2])$/.test(text)) throw new CommandError('expected a month, YYYY-MM');
  return text;
}

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

const durationPattern = /^(?:([0-9]{1,5})([mhdw])|0)$/;

/** Parses a time into milliseconds: `90m`, `24h`, `7d`, `2w`, `0`. */
export function parseDuration(text: string): number {
  const [, amount, unit] = durationPattern.exec(text) ?? [];
  if (text === '0') return 0;
  if (unit === undefined) throw new CommandError('expected a time such as 90m, 24h, 7d or 2w');
  return Number(amount) * units[unit]!;
}

/** A calendar day. */
export function parseDay(text: string): string {
  const start = new Date(/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text) ? `${text}T00:00:00Z` : Number.NaN);
  if (Number.isNaN(start.getTime()) || !start.toISOString().startsWith(text))
    throw new CommandError('expected a day of the calendar, YYYY-MM-DD');
  return text;
}

/** Parses an instant in the future: the end (UTC) of a day, `2027-01-31`, or a time from now. */
export function parseEnd(text: string): Date {
  if (durationPattern.test(text)) return new Date(Date.now() + parseDuration(text));
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text))
    throw new CommandError('expected a day such as 2027-01-31, or a time from now such as 24h or 90d');
  const start = new Date(`${text}T00:00:00Z`);
  if (Number.isNaN(start.getTime()) || !start.toISOString().startsWith(text))
    throw new CommandError(`there is no day ${text}`);
  const end = new Date(start.getTime() + units['d']!);
  if (end.getTime() <= Date.now()) throw new CommandError(`${text} is in the past`);
  return end;
}

export const expiresOption = (meaning: string, example: string, absent: string) =>
  option(
    '--expires <when>',
    `${meaning}: a day (2027-01-31, its end in UTC), or how long from now (${example}, 12h); absent: ${absent}`,
    parseEnd,
  );

/** Today in UTC. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}
