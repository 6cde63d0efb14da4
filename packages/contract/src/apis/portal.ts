import type { Recorded } from '../openapi/recording.ts';
import type { Api } from '../api.ts';
import { bodyLimits, describeBodyLimit } from '../body-limit.ts';
import examples from '../examples/portal.json' with { type: 'json' };
import { portalApiKeyOperations } from '../operations/portal/api-keys.ts';
import { hrOperations } from '../operations/portal/hr.ts';
import { openIdOperations } from '../operations/portal/open-id.ts';
import { passkeyOperations } from '../operations/portal/passkeys.ts';
import { placeOperations } from '../operations/portal/places.ts';
import { sessionOperations } from '../operations/portal/sessions.ts';
import { portalUserOperations } from '../operations/portal/users.ts';
import { portalPermissions } from '../resources/platform/user.ts';

const permissions = Object.entries(portalPermissions).map(([name, words]) => `- \`${name}\`: ${words}`);

const introduction = `
What the pages of the portal work with, in the browsers of people. Other programs use the public API or the platform API: an API key
does not work here, and the cookie works nowhere else.

## Signing in

\`POST /session\` takes the e-mail and the password and answers with the cookie \`__Host-kontor\`, which scripts cannot read. A session
ends an hour after its last use, after twelve hours, and when the user signs out, is deactivated or sets a new password. So does a
passkey: \`POST /session/passkey-challenge\` says what the browser has to ask its authenticator for, and \`POST /session/passkey\` takes the answer. Users are
made by the platform API or by \`kontor user invite\`, and set their password with the link of the invitation.

A write is accepted from pages of the portal only: with \`Sec-Fetch-Site: same-origin\`. Browsers that do not send that must send the
\`Origin\` of the portal: its scheme, host and port. What is delicate asks for a sign-in of the last ten minutes (FRESH_SIGN_IN_REQUIRED), which
\`POST /session/confirmation\` brings back, or a passkey, or the issuer.

Where the service has an issuer of OpenID Connect, \`POST /session/openid-request\` says where the browser goes, and
\`POST /session/openid\` takes what it comes back with.

## Permissions

${permissions.join('\n')}

## As with the public API

Errors, filters, pages and request identifiers work as with the public API. There are no quotas. \`X-Tenant-ID\` selects a
tenant for the work of HR only.
A body has at most ${describeBodyLimit(bodyLimits.ordinary)}, before the sign-in ${describeBodyLimit(bodyLimits.anonymous)}; the scope of an API key
takes ${describeBodyLimit(bodyLimits.list)}.

## Versions

It changes together with the pages, without notice: it is no contract with anybody else.
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
  operations: {
    ...sessionOperations,
    ...passkeyOperations,
    ...openIdOperations,
    ...placeOperations,
    ...portalApiKeyOperations,
    ...portalUserOperations,
    ...hrOperations,
  },
  texts: {
    title: 'Kontor Portal API',
    referenceTitle: 'Kontor portal API reference',
    version: '1.0.0',
    summary: 'What the pages of the portal work with',
    introduction,
    server: {
      description: 'The public address of an installation',
      example: 'http://127.0.0.1:8080',
    },
    tags: {
      'API keys': 'Keys of the public API: making, stopping and replacing them, and how much they are used.',
      Divisions: 'The tree of divisions of each tenant.',
      Employees: 'People of the tenants that the user does the work of HR for.',
      'Forgotten passwords': 'A link by mail that sets a new password.',
      'OpenID Connect': 'Signing in where the users of the customer are known already.',
      Orders: 'Orders of these people, and the decisions of HR.',
      Passkeys: 'Signing in without a password, by what a device keeps (WebAuthn).',
      Sessions: 'Signing in and out, passwords, and the sessions of a user.',
      Tenants: 'Companies of the organization.',
      Users: 'People who sign in for the organization: inviting them, and what they may do.',
    },
    statuses: {
      401: 'Nobody is signed in, or what was shown lets nobody in',
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
        'There were too many failed sign-ins, requests for a link or a challenge, invitations or new API keys. Wait `Retry-After` seconds. After failed sign-ins a browser that the user has signed in with before is let through.',
    },
  },
  recorded: examples as Recorded,
} as const satisfies Api;
