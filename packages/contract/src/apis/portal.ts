import type { Api } from './api.ts';
import { operationsOf } from '../operations.ts';
import { portalPermissions } from '../portal-operation.ts';

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
  ignoresAccents: true,
  operations: operationsOf('portal'),
} as const satisfies Api;
