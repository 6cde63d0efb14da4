/** Whose a passkey is. */
export interface PasskeyOwner {
  readonly organizationId: string;
  readonly userId: string;
}

/**
 * How the authenticator knows the user: it gives that back with each use, so that one organization is asked, without an e-mail. It names
 * nobody to who reads it.
 */
export function handleOf({ organizationId, userId }: PasskeyOwner): string {
  return Buffer.from(organizationId + userId, 'hex').toString('base64url');
}

/** Whom an authenticator says that the passkey belongs to; null where that has not the form of one of ours. */
export function ownerIn(handle: string | null): PasskeyOwner | null {
  const ids = Buffer.from(handle ?? '', 'base64url').toString('hex');
  if (ids.length !== 48) return null;
  return { organizationId: ids.slice(0, 24), userId: ids.slice(24) };
}
