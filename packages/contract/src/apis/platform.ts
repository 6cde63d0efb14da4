import type { Recorded } from '../openapi/recording.ts';
import type { Api } from './api.ts';
import { bodyLimits, describeBodyLimit } from '../body-limit.ts';
import examples from '../examples/platform.json' with { type: 'json' };
import { operationsOf } from '../operations.ts';
import { platformPermissions } from '../platform-operation.ts';

const permissions = Object.entries(platformPermissions).map(([name, words]) => `- \`${name}\`: ${words}`);

const introduction = `
The API for the operator's own systems, such as a shop or the back office of a leasing company. It is served on the management port,
which must stay private.

## Tokens

Every request carries a token: \`Authorization: Bearer kontorp_…\`. \`kontor platform-token create\` creates one and shows it once. A token
is valid for all organizations or some. It expires, can be revoked, and has these permissions:

${permissions.join('\n')}

An organization out of its scope is answered like an unknown one. The audit log records all changes under the name of the token.

## As with the public API

Errors, filters, pages and dry runs work as with the public API: every error has the same envelope, bodies are
closed, \`filter\` has the same language, and \`dryRun=true\` runs every rule and stores nothing. An invalid \`X-Request-ID\` is replaced. There are no quotas, and no
\`X-Tenant-ID\`: the path names the organization. The service deduplicates only intakes of orders, their documents
and batches: after a timeout of any other write, read before you repeat it.

## Batches

A batch has up to 1,000 elements in \`items\`, in a body of up to 5 MiB. The answer is 200 with the outcome of each element,
in order. A rejected element does not affect the others. Invalid JSON or more elements reject the whole batch. A batch can be repeated.

## Limits of bodies

A body has at most ${describeBodyLimit(bodyLimits.ordinary)}. An order and an API key have ${describeBodyLimit(bodyLimits.list)}, documents
and batches ${describeBodyLimit(bodyLimits.large)}. A larger one is PAYLOAD_TOO_LARGE.

## Versions

The contract is version 1.0.0 under \`/platform/v1\`. Each change to it is a dated entry in the change log.
`.trim();

/** In the order of the document. */
const tags = {
  Organizations: 'Customers. Each owns its tenants, keys and employees; nothing crosses an organization.',
  Tenants: 'Companies of an organization.',
  'API keys': 'Keys of the public API: create, deactivate, replace, usage.',
  'Portal users': 'Portal users of an organization: invitations and permissions.',
  Activations: 'Whether employees have completed activation, which the public API does not show.',
  Employees: 'Employees of an organization, including employees in no tenant.',
  'Order intake':
    'New orders and their documents, one by one or in batches. A repeated intake creates nothing.',
  'Decision rules': 'Rules that decide on orders of a tenant automatically.',
  'Order transitions': 'State transitions of orders, which the public API shows.',
  'Order contracts': 'Early ends and changed amounts of contracts.',
  'Incident transitions': 'State transitions of incidents, which the public API shows.',
  Payroll: 'Payroll: settings, runs and their release, receipts.',
  'Data subjects': 'Data-subject requests: export and erasure of personal data.',
  Audit:
    'Changes with their actor and time. Entries never change, and are removed only after their retention.',
};

/** The API of the operator's own systems, on the management port. */
export const platformApi = {
  prefix: '/platform/v1',
  credential: {
    header: 'Authorization',
    rejection: {
      code: 'INVALID_TOKEN',
      message: 'Send a valid token of the platform: Authorization: Bearer kontorp_…',
    },
    scheme: {
      name: 'PlatformToken',
      object: {
        type: 'http',
        scheme: 'bearer',
        description: 'A token of `kontor platform-token create`. Keep it on servers of the operator.',
      },
    },
  },
  permissions: platformPermissions,
  selectsTenant: false,
  hasQuota: false,
  checksRequestId: false,
  operations: operationsOf('platform', Object.keys(tags)),
  texts: {
    title: 'Kontor Platform API',
    referenceTitle: 'Kontor platform API reference',
    version: '1.0.0',
    summary:
      "Organizations, tenants, API keys, activation, orders and data-subject requests, for the operator's own systems",
    introduction,
    server: {
      description: 'The management address of an installation, which is not for the public',
      example: 'http://127.0.0.1:8081',
    },
    tags,
    statuses: {
      401: 'The token is missing or not valid',
      403: 'The token lacks the permission',
      404: 'The target does not exist or is not visible to the token',
    },
    meanings: {
      PAYLOAD_TOO_LARGE:
        'The whole request body is larger than the operation takes. The message says how much that is.',
      NOT_FOUND:
        'Unknown route, or a target that does not exist or is not visible to the token; the two look the same.',
      INVALID_REFERENCE_ID: 'An identifier in the path or body is not of the form of its kind.',
    },
  },
  recorded: examples as Recorded,
} as const satisfies Api;
