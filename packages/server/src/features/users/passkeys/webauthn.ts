import { isIP } from 'node:net';
import type { PasskeyCreate, PasskeyCreation, PasskeyRequest, PasskeyUse } from '@kontor/contract';
import type { UserRef } from '../rules.ts';
import { challengeLife } from '../sessions/challenges.ts';
import type { NewPasskey, StoredPasskey } from './store.ts';

/** Passkeys (Web Authentication, level 3). SimpleWebAuthn checks the signatures; it is loaded with the first use of a passkey. */
const library = () => import('@simplewebauthn/server');
const decoders = () => import('@simplewebauthn/server/helpers');

/** COSE numbers of Ed25519, ECDSA with P-256, and RSA for older Windows. */
const algorithms = [-8, -7, -257];

const timeout = challengeLife.passkey * 1000;

/** The domain that browsers bind passkeys to, and the origin of the portal's pages. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

/**
 * The relying party of a public address. Null when passkeys do not work there: without a domain, or over plain HTTP from another machine.
 * A loopback address becomes `localhost`, because an IP address is no domain.
 */
export function relyingPartyOf(publicUrl: string): RelyingParty | null {
  const { protocol, hostname, port } = new URL(publicUrl);
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  const isLoopback = (isIP(address) === 4 && address.startsWith('127.')) || address === '::1';
  if (!isLoopback && isIP(address) !== 0) return null;
  const id = isLoopback ? 'localhost' : hostname;
  if (protocol !== 'https:' && id !== 'localhost') return null;
  return { id, origin: `${protocol}//${id}${port && `:${port}`}` };
}

/** Options for using one of these passkeys. Without any, the user chooses one. */
export function requestOptions(
  { id: rpId }: RelyingParty,
  challenge: string,
  passkeys: readonly StoredPasskey[] = [],
): PasskeyRequest {
  const allowCredentials = passkeys.map(describeCredential);
  return { challenge, rpId, timeout, userVerification: 'required', allowCredentials };
}

/** Options for creating a passkey. An authenticator that holds one of these creates none. */
export function creationOptions(
  { id }: RelyingParty,
  challenge: string,
  owner: UserRef & { email: string; name: string },
  passkeys: readonly StoredPasskey[],
): PasskeyCreation {
  return {
    challenge,
    rp: { id, name: 'Kontor' },
    user: { id: handleOf(owner), name: owner.email, displayName: owner.name },
    pubKeyCredParams: algorithms.map(alg => ({ type: 'public-key', alg })),
    timeout,
    attestation: 'none',
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    excludeCredentials: passkeys.map(describeCredential),
  };
}

function describeCredential({ credentialId, transports }: StoredPasskey) {
  return { type: 'public-key' as const, id: credentialId, transports: [...transports] };
}

/** The user handle that the authenticator stores. It contains the organization, so a sign-in without an email reads one organization only. */
export function handleOf({ organizationId, userId }: UserRef): string {
  return Buffer.from(organizationId + userId, 'hex').toString('base64url');
}

/** Returns null for a handle of another form. */
export function userOfHandle(handle: string | null): UserRef | null {
  const ids = Buffer.from(handle ?? '', 'base64url').toString('hex');
  if (ids.length !== 48) return null;
  return { organizationId: ids.slice(0, 24), userId: ids.slice(24) };
}

/** The challenge in a browser's client data; null when it cannot be read. */
export function challengeIn(clientDataJSON: string): string | null {
  try {
    const data = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8')) as {
      challenge?: unknown;
    } | null;
    return typeof data?.challenge === 'string' ? data.challenge : null;
  } catch {
    return null;
  }
}

/** Verifies challenge, origin and user verification of a new passkey; null when invalid. */
export async function verifyCreation(
  { id, origin }: RelyingParty,
  challenge: string,
  { credentialId, clientDataJSON, attestationObject, transports }: PasskeyCreate,
): Promise<NewPasskey | null> {
  const { verifyRegistrationResponse } = await library();
  try {
    if (!(await isUncertified(attestationObject))) return null;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: responseOf(credentialId, { clientDataJSON, attestationObject }),
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    });
    if (!verified || registrationInfo.credential.id !== credentialId) return null;
    const { credential, credentialBackedUp } = registrationInfo;
    const publicKey = Buffer.from(credential.publicKey);
    return { credentialId, publicKey, uses: credential.counter, transports, synced: credentialBackedUp };
  } catch {
    return null;
  }
}

function responseOf<Response>(credentialId: string, response: Response) {
  return {
    id: credentialId,
    rawId: credentialId,
    type: 'public-key' as const,
    clientExtensionResults: {},
    response,
  };
}

/** Rejects certificates of manufacturers unread: for some of them the library would send revocation requests. The options ask for none. */
async function isUncertified(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await decoders();
  const decoded = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
  const format = decoded.get('fmt');
  return format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined);
}

/** `uses` is the authenticator's signature counter. */
export interface VerifiedUse {
  readonly id: string;
  readonly uses: number;
  readonly synced: boolean;
}

/** Null for an invalid use. The library also rejects a counter that did not increase: a lower one belongs to a copy. */
export async function verifyUse(
  { id, origin }: RelyingParty,
  challenge: string,
  { credentialId, clientDataJSON, authenticatorData, signature }: PasskeyUse,
  passkey: StoredPasskey,
): Promise<VerifiedUse | null> {
  const { verifyAuthenticationResponse } = await library();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: responseOf(credentialId, { clientDataJSON, authenticatorData, signature }),
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(passkey.publicKey),
        counter: passkey.uses,
      },
      requireUserVerification: true,
    });
    if (!verified) return null;
    const { newCounter: uses, credentialBackedUp: synced } = authenticationInfo;
    return { id: passkey.id, uses, synced };
  } catch {
    return null;
  }
}

/** Whether the counter is higher than the stored one. Synced authenticators keep it at 0. */
export function isNewer({ uses }: VerifiedUse, present: StoredPasskey | undefined): boolean {
  return present !== undefined && (uses > present.uses || (uses === 0 && present.uses === 0));
}
