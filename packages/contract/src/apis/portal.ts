import type { Recorded } from '../openapi/recording.ts';
import type { Api } from '../api.ts';
import { bodyLimits, describeBodyLimit } from '../body-limit.ts';
import examples from '../examples/portal.json' with { type: 'json' };
import { auditOperations } from '../audit.ts';
import { divisionOperations } from '../divisions.ts';
import { employeeOperations } from '../employees/employees.ts';
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
import { employeeImportOperations } from '../operations/portal/employee-imports.ts';
import { type PortalOperation, portalPermissions } from '../portal-operation.ts';

const permissions = Object.entries(portalPermissions).map(([name, words]) => `- \`${name}\`: ${words}`);

const introduction = `
The API of the portal's pages. Other programs use the public API or the platform API: this API rejects API keys, and the cookie works
nowhere else.

## Signing in

\`POST /session\` takes email and password and sets the cookie \`__Host-kontor\`, which scripts cannot read. A session
ends an hour after its last use, after twelve hours, and when the user signs out, is deactivated or sets a new password. A passkey
begins a session as well: \`POST /session/passkey-challenge\` has the options for the browser, and \`POST /session/passkey\` takes the result. The platform API
and \`kontor user invite\` create users, who set their password with the link of the invitation.

A write is accepted from pages of the portal only: with \`Sec-Fetch-Site: same-origin\`. Browsers that do not send that must send the
\`Origin\` of the portal: its scheme, host and port. Sensitive operations need a sign-in of the last ten minutes (FRESH_SIGN_IN_REQUIRED):
confirm it with \`POST /session/confirmation\`, a passkey or the issuer.

With an OpenID Connect issuer, \`POST /session/openid-request\` answers the address for the browser, and \`POST /session/openid\` takes the
parameters of its return.

## Permissions

${permissions.join('\n')}

## As with the public API

Errors, filters and pages work as with the public API. An invalid \`X-Request-ID\` is replaced. There are no quotas. \`X-Tenant-ID\` selects a
tenant for the work of HR, and for a new division.
An error also names the rejected \`field\` of a body, with its \`minimum\` or the \`position\` of the fault in it.
A body has at most ${describeBodyLimit(bodyLimits.ordinary)}, before the sign-in ${describeBodyLimit(bodyLimits.anonymous)}; the scope of an API key
has ${describeBodyLimit(bodyLimits.list)}.

## Versions

It changes together with the pages, without notice. Other programs must not rely on it.
`.trim();

/** The API of the portal's pages, on the public port. */
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
    ...employeeImportOperations,
    ...payrollSettingsOperations.portal,
    ...payrollRunOperations.portal,
    ...payrollReceiptOperations.portal,
    ...decisionRuleOperations.portal,
  } satisfies Record<string, PortalOperation>,
  texts: {
    title: 'Kontor Portal API',
    referenceTitle: 'Kontor portal API reference',
    version: '1.0.0',
    summary: 'The API of the pages of the portal',
    introduction,
    server: {
      description: 'The public address of an installation',
      example: 'http://127.0.0.1:8080',
    },
    tags: {
      'API keys': 'Keys of the public API: create, deactivate, replace, usage.',
      Audit: 'Changes of the organization with their actors.',
      'Data subjects': 'Export and erasure of the data of a person.',
      'Decision rules': 'Rules by which orders of a tenant are decided automatically.',
      Divisions: 'The tree of divisions of each tenant.',
      'Employee imports': 'CSV files of employees: checked first, then applied.',
      Employees: 'People of the tenants of the permission HR.',
      'Forgotten passwords': 'A link by mail that sets a new password.',
      Incidents: 'Incidents of these people: reports, what they lack, and their evidence.',
      Mail: 'Whether mails are sent, which, and a test message.',
      'OpenID Connect': 'Signing in where the users of the customer are known already.',
      Orders: 'Orders of these people, and the decisions of HR.',
      Organization: 'The settings of the organization, which its administrators change.',
      Overview: 'The summary for the home page and the menu, and the search over everything.',
      Passkeys: 'Signing in without a password, by what a device keeps (WebAuthn).',
      Payroll:
        'Runs of payroll: the report before a release, the release, receipts, and the settings of a company.',
      'Payroll export documents': 'Files of released runs.',
      Retention: 'For how long the audit and data of employees are kept, and what can be erased now.',
      Sessions: 'Signing in and out, passwords, and the sessions of a user.',
      Tenants: 'Companies of the organization.',
      Users: 'Users of the organization: invitations and permissions.',
    },
    statuses: {
      401: 'There is no session, or the credentials are wrong',
      403: 'The user may not do this, or not in this way',
      404: 'The target does not exist or is not visible to the user',
      429: 'There were too many attempts',
    },
    meanings: {
      PAYLOAD_TOO_LARGE:
        'The whole request body is larger than the operation takes. The message says how much that is.',
      PERMISSION_DENIED:
        'The user does not have the permission that the operation takes, which the message names. Or what the user may do changed while a write was processed: nothing was stored, try again.',
      NOT_FOUND:
        'Unknown route, or a target that does not exist or is not visible to the user; the two look the same.',
      INVALID_REFERENCE_ID: 'An identifier in the path or body is not of the form of its kind.',
      BAD_GATEWAY:
        'The issuer of OpenID Connect or the file store cannot be reached, or does not answer as it should.',
      GATEWAY_TIMEOUT: 'The issuer of OpenID Connect or the file store did not answer in time.',
      RATE_LIMIT_EXCEEDED:
        'There were too many failed sign-ins, requests for a link or a challenge, invitations or new API keys. Wait `Retry-After` seconds. A browser in which the user has signed in before passes the limit of failed sign-ins.',
    },
  },
  recorded: examples as Recorded,
} as const satisfies Api;
