import Type, { type Static } from 'typebox';
import { Identity } from './sessions.ts';
import { basic } from '../operation.ts';
import { portalOperation } from '../portal-operation.ts';
import { ClosedObject, Text } from '../schema.ts';

export const OpenIdRequest = ClosedObject({
  location: Text(),
});
export type OpenIdRequest = Static<typeof OpenIdRequest>;

const text = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 4000, description, examples: [example] });

export const OpenIdAnswer = ClosedObject({
  code: text('The code of the issuer, which works once', 'SplxlOBeZQQYbYS6WxSbIA'),
  state: text('The state that belongs to the cookie of the request', 'af0ifjsldkj'),
  iss: Type.Optional(text('The issuer, if its answer names it', 'https://login.example.com')),
});
export type OpenIdAnswer = Static<typeof OpenIdAnswer>;

const signedIn = { ...basic, tag: 'OpenID Connect', method: 'POST' } as const;
const open = { ...signedIn, authenticated: false } as const;

const ofIssuer = ['BAD_GATEWAY', 'GATEWAY_TIMEOUT'] as const;

export const beginOpenIdSignIn = portalOperation({
  ...open,
  path: '/session/openid-request',
  setsCookie: 'begun',
  success: { status: 200, body: OpenIdRequest },
  errors: ['INVALID_STATE_TRANSITION', 'RATE_LIMIT_EXCEEDED', ...ofIssuer, 'SERVICE_UNAVAILABLE'],
});

export const signInWithOpenId = portalOperation({
  ...open,
  path: '/session/openid',
  setsCookie: true,
  body: OpenIdAnswer,
  success: { status: 200, body: Identity },
  errors: [
    'INVALID_STATE_TRANSITION',
    'SIGN_IN_FAILED',
    'CHALLENGE_EXPIRED',
    ...ofIssuer,
    'SERVICE_UNAVAILABLE',
  ],
});

export const beginOpenIdConfirmation = portalOperation({
  ...signedIn,
  opensWithoutPasskey: true,
  changesNothing: true,
  path: '/session/confirmation/openid-request',
  setsCookie: 'begun',
  success: { status: 200, body: OpenIdRequest },
  errors: ['INVALID_STATE_TRANSITION', 'RATE_LIMIT_EXCEEDED', ...ofIssuer],
});

export const confirmWithOpenId = portalOperation({
  ...signedIn,
  opensWithoutPasskey: true,
  path: '/session/confirmation/openid',
  setsCookie: true,
  body: OpenIdAnswer,
  success: { status: 200, body: Identity },
  errors: ['INVALID_STATE_TRANSITION', 'SIGN_IN_FAILED', 'CHALLENGE_EXPIRED', ...ofIssuer],
});

export const beginOpenIdLink = portalOperation({
  ...signedIn,
  changesNothing: true,
  path: '/openid-link-request',
  needsFreshSignIn: true,
  setsCookie: 'begun',
  success: { status: 200, body: OpenIdRequest },
  errors: ['INVALID_STATE_TRANSITION', 'RATE_LIMIT_EXCEEDED', ...ofIssuer],
});

export const linkOpenId = portalOperation({
  ...signedIn,
  path: '/openid-link',
  needsFreshSignIn: true,
  body: OpenIdAnswer,
  success: { status: 200, body: Identity },
  errors: ['INVALID_STATE_TRANSITION', 'SIGN_IN_FAILED', 'CHALLENGE_EXPIRED', ...ofIssuer],
});

export const unlinkOpenId = portalOperation({
  ...signedIn,
  method: 'DELETE',
  path: '/openid-link',
  needsFreshSignIn: true,
  success: { status: 200, body: Identity },
  errors: ['INVALID_STATE_TRANSITION'],
});
