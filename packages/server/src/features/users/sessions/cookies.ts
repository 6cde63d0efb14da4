import { apis } from '@kontor/contract';

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
