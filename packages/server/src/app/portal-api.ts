import { apis, type HrTasks } from '@kontor/contract';
import type { Scope } from '../auth/scope.ts';
import type { Collection } from '../query/page.ts';
import type { Pepper } from '../auth/secrets.ts';
import type { Database, Pool } from '../db/connect.ts';
import { searchedDivisions } from '../features/divisions/store.ts';
import { hasEmployees, searchedEmployees } from '../features/employees/store.ts';
import { portalDivisionRoutes } from '../features/divisions/routes.ts';
import { readOpenImports } from '../features/employees/portal-import/open-imports.ts';
import { employeeImportRoutes } from '../features/employees/portal-import/routes.ts';
import { portalEmployeeRoutes } from '../features/employees/routes.ts';
import { portalIncidentRoutes } from '../features/incidents/routes.ts';
import { readIncidentsToComplete } from '../features/incidents/to-complete.ts';
import { readEffectsOfMove } from '../features/keys/grants.ts';
import { portalApiKeyRoutes } from '../features/keys/routes.ts';
import { portalDecisionRuleRoutes } from '../features/orders/decision-rules/routes.ts';
import { planContract, portalOrderContractRoutes } from '../features/orders/contract-changes.ts';
import { portalOrderRoutes } from '../features/orders/routes.ts';
import { portalTenantRoutes } from '../features/organizations/routes.ts';
import { findTenant, placesIn, searchedTenants } from '../features/organizations/store.ts';
import { readResourceChanges } from '../features/audit/history.ts';
import { portalAuditRoutes } from '../features/audit/routes.ts';
import { organizationSettingsRoutes } from '../features/organizations/settings.ts';
import { readKeysInUse, searchedKeys, summarizeKeys } from '../features/keys/summary.ts';
import { countUnderReview, searchedOrders } from '../features/orders/store.ts';
import { readOrdersToDecide } from '../features/orders/to-decide.ts';
import { type Overview, overviewRoutes } from '../features/overview/routes.ts';
import { readPayrollDue } from '../features/payroll/open-months.ts';
import { portalPayrollRoutes } from '../features/payroll/routes.ts';
import { portalPayrollDocumentRoutes } from '../features/payroll-documents/routes.ts';
import type { DownloadParts } from '../features/payroll-documents/routes.ts';
import { readDocumentsInScope } from '../features/payroll-documents/store.ts';
import { OpenIdClient } from '../features/users/openid/client.ts';
import { openIdRoutes } from '../features/users/openid/routes.ts';
import type { OpenIdSettings } from '../features/users/openid/settings.ts';
import { passwordResetRoutes, sessionRoutes } from '../features/users/sessions/routes.ts';
import type { PasswordResets } from '../features/users/passwords/resets.ts';
import { passkeyRoutes } from '../features/users/passkeys/routes.ts';
import { relyingPartyOf } from '../features/users/passkeys/webauthn.ts';
import { findExpiredInvitations, searchedUsers } from '../features/users/store.ts';
import { readBell } from '../features/users/notifications/items.ts';
import { notificationRoutes } from '../features/users/notifications/routes.ts';
import { mailRoutes } from '../features/users/test-mail.ts';
import { portalUserRoutes } from '../features/users/routes.ts';
import { PortalSessions } from '../features/users/sessions/authenticator.ts';
import type { Files } from '../files/download.ts';
import type { Counting } from '../lib/counting.ts';
import type { CredentialLookups } from '../auth/credential-lookups.ts';
import { retentionRoutes } from '../privacy/retention-routes.ts';
import { portalDataSubjectRoutes } from '../privacy/routes.ts';
import type { BackgroundJobs } from '../jobs/background.ts';
import type { MailSettings } from '../mail/smtp.ts';
import { routesOf } from '../http/implement.ts';
import type { ServedApi } from '../http/service.ts';
import type { Writes } from '../write/writes.ts';
import { userSessionRoutes } from '../features/users/sessions/user-sessions.ts';
import { notificationSources } from './notifications.ts';

interface PortalParts {
  readonly database: Omit<Database, 'close'>;
  readonly writes: Writes;
  readonly pepper: Pepper;
  readonly counting: Counting;
  readonly lookups: CredentialLookups;
  /** The public address, known once the service listens. */
  readonly publicUrl: () => string;
  /** Null: sign-in with OpenID Connect is off. */
  readonly openId: OpenIdSettings | null;
  /** Null: no mails are sent. */
  readonly mails: MailSettings | null;
  /** Null: no mails are sent, so links are shown to the user who creates them. */
  readonly resets: PasswordResets | null;
  readonly files: Files;
  readonly jobs: BackgroundJobs;
  readonly recordDownload: DownloadParts['recordDownload'];
  readonly collections: {
    readonly divisions: Collection;
    readonly employees: Collection;
    readonly orders: Collection;
    readonly incidents: Collection;
  };
}

export function portalApi(parts: PortalParts): ServedApi {
  const {
    database,
    writes,
    pepper,
    counting,
    lookups,
    mails,
    resets,
    publicUrl,
    files,
    jobs,
    recordDownload,
    collections,
  } = parts;
  const openId = parts.openId && new OpenIdClient(parts.openId, { publicUrl, pepper });
  const { reads } = database;
  const sessions = new PortalSessions(database, pepper);
  const relyingParty = () => relyingPartyOf(publicUrl());
  const byMail = resets !== null;
  const signIn = {
    reads,
    writes,
    pepper,
    counting,
    lookups,
    challenges: database.writes,
    relyingParty,
    openId,
    byMail,
  };
  const places = placesIn(reads);
  const readChanges = (organizationId: string, id: string) => readResourceChanges(reads, organizationId, id);
  return {
    api: apis.portal,
    authenticate: sessions.authenticate.bind(sessions),
    quota: null,
    publicUrl,
    routes: routesOf(apis.portal, [
      ...sessionRoutes(signIn),
      ...passkeyRoutes(signIn),
      ...openIdRoutes(signIn),
      ...passwordResetRoutes(resets),
      ...overviewRoutes(reads, overviewOf(reads)),
      ...organizationSettingsRoutes({ reads, writes, passkeysWork: () => relyingParty() !== null }),
      ...retentionRoutes({ reads, writes }),
      ...mailRoutes({ writes, settings: mails }),
      ...portalAuditRoutes({ reads, writes }),
      ...portalTenantRoutes({ reads, writes }),
      ...portalDivisionRoutes({
        reads,
        writes,
        collection: collections.divisions,
        readEffects: moved => readEffectsOfMove(reads, moved),
      }),
      ...portalEmployeeRoutes({ reads, writes, collection: collections.employees }),
      ...portalDataSubjectRoutes({ database, writes, files }),
      ...portalDecisionRuleRoutes({ reads, writes }),
      ...employeeImportRoutes({
        reads,
        writes,
        jobs,
        findTenant: (scope, id) => findTenant(reads, scope, id),
      }),
      ...portalOrderRoutes({ reads, writes, files, collection: collections.orders, readChanges }),
      ...portalOrderContractRoutes({ writes }),
      ...portalPayrollRoutes({
        reads,
        writes,
        jobs,
        recordDownload,
        findTenant: (scope, id) => findTenant(reads, scope, id),
        planContract: (call, changes) => planContract(reads, call, changes),
        readDocuments: (scope, ids) => readDocumentsInScope(reads, scope, ids),
        addressOf: resourceAt,
      }),
      ...portalPayrollDocumentRoutes({ reads, files, recordDownload }),
      ...portalIncidentRoutes({ reads, writes, files, collection: collections.incidents, readChanges }),
      ...portalApiKeyRoutes({ reads, writes, pepper, places, addressOf: resourceAt('api-keys') }),
      ...userSessionRoutes({ reads, writes }),
      ...notificationRoutes({ reads, writes, mailsAreSent: mails !== null }),
      ...portalUserRoutes({
        reads,
        writes,
        pepper,
        get publicUrl() {
          return publicUrl();
        },
        byMail,
        tenantsAmong: places.tenantsAmong,
        addressOf: resourceAt('users'),
      }),
    ]),
  };
}

/** The readers of each feature for the home page, the menu and the search. */
function overviewOf(reads: Pool): Overview {
  const isAdmin = ({ permissions }: { permissions: ReadonlySet<string> }) => permissions.has('COMPANY_ADMIN');
  return {
    summary: {
      keys: ({ scope }, tenant) => summarizeKeys(reads, scope, tenant),
      expiredInvitations: async (viewer, tenant) =>
        isAdmin(viewer) ? findExpiredInvitations(reads, viewer.scope.organizationId, tenant) : null,
      ordersUnderReview: async ({ hrScope }, tenant) => hrScope && countUnderReview(reads, hrScope, tenant),
      notifications: ({ scope: { organizationId }, userId }) =>
        readBell(reads, notificationSources, { organizationId, userId }),
    },
    tasks: {
      hr: async ({ hrScope }, tenant) => hrScope && readHrTasks(reads, hrScope, tenant),
      keys: async (viewer, tenant) =>
        viewer.permissions.has('IT') || isAdmin(viewer) ? readKeysInUse(reads, viewer.scope, tenant) : null,
    },
    search: {
      company: ({ scope }) => searchedTenants(scope),
      division: ({ scope }) => searchedDivisions(scope),
      key: ({ scope }) => searchedKeys(scope),
      user: viewer => (isAdmin(viewer) ? searchedUsers(viewer.scope.organizationId) : null),
      employee: ({ hrScope }) => hrScope && searchedEmployees(hrScope),
      order: ({ hrScope }) => hrScope && searchedOrders(hrScope),
    },
  };
}

async function readHrTasks(reads: Pool, scope: Scope, tenant: string | null): Promise<HrTasks> {
  const [orders, incidents, imports, payroll, hasAny] = await Promise.all([
    readOrdersToDecide(reads, scope, tenant),
    readIncidentsToComplete(reads, scope, tenant),
    readOpenImports(reads, scope, tenant),
    readPayrollDue(reads, { scope, tenant, now: new Date() }),
    hasEmployees(reads, scope, tenant),
  ]);
  return { orders, incidents, imports, payroll, hasEmployees: hasAny };
}

function resourceAt(resources: string): (organizationId: string, id: string) => string {
  return (_organizationId, id) => `${apis.portal.prefix}/${resources}/${id}`;
}
