import { apis } from '@kontor/contract';

const { cookie: name } = apis.portal.credential;

/**
 * Over HTTPS only, for this host only, for no other site and for no script. It ends with the browser. Chromium and Firefox take it over
 * plain HTTP from the machine itself, too, which is how the demo is opened.
 */
const attributes = 'Path=/; Secure; HttpOnly; SameSite=Strict';

/** Gives the browser the secret of a session. */
export function sessionCookie(secret: string): { 'Set-Cookie': string } {
  return { 'Set-Cookie': `${name}=${secret}; ${attributes}` };
}

/** Takes it back. */
export const endedCookie = { 'Set-Cookie': `${name}=; ${attributes}; Max-Age=0` };
