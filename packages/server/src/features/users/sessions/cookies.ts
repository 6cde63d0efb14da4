import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { apis } from '@kontor/contract';
import { type Pepper, peppersOf } from '../../../auth/secrets.ts';
import { emailKey } from '../../../lib/email-key.ts';

const { cookie: sessionCookieName } = apis.portal.credential;

/** Chromium and Firefox send `Secure` cookies over plain HTTP to a loopback address, which the demo uses. */
const attributes = 'Path=/; Secure; HttpOnly; SameSite=Strict';

/** A cookie without an expiry: browsers delete it when they close. */
export function sessionCookie(secret: string): string {
  return `${sessionCookieName}=${secret}; ${attributes}`;
}

export const endedCookie = `${sessionCookieName}=; ${attributes}; Max-Age=0`;

/** Holds the secret of a sign-in that began at an issuer. */
export const openIdCookieName = '__Host-kontor-openid';

/** Lax instead of Strict: some browsers treat the redirect from the issuer as cross-site. The `state` of the answer is bound to the secret. */
export function openIdCookie(secret: string, seconds: number): { 'Set-Cookie': string } {
  const lax = `Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=${seconds}`;
  return { 'Set-Cookie': `${openIdCookieName}=${secret}; ${lax}` };
}

/** The cookie of a browser that has signed in before (OWASP "device cookies"). */
export const deviceCookieName = '__Host-kontor-device';

const oneYear = 365 * 24 * 3600;

/** Colleagues may share a computer. Three entries keep the header short. */
const maxUsers = 3;

/**
 * A cookie has up to three entries `1.<nonce>.<HMAC of nonce and email>`, the latest first. An entry proves that this browser has signed
 * in to an account. It grants no session and contains no email.
 */
const entryPattern = /^1\.([\w-]{22})\.([\w-]{43})$/;

/** The nonce of the cookie's entry for this email; null without one. */
export function deviceOf(pepper: Pepper, cookie: string | undefined, email: string): string | null {
  for (const entry of entriesOf(cookie)) {
    const [, nonce, mac] = entryPattern.exec(entry)!;
    const sent = Buffer.from(mac!, 'base64url');
    const isOf = (one: Buffer) => timingSafeEqual(sent, macOf(one, nonce!, email));
    if (peppersOf(pepper).some(isOf)) return nonce!;
  }
  return null;
}

/** A cookie that marks the browser as known for this email for a year. Entries of other users are kept. */
export function deviceCookie(pepper: Pepper, cookie: string | undefined, email: string): string {
  const others = entriesOf(cookie).filter(entry => deviceOf(pepper, entry, email) === null);
  // A new nonce at each sign-in: failures with a stolen cookie do not count against its owner.
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
