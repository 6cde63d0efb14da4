import { list } from '../../operation.ts';
import { divisionFields, DivisionList } from '../../resources/public/division.ts';
import { tenantOperations } from '../platform/tenants.ts';
import { ofPortal } from './operation.ts';
import type { PortalOperation } from './operation.ts';

export const placeOperations = {
  listPortalTenants: ofPortal(tenantOperations.listTenants, {
    description:
      'Lists the tenants (companies) that the user sees: all of the organization, or of HR alone those that this is for.',
  }),
  getPortalTenant: ofPortal(tenantOperations.getTenant, {
    description: 'Reads one tenant that the user sees.',
  }),
  listPortalDivisions: {
    ...list,
    path: '/divisions',
    tag: 'Divisions',
    summary: 'List divisions',
    description:
      'Lists the divisions of the tenants that the user sees, such as those below one with `parentId`, or of one tenant with `tenant`.',
    success: { status: 200, description: 'A page of divisions', body: DivisionList },
    fields: divisionFields,
  },
} as const satisfies Record<string, PortalOperation>;
