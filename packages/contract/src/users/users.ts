import Type, { type Static } from 'typebox';
import { pageOf } from '../list.ts';
import { CreatedListQuery, read, write } from '../operation.ts';
import { inOrganization, ofOrganization, platformOperation } from '../platform-operation.ts';
import { CompanyQuery, exported, ofPortal, searched } from '../portal-operation.ts';
import {
  Email,
  Id,
  Instant,
  Name,
  NamedObject,
  nullable,
  orNull,
  PatchBody,
  Text,
  Values,
} from '../schema.ts';

export const languages = ['de', 'en'] as const;
const name = Name('Name of the person', 'Petra Lang');
const language = Values('Language', languages, 'Language of the portal and its mails');
const permissions = Type.Array(
  Values(
    'PortalPermission',
    ['IT', 'HR', 'COMPANY_ADMIN', 'PAYROLL_RUN', 'PAYROLL_RELEASE', 'AUDIT'],
    'Permission of a user of the portal',
  ),
  {
    minItems: 1,
    maxItems: 6,
    description:
      'Permissions of the user. `PAYROLL_RUN` and `PAYROLL_RELEASE` need `HR`. `AUDIT` reads what HR and IT read, and changes nothing',
  },
);
const hrTenants = orNull(
  Type.Array(Id('Tenant that the permissions HR and AUDIT are for'), { minItems: 1, maxItems: 1000 }),
  'Tenants of the permissions HR and AUDIT; null: all of them, including later ones',
);
const email = Email(
  'Email for the sign-in; unique in the installation, cannot be changed',
  'petra.lang@example.com',
);

const properties = {
  id: Id('Unique identifier of the user'),
  organizationId: Id('Organization that the user belongs to'),
  email,
  name,
  language,
  permissions,
  hrTenants: orNull(
    Type.Array(Id('Tenant that the permissions HR and AUDIT are for')),
    'Tenants of the permissions HR and AUDIT; null: all, or none without both',
  ),
  status: Values(
    'UserStatus',
    ['invited', 'active', 'inactive'],
    'Whether the user can sign in: `invited` has not set a password yet, `inactive` can be reactivated',
  ),
  createdAt: Instant('When the user was created'),
  invitedUntil: nullable(Instant('Expiry of the current link that sets the password; null: there is none')),
  lastSignInAt: nullable(Instant('When the user last signed in; null: never')),
};

export const User = NamedObject('User', 'A portal user of an organization', properties);
export type User = Static<typeof User>;

export const InvitedUser = NamedObject('InvitedUser', 'A user with a new link that sets the password', {
  ...properties,
  link: nullable(
    Text(
      'The link with which the user sets a password, once. Only this answer contains it, and the part after `#` is a secret. Null in a dry run, and if the service mails it',
      'http://127.0.0.1:8080/portal/invitation#…',
    ),
  ),
});
export type InvitedUser = Static<typeof InvitedUser>;

export const UserCreate = NamedObject(
  'UserCreate',
  'A new user; `hrTenants` must be sent with the permission HR or AUDIT, and with no other',
  { email, name, language, permissions, hrTenants: Type.Optional(hrTenants) },
);
export type UserCreate = Static<typeof UserCreate>;

export const UserPatch = PatchBody(
  'UserPatch',
  'Changes of a user; the permissions HR and AUDIT need `hrTenants`',
  {
    name,
    language,
    permissions,
    hrTenants,
  },
);
export type UserPatch = Static<typeof UserPatch>;

const path = '/organizations/{organizationId}/users';
const ofUser = ofOrganization('Identifier of the user');

const reading = { ...read, tag: 'Portal users', permission: 'users:read' } as const;
const writing = { ...write, tag: 'Portal users', permission: 'users:write' } as const;

export const listUsers = platformOperation({
  ...reading,
  path,
  summary: 'List users of the portal',
  description: 'Lists the portal users of an organization.',
  parameters: inOrganization,
  query: CreatedListQuery,
  ...pageOf(User, 'UserList', 'A page of users'),
});

export const createUser = platformOperation({
  ...writing,
  path,
  summary: 'Create a user of the portal',
  description:
    'Creates and invites a user. The link sets the password, once within three days. It is mailed; without a mail server, the answer contains it, for the user only. After a timeout, find the user and repeat the invitation.',
  parameters: inOrganization,
  body: UserCreate,
  success: { status: 201, description: 'The user was created', body: InvitedUser },
  errors: ['VALIDATION_ERROR', 'DUPLICATE_RESOURCE', 'INVALID_REFERENCE'],
});

export const getUser = platformOperation({
  ...reading,
  path: `${path}/{id}`,
  summary: 'Get a user of the portal',
  description: 'Reads one user.',
  parameters: ofUser,
  success: { status: 200, description: 'The user', body: User },
});

export const updateUser = platformOperation({
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
});

export const deleteUser = platformOperation({
  ...writing,
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'Delete a user of the portal',
  description:
    'Deletes a user with all data except the audit log, and ends the sessions. Decisions keep the identifier. The email can be used again.',
  parameters: ofUser,
  success: { status: 200, description: 'The user as they were', body: User },
});

export const inviteUser = platformOperation({
  ...writing,
  path: `${path}/{id}/invitation`,
  summary: 'Invite a user of the portal again',
  description:
    'Creates a link that sets the password, and mails or answers it as for a new user. It also helps a user who has forgotten the password. It replaces the previous link. The current password works until the link is used.',
  parameters: ofUser,
  success: { status: 200, description: 'The user with the link', body: InvitedUser },
  errors: ['INVALID_STATE_TRANSITION'],
});

export const deactivateUser = platformOperation({
  ...writing,
  path: `${path}/{id}/deactivation`,
  summary: 'Deactivate a user of the portal',
  description: 'Deactivates a user, ends the sessions with the next request, and revokes an open invitation.',
  parameters: ofUser,
  success: { status: 200, description: 'The deactivated user', body: User },
});

export const reactivateUser = platformOperation({
  ...writing,
  path: `${path}/{id}/reactivation`,
  summary: 'Reactivate a user of the portal',
  description: 'Lets a deactivated user sign in again. A user without a password needs a new invitation.',
  parameters: ofUser,
  success: { status: 200, description: 'The user after that', body: User },
});

const ofAdmin = { tag: 'Users', permission: 'COMPANY_ADMIN' } as const;
const ofAdminFresh = { ...ofAdmin, needsFreshSignIn: true } as const;

export const listPortalUsers = ofPortal(listUsers, {
  ...ofAdmin,
  ...searched,
  query: CompanyQuery,
  path: '/users/search',
});

export const exportPortalUsers = ofPortal(listUsers, {
  ...ofAdmin,
  ...exported,
  query: CompanyQuery,
  path: '/users/export',
});

export const createPortalUser = ofPortal(createUser, {
  ...ofAdminFresh,
  errors: [
    'VALIDATION_ERROR',
    'INVALID_REFERENCE_ID',
    'DUPLICATE_RESOURCE',
    'INVALID_REFERENCE',
    'RATE_LIMIT_EXCEEDED',
  ],
});

export const getPortalUser = ofPortal(getUser, { ...ofAdmin, summary: 'Get a user' });

export const updatePortalUser = ofPortal(updateUser, {
  ...ofAdminFresh,
});

export const deletePortalUser = ofPortal(deleteUser, {
  ...ofAdminFresh,
  errors: ['INVALID_STATE_TRANSITION'],
});

export const invitePortalUser = ofPortal(inviteUser, {
  ...ofAdminFresh,
  errors: [...inviteUser.errors, 'RATE_LIMIT_EXCEEDED'],
});

export const deactivatePortalUser = ofPortal(deactivateUser, {
  ...ofAdminFresh,
  errors: ['INVALID_STATE_TRANSITION'],
});

export const reactivatePortalUser = ofPortal(reactivateUser, {
  ...ofAdminFresh,
});
