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
      'Answers where the browser goes to, and sets a cookie that what comes back has to come with. Takes a service that has an issuer: see `GET /sign-in-methods`.',
    setsCookie: 'begun',
    success: { status: 200, description: 'The way to the issuer', body: OpenIdRequest },
    errors: ['INVALID_STATE_TRANSITION', 'RATE_LIMIT_EXCEEDED', ...ofIssuer, 'SERVICE_UNAVAILABLE'],
  },
  signInWithOpenId: {
    ...open,
    path: '/session/openid',
    summary: 'Sign in with the answer of the issuer',
    description:
      'Begins a session as `POST /session` does, for the user whom the identity belongs to: who has come with it before, or has its e-mail, if the issuer says that it has verified that. Makes no user.',
    setsCookie: true,
    body: OpenIdAnswer,
    success: { status: 200, description: 'Who is signed in', body: Identity },
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
    changesNothing: true,
    path: '/session/confirmation/openid-request',
    summary: 'Begin to confirm at the issuer',
    description: 'As `POST /session/openid-request`; the issuer is told to have the user sign in anew.',
    setsCookie: 'begun',
    success: { status: 200, description: 'The way to the issuer', body: OpenIdRequest },
    errors: ['INVALID_STATE_TRANSITION', 'RATE_LIMIT_EXCEEDED', ...ofIssuer],
  },
  confirmWithOpenId: {
    ...signedIn,
    path: '/session/confirmation/openid',
    summary: 'Confirm with the answer of the issuer',
    description:
      'Makes the sign-in fresh again, if it is the identity of the user, and the issuer says that they have signed in there since that was begun.',
    setsCookie: true,
    body: OpenIdAnswer,
    success: { status: 200, description: 'Who is signed in', body: Identity },
    errors: ['INVALID_STATE_TRANSITION', 'SIGN_IN_FAILED', 'CHALLENGE_EXPIRED', ...ofIssuer],
  },
  unlinkOpenId: {
    ...signedIn,
    method: 'DELETE',
    path: '/openid-link',
    summary: 'Forget the identity at the issuer',
    description:
      'The user does not sign in with it any more, until somebody comes from the issuer with the e-mail of the user. That lets another identity in, so it takes a fresh sign-in.',
    needsFreshSignIn: true,
    success: { status: 200, description: 'Who is signed in', body: Identity },
    errors: ['INVALID_STATE_TRANSITION'],
  },
} as const satisfies Record<string, PortalOperation>;
