import type { OrderPayrollChange } from '@kontor/contract';
import type { Scope } from '../../auth/scope.ts';
import { notFound, type ResourceCall } from '../../http/read-resource.ts';
import type { BackgroundJobs } from '../../jobs/background.ts';
import type { Actor } from '../../write/writes.ts';
import type { RunKey } from './ledger.ts';
import type { PlannedContract } from './order-preview.ts';
import type { TenantKey } from './settings.ts';
import type { RouteParts } from '../../http/route.ts';

/* The operations of payroll have this in common. */

export interface Parts extends RouteParts {
  readonly jobs: BackgroundJobs;
  readonly recordDownload: (run: RunKey, actor: Actor) => Promise<void>;
  /** The tenant, if it is in the scope of the caller. */
  readonly findTenant: (scope: Scope, id: string) => Promise<object | null>;
  /** The contract of an order after changes. @throws ApiError as the operations that record them do */
  readonly planContract: (
    call: ResourceCall,
    changes: Omit<OrderPayrollChange, 'leave'>,
  ) => Promise<PlannedContract>;
  /** For `Location`. */
  readonly addressOf: (resources: string) => (organizationId: string, id: string) => string;
}

export function keyOf({ scope: { organizationId }, parameters: { id } }: ResourceCall) {
  return { organizationId, id };
}

export function tenantOf({
  scope: { organizationId },
  parameters: { id: tenantId },
}: ResourceCall): TenantKey {
  return { organizationId, tenantId };
}

/** @throws ApiError NOT_FOUND */
export async function checkTenant(
  { findTenant }: Pick<Parts, 'findTenant'>,
  call: ResourceCall,
): Promise<void> {
  if ((await findTenant(call.scope, call.parameters.id)) === null) notFound('tenant', call);
}
