import Type, { type Static } from 'typebox';
import { fieldsOf } from '../../fields.ts';
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
} from '../../schema.ts';
import { listOf } from '../list.ts';

export const portalPermissions = {
  IT: 'Look after the integrations: API keys',
  HR: 'Do the work of HR, for some tenants or for all',
  COMPANY_ADMIN: 'Administrate the organization and its users',
  PAYROLL_RUN: 'Check and discard payroll runs and settle amounts, of the tenants of HR',
  PAYROLL_RELEASE: 'Release payroll runs, of the tenants of HR',
} as const;

export type PortalPermission = keyof typeof portalPermissions;

/** In the order in which responses list them. */
export const portalPermissionNames = Object.keys(portalPermissions) as PortalPermission[];

/** Permissions for the tenants of HR alone. Those of payroll need HR. */
export const hrPermissions = [
  'HR',
  'PAYROLL_RUN',
  'PAYROLL_RELEASE',
] as const satisfies readonly PortalPermission[];
export type HrPermission = (typeof hrPermissions)[number];

export const languages = ['de', 'en'] as const;
export const userStatuses = ['invited', 'active', 'inactive'] as const;

const name = Name('Name of the person', 'Petra Lang');
const language = Values('Language', languages, 'Language of the portal and its mails');
const permissions = Type.Array(
  Values(
    'PortalPermission',
    ['IT', 'HR', 'COMPANY_ADMIN', 'PAYROLL_RUN', 'PAYROLL_RELEASE'],
    'Permission of a user of the portal',
  ),
  {
    minItems: 1,
    maxItems: 5,
    description: 'Permissions of the user. `PAYROLL_RUN` and `PAYROLL_RELEASE` need `HR`',
  },
);
const hrTenants = orNull(
  Type.Array(Id('Tenant that the permission HR is for'), { minItems: 1, maxItems: 1000 }),
  'Tenants of the permission HR; null: all of them, also later ones',
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
    Type.Array(Id('Tenant that the permission HR is for')),
    'Tenants of the permission HR; null: all, or none without that permission',
  ),
  status: Values(
    'UserStatus',
    userStatuses,
    'Whether the user can sign in: `invited` has not set a password yet, `inactive` can be reactivated',
  ),
  createdAt: Instant('When the user was created'),
  invitedUntil: nullable(Instant('Expiry of the current link that sets the password; null: there is none')),
  lastSignInAt: nullable(Instant('When the user last signed in; null: never')),
};

export const User = NamedObject('User', 'A portal user of an organization', properties);
export type User = Static<typeof User>;

export const UserList = listOf(User, 'UserList');

export const InvitedUser = NamedObject('InvitedUser', 'A user with a new link that sets the password', {
  ...properties,
  link: nullable(
    Text(
      'The link with which the user sets a password, once. Only this answer has it, and the part after `#` is a secret. Null in a dry run, and if the service mails it',
      'http://127.0.0.1:8080/portal/invitation#…',
    ),
  ),
});
export type InvitedUser = Static<typeof InvitedUser>;

export const UserCreate = NamedObject(
  'UserCreate',
  'A new user; `hrTenants` must be sent with the permission HR, and with no other',
  { email, name, language, permissions, hrTenants: Type.Optional(hrTenants) },
);
export type UserCreate = Static<typeof UserCreate>;

export const UserPatch = PatchBody('UserPatch', 'Changes of a user; the permission HR needs `hrTenants`', {
  name,
  language,
  permissions,
  hrTenants,
});
export type UserPatch = Static<typeof UserPatch>;

export const userFields = fieldsOf(User);
