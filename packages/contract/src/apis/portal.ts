import type { Api } from '../api.ts';
import { auditOperations } from '../audit.ts';
import { divisionOperations } from '../divisions.ts';
import { employeeOperations } from '../employees/employees.ts';
import { employeeImportOperations } from '../employees/imports.ts';
import { incidentOperations } from '../incidents.ts';
import { keyOperations } from '../keys/keys.ts';
import { keyScopeOperations } from '../keys/scope.ts';
import { keyUseOperations } from '../keys/use.ts';
import { decisionRuleOperations } from '../orders/decision-rules.ts';
import { orderOperations } from '../orders/orders.ts';
import { organizationSettingsOperations } from '../organizations/settings.ts';
import { tenantOperations } from '../organizations/tenants.ts';
import { overviewOperations } from '../overview.ts';
import { payrollDocumentOperations } from '../payroll-documents.ts';
import { payrollReceiptOperations } from '../payroll/receipts.ts';
import { payrollRunOperations } from '../payroll/runs.ts';
import { payrollSettingsOperations } from '../payroll/settings.ts';
import { dataSubjectOperations } from '../privacy/data-subjects.ts';
import { retentionOperations } from '../privacy/retention.ts';
import { mailOperations } from '../users/mail.ts';
import { openIdOperations } from '../users/open-id.ts';
import { passkeyOperations } from '../users/passkeys.ts';
import { sessionOperations } from '../users/sessions.ts';
import { userOperations } from '../users/users.ts';
import { type PortalOperation, portalPermissions } from '../portal-operation.ts';

/** The API of the portal's pages, on the public port. It changes together with them, without notice, so it is private. */
export const portalApi = {
  prefix: '/portal/api',
  credential: {
    header: 'Cookie',
    cookie: '__Host-kontor',
    rejection: { code: 'INVALID_SESSION', message: 'There is no session, or it has ended; sign in' },
    scheme: {
      name: 'PortalSession',
      object: {
        type: 'apiKey',
        in: 'cookie',
        name: '__Host-kontor',
        description: 'The cookie of a session, which `POST /session` sets. Browsers keep and send it.',
      },
    },
  },
  permissions: portalPermissions,
  selectsTenant: false,
  hasQuota: false,
  checksRequestId: false,
  namesFields: true,
  operations: {
    ...sessionOperations.portal,
    ...passkeyOperations.portal,
    ...openIdOperations.portal,
    ...overviewOperations.portal,
    ...organizationSettingsOperations.portal,
    ...retentionOperations.portal,
    ...mailOperations.portal,
    ...auditOperations.portal,
    ...tenantOperations.portal,
    ...divisionOperations.portal,
    ...keyOperations.portal,
    ...keyScopeOperations.portal,
    ...keyUseOperations.portal,
    ...userOperations.portal,
    ...employeeOperations.portal,
    ...dataSubjectOperations.portal,
    ...orderOperations.portal,
    ...payrollDocumentOperations.portal,
    ...incidentOperations.portal,
    ...employeeImportOperations.portal,
    ...payrollSettingsOperations.portal,
    ...payrollRunOperations.portal,
    ...payrollReceiptOperations.portal,
    ...decisionRuleOperations.portal,
  } satisfies Record<string, PortalOperation>,
} as const satisfies Api;
