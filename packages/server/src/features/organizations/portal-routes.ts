import type { Pool } from '../../db/connect.ts';
import type { HandlersOf } from '../../http/handlers.ts';
import { getTenant, listTenants } from './platform-routes.ts';

export function portalTenantHandlers(reads: Pool): HandlersOf<'portal', 'Tenants'> {
  return {
    listPortalTenants: call => listTenants(reads, call),
    getPortalTenant: call => getTenant(reads, call),
  };
}
