import { CredentialLookups } from '../auth/credential-lookups.ts';
import type { Pool } from '../db/connect.ts';
import { organizationIsOpen, tenantsAmong } from '../features/organizations/store.ts';
import type { Files } from '../files/download.ts';
import { clientAddressReader } from '../http/client-address.ts';
import type { Port } from '../http/service.ts';
import type { Telemetry } from '../http/telemetry.ts';
import type { ServiceConfig } from './service-settings.ts';

/** The APIs of a port share these parts. */
export function portOf(
  {
    trustedProxies,
    forwardedHeader,
    requestTimeout,
  }: Pick<ServiceConfig, 'trustedProxies' | 'forwardedHeader' | 'requestTimeout'>,
  { reads, files, telemetry }: { reads: Pool; files: Files; telemetry: Telemetry },
): Port {
  return {
    telemetry,
    lookups: new CredentialLookups(),
    timeouts: { request: requestTimeout * 1000, files: files.timeout },
    organizationExists: id => organizationIsOpen(reads, id),
    tenantExists: async (organizationId, id) => (await tenantsAmong(reads, organizationId, [id])).has(id),
    clientAddress: clientAddressReader(trustedProxies, forwardedHeader),
  };
}
