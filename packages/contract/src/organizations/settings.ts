import Type, { type Static } from 'typebox';
import { read, write } from '../operation.ts';
import { portalOperation, portalPermissionNames } from '../portal-operation.ts';
import { Integer, Name, NamedObject, nullable, PatchBody, Values } from '../schema.ts';
import { passwordMinimum } from '../users/sessions.ts';
import { languages } from '../users/users.ts';

/** Ten years. */
export const keyDaysMaximum = 3650;

/** The largest minimum that an organization can require of a password. */
const passwordLengthMaximum = 64;

/** Ten years. */
export const historyDaysMaximum = 3650;

const keyDays = { minimum: 1, maximum: keyDaysMaximum };

const settings = {
  name: Name('Name of the organization', 'Muster Holding'),
  defaultLanguage: Values(
    'DefaultLanguage',
    [...languages],
    'Language that the page of an invitation suggests; each user has one of their own',
  ),
  defaultKeyDays: nullable(
    Integer(
      'Days after which an API key expires that is created without an expiry; null: it does not expire',
      365,
      keyDays,
    ),
  ),
  maxKeyDays: nullable(
    Integer(
      'Maximum days until a new or replaced API key expires; null: no limit. Present keys keep their expiry',
      730,
      keyDays,
    ),
  ),
  passkeyPermissions: Type.Array(
    Values('PasskeyPermission', [...portalPermissionNames], 'A permission whose users need a passkey'),
    {
      maxItems: portalPermissionNames.length,
      uniqueItems: true,
      description:
        'Users with one of these permissions must sign in with a passkey, or at the issuer of OpenID Connect. All permissions: all users',
    },
  ),
  minPasswordLength: Integer('Minimum characters of a new password. Present passwords stay valid', 12, {
    minimum: passwordMinimum,
    maximum: passwordLengthMaximum,
  }),
  employeeHistoryDays: Integer(
    'Days for which the values before and after a change of an employee are kept',
    1095,
    { minimum: 1, maximum: historyDaysMaximum },
  ),
};

export const OrganizationSettings = NamedObject(
  'OrganizationSettings',
  'The settings of an organization, which its administrators change',
  settings,
);
export type OrganizationSettings = Static<typeof OrganizationSettings>;

export const OrganizationSettingsUpdate = PatchBody(
  'OrganizationSettingsUpdate',
  'Changes of the settings; absent properties stay',
  settings,
);

const place = { path: '/organization', tag: 'Organization' } as const;

export const getOrganizationSettings = portalOperation({
  ...read,
  ...place,
  success: { status: 200, body: OrganizationSettings },
});

export const updateOrganizationSettings = portalOperation({
  ...write,
  ...place,
  method: 'PATCH',
  permission: 'COMPANY_ADMIN',
  needsFreshSignIn: true,
  body: OrganizationSettingsUpdate,
  success: { status: 200, body: OrganizationSettings },
  errors: ['VALIDATION_ERROR', 'INVALID_STATE_TRANSITION'],
});
