import crypto, { randomBytes, type ScryptOptions, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { ConcurrencyLimiter } from '../../http/concurrency-limiter.ts';

/**
 * How passwords are hashed: argon2id with 19 MiB, two passes and one lane, or, where Node has not that (before 24.7), scrypt with
 * 32 MiB and three lanes: the two first choices of the OWASP Password Storage Cheat Sheet. What is stored says which, with its numbers,
 * in the form of the PHC strings, so that another choice can follow.
 */
const argon2id = { memory: 19_456, passes: 2, parallelism: 1 };
const scryptCost = { cost: 15, blockSize: 8, parallelization: 3 };

const hashLength = 32;

/** Node 20 and 22 have no argon2. */
const argon2 = (crypto as Partial<typeof crypto>).argon2;

/** Each hash fills a core and its memory, so few are computed at once. A client with many passwords delays itself only. */
export const passwordHashes = new ConcurrencyLimiter({
  running: { inAll: 2, perClient: 2 },
  waiting: { inAll: 10_000, perClient: 250 },
  maxWait: 8_000,
  message: 'Too many passwords from your network are being checked; try again later',
});

/** What is stored of a password that a client sets. @throws ApiError SERVICE_UNAVAILABLE when too many of the client wait. */
export async function hashPassword(password: string, client: string): Promise<string> {
  const salt = randomBytes(16);
  const manner = argon2 ? argonManner(argon2id) : scryptManner(scryptCost);
  const hash = await passwordHashes.run(client, () => derive(password, salt, manner));
  return `$${manner}$${encoded(salt)}$${encoded(hash)}`;
}

/** A hash that no password has, so that to refuse an unknown user takes as long as to refuse a password. */
const noHash = `$${argon2 ? argonManner(argon2id) : scryptManner(scryptCost)}$${encoded(Buffer.alloc(16))}$${encoded(Buffer.alloc(hashLength))}`;

/**
 * Whether the password that a client shows is that of what is stored; for null it takes as long.
 * @throws ApiError SERVICE_UNAVAILABLE when too many of the client wait; Error when this Node cannot compute the manner of what is stored
 */
export async function passwordMatches(
  password: string,
  stored: string | null,
  client: string,
): Promise<boolean> {
  const parts = /^\$(.+)\$([^$]+)\$([^$]+)$/.exec(stored ?? noHash);
  if (!parts) throw new Error('a stored password is of no known form');
  const [, manner, salt, hash] = parts as unknown as [string, string, string, string];
  const derived = await passwordHashes.run(client, () =>
    derive(password, Buffer.from(salt, 'base64'), manner),
  );
  return timingSafeEqual(derived, Buffer.from(hash, 'base64')) && stored !== null;
}

/** Whether what is stored was hashed in another manner than passwords are now. */
export function isOutdated(stored: string): boolean {
  return !stored.startsWith(`$${argon2 ? argonManner(argon2id) : scryptManner(scryptCost)}$`);
}

function argonManner({ memory, passes, parallelism }: typeof argon2id): string {
  return `argon2id$v=19$m=${memory},t=${passes},p=${parallelism}`;
}

function scryptManner({ cost, blockSize, parallelization }: typeof scryptCost): string {
  return `scrypt$ln=${cost},r=${blockSize},p=${parallelization}`;
}

/** One password in one form, whichever keyboard wrote it (Unicode NFKC). */
function derive(password: string, salt: Buffer, manner: string): Promise<Buffer> {
  const message = Buffer.from(password.normalize('NFKC'));
  const [first = 0, second = 0, third = 0] = Array.from(manner.matchAll(/[a-z]=?([0-9]+)(?=,|$)/g), ([, n]) =>
    Number(n),
  );
  if (manner.startsWith('scrypt$')) {
    const options = {
      cost: 2 ** first,
      blockSize: second,
      parallelization: third,
      maxmem: 256 * 2 ** second * 2 ** first,
    };
    return scrypt(message, salt, options);
  }
  if (!argon2) throw new Error('a stored password needs argon2id, which Node has from 24.7 on');
  const parameters = {
    message,
    nonce: salt,
    memory: first,
    passes: second,
    parallelism: third,
    tagLength: hashLength,
  };
  return promisify(argon2)('argon2id', parameters);
}

function scrypt(message: Buffer, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  crypto.scrypt(message, salt, hashLength, options, (error, derived) =>
    error ? reject(error) : resolve(derived),
  );
  return promise;
}

/** Base64 without padding, as PHC strings have it. */
function encoded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
