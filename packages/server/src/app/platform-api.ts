import { apis } from '@kontor/contract';
import { createCollection } from '../query/page.ts';
import type { Database } from '../db/connect.ts';
import { execute } from '../db/execute.ts';
import { auditHandlers } from '../features/audit/routes.ts';
import { platformEmployeeHandlers } from '../features/employees/platform-routes.ts';
import { employeeResource } from '../features/employees/mapping.ts';
import { incidentTransitionHandlers } from '../features/incidents/platform-routes.ts';
import { apiKeyHandlers } from '../features/keys/routes.ts';
import { decisionRuleHandlers } from '../features/orders/decision-rules/platform-routes.ts';
import { orderIntakeHandlers } from '../features/orders/intake/platform-routes.ts';
import { orderTransitionHandlers } from '../features/orders/platform-routes.ts';
import { organizationHandlers } from '../features/organizations/platform-routes.ts';
import { organizationExists, placesIn, tenantsAmong } from '../features/organizations/store.ts';
import { userHandlers } from '../features/users/platform-routes.ts';
import { PlatformTokens } from '../auth/platform-tokens.ts';
import type { FileStore } from '../files/file-store.ts';
import type { CredentialLookups } from '../http/limits/credential-lookups.ts';
import { routesOf } from '../http/handlers.ts';
import { uncounted } from '../http/limits/quota.ts';
import type { ServedApi } from '../http/service.ts';
import { peopleHandlers } from '../privacy/platform-routes.ts';
import type { Writes } from '../write/writes.ts';

/** What the platform API stands on. */
export interface PlatformParts {
  readonly database: Omit<Database, 'close'>;
  readonly writes: Writes;
  readonly files: FileStore;
  readonly pepper: Buffer;
  /** Where people reach the service, without a path. */
  readonly publicUrl: string;
  /** Whether mails are sent, so that links go to whom they are for. */
  readonly byMail: boolean;
  readonly lookups: CredentialLookups;
  readonly addressOf: ServedApi['addressOf'];
  /** Milliseconds that a request may take, and more where it goes to the file store. */
  readonly timeouts: ServedApi['timeouts'];
}

/** The platform API, bound and ready to be served. */
export function platformApi(parts: PlatformParts): ServedApi {
  const { database, writes, files, pepper, publicUrl, byMail, lookups, timeouts } = parts;
  const { reads, lists } = database;
  const tokens = new PlatformTokens(reads, pepper);
  const places = placesIn(reads);
  const resourceAt = (resources: string) => (organizationId: string, id: string) =>
    `${apis.platform.prefix}/organizations/${organizationId}/${resources}/${id}`;
  const employees = createCollection(employeeResource, execute(lists), {
    now: () => performance.now(),
    mayBeOfCluster: () => lists.mayBeOfCluster,
  });
  return {
    api: apis.platform,
    authenticate: (token, address) => tokens.authenticate(token, lookups.from(address)),
    organizationExists: id => organizationExists(reads, id),
    tenantExists: async (organizationId, id) => (await tenantsAmong(reads, organizationId, [id])).has(id),
    quota: uncounted,
    addressOf: parts.addressOf,
    timeouts,
    routes: routesOf('platform', {
      ...organizationHandlers({ reads, writes }),
      ...apiKeyHandlers({ reads, writes, pepper, places, addressOf: resourceAt('api-keys') }),
      ...userHandlers({
        reads,
        writes,
        pepper,
        publicUrl,
        byMail,
        tenantsAmong: places.tenantsAmong,
        addressOf: resourceAt('users'),
      }),
      ...platformEmployeeHandlers({ reads, writes, collection: employees }),
      ...orderIntakeHandlers({ reads, writes, files }),
      ...decisionRuleHandlers({ reads, writes }),
      ...orderTransitionHandlers({ reads, writes }),
      ...incidentTransitionHandlers({ reads, writes }),
      ...peopleHandlers({ database, writes, files: { store: files, timeout: timeouts.files } }),
      ...auditHandlers({ reads, writes }),
    }),
  };
}
