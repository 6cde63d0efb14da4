import Type, { type Static } from 'typebox';
import { read, write } from '../operation.ts';
import { portalOperation, portalPermissionNames } from '../portal-operation.ts';
import { ClosedObject, Name, nullable, PatchBody, Values } from '../schema.ts';
import { passwordMinimum } from '../users/sessions.ts';

/** Ten years. */
export const keyDaysMaximum = 3650;

/** The largest minimum that an organization can require of a password. */
const passwordLengthMaximum = 64;

/** Ten years. */
export const historyDaysMaximum = 3650;

const keyDays = { minimum: 1, maximum: keyDaysMaximum };

const settings = {
  name: Name('Name of the organization', 'Muster Holding'),
  defaultKeyDays: nullable(Type.Integer({ ...keyDays, examples: [365] })),
  maxKeyDays: nullable(Type.Integer({ ...keyDays, examples: [730] })),
  passkeyPermissions: Type.Array(Values('PasskeyPermission', [...portalPermissionNames]), {
    maxItems: portalPermissionNames.length,
    uniqueItems: true,
  }),
  minPasswordLength: Type.Integer({
    minimum: passwordMinimum,
    maximum: passwordLengthMaximum,
    examples: [12],
  }),
  employeeHistoryDays: Type.Integer({ minimum: 1, maximum: historyDaysMaximum, examples: [1095] }),
};

export const OrganizationSettings = ClosedObject(settings);
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
