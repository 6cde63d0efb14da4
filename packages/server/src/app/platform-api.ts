import { apis } from '@kontor/contract';
import { Collection } from '../query/page.ts';
import { publicUrlOf } from '../config.ts';
import type { Database } from '../db/connect.ts';
import { execute } from '../db/list-statement.ts';
import { auditHandlers } from '../features/audit/platform-routes.ts';
import { platformEmployeeHandlers } from '../features/employees/platform-routes.ts';
import { employeeResource } from '../features/employees/mapping.ts';
import { incidentTransitionHandlers } from '../features/incidents/platform-routes.ts';
import { apiKeyHandlers } from '../features/keys/platform-routes.ts';
import { decisionRuleHandlers } from '../features/orders/decision-rules/platform-routes.ts';
import { orderIntakeHandlers } from '../features/orders/intake/platform-routes.ts';
import { orderTransitionHandlers } from '../features/orders/platform-routes.ts';
import { organizationHandlers } from '../features/organizations/platform-routes.ts';
import { payrollHandlers } from '../features/payroll/platform-routes.ts';
import { findTenant, placesIn } from '../features/organizations/store.ts';
import { userHandlers } from '../features/users/platform-routes.ts';
import { PlatformTokens } from '../auth/platform-tokens.ts';
import type { Files } from '../files/download.ts';
import { routesOf } from '../http/handlers.ts';
import type { ServedApi } from '../http/service.ts';
import { dataSubjectHandlers } from '../privacy/platform-routes.ts';
import type { BackgroundJobs } from '../jobs/background.ts';
import type { Writes } from '../write/writes.ts';
import { payrollParts } from './payroll.ts';
import type { ServiceConfig } from './service-settings.ts';

interface PlatformParts {
  readonly database: Omit<Database, 'close'>;
  readonly writes: Writes;
  readonly files: Files;
  readonly pepper: Buffer;
  readonly jobs: BackgroundJobs;
}

export function platformApi(config: ServiceConfig, parts: PlatformParts): ServedApi {
  const { database, writes, files, pepper, jobs } = parts;
  const { reads, lists } = database;
  const tokens = new PlatformTokens(reads, pepper);
  const places = placesIn(reads);
  const resourceAt = (resources: string) => (organizationId: string, id: string) =>
    `${apis.platform.prefix}/organizations/${organizationId}/${resources}/${id}`;
  const employees = new Collection(employeeResource, execute(lists), { now: () => performance.now() });
  const { readers } = payrollParts(files.store);
  return {
    api: apis.platform,
    authenticate: tokens.authenticate.bind(tokens),
    quota: null,
    routes: routesOf('platform', {
      ...organizationHandlers({ reads, writes }),
      ...apiKeyHandlers({ reads, writes, pepper, places, addressOf: resourceAt('api-keys') }),
      ...userHandlers({
        reads,
        writes,
        pepper,
        publicUrl: publicUrlOf(config),
        byMail: config.smtpHost !== null,
        tenantsAmong: places.tenantsAmong,
        addressOf: resourceAt('users'),
      }),
      ...platformEmployeeHandlers({ reads, writes, collection: employees }),
      ...orderIntakeHandlers({ reads, writes, files: files.store }),
      ...decisionRuleHandlers({ reads, writes }),
      ...orderTransitionHandlers({ reads, writes }),
      ...incidentTransitionHandlers({ reads, writes }),
      ...dataSubjectHandlers({ database, writes, files }),
      ...payrollHandlers({
        reads,
        writes,
        readers,
        jobs,
        places,
        findTenant: (scope, id) => findTenant(reads, scope, id),
        addressOf: resourceAt,
      }),
      ...auditHandlers({ reads, writes }),
    }),
  };
}
