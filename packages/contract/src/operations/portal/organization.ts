import { read, write } from '../../operation.ts';
import { OrganizationSettings, OrganizationSettingsUpdate } from '../../resources/portal/organization.ts';
import type { PortalOperation } from './operation.ts';

const place = { path: '/organization', tag: 'Organization' } as const;

export const organizationSettingsOperations = {
  getOrganizationSettings: {
    ...read,
    ...place,
    summary: 'Get the settings of the organization',
    description:
      'Reads the settings of the organization of the user. All users may read them, because forms depend on them.',
    success: { status: 200, description: 'The settings', body: OrganizationSettings },
  },
  updateOrganizationSettings: {
    ...write,
    ...place,
    method: 'PATCH',
    permission: 'COMPANY_ADMIN',
    needsFreshSignIn: true,
    summary: 'Update the settings of the organization',
    description:
      'Merges the body into the settings. The default lifetime of keys is at most the maximum, if there is one. A passkey can be required by a user who has signed in with one, or at the issuer. Takes a fresh sign-in.',
    body: OrganizationSettingsUpdate,
    success: { status: 200, description: 'The settings after that', body: OrganizationSettings },
    errors: ['VALIDATION_ERROR', 'INVALID_STATE_TRANSITION'],
  },
} as const satisfies Record<string, PortalOperation>;
