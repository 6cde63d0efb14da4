import { apis } from '@kontor/contract';
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { emailKey } from '../../../lib/email-key.ts';

const { cookie: name } = apis.portal.credential;

/**
 * Over HTTPS only, for this host only, for no other site and for no script. It ends with the browser. Chromium and Firefox take it over
 * plain HTTP from the machine itself, too, which is how the demo is opened.
 */
const attributes = 'Path=/; Secure; HttpOnly; SameSite=Strict';

/** Gives the browser the secret of a session. */
export function sessionCookie(secret: string): string {
  return `${name}=${secret}; ${attributes}`;
}

/** Takes it back. */
export const endedCookie = `${name}=; ${attributes}; Max-Age=0`;

/** Of what was begun at an issuer, which the browser shows when it is back. */
export const openIdCookieName = '__Host-kontor-openid';

/**
 * Gives the browser the secret of what was begun, for so many seconds. It is sent by the page that the issuer leads back to, and some
 * browsers hold such a page to be from elsewhere; what it comes with has to belong to it, so it need not be strict.
 */
export function openIdCookie(secret: string, seconds: number): { 'Set-Cookie': string } {
  const more = `Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=${seconds}`;
  return { 'Set-Cookie': `${openIdCookieName}=${secret}; ${more}` };
}

/** The cookie of a browser that has signed in before (OWASP "device cookies"). */
export const deviceCookieName = '__Host-kontor-device';

const oneYear = 365 * 24 * 3600;

/** How many users of one browser stay known: colleagues share a computer, and three entries are a short header. */
const maxUsers = 3;

/**
 * An entry is `1.<nonce>.<HMAC of nonce and e-mail>`: it says that this browser has signed in to one account, and lets nobody in. A cookie is up
 * to three entries, the latest first, without the e-mails.
 */
const entryPattern = /^1\.([\w-]{22})\.([\w-]{43})$/;

/** The nonce that names the browser, if its cookie has an entry for this e-mail; else null. */
export function deviceOf(pepper: Buffer, cookie: string | undefined, email: string): string | null {
  for (const entry of entriesOf(cookie)) {
    const [, nonce, mac] = entryPattern.exec(entry)!;
    const isMade = timingSafeEqual(Buffer.from(mac!, 'base64url'), macOf(pepper, nonce!, email));
    if (isMade) return nonce!;
  }
  return null;
}

/** Makes the browser known for this e-mail, for a year from the sign-in on, and keeps the latest other users. */
export function deviceCookie(pepper: Buffer, cookie: string | undefined, email: string): string {
  const others = entriesOf(cookie).filter(entry => deviceOf(pepper, entry, email) === null);
  // A new nonce with each sign-in, so that failures with a stolen cookie do not stay with its owner.
  const nonce = randomBytes(16).toString('base64url');
  const entry = `1.${nonce}.${macOf(pepper, nonce, email).toString('base64url')}`;
  const value = [entry, ...others].slice(0, maxUsers).join('~');
  return `${deviceCookieName}=${value}; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=${oneYear}`;
}

function entriesOf(cookie = ''): string[] {
  return cookie.split('~', maxUsers).filter(entry => entryPattern.test(entry));
}

function macOf(pepper: Buffer, nonce: string, email: string): Buffer {
  return createHmac('sha256', pepper)
    .update(`device cookie 1 ${nonce} ${emailKey(email)}`)
    .digest();
}
