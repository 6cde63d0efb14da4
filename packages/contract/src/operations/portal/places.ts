import { list } from '../../operation.ts';
import { divisionFields, DivisionList } from '../../resources/public/division.ts';
import { tenantOperations } from '../platform/tenants.ts';
import { ofPortal, searched } from './operation.ts';
import type { PortalOperation } from './operation.ts';

export const placeOperations = {
  listPortalTenants: ofPortal(tenantOperations.listTenants, {
    description:
      'Lists the tenants (companies) of the user: all of the organization, or with HR alone those of the permission.',
    ...searched,
    path: '/tenants/search',
  }),
  getPortalTenant: ofPortal(tenantOperations.getTenant, {
    description: 'Reads one tenant of the user.',
  }),
  listPortalDivisions: {
    ...list,
    path: '/divisions',
    tag: 'Divisions',
    summary: 'List divisions',
    description:
      "Lists the divisions of the user's tenants. Filter by `parentId` for those below one, or by `tenant`.",
    success: { status: 200, description: 'A page of divisions', body: DivisionList },
    fields: divisionFields,
  },
} as const satisfies Record<string, PortalOperation>;
