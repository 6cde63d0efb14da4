import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Limiter } from '../../../lib/concurrency/limiter.ts';

/** argon2id with 19 MiB, 2 passes, 1 lane (OWASP Password Storage Cheat Sheet). The PHC string contains the parameters, so they can change. */
const argon2id = { memory: 19_456, passes: 2, parallelism: 1 };

const hashLength = 32;

const tooManyPasswords = 'Too many passwords from your network are being checked; try again later';

/** A hash takes a whole core, so few run at once. A client with many passwords delays only itself. */
export const passwordHashes = new Limiter({
  running: { inAll: 2, perKey: 2 },
  waiting: { inAll: 10_000, perKey: 250 },
  tooMany: tooManyPasswords,
  maxWait: { milliseconds: 8_000, message: tooManyPasswords },
});

/** @throws ApiError SERVICE_UNAVAILABLE when too many hashes of the client wait */
export async function hashPassword(password: string, client: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await passwordHashes.run(client, () => derive(password, salt, argon2id));
  return `$${present}$${encoded(salt)}$${encoded(hash)}`;
}

const present = `argon2id$v=19$m=${argon2id.memory},t=${argon2id.passes},p=${argon2id.parallelism}`;

/** Compared for an unknown user: the check takes as long as for a known one. */
const noHash = `$${present}$${encoded(Buffer.alloc(16))}$${encoded(Buffer.alloc(hashLength))}`;

/** A null hash takes as long and returns false. @throws ApiError SERVICE_UNAVAILABLE when too many hashes of the client wait */
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

/** @throws Error for a stored hash of another form */
function parsed(stored: string): Readonly<Record<string, string>> {
  const form =
    /^\$argon2id\$v=19\$m=(?<memory>\d+),t=(?<passes>\d+),p=(?<parallelism>\d+)\$(?<salt>[^$]+)\$(?<hash>[^$]+)$/;
  const { groups } = form.exec(stored) ?? {};
  if (!groups) throw new Error('a stored password hash has an unknown form');
  return groups;
}

export function isOutdated(stored: string): boolean {
  return !stored.startsWith(`$${present}$`);
}

/** Applies NFKC first, because keyboards produce different code points. */
function derive(password: string, salt: Buffer, parameters: typeof argon2id): Promise<Buffer> {
  const message = Buffer.from(password.normalize('NFKC'));
  return promisify(argon2)('argon2id', { message, nonce: salt, tagLength: hashLength, ...parameters });
}

/** Base64 without padding, as in PHC strings. */
function encoded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
