import { basic } from '../../operation.ts';
import { OpenIdAnswer, OpenIdRequest } from '../../resources/portal/open-id.ts';
import { Identity } from '../../resources/portal/session.ts';
import type { PortalOperation } from './operation.ts';

const signedIn = { ...basic, tag: 'OpenID Connect', method: 'POST' } as const;
const open = { ...signedIn, authenticated: false } as const;

const ofIssuer = ['BAD_GATEWAY', 'GATEWAY_TIMEOUT'] as const;

export const openIdOperations = {
  beginOpenIdSignIn: {
    ...open,
    path: '/session/openid-request',
    summary: 'Begin to sign in at the issuer',
    description:
      'Answers the address of the issuer, and sets a cookie that the answer of the issuer needs. The service needs an issuer: see `GET /sign-in-methods`.',
    setsCookie: 'begun',
    success: { status: 200, description: 'The address of the issuer', body: OpenIdRequest },
    errors: ['INVALID_STATE_TRANSITION', 'RATE_LIMIT_EXCEEDED', ...ofIssuer, 'SERVICE_UNAVAILABLE'],
  },
  signInWithOpenId: {
    ...open,
    path: '/session/openid',
    summary: 'Sign in with the answer of the issuer',
    description:
      'Begins a session as `POST /session` does, for the user of the identity: the one who used it before, or the one with its email, if the issuer has verified that. Creates no user.',
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
  },
  beginOpenIdConfirmation: {
    ...signedIn,
    opensWithoutPasskey: true,
    changesNothing: true,
    path: '/session/confirmation/openid-request',
    summary: 'Begin to confirm at the issuer',
    description: 'As `POST /session/openid-request`, but the issuer must ask the user again.',
    setsCookie: 'begun',
    success: { status: 200, description: 'The address of the issuer', body: OpenIdRequest },
    errors: ['INVALID_STATE_TRANSITION', 'RATE_LIMIT_EXCEEDED', ...ofIssuer],
  },
  confirmWithOpenId: {
    ...signedIn,
    opensWithoutPasskey: true,
    path: '/session/confirmation/openid',
    summary: 'Confirm with the answer of the issuer',
    description: 'Confirms the identity, if it is that of the user, and `auth_time` is after the start.',
    setsCookie: true,
    body: OpenIdAnswer,
    success: { status: 200, description: 'The signed-in user', body: Identity },
    errors: ['INVALID_STATE_TRANSITION', 'SIGN_IN_FAILED', 'CHALLENGE_EXPIRED', ...ofIssuer],
  },
  unlinkOpenId: {
    ...signedIn,
    method: 'DELETE',
    path: '/openid-link',
    summary: 'Disconnect the identity at the issuer',
    description:
      'Disconnects the identity, until an identity with the email of the user comes from the issuer. That can be another one, so it takes a fresh sign-in.',
    needsFreshSignIn: true,
    success: { status: 200, description: 'The signed-in user', body: Identity },
    errors: ['INVALID_STATE_TRANSITION'],
  },
} as const satisfies Record<string, PortalOperation>;
