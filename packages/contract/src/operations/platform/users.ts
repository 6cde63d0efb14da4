import { CreatedListQuery, read, write } from '../../operation.ts';
import {
  InvitedUser,
  User,
  UserCreate,
  userFields,
  UserList,
  UserPatch,
} from '../../resources/platform/user.ts';
import { inOrganization, ofOrganization, type PlatformOperation } from './operation.ts';

const path = '/organizations/{organizationId}/users';
const ofUser = ofOrganization('Identifier of the user');

const reading = { ...read, tag: 'Portal users', permission: 'users:read' } as const;
const writing = { ...write, tag: 'Portal users', permission: 'users:write' } as const;

export const userOperations = {
  listUsers: {
    ...reading,
    path,
    summary: 'List users of the portal',
    description: 'Lists the portal users of an organization.',
    parameters: inOrganization,
    query: CreatedListQuery,
    success: { status: 200, description: 'A page of users', body: UserList },
    fields: userFields,
  },
  createUser: {
    ...writing,
    path,
    summary: 'Create a user of the portal',
    description:
      'Creates and invites a user. The link sets the password, once within three days. It is mailed; without a mail server, the answer has it, for the user only. After a timeout, find the user and repeat the invitation.',
    parameters: inOrganization,
    body: UserCreate,
    success: { status: 201, description: 'The user was created', body: InvitedUser },
    errors: ['VALIDATION_ERROR', 'DUPLICATE_RESOURCE', 'INVALID_REFERENCE'],
  },
  getUser: {
    ...reading,
    path: `${path}/{id}`,
    summary: 'Get a user of the portal',
    description: 'Reads one user.',
    parameters: ofUser,
    success: { status: 200, description: 'The user', body: User },
  },
  updateUser: {
    ...writing,
    method: 'PATCH',
    path: `${path}/{id}`,
    summary: 'Update a user of the portal',
    description:
      'Merges the body into the user: absent properties stay. Permissions change with the next request. The email cannot be changed.',
    parameters: ofUser,
    body: UserPatch,
    success: { status: 200, description: 'The user after the update', body: User },
    errors: ['VALIDATION_ERROR', 'INVALID_REFERENCE'],
  },
  deleteUser: {
    ...writing,
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Delete a user of the portal',
    description:
      'Deletes a user with all data but the audit, and ends the sessions. Decisions keep the identifier. The email can be used again.',
    parameters: ofUser,
    success: { status: 200, description: 'The user as they were', body: User },
  },
  inviteUser: {
    ...writing,
    path: `${path}/{id}/invitation`,
    summary: 'Invite a user of the portal again',
    description:
      'Creates a link that sets the password, and mails or answers it as for a new user. It also helps a user who has forgotten the password. It replaces the previous link. The current password works until the link is used.',
    parameters: ofUser,
    success: { status: 200, description: 'The user with the link', body: InvitedUser },
    errors: ['INVALID_STATE_TRANSITION'],
  },
  deactivateUser: {
    ...writing,
    path: `${path}/{id}/deactivation`,
    summary: 'Deactivate a user of the portal',
    description:
      'Deactivates a user, ends the sessions with the next request, and revokes an open invitation.',
    parameters: ofUser,
    success: { status: 200, description: 'The deactivated user', body: User },
  },
  reactivateUser: {
    ...writing,
    path: `${path}/{id}/reactivation`,
    summary: 'Reactivate a user of the portal',
    description: 'Lets a deactivated user sign in again. A user without a password needs a new invitation.',
    parameters: ofUser,
    success: { status: 200, description: 'The user after that', body: User },
  },
} as const satisfies Record<string, PlatformOperation>;
