import { basic, CreatedListQuery } from '../../operation.ts';
import { User } from '../../resources/platform/user.ts';
import { PortalSession, portalSessionFields, PortalSessionList } from '../../resources/portal/session.ts';
import { ClosedObject, Id, KeyId } from '../../schema.ts';
import { userOperations } from '../platform/users.ts';
import { exported, ofPortal, searched } from './operation.ts';
import { CompanyQuery } from './overview.ts';
import type { PortalOperation } from './operation.ts';

const reading = { tag: 'Users', permission: 'COMPANY_ADMIN' } as const;
const writing = { ...reading, needsFreshSignIn: true } as const;
const id = Id('Identifier of the user');

export const portalUserOperations = {
  listPortalUsers: ofPortal(userOperations.listUsers, {
    ...reading,
    summary: 'List users',
    description:
      'Lists the users of the organization, or with `tenant` those whose permissions cover this tenant.',
    ...searched,
    query: CompanyQuery,
    path: '/users/search',
  }),
  exportPortalUsers: ofPortal(userOperations.listUsers, {
    ...reading,
    summary: 'Export users',
    description: 'Sends all users that the filter selects. The audit has who exported them.',
    ...exported,
    query: CompanyQuery,
    path: '/users/export',
  }),
  createPortalUser: ofPortal(userOperations.createUser, {
    ...writing,
    summary: 'Invite a user',
    description:
      'Creates and invites a user. The answer has a link for the user only, which sets the password once within three days. Takes a fresh sign-in. After a timeout, find the user and repeat the invitation.',
    errors: [
      'VALIDATION_ERROR',
      'INVALID_REFERENCE_ID',
      'DUPLICATE_RESOURCE',
      'INVALID_REFERENCE',
      'RATE_LIMIT_EXCEEDED',
    ],
  }),
  getPortalUser: ofPortal(userOperations.getUser, { ...reading, summary: 'Get a user' }),
  updatePortalUser: ofPortal(userOperations.updateUser, {
    ...writing,
    summary: 'Update a user',
    description:
      'Merges the body into the user: absent properties stay. Permissions change with the next request. The email cannot be changed, and no user can remove their own `COMPANY_ADMIN`. Takes a fresh sign-in.',
  }),
  deletePortalUser: ofPortal(userOperations.deleteUser, {
    ...writing,
    summary: 'Delete a user',
    description:
      'Deletes a user with all data but the audit, and ends the sessions. Decisions keep the identifier. The email can be used again. Nobody can delete themselves. Takes a fresh sign-in.',
    errors: ['INVALID_STATE_TRANSITION'],
  }),
  invitePortalUser: ofPortal(userOperations.inviteUser, {
    ...writing,
    summary: 'Invite a user again',
    description:
      'Creates a link that sets the password, also for a user who has forgotten it. It replaces the previous link. The current password works until the link is used. Takes a fresh sign-in.',
    errors: [...userOperations.inviteUser.errors, 'RATE_LIMIT_EXCEEDED'],
  }),
  deactivatePortalUser: ofPortal(userOperations.deactivateUser, {
    ...writing,
    summary: 'Deactivate a user',
    description:
      'Deactivates a user, ends the sessions with the next request, and revokes an open invitation. Nobody can deactivate themselves. Takes a fresh sign-in.',
    errors: ['INVALID_STATE_TRANSITION'],
  }),
  reactivatePortalUser: ofPortal(userOperations.reactivateUser, {
    ...writing,
    summary: 'Reactivate a user',
    description:
      'Lets a deactivated user sign in again. A user without a password needs a new invitation. Takes a fresh sign-in.',
  }),
  listUserSessions: {
    ...basic,
    ...reading,
    method: 'GET',
    path: '/users/{id}/sessions',
    summary: 'List sessions of a user',
    description: 'Lists the sessions of a user that have not ended.',
    parameters: ClosedObject({ id }),
    query: CreatedListQuery,
    success: { status: 200, description: 'A page of sessions', body: PortalSessionList },
    fields: portalSessionFields,
  },
  endUserSession: {
    ...basic,
    ...writing,
    method: 'DELETE',
    path: '/users/{id}/sessions/{sessionId}',
    summary: 'End a session of a user',
    description:
      'Ends a session of a user. The next request of that session is rejected. Takes a fresh sign-in.',
    parameters: ClosedObject({ id, sessionId: KeyId('Identifier of the session') }),
    success: { status: 200, description: 'The session, which has ended', body: PortalSession },
  },
  endUserSessions: {
    ...basic,
    ...writing,
    method: 'DELETE',
    path: '/users/{id}/sessions',
    summary: 'End all sessions of a user',
    description:
      'Ends all sessions of a user except the one of the request. The user can sign in again. Takes a fresh sign-in.',
    parameters: ClosedObject({ id }),
    success: { status: 200, description: 'The user', body: User },
  },
} as const satisfies Record<string, PortalOperation>;
