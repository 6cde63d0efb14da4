import { declare, type Described } from './operation.ts';
import { ClosedObject, Id, KeyId } from './schema.ts';

export const platformPermissions = {
  'organizations:read': 'Read organizations',
  'organizations:write': 'Create organizations',
  'tenants:read': 'Read tenants',
  'tenants:write': 'Create tenants, and set how long their orders wait for a decision',
  'api-keys:read': 'Read API keys and how much they are used',
  'api-keys:write': 'Create, deactivate, reactivate, delete and replace API keys',
  'activations:read': 'Read whether employees are activated',
  'activations:write': 'Activate employees',
  'users:read': 'Read users of the portal',
  'users:write': 'Create, invite, update, deactivate, reactivate and delete users of the portal',
  'employees:read': 'Read employees',
  'employees:write': 'Assign employees without a tenant to one',
  'orders:read': 'Read orders',
  'order-intakes:write': 'Create orders, and attach documents to them',
  'decision-rules:read': 'Read and try rules for automatic decisions',
  'decision-rules:write': 'Set and remove rules for automatic decisions, and apply them to orders',
  'payroll:read': 'Read payroll settings, runs and receipts',
  'payroll:write': 'Set payroll settings, and settle amounts outside of runs',
  'payroll:run': 'Create and discard payroll runs',
  'payroll:release': 'Release payroll runs',
  'transitions:write':
    'Move orders and incidents through their states, and record ends and versions of contracts',
  'data-subjects:export': 'Export all that is stored about a person',
  'data-subjects:erase': 'Erase the data of a person, and read from when that is possible',
  'retention:read': 'Read which employees of a tenant can be erased',
  'audit:read': 'Read who changed what',
  'audit-retention:write': 'Set how long the audit log is kept',
} as const;

export type PlatformPermission = keyof typeof platformPermissions;

interface PlatformOperation extends Described {
  readonly authenticated: true;
  readonly permission: PlatformPermission;
}

/** Declares an operation of the platform API, which requires a token with one permission. */
export function platformOperation<const Declared extends PlatformOperation>(declaration: Declared) {
  return declare('platform', declaration);
}

const organizationId = Id('Identifier of the organization');

export const inOrganization = ClosedObject({ organizationId });

export const ofOrganization = (description: string) => ClosedObject({ organizationId, id: Id(description) });

export const keyOfOrganization = ClosedObject({ organizationId, id: KeyId('Identifier of the API key') });
