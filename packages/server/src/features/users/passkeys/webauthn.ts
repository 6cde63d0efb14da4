import type { PasskeyCreate, PasskeyCreation, PasskeyRequest, PasskeyUse } from '@kontor/contract';
import { challengeLife } from '../sessions/challenges.ts';
import type { NewPasskey, StoredPasskey } from './store.ts';
import { isIP } from 'node:net';

/**
 * Passkeys (Web Authentication, level 3): what browsers are asked for, and whether what they answer is true. The signatures are checked by
 * SimpleWebAuthn, which is loaded when somebody first uses a passkey.
 */
const checks = () => import('@simplewebauthn/server');
const decoders = () => import('@simplewebauthn/server/helpers');

/** Ed25519, ECDSA with P-256, and RSA for older Windows (numbers of COSE). */
const algorithms = [-8, -7, -257];

const timeout = challengeLife.passkey * 1000;

/** What a browser needs to have a passkey used: one of these, or, of none, whichever the user chooses. */
export function optionsOfUse(
  { id: rpId }: RelyingParty,
  challenge: string,
  passkeys: readonly StoredPasskey[] = [],
): PasskeyRequest {
  return { challenge, rpId, timeout, userVerification: 'required', allowCredentials: passkeys.map(named) };
}

/** What a browser needs to make a passkey of a user, in an authenticator that has none of these. */
export function optionsOfCreation(
  { id }: RelyingParty,
  challenge: string,
  owner: PasskeyOwner & { email: string; name: string },
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
    excludeCredentials: passkeys.map(named),
  };
}

function named({ credentialId, transports }: StoredPasskey) {
  return { type: 'public-key' as const, id: credentialId, transports: [...transports] };
}

/** The challenge that a browser says was signed; null where it says nothing that can be read. */
export function challengeIn(clientDataJSON: string): string | null {
  try {
    const said = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8')) as {
      challenge?: unknown;
    } | null;
    return typeof said?.challenge === 'string' ? said.challenge : null;
  } catch {
    return null;
  }
}

/** The passkey that an authenticator has made for this challenge, on a page of the portal, for a user it has checked; null otherwise. */
export async function madePasskey(
  { id, origin }: RelyingParty,
  challenge: string,
  { credentialId, clientDataJSON, attestationObject, transports }: PasskeyCreate,
): Promise<NewPasskey | null> {
  const { verifyRegistrationResponse } = await checks();
  try {
    if (!(await isUncertified(attestationObject))) return null;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        id: credentialId,
        rawId: credentialId,
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON, attestationObject },
      },
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

/**
 * Whether an authenticator says nothing of who made it, as it was asked to. What it could say are certificates, of which some would have
 * us ask their makers for revoked ones: so they are not even looked at.
 */
async function isUncertified(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await decoders();
  const said = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
  const format = said.get('fmt');
  return format === 'none' || (format === 'packed' && said.get('attStmt').get('x5c') === undefined);
}

/** A use of a passkey that is true. */
export interface TrueUse {
  readonly id: string;
  /** How often the authenticator says that it was used by now. */
  readonly uses: number;
  readonly synced: boolean;
}

/**
 * Whether a passkey was used for this challenge, on a page of the portal, by a user whom the authenticator has checked, and more often
 * than the last time, since less often is a copy; null otherwise. Of no passkey that is null as well.
 */
export async function trueUse(
  { id, origin }: RelyingParty,
  challenge: string,
  { credentialId, clientDataJSON, authenticatorData, signature }: PasskeyUse,
  passkey: StoredPasskey | null,
): Promise<TrueUse | null> {
  const { verifyAuthenticationResponse } = await checks();
  if (passkey === null) return null;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id: credentialId,
        rawId: credentialId,
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON, authenticatorData, signature },
      },
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

/** Whether a use is still newer than what is stored by now. */
export function isNewer({ uses }: TrueUse, present: StoredPasskey | undefined): boolean {
  return present !== undefined && (uses > present.uses || (uses === 0 && present.uses === 0));
}

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

/** For whom passkeys are: the domain that browsers bind them to, and the address of the pages that may use them. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

/**
 * The one of the address at which people reach the service; null where passkeys do not work: without a domain, and over plain HTTP
 * from elsewhere. What only this machine reaches is `localhost` to passkeys, since a number is no domain.
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
