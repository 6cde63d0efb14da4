import type { Api } from '../api.ts';
import { portalApiKeyOperations } from '../operations/portal/api-keys.ts';
import { portalAuditOperations } from '../operations/portal/audit.ts';
import { portalEmployeeOperations } from '../operations/portal/employees.ts';
import { companyOperations } from '../operations/portal/company.ts';
import { employeeImportOperations } from '../operations/portal/employee-imports.ts';
import { hrOperations } from '../operations/portal/hr.ts';
import { mailOperations } from '../operations/portal/mail.ts';
import { openIdOperations } from '../operations/portal/open-id.ts';
import { organizationSettingsOperations } from '../operations/portal/organization.ts';
import { overviewOperations } from '../operations/portal/overview.ts';
import { portalPayrollOperations } from '../operations/portal/payroll.ts';
import { portalRetentionOperations } from '../operations/portal/retention.ts';
import { passkeyOperations } from '../operations/portal/passkeys.ts';
import { placeOperations } from '../operations/portal/places.ts';
import { sessionOperations } from '../operations/portal/sessions.ts';
import { portalUserOperations } from '../operations/portal/users.ts';
import { portalPermissions } from '../resources/platform/user.ts';

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
    ...sessionOperations,
    ...passkeyOperations,
    ...openIdOperations,
    ...overviewOperations,
    ...organizationSettingsOperations,
    ...portalRetentionOperations,
    ...mailOperations,
    ...portalAuditOperations,
    ...placeOperations,
    ...portalApiKeyOperations,
    ...portalUserOperations,
    ...portalEmployeeOperations,
    ...hrOperations,
    ...employeeImportOperations,
    ...portalPayrollOperations,
    ...companyOperations,
  },
} as const satisfies Api;
