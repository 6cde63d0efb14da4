import Type, { type Static } from 'typebox';
import { Identity } from './sessions.ts';
import { basic } from '../operation.ts';
import type { PortalOperation } from '../portal-operation.ts';
import { NamedObject, Text } from '../schema.ts';

export const OpenIdRequest = NamedObject('OpenIdRequest', 'The address of the issuer', {
  location: Text(
    'The address at the issuer, which redirects to `/portal/sign-in/openid`',
    'https://login.example.com/authorize?client_id=kontor',
  ),
});
export type OpenIdRequest = Static<typeof OpenIdRequest>;

const text = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 4000, description, examples: [example] });

export const OpenIdAnswer = NamedObject('OpenIdAnswer', 'The parameters of the redirect from the issuer', {
  code: text('The code of the issuer, which works once', 'SplxlOBeZQQYbYS6WxSbIA'),
  state: text('The state that belongs to the cookie of the request', 'af0ifjsldkj'),
  iss: Type.Optional(text('The issuer, if its answer names it', 'https://login.example.com')),
});
export type OpenIdAnswer = Static<typeof OpenIdAnswer>;

const signedIn = { ...basic, tag: 'OpenID Connect', method: 'POST' } as const;
const open = { ...signedIn, authenticated: false } as const;

const ofIssuer = ['BAD_GATEWAY', 'GATEWAY_TIMEOUT'] as const;

export const beginOpenIdSignIn = {
  ...open,
  path: '/session/openid-request',
  summary: 'Begin to sign in at the issuer',
  description:
    'Answers the address of the issuer, and sets a cookie that the answer of the issuer needs. The service needs an issuer: see `GET /sign-in-methods`.',
  setsCookie: 'begun',
  success: { status: 200, description: 'The address of the issuer', body: OpenIdRequest },
  errors: ['INVALID_STATE_TRANSITION', 'RATE_LIMIT_EXCEEDED', ...ofIssuer, 'SERVICE_UNAVAILABLE'],
} as const satisfies PortalOperation;

export const signInWithOpenId = {
  ...open,
  path: '/session/openid',
  summary: 'Sign in with the answer of the issuer',
  description:
    'Begins a session as `POST /session` does, for the user who is connected to the identity. A user who has never signed in is connected by the email, if the issuer has verified it. Creates no user.',
  setsCookie: true,
  body: OpenIdAnswer,
  success: { status: 200, description: 'The signed-in user', body: Identity },
  errors: [
    'INVALID_STATE_TRANSITION',
    'SIGN_IN_FAILED',
    'CHALLENGE_EXPIRED',
    ...ofIssuer,
    'SERVICE_UNAVAILABLE',
  ],
} as const satisfies PortalOperation;

export const beginOpenIdConfirmation = {
  ...signedIn,
  opensWithoutPasskey: true,
  changesNothing: true,
  path: '/session/confirmation/openid-request',
  summary: 'Begin to confirm at the issuer',
  description: 'As `POST /session/openid-request`, but the issuer must ask the user again.',
  setsCookie: 'begun',
  success: { status: 200, description: 'The address of the issuer', body: OpenIdRequest },
  errors: ['INVALID_STATE_TRANSITION', 'RATE_LIMIT_EXCEEDED', ...ofIssuer],
} as const satisfies PortalOperation;

export const confirmWithOpenId = {
  ...signedIn,
  opensWithoutPasskey: true,
  path: '/session/confirmation/openid',
  summary: 'Confirm with the answer of the issuer',
  description: 'Confirms the identity, if it is that of the user, and `auth_time` is after the start.',
  setsCookie: true,
  body: OpenIdAnswer,
  success: { status: 200, description: 'The signed-in user', body: Identity },
  errors: ['INVALID_STATE_TRANSITION', 'SIGN_IN_FAILED', 'CHALLENGE_EXPIRED', ...ofIssuer],
} as const satisfies PortalOperation;

export const beginOpenIdLink = {
  ...signedIn,
  changesNothing: true,
  path: '/openid-link-request',
  summary: 'Begin to connect an identity at the issuer',
  description: 'As `POST /session/openid-request`, for the signed-in user. Takes a fresh sign-in.',
  needsFreshSignIn: true,
  setsCookie: 'begun',
  success: { status: 200, description: 'The address of the issuer', body: OpenIdRequest },
  errors: ['INVALID_STATE_TRANSITION', 'RATE_LIMIT_EXCEEDED', ...ofIssuer],
} as const satisfies PortalOperation;

export const linkOpenId = {
  ...signedIn,
  path: '/openid-link',
  summary: 'Connect an identity with the answer of the issuer',
  description:
    'Connects the identity to the user, in place of another one. The emails need not match. Takes a fresh sign-in.',
  needsFreshSignIn: true,
  body: OpenIdAnswer,
  success: { status: 200, description: 'The signed-in user', body: Identity },
  errors: ['INVALID_STATE_TRANSITION', 'SIGN_IN_FAILED', 'CHALLENGE_EXPIRED', ...ofIssuer],
} as const satisfies PortalOperation;

export const unlinkOpenId = {
  ...signedIn,
  method: 'DELETE',
  path: '/openid-link',
  summary: 'Disconnect the identity at the issuer',
  description: 'Disconnects the identity. It signs the user in no longer. Takes a fresh sign-in.',
  needsFreshSignIn: true,
  success: { status: 200, description: 'The signed-in user', body: Identity },
  errors: ['INVALID_STATE_TRANSITION'],
} as const satisfies PortalOperation;

export const openIdOperations = {
  portal: {
    beginOpenIdSignIn,
    signInWithOpenId,
    beginOpenIdConfirmation,
    confirmWithOpenId,
    beginOpenIdLink,
    linkOpenId,
    unlinkOpenId,
  },
} as const;
