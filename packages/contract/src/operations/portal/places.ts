import { list, write } from '../../operation.ts';
import {
  DivisionMove,
  DivisionMoveInput,
  DivisionUpdate,
  PortalDivisionCreate,
} from '../../resources/portal/division.ts';
import { divisionFields, DivisionList } from '../../resources/public/division.ts';
import { tenantOperations } from '../platform/tenants.ts';
import { divisionOperations } from '../public/divisions.ts';
import { ofPortal, searched } from './operation.ts';
import type { PortalOperation } from './operation.ts';

const ofAdmin = { permission: 'COMPANY_ADMIN' } as const;

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
  createPortalDivision: {
    ...divisionOperations.createDivision,
    ...ofAdmin,
    selectsTenant: true,
    body: PortalDivisionCreate,
  },
  updatePortalDivision: {
    ...divisionOperations.updateDivision,
    ...ofAdmin,
    description:
      'Changes the name or the cost center. INVALID_STATE_TRANSITION if the division changed after the user has read it.',
    body: DivisionUpdate,
    errors: ['DIVISION_NAME_NOT_UNIQUE_ON_SAME_LEVEL', 'INVALID_STATE_TRANSITION'],
  },
  movePortalDivision: {
    ...write,
    ...ofAdmin,
    path: '/divisions/{id}/move',
    tag: 'Divisions',
    summary: 'Move a division',
    description:
      'Moves a division with all below it, or changes its place among its siblings. The service sets `order`; siblings with equal orders get new ones. A dry run says what moves with it, and which keys gain or lose access. INVALID_STATE_TRANSITION if the division changed after the user has read it. Takes a fresh sign-in.',
    needsFreshSignIn: true,
    parameters: divisionOperations.updateDivision.parameters,
    body: DivisionMoveInput,
    success: { status: 200, description: 'The division at its new place', body: DivisionMove },
    errors: [...divisionOperations.updateDivision.errors, 'INVALID_STATE_TRANSITION'],
  },
} as const satisfies Record<string, PortalOperation>;
