import { hashSecret, newOwnedSecret, type OwnedSecret, parseOwnedSecret } from '../../secrets.ts';

/** What the secret of a link begins with. */
const prefix = 'kontorl';

/** How long a link works, in milliseconds: over a week-end. */
const life = 3 * 24 * 3600 * 1000;

/** A new link of a user that sets the password once. */
export interface NewLink {
  readonly id: string;
  readonly hash: Buffer;
  readonly expiresAt: Date;
  /** The secret itself, which is stored nowhere. */
  readonly secret: string;
}

/** Makes a link that works from an instant on. */
export function newLink(organizationId: string, pepper: Buffer, from: Date): NewLink {
  const made = newOwnedSecret(prefix, organizationId);
  const expiresAt = new Date(from.getTime() + life);
  return { id: made.id, hash: hashSecret(made, pepper), expiresAt, secret: made.text };
}

/** What a user was given; null when it is no secret of a link. */
export function parseLink(text: string): OwnedSecret | null {
  return parseOwnedSecret(prefix, text);
}

/**
 * The address of a link. Its secret stands behind `#`, which browsers keep to themselves: it is in no log of a server or proxy, and in
 * no Referer.
 */
export function addressOf(publicUrl: string, { secret }: NewLink): string {
  return `${publicUrl.replace(/\/+$/, '')}/portal/invitation#${secret}`;
}
