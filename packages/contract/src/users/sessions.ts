import Type, { type Static } from 'typebox';
import { User } from './users.ts';
import { fieldsOf } from '../fields.ts';
import { listOf } from '../list.ts';
import { basic, CreatedListQuery } from '../operation.ts';
import { Organization } from '../organizations/organizations.ts';
import type { PortalOperation } from '../portal-operation.ts';
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

export const PortalSession = NamedObject('PortalSession', 'A session of a user', {
  id: KeyId('Unique identifier of the session, which is no secret'),
  createdAt: Instant('When the user signed in'),
  lastSeenAt: Instant('When the session was last used, up to a minute ago'),
  expiresAt: Instant('When the session ends at the latest; it ends an hour after its last use before that'),
  address: Text('Address that the sign-in came from', '192.0.2.1'),
  userAgent: nullable(Text('The user agent at the sign-in; null: none', 'Mozilla/5.0')),
  current: Flag('Whether it is the session of this request', true),
});
export type PortalSession = Static<typeof PortalSession>;

export const PortalSessionList = listOf(PortalSession, 'PortalSessionList');

export const portalSessionFields = fieldsOf(PortalSession);

export const listUserSessions = {
  ...basic,
  ...ofAdmin,
  method: 'GET',
  path: '/users/{id}/sessions',
  summary: 'List sessions of a user',
  description: 'Lists the sessions of a user that have not ended.',
  parameters: ClosedObject({ id }),
  query: CreatedListQuery,
  success: { status: 200, description: 'A page of sessions', body: PortalSessionList },
  fields: portalSessionFields,
} as const satisfies PortalOperation;

export const endUserSession = {
  ...basic,
  ...ofAdminFresh,
  method: 'DELETE',
  path: '/users/{id}/sessions/{sessionId}',
  summary: 'End a session of a user',
  description:
    'Ends a session of a user. The next request of that session is rejected. Takes a fresh sign-in.',
  parameters: ClosedObject({ id, sessionId: KeyId('Identifier of the session') }),
  success: { status: 200, description: 'The session, which has ended', body: PortalSession },
} as const satisfies PortalOperation;

export const endUserSessions = {
  ...basic,
  ...ofAdminFresh,
  method: 'DELETE',
  path: '/users/{id}/sessions',
  summary: 'End all sessions of a user',
  description:
    'Ends all sessions of a user except the one of the request. The user can sign in again. Takes a fresh sign-in.',
  parameters: ClosedObject({ id }),
  success: { status: 200, description: 'The user', body: User },
} as const satisfies PortalOperation;

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

export const Identity = NamedObject('Identity', 'The signed-in user', {
  user: User,
  organization: Organization,
  session: PortalSession,
  freshUntil: nullable(Instant('End of the fresh sign-in; null: sensitive actions need a confirmation')),
  passkeyRequired: orNull(
    Values('RequiredPasskey', ['register', 'confirm'], 'How a session shows a passkey'),
    'What the user must do first, since the organization requires a passkey: register one, or confirm with the present one; null: nothing',
  ),
  confirmsWith: Type.Array(
    Values('SignInMethod', signInMethods, 'A method to sign in or to confirm the identity'),
    {
      description: 'Methods with which the user can confirm',
    },
  ),
});
export type Identity = Static<typeof Identity>;

export const SignInMethods = NamedObject(
  'SignInMethods',
  'The ways to sign in that the service offers, beside email and password',
  {
    passkeyOrigin: nullable(
      Text(
        'The address of the pages on which passkeys work, since browsers bind them to a domain; null: the service has none',
        'https://kontor.example.com',
      ),
    ),
    openIdName: nullable(
      Text('Name of the OpenID Connect issuer; null: the service has none', 'Muster Holding'),
    ),
    passwordReset: Flag(
      'Whether forgotten passwords are reset by mail; if not, an administrator creates the link',
      true,
    ),
  },
);
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

export const RequestedPasswordReset = NamedObject(
  'RequestedPasswordReset',
  'The same for known and unknown emails',
  {
    minutes: Integer('Lifetime of the mailed link', passwordResetMinutes),
  },
);
export type RequestedPasswordReset = Static<typeof RequestedPasswordReset>;

const signedIn = { ...basic, tag: 'Sessions' } as const;
const open = { ...signedIn, authenticated: false } as const;

export const getSignInMethods = {
  ...open,
  method: 'GET',
  path: '/sign-in-methods',
  summary: 'Get the ways to sign in',
  description: 'Lists the ways to sign in besides email and password.',
  success: { status: 200, description: 'The ways to sign in', body: SignInMethods },
} as const satisfies PortalOperation;

export const signIn = {
  ...open,
  method: 'POST',
  path: '/session',
  summary: 'Sign in',
  description:
    'Begins a session and sets its cookie. The session ends an hour after its last use, and after twelve hours. Failures are limited by email and network, and by email over all networks, also for unknown emails.',
  setsCookie: true,
  body: SignIn,
  success: { status: 200, description: 'The signed-in user', body: Identity },
  errors: ['SIGN_IN_FAILED', 'RATE_LIMIT_EXCEEDED', 'SERVICE_UNAVAILABLE'],
} as const satisfies PortalOperation;

export const acceptInvitation = {
  ...open,
  method: 'POST',
  path: '/invitation/acceptance',
  summary: 'Accept an invitation',
  description:
    'Sets the password with the link of an invitation, which works once. Ends all sessions of the user, and begins a new one.',
  setsCookie: true,
  body: InvitationAcceptance,
  success: { status: 200, description: 'The signed-in user', body: Identity },
  errors: ['INVALID_LINK', 'VALIDATION_ERROR', 'SERVICE_UNAVAILABLE'],
} as const satisfies PortalOperation;

export const getSession = {
  ...signedIn,
  opensWithoutPasskey: true,
  method: 'GET',
  path: '/session',
  summary: 'Get the signed-in user',
  description: 'Reads the user, the organization and the session of the request.',
  success: { status: 200, description: 'The signed-in user', body: Identity },
} as const satisfies PortalOperation;

export const signOut = {
  ...signedIn,
  opensWithoutPasskey: true,
  method: 'DELETE',
  path: '/session',
  summary: 'Sign out',
  description: 'Ends the session of the request, and removes its cookie.',
  setsCookie: true,
  success: { status: 200, description: 'The session, which has ended', body: PortalSession },
} as const satisfies PortalOperation;

export const confirmPassword = {
  ...signedIn,
  opensWithoutPasskey: true,
  method: 'POST',
  path: '/session/confirmation',
  summary: 'Confirm the password',
  description:
    'Confirms the identity for ten minutes, which some operations require (FRESH_SIGN_IN_REQUIRED). The session gets another cookie.',
  setsCookie: true,
  body: PasswordConfirmation,
  success: { status: 200, description: 'The signed-in user', body: Identity },
  errors: ['SIGN_IN_FAILED', 'RATE_LIMIT_EXCEEDED'],
} as const satisfies PortalOperation;

export const changePassword = {
  ...signedIn,
  method: 'POST',
  path: '/password',
  summary: 'Change the password',
  description:
    'Sets another password and ends all other sessions of the user. Takes the current password; of a user without one, a fresh sign-in.',
  body: PasswordChange,
  success: { status: 200, description: 'The signed-in user', body: Identity },
  errors: ['VALIDATION_ERROR', 'SIGN_IN_FAILED', 'RATE_LIMIT_EXCEEDED', 'FRESH_SIGN_IN_REQUIRED'],
} as const satisfies PortalOperation;

export const listSessions = {
  ...signedIn,
  method: 'GET',
  path: '/sessions',
  summary: 'List sessions',
  description: 'Lists the sessions of the user that have not ended.',
  query: CreatedListQuery,
  success: { status: 200, description: 'A page of sessions', body: PortalSessionList },
  fields: portalSessionFields,
} as const satisfies PortalOperation;

export const endSession = {
  ...signedIn,
  method: 'DELETE',
  path: '/sessions/{id}',
  summary: 'End a session',
  description: 'Ends a session of the user at once, such as one on a lost device. Takes a fresh sign-in.',
  needsFreshSignIn: true,
  parameters: ClosedObject({ id: KeyId('Identifier of the session') }),
  success: { status: 200, description: 'The session, which has ended', body: PortalSession },
} as const satisfies PortalOperation;

export const endOtherSessions = {
  ...signedIn,
  method: 'DELETE',
  path: '/sessions',
  summary: 'Sign out everywhere else',
  description:
    'Ends all sessions of the user except the one of the request. The next request of each other session is rejected. Takes a fresh sign-in.',
  needsFreshSignIn: true,
  success: { status: 200, description: 'The session of the request, which continues', body: PortalSession },
} as const satisfies PortalOperation;

export const requestPasswordReset = {
  ...open,
  tag: 'Forgotten passwords',
  method: 'POST',
  path: '/password-reset',
  summary: 'Ask for a link that sets a new password',
  description:
    'Mails a link to the user of the email. It works once, with `POST /invitation/acceptance`. The answer and its time are the same for unknown emails. The current password works until the link is used. Requests are limited by email and by address. `GET /sign-in-methods` has whether it is offered.',
  body: PasswordResetRequest,
  success: { status: 200, description: 'The request was accepted', body: RequestedPasswordReset },
  errors: ['RATE_LIMIT_EXCEEDED', 'INVALID_STATE_TRANSITION', 'SERVICE_UNAVAILABLE'],
} as const satisfies PortalOperation;

export const sessionOperations = {
  portal: {
    listUserSessions,
    endUserSession,
    endUserSessions,
    getSignInMethods,
    signIn,
    acceptInvitation,
    getSession,
    signOut,
    confirmPassword,
    changePassword,
    listSessions,
    endSession,
    endOtherSessions,
    requestPasswordReset,
  },
} as const;
