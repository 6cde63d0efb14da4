import { basic, CreatedListQuery, idParameter } from '../../operation.ts';
import {
  Passkey,
  PasskeyCreate,
  PasskeyCreation,
  passkeyFields,
  PasskeyList,
  PasskeyPatch,
  PasskeyRequest,
  PasskeyUse,
} from '../../resources/portal/passkey.ts';
import { Identity } from '../../resources/portal/session.ts';
import type { PortalOperation } from './operation.ts';

const signedIn = { ...basic, tag: 'Passkeys', method: 'POST' } as const;
const open = { ...signedIn, authenticated: false } as const;
const ofPasskey = {
  ...signedIn,
  path: '/passkeys/{id}',
  parameters: idParameter('Identifier of the passkey'),
} as const;

export const passkeyOperations = {
  beginPasskeySignIn: {
    ...open,
    path: '/session/passkey-challenge',
    summary: 'Begin to sign in with a passkey',
    description:
      'Answers the options with which a browser lets the user choose a passkey. They name no user. The service needs a domain: see `GET /sign-in-methods`.',
    success: { status: 200, description: 'The options for the browser', body: PasskeyRequest },
    errors: ['INVALID_STATE_TRANSITION', 'RATE_LIMIT_EXCEEDED', 'SERVICE_UNAVAILABLE'],
  },
  signInWithPasskey: {
    ...open,
    path: '/session/passkey',
    summary: 'Sign in with a passkey',
    description:
      'Begins a session as `POST /session` does, for the owner of the passkey. Attempts are limited in the same way.',
    setsCookie: true,
    body: PasskeyUse,
    success: { status: 200, description: 'The signed-in user', body: Identity },
    errors: ['SIGN_IN_FAILED', 'CHALLENGE_EXPIRED', 'RATE_LIMIT_EXCEEDED', 'SERVICE_UNAVAILABLE'],
  },
  beginPasskeyConfirmation: {
    ...signedIn,
    opensWithoutPasskey: true,
    changesNothing: true,
    path: '/session/confirmation/passkey-challenge',
    summary: 'Begin to confirm with a passkey',
    description: 'Answers the options with which the browser uses a passkey of the user.',
    success: { status: 200, description: 'The options for the browser', body: PasskeyRequest },
    errors: ['INVALID_STATE_TRANSITION', 'RATE_LIMIT_EXCEEDED'],
  },
  confirmWithPasskey: {
    ...signedIn,
    opensWithoutPasskey: true,
    path: '/session/confirmation/passkey',
    summary: 'Confirm with a passkey',
    description: 'Confirms the identity, as `POST /session/confirmation` does with the password.',
    setsCookie: true,
    body: PasskeyUse,
    success: { status: 200, description: 'The signed-in user', body: Identity },
    errors: ['SIGN_IN_FAILED', 'CHALLENGE_EXPIRED', 'RATE_LIMIT_EXCEEDED'],
  },
  listPasskeys: {
    ...signedIn,
    method: 'GET',
    path: '/passkeys',
    summary: 'List passkeys',
    description: 'Lists the passkeys of the user.',
    query: CreatedListQuery,
    success: { status: 200, description: 'A page of passkeys', body: PasskeyList },
    fields: passkeyFields,
  },
  beginPasskey: {
    ...signedIn,
    opensWithoutPasskey: true,
    changesNothing: true,
    path: '/passkeys/challenge',
    summary: 'Begin to register a passkey',
    description: 'Answers the options with which a browser creates a passkey. Takes a fresh sign-in.',
    needsFreshSignIn: true,
    success: { status: 200, description: 'The options for the browser', body: PasskeyCreation },
    errors: ['INVALID_STATE_TRANSITION', 'RATE_LIMIT_EXCEEDED', 'PASSKEY_REQUIRED'],
  },
  createPasskey: {
    ...signedIn,
    opensWithoutPasskey: true,
    path: '/passkeys',
    summary: 'Register a passkey',
    description:
      'Registers a passkey of the browser, which signs the user in beside the password. Takes a fresh sign-in.',
    needsFreshSignIn: true,
    body: PasskeyCreate,
    success: { status: 200, description: 'The passkey', body: Passkey },
    errors: ['VALIDATION_ERROR', 'CHALLENGE_EXPIRED', 'DUPLICATE_RESOURCE', 'PASSKEY_REQUIRED'],
  },
  renamePasskey: {
    ...ofPasskey,
    method: 'PATCH',
    summary: 'Rename a passkey',
    description: 'Gives a passkey another name.',
    body: PasskeyPatch,
    success: { status: 200, description: 'The passkey', body: Passkey },
  },
  deletePasskey: {
    ...ofPasskey,
    method: 'DELETE',
    summary: 'Remove a passkey',
    description:
      'Removes a passkey. Its sessions continue. The browser keeps it until the user deletes it there. Takes a fresh sign-in.',
    needsFreshSignIn: true,
    success: { status: 200, description: 'The passkey, which is removed', body: Passkey },
  },
} as const satisfies Record<string, PortalOperation>;
