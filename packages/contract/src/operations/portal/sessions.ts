import { basic, CreatedListQuery } from '../../operation.ts';
import {
  Identity,
  InvitationAcceptance,
  PasswordChange,
  PasswordConfirmation,
  PortalSession,
  portalSessionFields,
  PortalSessionList,
  SignIn,
  SignInMethods,
} from '../../resources/portal/session.ts';
import { PasswordResetRequest, RequestedPasswordReset } from '../../resources/portal/session.ts';
import { ClosedObject, KeyId } from '../../schema.ts';
import type { PortalOperation } from './operation.ts';

const signedIn = { ...basic, tag: 'Sessions' } as const;
const open = { ...signedIn, authenticated: false } as const;

export const sessionOperations = {
  getSignInMethods: {
    ...open,
    method: 'GET',
    path: '/sign-in-methods',
    summary: 'Get the ways to sign in',
    description: 'Lists the ways to sign in besides email and password.',
    success: { status: 200, description: 'The ways to sign in', body: SignInMethods },
  },
  signIn: {
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
  },
  acceptInvitation: {
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
  },
  getSession: {
    ...signedIn,
    opensWithoutPasskey: true,
    method: 'GET',
    path: '/session',
    summary: 'Get the signed-in user',
    description: 'Reads the user, the organization and the session of the request.',
    success: { status: 200, description: 'The signed-in user', body: Identity },
  },
  signOut: {
    ...signedIn,
    opensWithoutPasskey: true,
    method: 'DELETE',
    path: '/session',
    summary: 'Sign out',
    description: 'Ends the session of the request, and removes its cookie.',
    setsCookie: true,
    success: { status: 200, description: 'The session, which has ended', body: PortalSession },
  },
  confirmPassword: {
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
  },
  changePassword: {
    ...signedIn,
    method: 'POST',
    path: '/password',
    summary: 'Change the password',
    description:
      'Sets another password and ends all other sessions of the user. Takes the current password; of a user without one, a fresh sign-in.',
    body: PasswordChange,
    success: { status: 200, description: 'The signed-in user', body: Identity },
    errors: ['VALIDATION_ERROR', 'SIGN_IN_FAILED', 'RATE_LIMIT_EXCEEDED', 'FRESH_SIGN_IN_REQUIRED'],
  },
  listSessions: {
    ...signedIn,
    method: 'GET',
    path: '/sessions',
    summary: 'List sessions',
    description: 'Lists the sessions of the user that have not ended.',
    query: CreatedListQuery,
    success: { status: 200, description: 'A page of sessions', body: PortalSessionList },
    fields: portalSessionFields,
  },
  endSession: {
    ...signedIn,
    method: 'DELETE',
    path: '/sessions/{id}',
    summary: 'End a session',
    description: 'Ends a session of the user at once, such as one on a lost device. Takes a fresh sign-in.',
    needsFreshSignIn: true,
    parameters: ClosedObject({ id: KeyId('Identifier of the session') }),
    success: { status: 200, description: 'The session, which has ended', body: PortalSession },
  },
  endOtherSessions: {
    ...signedIn,
    method: 'DELETE',
    path: '/sessions',
    summary: 'Sign out everywhere else',
    description:
      'Ends all sessions of the user except the one of the request. The next request of each other session is rejected. Takes a fresh sign-in.',
    needsFreshSignIn: true,
    success: { status: 200, description: 'The session of the request, which continues', body: PortalSession },
  },
  requestPasswordReset: {
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
  },
} as const satisfies Record<string, PortalOperation>;
