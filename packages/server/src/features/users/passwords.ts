import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Limiter } from '../../lib/limiter.ts';

/**
 * How passwords are hashed: argon2id with 19 MiB, two passes and one lane, the first choice of the OWASP Password Storage Cheat Sheet. A
 * stored hash names its parameters in the form of PHC strings, so that others can follow.
 */
const argon2id = { memory: 19_456, passes: 2, parallelism: 1 };

const hashLength = 32;

const tooManyPasswords = 'Too many passwords from your network are being checked; try again later';

/** Each hash fills a core and its memory, so few are computed at once. A client with many passwords delays itself only. */
export const passwordHashes = new Limiter({
  running: { inAll: 2, perKey: 2 },
  waiting: { inAll: 10_000, perKey: 250 },
  tooMany: tooManyPasswords,
  maxWait: { milliseconds: 8_000, message: tooManyPasswords },
});

/** What is stored of a password that a client sets. @throws ApiError SERVICE_UNAVAILABLE when too many of the client wait. */
export async function hashPassword(password: string, client: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await passwordHashes.run(client, () => derive(password, salt, argon2id));
  return `$${present}$${encoded(salt)}$${encoded(hash)}`;
}

/** The parameters that passwords are hashed with. */
const present = `argon2id$v=19$m=${argon2id.memory},t=${argon2id.passes},p=${argon2id.parallelism}`;

/** A hash that no password has: to reject an unknown user takes as long as to reject a password. */
const noHash = `$${present}$${encoded(Buffer.alloc(16))}$${encoded(Buffer.alloc(hashLength))}`;

/**
 * Whether the password that a client shows is that of what is stored; for null it takes as long.
 * @throws ApiError SERVICE_UNAVAILABLE when too many of the client wait
 */
export async function passwordMatches(
  password: string,
  stored: string | null,
  client: string,
): Promise<boolean> {
  const { memory, passes, parallelism, salt, hash } = parsed(stored ?? noHash);
  const parameters = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  const derived = await passwordHashes.run(client, () =>
    derive(password, Buffer.from(salt!, 'base64'), parameters),
  );
  return timingSafeEqual(derived, Buffer.from(hash!, 'base64')) && stored !== null;
}

/** The parts of a stored hash. @throws Error when it has another form. */
function parsed(stored: string): Readonly<Record<string, string>> {
  const form =
    /^\$argon2id\$v=19\$m=(?<memory>\d+),t=(?<passes>\d+),p=(?<parallelism>\d+)\$(?<salt>[^$]+)\$(?<hash>[^$]+)$/;
  const { groups } = form.exec(stored) ?? {};
  if (!groups) throw new Error('a stored password hash has an unknown form');
  return groups;
}

/** Whether a password was hashed with other parameters than passwords are now. */
export function isOutdated(stored: string): boolean {
  return !stored.startsWith(`$${present}$`);
}

/** Derives the hash of a password in one Unicode form (NFKC), whichever keyboard wrote it. */
function derive(password: string, salt: Buffer, parameters: typeof argon2id): Promise<Buffer> {
  const message = Buffer.from(password.normalize('NFKC'));
  return promisify(argon2)('argon2id', { message, nonce: salt, tagLength: hashLength, ...parameters });
}

/** Base64 without padding, as PHC strings have it. */
function encoded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
