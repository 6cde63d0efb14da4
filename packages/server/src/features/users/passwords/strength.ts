import { readFileSync } from 'node:fs';
import { fold, unprocessable, type User } from '@kontor/contract';
import type { Queryable } from '../../../db/session.ts';
import { sql } from '../../../db/sql.ts';

/** Max length of passwords that are searched for known words. Longer ones are rejected only for repeating a known or short text. */
const searchedLength = 64;

const file = readFileSync(new URL('../../../../data/common-passwords.txt', import.meta.url), 'utf8');
/** The words follow the licence and a blank line. */
const common = new Set(file.slice(file.indexOf('\n\n')).trim().split('\n').map(normalized));

/** Rejects a new password that the organization finds too short. @throws ApiError 422 VALIDATION_ERROR */
export async function checkPasswordLength(
  db: Queryable,
  organizationId: string,
  password: string,
): Promise<void> {
  const [row] = await db.rows<{ min: number }>(
    sql`SELECT min_password_length AS min FROM organization WHERE id = ${organizationId}`,
  );
  if ([...password].length < row!.min)
    throw unprocessable(`password must have at least ${row!.min} characters: the organization requires it`, {
      field: 'password',
      minimum: row!.min,
    });
}

/**
 * Rejects a new password that is easy to guess (ASVS 5 6.2.4, 6.2.11). That is a repeated short text, or a common password with digits
 * and symbols around it. Names and email of the user and words of the service count as common, also combined.
 * @throws ApiError 422 VALIDATION_ERROR
 */
export function checkPassword(password: string, user: Pick<User, 'email' | 'name'>): void {
  const text = normalized(password);
  const own = wordsOf(user);
  if (!isGuessable(text, own) && hasEnoughAlongside(text, own)) return;
  throw unprocessable(
    'password is easy to guess: choose a few words that do not belong together, without your name or email',
    { field: 'password' },
  );
}

function normalized(text: string): string {
  return fold(text.normalize('NFKC'));
}

/** Words of the service that an attacker tries first (ASVS 5 6.1.2); docs/sign-in.md lists them. */
const serviceWords = ['kontor', 'portal', 'payroll'];

/** Words that an attacker who knows the user tries first. */
function wordsOf({ email, name }: Pick<User, 'email' | 'name'>): ReadonlySet<string> {
  const texts = [email, ...email.split('@'), ...email.split(/[@.]/), name, ...serviceWords].map(normalized);
  const parts = texts.flatMap(text => [text, ...text.split(/[^\p{L}\p{M}\p{N}]+/u)]);
  return new Set([...parts, ...texts.map(text => text.replaceAll(/[^\p{L}\p{M}\p{N}]/gu, ''))]);
}

/** Min letters and digits besides the words of the user and the service, and min length of such a word. */
const fewestOthers = 8;
const shortestWord = 4;

function hasEnoughAlongside(password: string, own: ReadonlySet<string>): boolean {
  const words = [...own].filter(word => word.length >= shortestWord).sort((a, b) => b.length - a.length);
  const rest = words.reduce((text, word) => text.replaceAll(word, ''), password);
  return rest === password || (rest.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= fewestOthers;
}

/** Whether a known word, perhaps repeated, makes up at least half of a password without other letters. */
function isGuessable(password: string, own: ReadonlySet<string>): boolean {
  const { length } = password;
  const before = /^\P{L}*/u.exec(password)![0].length;
  const behind = /\P{L}*$/u.exec(password)![0].length;
  if (length > searchedLength) return isKnown(password, own);
  for (let from = 0; from <= before; from++)
    for (let to = length; to >= length - behind && (to - from) * 2 >= length; to--)
      if (isKnown(password.slice(from, to), own)) return true;
  return false;
}

/** Whether a text is a known word, repeated or not, or repeats fewer than four characters. */
function isKnown(text: string, own: ReadonlySet<string>): boolean {
  for (let size = 1; size <= text.length; size++) {
    if (text.length % size !== 0) continue;
    const word = text.slice(0, size);
    if (word.repeat(text.length / size) !== text) continue;
    if (size < 4 && size < text.length) return true;
    if (common.has(word) || own.has(word)) return true;
  }
  return false;
}
