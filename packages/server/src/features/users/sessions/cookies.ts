import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { apis } from '@kontor/contract';
import { emailKey } from '../../../lib/email-key.ts';

const { cookie: sessionCookieName } = apis.portal.credential;

/**
 * Sent over HTTPS, to this host and by its own pages only, and hidden from scripts. Chromium and Firefox also send it over plain HTTP to
 * the machine itself, where the demo runs.
 */
const attributes = 'Path=/; Secure; HttpOnly; SameSite=Strict';

/** Gives the browser the secret of a session, until it is closed. */
export function sessionCookie(secret: string): string {
  return `${sessionCookieName}=${secret}; ${attributes}`;
}

export const endedCookie = `${sessionCookieName}=; ${attributes}; Max-Age=0`;

/** The secret of a sign-in that was begun at an issuer. */
export const openIdCookieName = '__Host-kontor-openid';

/**
 * Gives the browser that secret. Some browsers take the page that the issuer leads back to for one of another site, so the cookie is
 * not strict; the answer of the issuer must belong to it.
 */
export function openIdCookie(secret: string, seconds: number): { 'Set-Cookie': string } {
  const lax = `Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=${seconds}`;
  return { 'Set-Cookie': `${openIdCookieName}=${secret}; ${lax}` };
}

/** The cookie of a browser that has signed in before (OWASP "device cookies"). */
export const deviceCookieName = '__Host-kontor-device';

const oneYear = 365 * 24 * 3600;

/** Colleagues share a computer, and three entries are a short header. */
const maxUsers = 3;

/**
 * A cookie has up to three entries `1.<nonce>.<HMAC of nonce and e-mail>`, the latest first. An entry proves that this browser has signed
 * in to an account. It signs nobody in, and contains no e-mail.
 */
const entryPattern = /^1\.([\w-]{22})\.([\w-]{43})$/;

/** The nonce that names the browser, when its cookie has an entry for this e-mail. */
export function deviceOf(pepper: Buffer, cookie: string | undefined, email: string): string | null {
  for (const entry of entriesOf(cookie)) {
    const [, nonce, mac] = entryPattern.exec(entry)!;
    if (timingSafeEqual(Buffer.from(mac!, 'base64url'), macOf(pepper, nonce!, email))) return nonce!;
  }
  return null;
}

/** Makes the browser known for this e-mail for a year, and keeps the latest other users. */
export function deviceCookie(pepper: Buffer, cookie: string | undefined, email: string): string {
  const others = entriesOf(cookie).filter(entry => deviceOf(pepper, entry, email) === null);
  // A new nonce with each sign-in, so that failures with a stolen cookie do not stay with its owner.
  const nonce = randomBytes(16).toString('base64url');
  const entry = `1.${nonce}.${macOf(pepper, nonce, email).toString('base64url')}`;
  const value = [entry, ...others].slice(0, maxUsers).join('~');
  return `${deviceCookieName}=${value}; ${attributes}; Max-Age=${oneYear}`;
}

function entriesOf(cookie = ''): string[] {
  return cookie.split('~', maxUsers).filter(entry => entryPattern.test(entry));
}

function macOf(pepper: Buffer, nonce: string, email: string): Buffer {
  return createHmac('sha256', pepper)
    .update(`device cookie 1 ${nonce} ${emailKey(email)}`)
    .digest();
}
