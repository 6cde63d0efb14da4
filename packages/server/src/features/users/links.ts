import {
  hashSecret,
  newSeed,
  type OwnedSecret,
  ownedSecretOf,
  parseOwnedSecret,
  type Pepper,
  peppersOf,
} from '../../auth/secrets.ts';

const linkPrefix = 'kontorl';

/** Lifetime of an invitation in milliseconds; it lasts over a weekend. */
export const invitationLife = 3 * 24 * 3600 * 1000;

/** The random part of a link. The secret is derived from it and the pepper, so the mail can be rendered without a stored secret. */
export interface LinkSeed {
  readonly id: string;
  readonly seed: string;
}

export interface NewLink extends LinkSeed {
  readonly hash: Buffer;
  readonly expiresAt: Date;
  /** Not stored. */
  readonly secret: string;
}

/** Creates a link that sets the password of a user. `life` is in milliseconds. */
export function newLink(organizationId: string, pepper: Buffer, from: Date, life = invitationLife): NewLink {
  const seed = newSeed();
  const secret = secretOfLink(organizationId, pepper, seed);
  const expiresAt = new Date(from.getTime() + life);
  return { ...seed, hash: hashSecret(secret, pepper), expiresAt, secret: secret.text };
}

function secretOfLink(organizationId: string, pepper: Buffer, { id, seed }: LinkSeed): OwnedSecret {
  return ownedSecretOf({ prefix: linkPrefix, organizationId, id, seed }, pepper);
}

/** The secret of a stored link, which may be older than the present pepper; null when it belongs to neither pepper. */
export function secretOfStored(
  organizationId: string,
  pepper: Pepper,
  seed: LinkSeed,
  hash: Buffer,
): OwnedSecret | null {
  for (const one of peppersOf(pepper)) {
    const secret = secretOfLink(organizationId, one, seed);
    if (hashSecret(secret, one).equals(hash)) return secret;
  }
  return null;
}

/** Returns null for a text of another form. */
export function parseLink(text: string): OwnedSecret | null {
  return parseOwnedSecret(linkPrefix, text);
}

/** Browsers do not send the part after `#`, so the secret reaches no server log and no Referer header. */
export function linkAddress(publicUrl: string, secret: string): string {
  return `${publicUrl.replace(/\/+$/, '')}/portal/invitation#${secret}`;
}
