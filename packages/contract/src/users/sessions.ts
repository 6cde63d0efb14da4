import Type, { type Static } from 'typebox';
import { User } from './users.ts';
import { fieldsOf } from '../fields.ts';
import { listOf } from '../list.ts';
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
  NamedObject,
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

export const PortalSessionList = listOf(PortalSession, 'PortalSessionList');

export const portalSessionFields = fieldsOf(PortalSession);

export const listUserSessions = portalOperation({
  ...basic,
  ...ofAdmin,
  method: 'GET',
  path: '/users/{id}/sessions',
  parameters: ClosedObject({ id }),
  query: CreatedListQuery,
  success: { status: 200, body: PortalSessionList },
  fields: portalSessionFields,
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

const password = Text('The password of the user', 'correct horse battery staple', {
  minLength: 1,
  maxLength: passwordMaximum,
});
const newPassword = Text(
  `The new password: at least ${passwordMinimum} characters, and not easy to guess: no common password, no repetition, no name or email of the user, each with digits around it or not`,
  'correct horse battery staple',
  { minLength: passwordMinimum, maxLength: passwordMaximum },
);

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

export const SignIn = NamedObject('SignIn', 'Sign-in methods', {
  email: Text('The email of the user, in any letter case', 'petra.lang@example.com', {
    minLength: 1,
    maxLength: 254,
  }),
  password,
});

export const InvitationAcceptance = NamedObject(
  'InvitationAcceptance',
  'The link of an invitation, and the password to set',
  {
    secret: Text('The part after `#` in the link of the invitation', 'kontorl_…', {
      minLength: 1,
      maxLength: 200,
    }),
    password: newPassword,
  },
);

export const PasswordConfirmation = NamedObject('PasswordConfirmation', 'The current password', {
  password,
});

export const PasswordChange = NamedObject('PasswordChange', 'Another password', {
  currentPassword: Type.Optional({
    ...password,
    description: 'The current password; absent for a user without one',
  }),
  password: newPassword,
});

/** Minutes until a mailed password reset link expires. */
export const passwordResetMinutes = 60;

export const PasswordResetRequest = NamedObject(
  'PasswordResetRequest',
  'Email of the user who has forgotten the password',
  {
    email: Text('The email that the user signs in with, in any letter case', 'petra.lang@example.com', {
      minLength: 1,
      maxLength: 254,
    }),
  },
);

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
  body: SignIn,
  success: { status: 200, body: Identity },
  errors: ['SIGN_IN_FAILED', 'RATE_LIMIT_EXCEEDED', 'SERVICE_UNAVAILABLE'],
});

export const acceptInvitation = portalOperation({
  ...open,
  method: 'POST',
  path: '/invitation/acceptance',
  setsCookie: true,
  body: InvitationAcceptance,
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
  body: PasswordConfirmation,
  success: { status: 200, body: Identity },
  errors: ['SIGN_IN_FAILED', 'RATE_LIMIT_EXCEEDED'],
});

export const changePassword = portalOperation({
  ...signedIn,
  method: 'POST',
  path: '/password',
  body: PasswordChange,
  success: { status: 200, body: Identity },
  errors: ['VALIDATION_ERROR', 'SIGN_IN_FAILED', 'RATE_LIMIT_EXCEEDED', 'FRESH_SIGN_IN_REQUIRED'],
});

export const listSessions = portalOperation({
  ...signedIn,
  method: 'GET',
  path: '/sessions',
  query: CreatedListQuery,
  success: { status: 200, body: PortalSessionList },
  fields: portalSessionFields,
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
  body: PasswordResetRequest,
  success: { status: 200, body: RequestedPasswordReset },
  errors: ['RATE_LIMIT_EXCEEDED', 'INVALID_STATE_TRANSITION', 'SERVICE_UNAVAILABLE'],
});
