import { ApiError } from '@kontor/contract';
import { anonymous, type Caller, noOrganization } from '../../auth/caller.ts';
import { RejectedError, type Rejection } from '../../auth/rejection.ts';
import type { RequestContext } from '../request-context.ts';
import type { Telemetry } from '../telemetry.ts';

/** If the error is a rejection, counts it and audits it. The rejection of an unknown credential is logged instead. */
export function reportRejection(error: unknown, context: RequestContext, telemetry: Telemetry): void {
  const rejection = error instanceof ApiError ? rejectionOf(error, context) : null;
  if (rejection === null) return;
  const { metrics, logger, rejected } = telemetry;
  const { requestId, operation, address, caller } = context;
  const { reason } = rejection;
  metrics.rejected(reason);
  if ('action' in rejection)
    rejected?.({ ...rejection, requestId, address, actor: (caller ?? anonymous).actor });
  else if (reason !== 'missing')
    logger.warn({ requestId, operation, reason, claim: rejection.claim }, 'rejected an unknown credential');
}

function rejectionOf(error: ApiError, context: RequestContext): Rejection | null {
  if (error instanceof RejectedError) return error.rejection;
  const { request, operation, caller, organizationId: named } = context;
  if (caller === null) return null;
  const { scope } = caller;
  const organizationId = 'organizationId' in scope ? scope.organizationId : noOrganization;
  switch (error.code) {
    case 'PERMISSION_DENIED':
      return { action: 'operation.call', id: operation, organizationId, reason: 'permission_missing' };
    case 'TENANT_NOT_IN_SCOPE': {
      const id = String(request.headers['x-tenant-id']).toLowerCase();
      return { action: 'tenant.select', id, organizationId, reason: 'tenant_not_in_scope' };
    }
    case 'NOT_FOUND':
      return named !== null && isForeign(caller, named)
        ? { action: 'organization.select', id: named, organizationId, reason: 'organization_not_in_scope' }
        : null;
    default:
      return null;
  }
}

/** Whether the organization of the path is outside of the caller's access. */
function isForeign({ scope }: Pick<Caller, 'scope'>, named: string): boolean {
  return 'organizations' in scope && scope.organizations !== 'all' && !scope.organizations.includes(named);
}
