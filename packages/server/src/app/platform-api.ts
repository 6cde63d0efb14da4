import { apis } from '@kontor/contract';
import { Collection } from '../query/page.ts';
import { publicUrlOf } from '../config.ts';
import type { Pepper } from '../auth/secrets.ts';
import type { Database } from '../db/connect.ts';
import { execute } from '../db/pool.ts';
import { auditRoutes } from '../features/audit/routes.ts';
import { platformEmployeeRoutes } from '../features/employees/routes.ts';
import { employeeResource } from '../features/employees/mapping.ts';
import { incidentTransitionRoutes } from '../features/incidents/routes.ts';
import { apiKeyRoutes } from '../features/keys/routes.ts';
import { decisionRuleRoutes } from '../features/orders/decision-rules/routes.ts';
import { orderIntakeRoutes } from '../features/orders/intake/routes.ts';
import { orderContractRoutes, planContract } from '../features/orders/contract-changes.ts';
import { orderTransitionRoutes } from '../features/orders/routes.ts';
import { organizationRoutes } from '../features/organizations/routes.ts';
import type { DownloadParts } from '../features/payroll-documents/routes.ts';
import { payrollRoutes } from '../features/payroll/routes.ts';
import { findTenant, placesIn } from '../features/organizations/store.ts';
import { userRoutes } from '../features/users/routes.ts';
import { PlatformTokens } from '../auth/platform-tokens.ts';
import type { Files } from '../files/download.ts';
import { routesOf } from '../http/implement.ts';
import type { ServedApi } from '../http/service.ts';
import { dataSubjectRoutes } from '../privacy/routes.ts';
import type { BackgroundJobs } from '../jobs/background.ts';
import type { Writes } from '../write/writes.ts';
import type { ServiceConfig } from './service-settings.ts';

interface PlatformParts {
  readonly database: Omit<Database, 'close'>;
  readonly writes: Writes;
  readonly files: Files;
  readonly pepper: Pepper;
  readonly jobs: BackgroundJobs;
  readonly recordDownload: DownloadParts['recordDownload'];
}

export function platformApi(config: ServiceConfig, parts: PlatformParts): ServedApi {
  const { database, writes, files, pepper, jobs, recordDownload } = parts;
  const { reads, lists } = database;
  const tokens = new PlatformTokens(database, pepper);
  const places = placesIn(reads);
  const resourceAt = (resources: string) => (organizationId: string, id: string) =>
    `${apis.platform.prefix}/organizations/${organizationId}/${resources}/${id}`;
  const employees = new Collection(employeeResource, execute(lists), { now: () => performance.now() });
  return {
    api: apis.platform,
    authenticate: tokens.authenticate.bind(tokens),
    quota: null,
    routes: routesOf(apis.platform, [
      ...organizationRoutes({ reads, writes }),
      ...apiKeyRoutes({ reads, writes, pepper, places, addressOf: resourceAt('api-keys') }),
      ...userRoutes({
        reads,
        writes,
        pepper,
        publicUrl: publicUrlOf(config),
        byMail: config.smtpHost !== null,
        tenantsAmong: places.tenantsAmong,
        addressOf: resourceAt('users'),
      }),
      ...platformEmployeeRoutes({ reads, writes, collection: employees }),
      ...orderIntakeRoutes({ reads, writes, files: files.store }),
      ...decisionRuleRoutes({ reads, writes }),
      ...orderTransitionRoutes({ writes }),
      ...orderContractRoutes({ reads, writes }),
      ...incidentTransitionRoutes({ writes, files: files.store }),
      ...dataSubjectRoutes({ database, writes, files }),
      ...payrollRoutes({
        reads,
        writes,
        jobs,
        recordDownload,
        findTenant: (scope, id) => findTenant(reads, scope, id),
        planContract: (call, changes) => planContract(reads, call, changes),
        addressOf: resourceAt,
      }),
      ...auditRoutes({ reads, writes }),
    ]),
  };
}
