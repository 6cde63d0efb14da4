import {
  hashSecret,
  newSeed,
  type OwnedSecret,
  ownedSecretOf,
  parseOwnedSecret,
} from '../../auth/secrets.ts';

const linkPrefix = 'kontorl';

/** How long an invitation is valid, in milliseconds: over a week-end. */
const invitationLife = 3 * 24 * 3600 * 1000;

/** The random part of a link. The secret follows from it and the pepper, so a mail can be written without storing the secret. */
export interface LinkSeed {
  readonly id: string;
  readonly seed: string;
}

/** A new link of a user that sets the password once. */
export interface NewLink extends LinkSeed {
  readonly hash: Buffer;
  readonly expiresAt: Date;
  /** Stored nowhere. */
  readonly secret: string;
}

/** Makes a link that is valid for some milliseconds from an instant on. */
export function newLink(organizationId: string, pepper: Buffer, from: Date, life = invitationLife): NewLink {
  const seed = newSeed();
  const secret = secretOfLink(organizationId, pepper, seed);
  const expiresAt = new Date(from.getTime() + life);
  return { ...seed, hash: hashSecret(secret, pepper), expiresAt, secret: secret.text };
}

export function secretOfLink(organizationId: string, pepper: Buffer, { id, seed }: LinkSeed): OwnedSecret {
  return ownedSecretOf({ prefix: linkPrefix, organizationId, id, seed }, pepper);
}

/** Parses the secret of a link; null for any other text. */
export function parseLink(text: string): OwnedSecret | null {
  return parseOwnedSecret(linkPrefix, text);
}

/** The address of a link. Browsers do not send the part behind `#`, so the secret is in no log of a server and in no Referer. */
export function linkAddress(publicUrl: string, secret: string): string {
  return `${publicUrl.replace(/\/+$/, '')}/portal/invitation#${secret}`;
}
