import { getPortalTenant, listPortalTenants } from '@kontor/contract';
import type { Pool } from '../../db/connect.ts';
import { answerTenant, pageOfTenants } from './platform-routes.ts';
import { implement } from '../../http/implement.ts';
import type { Route } from '../../http/route.ts';

export function portalTenantRoutes(reads: Pool): Route[] {
  return [
    implement(listPortalTenants, call => pageOfTenants(reads, call)),
    implement(getPortalTenant, call => answerTenant(reads, call)),
  ];
}
