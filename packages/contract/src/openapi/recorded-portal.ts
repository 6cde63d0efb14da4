// Written by `npm run examples` from the answers of a live service, whose identifiers and instants are replaced by fixed ones.
import type { Recorded } from './recording.ts';

export const recorded: Recorded = {
  exchanges: {
    acceptInvitation: {
      path: {},
      answers: {
        '200': {
          user: {
            id: '65f0c0ffee00000000000001',
            organizationId: '65f0c0ffee00000000000002',
            email: 'petra.lang@example.com',
            name: 'Petra Lang',
            language: 'de',
            permissions: ['IT', 'HR'],
            hrTenants: ['65f0c0ffee00000000000003'],
            status: 'active',
            createdAt: '2026-09-02T08:21:36.165Z',
            invitedUntil: null,
            lastSignInAt: '2026-09-02T08:22:37.172Z',
          },
          organization: {
            id: '65f0c0ffee00000000000002',
            name: 'Muster Holding',
            createdAt: '2026-09-02T08:15:30.123Z',
          },
          session: {
            id: '3vQ7kZ9mB2x0',
            createdAt: '2026-09-02T08:22:37.172Z',
            lastSeenAt: '2026-09-02T08:22:37.172Z',
            expiresAt: '2026-09-02T08:35:50.263Z',
            address: '127.0.0.1',
            userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0',
            current: true,
          },
          freshUntil: '2026-09-02T08:29:44.221Z',
        },
      },
      request: {
        secret:
          'kontorl_65f0c0ffee00000000000001_3vQ7kZ9mB2xT_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg_1pESGC',
        password: 'correct horse battery staple',
      },
    },
    signOut: {
      path: {},
      answers: {
        '200': {
          id: '3vQ7kZ9mB2x0',
          createdAt: '2026-09-02T08:22:37.172Z',
          lastSeenAt: '2026-09-02T08:22:37.172Z',
          expiresAt: '2026-09-02T08:35:50.263Z',
          address: '127.0.0.1',
          userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0',
          current: true,
        },
      },
    },
    signIn: {
      path: {},
      answers: {
        '200': {
          user: {
            id: '65f0c0ffee00000000000001',
            organizationId: '65f0c0ffee00000000000002',
            email: 'petra.lang@example.com',
            name: 'Petra Lang',
            language: 'de',
            permissions: ['IT', 'HR'],
            hrTenants: ['65f0c0ffee00000000000003'],
            status: 'active',
            createdAt: '2026-09-02T08:21:36.165Z',
            invitedUntil: null,
            lastSignInAt: '2026-09-02T08:24:39.186Z',
          },
          organization: {
            id: '65f0c0ffee00000000000002',
            name: 'Muster Holding',
            createdAt: '2026-09-02T08:15:30.123Z',
          },
          session: {
            id: '3vQ7kZ9mB2x1',
            createdAt: '2026-09-02T08:24:39.186Z',
            lastSeenAt: '2026-09-02T08:24:39.186Z',
            expiresAt: '2026-09-02T08:37:52.277Z',
            address: '127.0.0.1',
            userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0',
            current: true,
          },
          freshUntil: '2026-09-02T08:31:46.235Z',
        },
      },
      request: { email: 'petra.lang@example.com', password: 'correct horse battery staple' },
    },
    getSession: {
      path: {},
      answers: {
        '200': {
          user: {
            id: '65f0c0ffee00000000000001',
            organizationId: '65f0c0ffee00000000000002',
            email: 'petra.lang@example.com',
            name: 'Petra Lang',
            language: 'de',
            permissions: ['IT', 'HR'],
            hrTenants: ['65f0c0ffee00000000000003'],
            status: 'active',
            createdAt: '2026-09-02T08:21:36.165Z',
            invitedUntil: null,
            lastSignInAt: '2026-09-02T08:24:39.186Z',
          },
          organization: {
            id: '65f0c0ffee00000000000002',
            name: 'Muster Holding',
            createdAt: '2026-09-02T08:15:30.123Z',
          },
          session: {
            id: '3vQ7kZ9mB2x2',
            createdAt: '2026-09-02T08:23:38.179Z',
            lastSeenAt: '2026-09-02T08:23:38.179Z',
            expiresAt: '2026-09-02T08:36:51.270Z',
            address: '127.0.0.1',
            userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0',
            current: true,
          },
          freshUntil: '2026-09-02T08:30:45.228Z',
        },
      },
    },
    listSessions: {
      path: {},
      answers: {
        '200': {
          page: 1,
          pageSize: 100,
          totalPages: 1,
          totalElements: 2,
          items: [
            {
              id: '3vQ7kZ9mB2x2',
              createdAt: '2026-09-02T08:23:38.179Z',
              lastSeenAt: '2026-09-02T08:23:38.179Z',
              expiresAt: '2026-09-02T08:36:51.270Z',
              address: '127.0.0.1',
              userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0',
              current: true,
            },
            {
              id: '3vQ7kZ9mB2x1',
              createdAt: '2026-09-02T08:24:39.186Z',
              lastSeenAt: '2026-09-02T08:24:39.186Z',
              expiresAt: '2026-09-02T08:37:52.277Z',
              address: '127.0.0.1',
              userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0',
              current: false,
            },
          ],
        },
      },
    },
    endSession: {
      path: { id: '3vQ7kZ9mB2x1' },
      answers: {
        '200': {
          id: '3vQ7kZ9mB2x1',
          createdAt: '2026-09-02T08:24:39.186Z',
          lastSeenAt: '2026-09-02T08:24:39.186Z',
          expiresAt: '2026-09-02T08:37:52.277Z',
          address: '127.0.0.1',
          userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0',
          current: false,
        },
      },
    },
    confirmPassword: {
      path: {},
      answers: {
        '200': {
          user: {
            id: '65f0c0ffee00000000000001',
            organizationId: '65f0c0ffee00000000000002',
            email: 'petra.lang@example.com',
            name: 'Petra Lang',
            language: 'de',
            permissions: ['IT', 'HR'],
            hrTenants: ['65f0c0ffee00000000000003'],
            status: 'active',
            createdAt: '2026-09-02T08:21:36.165Z',
            invitedUntil: '2026-09-02T08:34:49.256Z',
            lastSignInAt: '2026-09-02T08:24:39.186Z',
          },
          organization: {
            id: '65f0c0ffee00000000000002',
            name: 'Muster Holding',
            createdAt: '2026-09-02T08:15:30.123Z',
          },
          session: {
            id: '3vQ7kZ9mB2x2',
            createdAt: '2026-09-02T08:23:38.179Z',
            lastSeenAt: '2026-09-02T08:23:38.179Z',
            expiresAt: '2026-09-02T08:36:51.270Z',
            address: '127.0.0.1',
            userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0',
            current: true,
          },
          freshUntil: '2026-09-02T08:33:48.249Z',
        },
      },
      request: { password: 'tacker brille zitrone wolke' },
    },
    changePassword: {
      path: {},
      answers: {
        '200': {
          user: {
            id: '65f0c0ffee00000000000001',
            organizationId: '65f0c0ffee00000000000002',
            email: 'petra.lang@example.com',
            name: 'Petra Lang',
            language: 'de',
            permissions: ['IT', 'HR'],
            hrTenants: ['65f0c0ffee00000000000003'],
            status: 'active',
            createdAt: '2026-09-02T08:21:36.165Z',
            invitedUntil: null,
            lastSignInAt: '2026-09-02T08:24:39.186Z',
          },
          organization: {
            id: '65f0c0ffee00000000000002',
            name: 'Muster Holding',
            createdAt: '2026-09-02T08:15:30.123Z',
          },
          session: {
            id: '3vQ7kZ9mB2x2',
            createdAt: '2026-09-02T08:23:38.179Z',
            lastSeenAt: '2026-09-02T08:23:38.179Z',
            expiresAt: '2026-09-02T08:36:51.270Z',
            address: '127.0.0.1',
            userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0',
            current: true,
          },
          freshUntil: '2026-09-02T08:32:47.242Z',
        },
      },
      request: { password: 'tacker brille zitrone wolke' },
    },
    listPortalTenants: {
      path: {},
      answers: {
        '200': {
          page: 1,
          pageSize: 100,
          totalPages: 1,
          totalElements: 2,
          items: [
            {
              id: '65f0c0ffee00000000000003',
              organizationId: '65f0c0ffee00000000000002',
              name: 'Muster GmbH',
              decisionDays: null,
              createdAt: '2026-09-02T08:16:31.130Z',
            },
            {
              id: '65f0c0ffee00000000000004',
              organizationId: '65f0c0ffee00000000000002',
              name: 'Muster Logistik GmbH',
              decisionDays: null,
              createdAt: '2026-09-02T08:17:32.137Z',
            },
          ],
        },
      },
    },
    getPortalTenant: {
      path: { id: '65f0c0ffee00000000000003' },
      answers: {
        '200': {
          id: '65f0c0ffee00000000000003',
          organizationId: '65f0c0ffee00000000000002',
          name: 'Muster GmbH',
          decisionDays: null,
          createdAt: '2026-09-02T08:16:31.130Z',
        },
      },
    },
    listPortalDivisions: {
      path: {},
      answers: {
        '200': {
          page: 1,
          pageSize: 100,
          totalPages: 1,
          totalElements: 3,
          items: [
            {
              id: '65f0c0ffee00000000000005',
              tenant: '65f0c0ffee00000000000003',
              name: 'North',
              parentId: '65f0c0ffee00000000000006',
              order: 1,
              costCenter: null,
              createdAt: '2026-09-02T08:19:34.151Z',
              updatedAt: '2026-09-02T08:19:34.151Z',
            },
            {
              id: '65f0c0ffee00000000000006',
              tenant: '65f0c0ffee00000000000003',
              name: 'Sales',
              parentId: null,
              order: 1,
              costCenter: null,
              createdAt: '2026-09-02T08:18:33.144Z',
              updatedAt: '2026-09-02T08:18:33.144Z',
            },
            {
              id: '65f0c0ffee00000000000007',
              tenant: '65f0c0ffee00000000000003',
              name: 'Support',
              parentId: null,
              order: 2,
              costCenter: null,
              createdAt: '2026-09-02T08:20:35.158Z',
              updatedAt: '2026-09-02T08:20:35.158Z',
            },
          ],
        },
      },
    },
    createPortalApiKey: {
      path: {},
      answers: {
        '200': {
          id: '000000000000',
          name: 'Payroll of Muster GmbH',
          status: 'active',
          wholeOrganization: false,
          grants: [{ tenant: '65f0c0ffee00000000000003', divisions: ['65f0c0ffee00000000000006'] }],
          quota: { requests: 600, seconds: 60 },
          createdAt: '2026-09-02T08:25:40.193Z',
          expiresAt: '2026-09-02T08:39:54.291Z',
          lastUsedAt: null,
          key: null,
        },
        '201': {
          id: '3vQ7kZ9mB2x4',
          name: 'Payroll of Muster GmbH',
          status: 'active',
          wholeOrganization: false,
          grants: [{ tenant: '65f0c0ffee00000000000003', divisions: ['65f0c0ffee00000000000006'] }],
          quota: { requests: 600, seconds: 60 },
          createdAt: '2026-09-02T08:26:41.200Z',
          expiresAt: '2026-09-02T08:39:54.291Z',
          lastUsedAt: null,
          key: 'kontor_3vQ7kZ9mB2x4_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg_0ABcde',
        },
      },
      request: {
        name: 'Payroll of Muster GmbH',
        grants: [{ tenant: '65f0c0ffee00000000000003', divisions: ['65f0c0ffee00000000000006'] }],
        quota: { requests: 600, seconds: 60 },
        expiresAt: '2099-12-31T23:00:00Z',
      },
    },
    getPortalApiKey: {
      path: { id: '3vQ7kZ9mB2x4' },
      answers: {
        '200': {
          id: '3vQ7kZ9mB2x4',
          name: 'Payroll of Muster GmbH',
          status: 'active',
          wholeOrganization: false,
          grants: [{ tenant: '65f0c0ffee00000000000003', divisions: ['65f0c0ffee00000000000006'] }],
          quota: { requests: 600, seconds: 60 },
          createdAt: '2026-09-02T08:26:41.200Z',
          expiresAt: '2026-09-02T08:39:54.291Z',
          lastUsedAt: null,
        },
      },
    },
    listPortalApiKeys: {
      path: {},
      answers: {
        '200': {
          page: 1,
          pageSize: 100,
          totalPages: 1,
          totalElements: 1,
          items: [
            {
              id: '3vQ7kZ9mB2x4',
              name: 'Payroll of Muster GmbH',
              status: 'active',
              wholeOrganization: false,
              grants: [{ tenant: '65f0c0ffee00000000000003', divisions: ['65f0c0ffee00000000000006'] }],
              quota: { requests: 600, seconds: 60 },
              createdAt: '2026-09-02T08:26:41.200Z',
              expiresAt: '2026-09-02T08:39:54.291Z',
              lastUsedAt: null,
            },
          ],
        },
      },
    },
    deactivatePortalApiKey: {
      path: { id: '3vQ7kZ9mB2x4' },
      answers: {
        '200': {
          id: '3vQ7kZ9mB2x4',
          name: 'Payroll of Muster GmbH',
          status: 'inactive',
          wholeOrganization: false,
          grants: [{ tenant: '65f0c0ffee00000000000003', divisions: ['65f0c0ffee00000000000006'] }],
          quota: { requests: 600, seconds: 60 },
          createdAt: '2026-09-02T08:26:41.200Z',
          expiresAt: '2026-09-02T08:39:54.291Z',
          lastUsedAt: null,
        },
      },
    },
    reactivatePortalApiKey: {
      path: { id: '3vQ7kZ9mB2x4' },
      answers: {
        '200': {
          id: '3vQ7kZ9mB2x4',
          name: 'Payroll of Muster GmbH',
          status: 'active',
          wholeOrganization: false,
          grants: [{ tenant: '65f0c0ffee00000000000003', divisions: ['65f0c0ffee00000000000006'] }],
          quota: { requests: 600, seconds: 60 },
          createdAt: '2026-09-02T08:26:41.200Z',
          expiresAt: '2026-09-02T08:39:54.291Z',
          lastUsedAt: null,
        },
      },
    },
    replacePortalApiKey: {
      path: { id: '3vQ7kZ9mB2x4' },
      answers: {
        '200': {
          id: '000000000000',
          name: 'Payroll of Muster GmbH, new',
          status: 'active',
          wholeOrganization: false,
          grants: [{ tenant: '65f0c0ffee00000000000003', divisions: ['65f0c0ffee00000000000006'] }],
          quota: { requests: 600, seconds: 60 },
          createdAt: '2026-09-02T08:27:42.207Z',
          expiresAt: null,
          lastUsedAt: null,
          key: null,
        },
        '201': {
          id: '3vQ7kZ9mB2x5',
          name: 'Payroll of Muster GmbH, new',
          status: 'active',
          wholeOrganization: false,
          grants: [{ tenant: '65f0c0ffee00000000000003', divisions: ['65f0c0ffee00000000000006'] }],
          quota: { requests: 600, seconds: 60 },
          createdAt: '2026-09-02T08:28:43.214Z',
          expiresAt: null,
          lastUsedAt: null,
          key: 'kontor_3vQ7kZ9mB2x5_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg_0ABcde',
        },
      },
      request: { name: 'Payroll of Muster GmbH, new', graceSeconds: 604800 },
    },
    getPortalApiKeyUsage: {
      path: { id: '3vQ7kZ9mB2x4' },
      answers: { '200': { requests: 0, lastUsedAt: null, days: [] } },
    },
    deletePortalApiKey: {
      path: { id: '3vQ7kZ9mB2x4' },
      answers: {
        '200': {
          id: '3vQ7kZ9mB2x4',
          name: 'Payroll of Muster GmbH',
          status: 'deleted',
          wholeOrganization: false,
          grants: [{ tenant: '65f0c0ffee00000000000003', divisions: ['65f0c0ffee00000000000006'] }],
          quota: { requests: 600, seconds: 60 },
          createdAt: '2026-09-02T08:26:41.200Z',
          expiresAt: '2026-09-02T08:38:53.284Z',
          lastUsedAt: null,
        },
      },
    },
    getPasswordResetOffer: { path: {}, answers: { '200': { byMail: true } } },
    requestPasswordReset: {
      path: {},
      answers: { '200': { minutes: 60 } },
      request: { email: 'petra.lang@example.com' },
    },
  },
  errors: {
    INVALID_LINK: {
      error: {
        code: 'INVALID_LINK',
        message: 'The link does not work any more; ask for another one',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    INVALID_STATE_TRANSITION: {
      error: {
        code: 'INVALID_STATE_TRANSITION',
        message: 'No mail server is set; ask whoever administrates Kontor for a link',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    INVALID_REQUEST_ID: {
      error: {
        code: 'INVALID_REQUEST_ID',
        message: 'X-Request-ID must be one UUID of version 4 or 7; leave it out to have one made',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    UNKNOWN_QUERY_PARAMETER: {
      error: {
        code: 'UNKNOWN_QUERY_PARAMETER',
        message: 'Unknown query parameter "expand"; this operation has none',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    UNSUPPORTED_HEADER: {
      error: {
        code: 'UNSUPPORTED_HEADER',
        message: 'X-Tenant-ID is not supported; leave it out',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    NOT_ACCEPTABLE: {
      error: {
        code: 'NOT_ACCEPTABLE',
        message: 'The answer is application/json; allow that in Accept, or leave it out',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    INVALID_SESSION: {
      error: {
        code: 'INVALID_SESSION',
        message: 'There is no session, or it has ended; sign in',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    INVALID_REFERENCE_ID: {
      error: {
        code: 'INVALID_REFERENCE_ID',
        message: 'id in the path must be the 12 letters and digits that name a key',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    NOT_FOUND: {
      error: {
        code: 'NOT_FOUND',
        message: 'No session with this id is one of yours',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    CROSS_SITE_REQUEST: {
      error: {
        code: 'CROSS_SITE_REQUEST',
        message: 'Only pages of the portal itself may do this; use the portal',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    FRESH_SIGN_IN_REQUIRED: {
      error: {
        code: 'FRESH_SIGN_IN_REQUIRED',
        message: 'Confirm the password, then try again',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    VALIDATION_ERROR: {
      error: {
        code: 'VALIDATION_ERROR',
        message: 'password is required',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    UNSUPPORTED_FIELD: {
      error: {
        code: 'UNSUPPORTED_FIELD',
        message: 'Not accepted here: "remember"; leave that out, or use email, password',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    UNSUPPORTED_MEDIA_TYPE: {
      error: {
        code: 'UNSUPPORTED_MEDIA_TYPE',
        message: 'Content-Type must be application/json',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    PAYLOAD_TOO_LARGE: {
      error: {
        code: 'PAYLOAD_TOO_LARGE',
        message: 'The body is larger than 5 MiB (5,242,880 bytes); send less at once',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    VALIDATION_ERROR_422: {
      error: {
        code: 'VALIDATION_ERROR',
        message: 'password must not be the e-mail',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    SIGN_IN_FAILED: {
      error: {
        code: 'SIGN_IN_FAILED',
        message: 'The e-mail and the password do not belong together; try again',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    RATE_LIMIT_EXCEEDED: {
      error: {
        code: 'RATE_LIMIT_EXCEEDED',
        message: 'There were too many attempts to sign in; wait 18 seconds, as Retry-After says',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    INVALID_FILTER_SYNTAX: {
      error: {
        code: 'INVALID_FILTER_SYNTAX',
        message: 'filter, position 24: expected a field name or (, found the end of the filter.',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    UNSUPPORTED_FILTER_FIELD: {
      error: {
        code: 'UNSUPPORTED_FILTER_FIELD',
        message:
          'filter does not take the field device; use id, createdAt, lastSeenAt, expiresAt, address, userAgent, current',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    UNSUPPORTED_FILTER_OPERATOR: {
      error: {
        code: 'UNSUPPORTED_FILTER_OPERATOR',
        message: 'createdAt does not take CONTAINS; use >, >=, <, <=, =, !=, IN, IS NULL, IS NOT NULL',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    UNSUPPORTED_SORT_FIELD: {
      error: {
        code: 'UNSUPPORTED_SORT_FIELD',
        message:
          'sort does not take device; use id, createdAt, lastSeenAt, expiresAt, address, userAgent, current',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    INVALID_REFERENCE: {
      error: {
        code: 'INVALID_REFERENCE',
        message: 'grants: the organization has no tenant ffffffffffffffffffffffff',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    INTERNAL_SERVER_ERROR: {
      error: {
        code: 'INTERNAL_SERVER_ERROR',
        message: 'The service failed; tell its operator the request identifier',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    SERVICE_UNAVAILABLE: {
      error: {
        code: 'SERVICE_UNAVAILABLE',
        message: 'The service cannot answer at the moment; try again later',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
  },
  ownErrors: {
    'acceptInvitation VALIDATION_ERROR': {
      error: {
        code: 'VALIDATION_ERROR',
        message: 'password must have at least 12 characters',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'changePassword VALIDATION_ERROR': {
      error: {
        code: 'VALIDATION_ERROR',
        message: 'password must have at least 12 characters',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'list VALIDATION_ERROR': {
      error: {
        code: 'VALIDATION_ERROR',
        message: 'page must be a whole number from 1 to 9007199254740991, in decimal digits',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'list VALIDATION_ERROR_422': {
      error: {
        code: 'VALIDATION_ERROR',
        message:
          'filter: a value of createdAt must be an instant in UTC, written YYYY-MM-DDTHH:mm:ss with up to 9 decimals and Z',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'deactivatePortalApiKey INVALID_STATE_TRANSITION': {
      error: {
        code: 'INVALID_STATE_TRANSITION',
        message: 'The key is deleted and stays so: create a new one',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'reactivatePortalApiKey INVALID_STATE_TRANSITION': {
      error: {
        code: 'INVALID_STATE_TRANSITION',
        message: 'The key is deleted and stays so: create a new one',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'replacePortalApiKey INVALID_STATE_TRANSITION': {
      error: {
        code: 'INVALID_STATE_TRANSITION',
        message: 'The key is deleted: create a new one',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'createPortalApiKey VALIDATION_ERROR': {
      error: {
        code: 'VALIDATION_ERROR',
        message: 'wholeOrganization must be true or false',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'createPortalApiKey INVALID_REFERENCE_ID': {
      error: {
        code: 'INVALID_REFERENCE_ID',
        message: 'grants.0.tenant must be 24 hexadecimal characters',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'createPortalApiKey VALIDATION_ERROR_422': {
      error: {
        code: 'VALIDATION_ERROR',
        message: 'Send either wholeOrganization: true, or grants',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
  },
  headers: {
    'X-Request-ID': '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
    'Set-Cookie':
      '__Host-kontor=kontors_65f0c0ffee00000000000001_3vQ7kZ9mB2xT_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg_1pESGC; Path=/; Secure; HttpOnly; SameSite=Strict',
    Location: '/portal/api/api-keys/3vQ7kZ9mB2x4',
    'Retry-After': 18,
  },
};
