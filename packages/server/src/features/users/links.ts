import {
  hashSecret,
  newSeed,
  type OwnedSecret,
  ownedSecretOf,
  parseOwnedSecret,
} from '../../auth/secrets.ts';

/** What the secret of a link begins with. */
const prefix = 'kontorl';

/** How long the link of an invitation works, in milliseconds: over a week-end. */
const invitationLife = 3 * 24 * 3600 * 1000;

/** A new link of a user that sets the password once. */
export interface NewLink {
  readonly id: string;
  readonly hash: Buffer;
  readonly expiresAt: Date;
  /** The secret itself, which is stored nowhere. */
  readonly secret: string;
  /** What it is made of, together with the pepper. */
  readonly seed: string;
}

/** Makes a link that works for so many milliseconds from an instant on. */
export function newLink(
  organizationId: string,
  pepper: Buffer,
  from: Date,
  life: number = invitationLife,
): NewLink {
  const { id, seed } = newSeed();
  const secret = ownedSecretOf({ prefix, organizationId, id, seed }, pepper);
  const expiresAt = new Date(from.getTime() + life);
  return { id, hash: hashSecret(secret, pepper), expiresAt, secret: secret.text, seed };
}

/** The secret of a link that was made before, of its seed. */
export function linkAgain(
  organizationId: string,
  pepper: Buffer,
  { id, seed }: Pick<NewLink, 'id' | 'seed'>,
): Pick<NewLink, 'secret'> {
  return { secret: ownedSecretOf({ prefix, organizationId, id, seed }, pepper).text };
}

/** What a user was given; null when it is no secret of a link. */
export function parseLink(text: string): OwnedSecret | null {
  return parseOwnedSecret(prefix, text);
}

/**
 * The address of a link. Its secret stands behind `#`, which browsers keep to themselves: it is in no log of a server or proxy, and in
 * no Referer.
 */
export function addressOf(publicUrl: string, { secret }: Pick<NewLink, 'secret'>): string {
  return `${publicUrl.replace(/\/+$/, '')}/portal/invitation#${secret}`;
}
