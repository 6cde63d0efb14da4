import { userOperations } from '../platform/users.ts';
import { ofPortal } from './operation.ts';
import type { PortalOperation } from './operation.ts';

const reading = { tag: 'Users', permission: 'COMPANY_ADMIN' } as const;
const writing = { ...reading, needsFreshSignIn: true } as const;

export const portalUserOperations = {
  listPortalUsers: ofPortal(userOperations.listUsers, {
    ...reading,
    summary: 'List users',
    description: 'Lists who may sign in to the portal for the organization.',
  }),
  createPortalUser: ofPortal(userOperations.createUser, {
    ...writing,
    summary: 'Invite a user',
    description:
      'Makes a user and invites them: the answer has a link, which sets the password once and works for three days. Give it to the user only. Takes a fresh sign-in. After a time-out look for the user and invite them again.',
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
      'Merges the body into the user: absent properties stay. What a user may do changes with the next request. The e-mail cannot be changed, and nobody takes `COMPANY_ADMIN` from themselves. Takes a fresh sign-in.',
  }),
  deletePortalUser: ofPortal(userOperations.deleteUser, {
    ...writing,
    summary: 'Delete a user',
    description:
      'Deletes a user with all that is stored about them but the audit, and ends their sessions. What they have decided keeps their identifier. The e-mail can be used again. Nobody deletes themselves. Takes a fresh sign-in.',
    errors: ['INVALID_STATE_TRANSITION'],
  }),
  invitePortalUser: ofPortal(userOperations.inviteUser, {
    ...writing,
    summary: 'Invite a user again',
    description:
      'Makes a new link that sets the password, also for a user who has forgotten it; the link before does not work any more. The present password works until the link is used. Takes a fresh sign-in.',
    errors: [...userOperations.inviteUser.errors, 'RATE_LIMIT_EXCEEDED'],
  }),
  deactivatePortalUser: ofPortal(userOperations.deactivateUser, {
    ...writing,
    summary: 'Deactivate a user',
    description:
      'Keeps a user from signing in, ends their sessions with the next request, and takes back an open invitation. Nobody deactivates themselves. Takes a fresh sign-in.',
    errors: ['INVALID_STATE_TRANSITION'],
  }),
  reactivatePortalUser: ofPortal(userOperations.reactivateUser, {
    ...writing,
    summary: 'Reactivate a user',
    description:
      'Lets a deactivated user sign in again. Who had no password yet is to be invited again. Takes a fresh sign-in.',
  }),
} as const satisfies Record<string, PortalOperation>;
