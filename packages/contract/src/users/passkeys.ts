import Type, { type Static } from 'typebox';
import { Identity } from './sessions.ts';
import { pageOf } from '../list.ts';
import { basic, CreatedListQuery, idParameter } from '../operation.ts';
import { portalOperation } from '../portal-operation.ts';
import { ClosedObject, Flag, Id, Instant, Integer, Name, nullable, Text } from '../schema.ts';

/** Bytes in the format of browsers: base64url without padding. */
const Bytes = (description: string, maxLength: number, example: string) =>
  Type.String({ pattern: '^[A-Za-z0-9_-]*$', maxLength, description, examples: [example] });

const challenge = Bytes('Is signed by the authenticator; it works once, for five minutes', 100, 'q83vEjRW');
const credentialId = Bytes('Identifier that the authenticator has given the passkey', 1400, 'AQIDBAUG');
const clientDataJSON = Bytes(
  'The signed client data: challenge, origin and type',
  4000,
  'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
);
const name = Name('Name of the passkey, such as its device', 'Firefox on Linux');

const one = (value: string, description: string) =>
  Type.String({ const: value, description, examples: [value] });

const Named = ClosedObject({
  type: one('public-key', 'The kind of a passkey'),
  id: credentialId,
  transports: Type.Array(Text()),
});

const timeout = Integer();
const required = (description: string) => one('required', description);

export const Passkey = ClosedObject({
  id: Id(),
  name,
  createdAt: Instant(),
  lastUsedAt: nullable(Instant()),
  synced: Flag(),
});
export type Passkey = Static<typeof Passkey>;

export const PasskeyRequest = ClosedObject({
  challenge,
  rpId: Text(),
  timeout,
  userVerification: required('The authenticator must verify the user'),
  allowCredentials: Type.Array(Named),
});
export type PasskeyRequest = Static<typeof PasskeyRequest>;

export const PasskeyUse = ClosedObject({
  credentialId,
  clientDataJSON,
  authenticatorData: Bytes('The authenticator data', 4000, 'SZYN5YgO'),
  signature: Bytes('The signature over both', 4000, 'MEUCIQDN'),
  userHandle: nullable(Bytes('The user handle of the passkey', 100, 'ZfDA_-4B')),
});
export type PasskeyUse = Static<typeof PasskeyUse>;

export const PasskeyCreation = ClosedObject({
  challenge,
  rp: ClosedObject({ id: Type.String(), name: Type.String() }),
  user: ClosedObject({
    id: Bytes('The user, to the authenticator', 100, 'ZfDA_-4B'),
    name: Type.String(),
    displayName: Type.String(),
  }),
  pubKeyCredParams: Type.Array(
    ClosedObject({
      type: one('public-key', 'The kind of a passkey'),
      alg: Type.Integer(),
    }),
  ),
  timeout,
  attestation: one('none', 'No attestation is required'),
  authenticatorSelection: ClosedObject({
    residentKey: required('The passkey must be discoverable'),
    requireResidentKey: Flag(),
    userVerification: required('The authenticator must verify the user'),
  }),
  excludeCredentials: Type.Array(Named),
});
export type PasskeyCreation = Static<typeof PasskeyCreation>;

export const PasskeyCreate = ClosedObject({
  name,
  credentialId,
  clientDataJSON,
  attestationObject: Bytes('The public key, and the data of the authenticator', 16_000, 'o2NmbXRkbm9uZQ'),
  transports: Type.Array(Type.String({ pattern: '^[a-z-]{1,30}$', examples: ['internal'] }), {
    maxItems: 10,
  }),
});
export type PasskeyCreate = Static<typeof PasskeyCreate>;

const signedIn = { ...basic, tag: 'Passkeys', method: 'POST' } as const;
const open = { ...signedIn, authenticated: false } as const;
const ofPasskey = {
  ...signedIn,
  path: '/passkeys/{id}',
  parameters: idParameter('Identifier of the passkey'),
} as const;

export const beginPasskeySignIn = portalOperation({
  ...open,
  path: '/session/passkey-challenge',
  success: { status: 200, body: PasskeyRequest },
  errors: ['INVALID_STATE_TRANSITION', 'RATE_LIMIT_EXCEEDED', 'SERVICE_UNAVAILABLE'],
});

export const signInWithPasskey = portalOperation({
  ...open,
  path: '/session/passkey',
  setsCookie: true,
  body: PasskeyUse,
  success: { status: 200, body: Identity },
  errors: ['SIGN_IN_FAILED', 'CHALLENGE_EXPIRED', 'RATE_LIMIT_EXCEEDED', 'SERVICE_UNAVAILABLE'],
});

export const beginPasskeyConfirmation = portalOperation({
  ...signedIn,
  opensWithoutPasskey: true,
  changesNothing: true,
  path: '/session/confirmation/passkey-challenge',
  success: { status: 200, body: PasskeyRequest },
  errors: ['INVALID_STATE_TRANSITION', 'RATE_LIMIT_EXCEEDED'],
});

export const confirmWithPasskey = portalOperation({
  ...signedIn,
  opensWithoutPasskey: true,
  path: '/session/confirmation/passkey',
  setsCookie: true,
  body: PasskeyUse,
  success: { status: 200, body: Identity },
  errors: ['SIGN_IN_FAILED', 'CHALLENGE_EXPIRED', 'RATE_LIMIT_EXCEEDED'],
});

export const listPasskeys = portalOperation({
  ...signedIn,
  method: 'GET',
  path: '/passkeys',
  query: CreatedListQuery,
  ...pageOf(Passkey, 'PasskeyList'),
});

export const beginPasskey = portalOperation({
  ...signedIn,
  opensWithoutPasskey: true,
  changesNothing: true,
  path: '/passkeys/challenge',
  needsFreshSignIn: true,
  success: { status: 200, body: PasskeyCreation },
  errors: ['INVALID_STATE_TRANSITION', 'RATE_LIMIT_EXCEEDED', 'PASSKEY_REQUIRED'],
});

export const createPasskey = portalOperation({
  ...signedIn,
  opensWithoutPasskey: true,
  path: '/passkeys',
  needsFreshSignIn: true,
  body: PasskeyCreate,
  success: { status: 200, body: Passkey },
  errors: ['VALIDATION_ERROR', 'CHALLENGE_EXPIRED', 'DUPLICATE_RESOURCE', 'PASSKEY_REQUIRED'],
});

export const renamePasskey = portalOperation({
  ...ofPasskey,
  method: 'PATCH',
  body: ClosedObject({ name }),
  success: { status: 200, body: Passkey },
});

export const deletePasskey = portalOperation({
  ...ofPasskey,
  method: 'DELETE',
  needsFreshSignIn: true,
  success: { status: 200, body: Passkey },
});
