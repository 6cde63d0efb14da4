import Type, { type Static } from 'typebox';
import { User } from './users.ts';
import { pageOf } from '../list.ts';
import { basic, CreatedListQuery } from '../operation.ts';
import { Organization } from '../organizations/organizations.ts';
import { portalOperation } from '../portal-operation.ts';
import {
  ClosedObject,
  Flag,
  Id,
  Instant,
  Integer,
  KeyId,
  nullable,
  orNull,
  Text,
  Values,
} from '../schema.ts';

const ofAdmin = { tag: 'Users', permission: 'COMPANY_ADMIN' } as const;
const ofAdminFresh = { ...ofAdmin, needsFreshSignIn: true } as const;
const id = Id('Identifier of the user');

export const PortalSession = ClosedObject({
  id: KeyId(),
  createdAt: Instant(),
  lastSeenAt: Instant(),
  expiresAt: Instant(),
  address: Text(),
  userAgent: nullable(Text()),
  current: Flag(),
});
export type PortalSession = Static<typeof PortalSession>;

const page = pageOf(PortalSession, 'PortalSessionList');

export const listUserSessions = portalOperation({
  ...basic,
  ...ofAdmin,
  method: 'GET',
  path: '/users/{id}/sessions',
  parameters: ClosedObject({ id }),
  query: CreatedListQuery,
  ...page,
});

export const endUserSession = portalOperation({
  ...basic,
  ...ofAdminFresh,
  method: 'DELETE',
  path: '/users/{id}/sessions/{sessionId}',
  parameters: ClosedObject({ id, sessionId: KeyId('Identifier of the session') }),
  success: { status: 200, body: PortalSession },
});

export const endUserSessions = portalOperation({
  ...basic,
  ...ofAdminFresh,
  method: 'DELETE',
  path: '/users/{id}/sessions',
  parameters: ClosedObject({ id }),
  success: { status: 200, body: User },
});

/** Minimum characters of a new password. Only length matters: all characters are allowed. */
export const passwordMinimum = 12;
const passwordMaximum = 1000;

const password = Type.String({
  minLength: 1,
  maxLength: passwordMaximum,
  examples: ['correct horse battery staple'],
});
const newPassword = Type.String({
  minLength: passwordMinimum,
  maxLength: passwordMaximum,
  examples: ['correct horse battery staple'],
});

export const signInMethods = ['password', 'passkey', 'openid'] as const;
export type SignInMethod = (typeof signInMethods)[number];

export const Identity = ClosedObject({
  user: User,
  organization: Organization,
  session: PortalSession,
  freshUntil: nullable(Instant()),
  passkeyRequired: orNull(Values('RequiredPasskey', ['register', 'confirm'])),
  confirmsWith: Type.Array(Values('SignInMethod', signInMethods)),
});
export type Identity = Static<typeof Identity>;

export const SignInMethods = ClosedObject({
  passkeyOrigin: nullable(Text()),
  openIdName: nullable(Text()),
  passwordReset: Flag(),
});
export type SignInMethods = Static<typeof SignInMethods>;

/** Minutes until a mailed password reset link expires. */
export const passwordResetMinutes = 60;

export const RequestedPasswordReset = ClosedObject({
  minutes: Integer(),
});
export type RequestedPasswordReset = Static<typeof RequestedPasswordReset>;

const signedIn = { ...basic, tag: 'Sessions' } as const;
const open = { ...signedIn, authenticated: false } as const;

export const getSignInMethods = portalOperation({
  ...open,
  method: 'GET',
  path: '/sign-in-methods',
  success: { status: 200, body: SignInMethods },
});

export const signIn = portalOperation({
  ...open,
  method: 'POST',
  path: '/session',
  setsCookie: true,
  body: ClosedObject({
    email: Type.String({ minLength: 1, maxLength: 254, examples: ['petra.lang@example.com'] }),
    password,
  }),
  success: { status: 200, body: Identity },
  errors: ['SIGN_IN_FAILED', 'RATE_LIMIT_EXCEEDED', 'SERVICE_UNAVAILABLE'],
});

export const acceptInvitation = portalOperation({
  ...open,
  method: 'POST',
  path: '/invitation/acceptance',
  setsCookie: true,
  body: ClosedObject({
    secret: Type.String({ minLength: 1, maxLength: 200, examples: ['kontorl_…'] }),
    password: newPassword,
  }),
  success: { status: 200, body: Identity },
  errors: ['INVALID_LINK', 'VALIDATION_ERROR', 'SERVICE_UNAVAILABLE'],
});

export const getSession = portalOperation({
  ...signedIn,
  opensWithoutPasskey: true,
  method: 'GET',
  path: '/session',
  success: { status: 200, body: Identity },
});

export const signOut = portalOperation({
  ...signedIn,
  opensWithoutPasskey: true,
  method: 'DELETE',
  path: '/session',
  setsCookie: true,
  success: { status: 200, body: PortalSession },
});

export const confirmPassword = portalOperation({
  ...signedIn,
  opensWithoutPasskey: true,
  method: 'POST',
  path: '/session/confirmation',
  setsCookie: true,
  body: ClosedObject({
    password,
  }),
  success: { status: 200, body: Identity },
  errors: ['SIGN_IN_FAILED', 'RATE_LIMIT_EXCEEDED'],
});

export const changePassword = portalOperation({
  ...signedIn,
  method: 'POST',
  path: '/password',
  body: ClosedObject({
    currentPassword: Type.Optional({
      ...password,
      description: 'The current password; absent for a user without one',
    }),
    password: newPassword,
  }),
  success: { status: 200, body: Identity },
  errors: ['VALIDATION_ERROR', 'SIGN_IN_FAILED', 'RATE_LIMIT_EXCEEDED', 'FRESH_SIGN_IN_REQUIRED'],
});

export const listSessions = portalOperation({
  ...signedIn,
  method: 'GET',
  path: '/sessions',
  query: CreatedListQuery,
  ...page,
});

export const endSession = portalOperation({
  ...signedIn,
  method: 'DELETE',
  path: '/sessions/{id}',
  needsFreshSignIn: true,
  parameters: ClosedObject({ id: KeyId('Identifier of the session') }),
  success: { status: 200, body: PortalSession },
});

export const endOtherSessions = portalOperation({
  ...signedIn,
  method: 'DELETE',
  path: '/sessions',
  needsFreshSignIn: true,
  success: { status: 200, body: PortalSession },
});

export const requestPasswordReset = portalOperation({
  ...open,
  tag: 'Forgotten passwords',
  method: 'POST',
  path: '/password-reset',
  body: ClosedObject({
    email: Type.String({ minLength: 1, maxLength: 254, examples: ['petra.lang@example.com'] }),
  }),
  success: { status: 200, body: RequestedPasswordReset },
  errors: ['RATE_LIMIT_EXCEEDED', 'INVALID_STATE_TRANSITION', 'SERVICE_UNAVAILABLE'],
});
