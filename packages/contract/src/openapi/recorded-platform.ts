// Written by `npm run examples` from the answers of a live service, whose identifiers and instants are replaced by fixed ones.
import type { Recorded } from './recording.ts';

export const recorded: Recorded = {
  exchanges: {
    listOrganizations: {
      path: {},
      answers: {
        '200': {
          page: 1,
          pageSize: 100,
          totalPages: 1,
          totalElements: 1,
          items: [
            { id: '65f0c0ffee00000000000001', name: 'Muster Holding', createdAt: '2026-09-02T08:15:30.123Z' },
          ],
        },
      },
    },
    getOrganization: {
      path: { id: '65f0c0ffee00000000000001' },
      answers: {
        '200': {
          id: '65f0c0ffee00000000000001',
          name: 'Muster Holding',
          createdAt: '2026-09-02T08:15:30.123Z',
        },
      },
    },
    createTenant: {
      path: { organizationId: '65f0c0ffee00000000000001' },
      answers: {
        '200': {
          id: '000000000000000000000000',
          organizationId: '65f0c0ffee00000000000001',
          name: 'Muster Wien GmbH',
          createdAt: '2026-09-02T08:17:32.137Z',
        },
        '201': {
          id: '65f0c0ffee00000000000003',
          organizationId: '65f0c0ffee00000000000001',
          name: 'Muster Wien GmbH',
          createdAt: '2026-09-02T08:18:33.144Z',
        },
      },
      request: { name: 'Muster Wien GmbH' },
    },
    getTenant: {
      path: { organizationId: '65f0c0ffee00000000000001', id: '65f0c0ffee00000000000003' },
      answers: {
        '200': {
          id: '65f0c0ffee00000000000003',
          organizationId: '65f0c0ffee00000000000001',
          name: 'Muster Wien GmbH',
          createdAt: '2026-09-02T08:18:33.144Z',
        },
      },
    },
    listTenants: {
      path: { organizationId: '65f0c0ffee00000000000001' },
      answers: {
        '200': {
          page: 1,
          pageSize: 100,
          totalPages: 1,
          totalElements: 1,
          items: [
            {
              id: '65f0c0ffee00000000000003',
              organizationId: '65f0c0ffee00000000000001',
              name: 'Muster Wien GmbH',
              createdAt: '2026-09-02T08:18:33.144Z',
            },
          ],
        },
      },
    },
    createApiKey: {
      path: { organizationId: '65f0c0ffee00000000000001' },
      answers: {
        '200': {
          id: '000000000000',
          name: 'Payroll of Muster GmbH',
          status: 'active',
          wholeOrganization: false,
          grants: [{ tenant: '65f0c0ffee00000000000004', divisions: ['65f0c0ffee00000000000005'] }],
          quota: { requests: 600, seconds: 60 },
          createdAt: '2026-09-02T08:19:34.151Z',
          expiresAt: '2026-09-02T08:30:45.228Z',
          lastUsedAt: null,
          key: null,
        },
        '201': {
          id: '3vQ7kZ9mB2x1',
          name: 'Payroll of Muster GmbH',
          status: 'active',
          wholeOrganization: false,
          grants: [{ tenant: '65f0c0ffee00000000000004', divisions: ['65f0c0ffee00000000000005'] }],
          quota: { requests: 600, seconds: 60 },
          createdAt: '2026-09-02T08:20:35.158Z',
          expiresAt: '2026-09-02T08:30:45.228Z',
          lastUsedAt: null,
          key: 'kontor_3vQ7kZ9mB2x1_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg_0ABcde',
        },
      },
      request: {
        name: 'Payroll of Muster GmbH',
        grants: [{ tenant: '65f0c0ffee00000000000004', divisions: ['65f0c0ffee00000000000005'] }],
        quota: { requests: 600, seconds: 60 },
        expiresAt: '2099-12-31T23:00:00Z',
      },
    },
    getApiKey: {
      path: { organizationId: '65f0c0ffee00000000000001', id: '3vQ7kZ9mB2x1' },
      answers: {
        '200': {
          id: '3vQ7kZ9mB2x1',
          name: 'Payroll of Muster GmbH',
          status: 'active',
          wholeOrganization: false,
          grants: [{ tenant: '65f0c0ffee00000000000004', divisions: ['65f0c0ffee00000000000005'] }],
          quota: { requests: 600, seconds: 60 },
          createdAt: '2026-09-02T08:20:35.158Z',
          expiresAt: '2026-09-02T08:30:45.228Z',
          lastUsedAt: null,
        },
      },
    },
    listApiKeys: {
      path: { organizationId: '65f0c0ffee00000000000001' },
      answers: {
        '200': {
          page: 1,
          pageSize: 100,
          totalPages: 1,
          totalElements: 1,
          items: [
            {
              id: '3vQ7kZ9mB2x1',
              name: 'Payroll of Muster GmbH',
              status: 'active',
              wholeOrganization: false,
              grants: [{ tenant: '65f0c0ffee00000000000004', divisions: ['65f0c0ffee00000000000005'] }],
              quota: { requests: 600, seconds: 60 },
              createdAt: '2026-09-02T08:20:35.158Z',
              expiresAt: '2026-09-02T08:30:45.228Z',
              lastUsedAt: null,
            },
          ],
        },
      },
    },
    deactivateApiKey: {
      path: { organizationId: '65f0c0ffee00000000000001', id: '3vQ7kZ9mB2x1' },
      answers: {
        '200': {
          id: '3vQ7kZ9mB2x1',
          name: 'Payroll of Muster GmbH',
          status: 'inactive',
          wholeOrganization: false,
          grants: [{ tenant: '65f0c0ffee00000000000004', divisions: ['65f0c0ffee00000000000005'] }],
          quota: { requests: 600, seconds: 60 },
          createdAt: '2026-09-02T08:20:35.158Z',
          expiresAt: '2026-09-02T08:30:45.228Z',
          lastUsedAt: null,
        },
      },
    },
    reactivateApiKey: {
      path: { organizationId: '65f0c0ffee00000000000001', id: '3vQ7kZ9mB2x1' },
      answers: {
        '200': {
          id: '3vQ7kZ9mB2x1',
          name: 'Payroll of Muster GmbH',
          status: 'active',
          wholeOrganization: false,
          grants: [{ tenant: '65f0c0ffee00000000000004', divisions: ['65f0c0ffee00000000000005'] }],
          quota: { requests: 600, seconds: 60 },
          createdAt: '2026-09-02T08:20:35.158Z',
          expiresAt: '2026-09-02T08:30:45.228Z',
          lastUsedAt: null,
        },
      },
    },
    replaceApiKey: {
      path: { organizationId: '65f0c0ffee00000000000001', id: '3vQ7kZ9mB2x1' },
      answers: {
        '200': {
          id: '000000000000',
          name: 'Payroll of Muster GmbH, new',
          status: 'active',
          wholeOrganization: false,
          grants: [{ tenant: '65f0c0ffee00000000000004', divisions: ['65f0c0ffee00000000000005'] }],
          quota: { requests: 600, seconds: 60 },
          createdAt: '2026-09-02T08:21:36.165Z',
          expiresAt: null,
          lastUsedAt: null,
          key: null,
        },
        '201': {
          id: '3vQ7kZ9mB2x2',
          name: 'Payroll of Muster GmbH, new',
          status: 'active',
          wholeOrganization: false,
          grants: [{ tenant: '65f0c0ffee00000000000004', divisions: ['65f0c0ffee00000000000005'] }],
          quota: { requests: 600, seconds: 60 },
          createdAt: '2026-09-02T08:22:37.172Z',
          expiresAt: null,
          lastUsedAt: null,
          key: 'kontor_3vQ7kZ9mB2x2_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg_0ABcde',
        },
      },
      request: { name: 'Payroll of Muster GmbH, new', graceSeconds: 604800 },
    },
    getApiKeyUsage: {
      path: { organizationId: '65f0c0ffee00000000000001', id: '3vQ7kZ9mB2x1' },
      answers: { '200': { requests: 0, lastUsedAt: null, days: [] } },
    },
    deleteApiKey: {
      path: { organizationId: '65f0c0ffee00000000000001', id: '3vQ7kZ9mB2x1' },
      answers: {
        '200': {
          id: '3vQ7kZ9mB2x1',
          name: 'Payroll of Muster GmbH',
          status: 'deleted',
          wholeOrganization: false,
          grants: [{ tenant: '65f0c0ffee00000000000004', divisions: ['65f0c0ffee00000000000005'] }],
          quota: { requests: 600, seconds: 60 },
          createdAt: '2026-09-02T08:20:35.158Z',
          expiresAt: '2026-09-02T08:29:44.221Z',
          lastUsedAt: null,
        },
      },
    },
    createUser: {
      path: { organizationId: '65f0c0ffee00000000000001' },
      answers: {
        '200': {
          id: '000000000000000000000000',
          organizationId: '65f0c0ffee00000000000001',
          email: 'petra.lang@example.com',
          name: 'Petra Lang',
          language: 'de',
          permissions: ['HR'],
          hrTenants: ['65f0c0ffee00000000000004'],
          status: 'invited',
          createdAt: '2026-09-02T08:23:38.179Z',
          invitedUntil: '2026-09-02T08:26:41.200Z',
          lastSignInAt: null,
          link: null,
        },
        '201': {
          id: '65f0c0ffee00000000000006',
          organizationId: '65f0c0ffee00000000000001',
          email: 'petra.lang@example.com',
          name: 'Petra Lang',
          language: 'de',
          permissions: ['HR'],
          hrTenants: ['65f0c0ffee00000000000004'],
          status: 'invited',
          createdAt: '2026-09-02T08:24:39.186Z',
          invitedUntil: '2026-09-02T08:27:42.207Z',
          lastSignInAt: null,
          link: 'https://kontor.example.com/portal/invitation#kontorl_65f0c0ffee00000000000001_3vQ7kZ9mB2xT_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg_1pESGC',
        },
      },
      request: {
        email: 'petra.lang@example.com',
        name: 'Petra Lang',
        language: 'de',
        permissions: ['HR'],
        hrTenants: ['65f0c0ffee00000000000004'],
      },
    },
    getUser: {
      path: { organizationId: '65f0c0ffee00000000000001', id: '65f0c0ffee00000000000006' },
      answers: {
        '200': {
          id: '65f0c0ffee00000000000006',
          organizationId: '65f0c0ffee00000000000001',
          email: 'petra.lang@example.com',
          name: 'Petra Lang',
          language: 'de',
          permissions: ['HR'],
          hrTenants: ['65f0c0ffee00000000000004'],
          status: 'invited',
          createdAt: '2026-09-02T08:24:39.186Z',
          invitedUntil: '2026-09-02T08:27:42.207Z',
          lastSignInAt: null,
        },
      },
    },
    listUsers: {
      path: { organizationId: '65f0c0ffee00000000000001' },
      answers: {
        '200': {
          page: 1,
          pageSize: 100,
          totalPages: 1,
          totalElements: 1,
          items: [
            {
              id: '65f0c0ffee00000000000006',
              organizationId: '65f0c0ffee00000000000001',
              email: 'petra.lang@example.com',
              name: 'Petra Lang',
              language: 'de',
              permissions: ['HR'],
              hrTenants: ['65f0c0ffee00000000000004'],
              status: 'invited',
              createdAt: '2026-09-02T08:24:39.186Z',
              invitedUntil: '2026-09-02T08:27:42.207Z',
              lastSignInAt: null,
            },
          ],
        },
      },
    },
    updateUser: {
      path: { organizationId: '65f0c0ffee00000000000001', id: '65f0c0ffee00000000000006' },
      answers: {
        '200': {
          id: '65f0c0ffee00000000000006',
          organizationId: '65f0c0ffee00000000000001',
          email: 'petra.lang@example.com',
          name: 'Petra Lang',
          language: 'de',
          permissions: ['HR', 'COMPANY_ADMIN'],
          hrTenants: ['65f0c0ffee00000000000004'],
          status: 'invited',
          createdAt: '2026-09-02T08:24:39.186Z',
          invitedUntil: '2026-09-02T08:27:42.207Z',
          lastSignInAt: null,
        },
      },
      request: { permissions: ['HR', 'COMPANY_ADMIN'] },
    },
    inviteUser: {
      path: { organizationId: '65f0c0ffee00000000000001', id: '65f0c0ffee00000000000006' },
      answers: {
        '200': {
          id: '65f0c0ffee00000000000006',
          organizationId: '65f0c0ffee00000000000001',
          email: 'petra.lang@example.com',
          name: 'Petra Lang',
          language: 'de',
          permissions: ['HR', 'COMPANY_ADMIN'],
          hrTenants: ['65f0c0ffee00000000000004'],
          status: 'invited',
          createdAt: '2026-09-02T08:24:39.186Z',
          invitedUntil: '2026-09-02T08:28:43.214Z',
          lastSignInAt: null,
          link: 'https://kontor.example.com/portal/invitation#kontorl_65f0c0ffee00000000000001_3vQ7kZ9mB2xT_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg_1pESGC',
        },
      },
    },
    deactivateUser: {
      path: { organizationId: '65f0c0ffee00000000000001', id: '65f0c0ffee00000000000006' },
      answers: {
        '200': {
          id: '65f0c0ffee00000000000006',
          organizationId: '65f0c0ffee00000000000001',
          email: 'petra.lang@example.com',
          name: 'Petra Lang',
          language: 'de',
          permissions: ['HR', 'COMPANY_ADMIN'],
          hrTenants: ['65f0c0ffee00000000000004'],
          status: 'inactive',
          createdAt: '2026-09-02T08:24:39.186Z',
          invitedUntil: null,
          lastSignInAt: null,
        },
      },
    },
    reactivateUser: {
      path: { organizationId: '65f0c0ffee00000000000001', id: '65f0c0ffee00000000000006' },
      answers: {
        '200': {
          id: '65f0c0ffee00000000000006',
          organizationId: '65f0c0ffee00000000000001',
          email: 'petra.lang@example.com',
          name: 'Petra Lang',
          language: 'de',
          permissions: ['HR', 'COMPANY_ADMIN'],
          hrTenants: ['65f0c0ffee00000000000004'],
          status: 'invited',
          createdAt: '2026-09-02T08:24:39.186Z',
          invitedUntil: null,
          lastSignInAt: null,
        },
      },
    },
    deleteUser: {
      path: { organizationId: '65f0c0ffee00000000000001', id: '65f0c0ffee00000000000006' },
      answers: {
        '200': {
          id: '65f0c0ffee00000000000006',
          organizationId: '65f0c0ffee00000000000001',
          email: 'petra.lang@example.com',
          name: 'Petra Lang',
          language: 'de',
          permissions: ['HR', 'COMPANY_ADMIN'],
          hrTenants: ['65f0c0ffee00000000000004'],
          status: 'invited',
          createdAt: '2026-09-02T08:24:39.186Z',
          invitedUntil: null,
          lastSignInAt: null,
        },
      },
    },
    getEmployeeActivation: {
      path: { organizationId: '65f0c0ffee00000000000001', id: '65f0c0ffee00000000000007' },
      answers: { '200': { employeeId: '65f0c0ffee00000000000007', activated: false, activatedAt: null } },
    },
    activateEmployee: {
      path: { organizationId: '65f0c0ffee00000000000001', id: '65f0c0ffee00000000000007' },
      answers: {
        '200': {
          employeeId: '65f0c0ffee00000000000007',
          activated: true,
          activatedAt: '2026-09-02T08:25:40.193Z',
        },
      },
    },
    listAuditEntries: {
      path: { organizationId: '65f0c0ffee00000000000001' },
      answers: {
        '200': {
          page: 1,
          pageSize: 100,
          totalPages: 1,
          totalElements: 1,
          items: [
            {
              id: '65f0c0ffee00000000000008',
              createdAt: '2026-09-02T08:18:33.144Z',
              actorType: 'platform_token',
              actorId: '3vQ7kZ9mB2x3',
              actorName: 'back office',
              action: 'tenant.create',
              targetType: 'tenant',
              targetId: '65f0c0ffee00000000000003',
              requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
              address: '127.0.0.1',
              fields: [],
              outcome: 'done',
            },
          ],
        },
      },
    },
    listPlatformAuditEntries: {
      path: {},
      answers: {
        '200': {
          page: 1,
          pageSize: 100,
          totalPages: 1,
          totalElements: 1,
          items: [
            {
              id: '65f0c0ffee00000000000009',
              createdAt: '2026-09-02T08:16:31.130Z',
              actorType: 'operator',
              actorId: 'operator',
              actorName: 'operator',
              action: 'platform_token.create',
              targetType: 'platform_token',
              targetId: '3vQ7kZ9mB2x3',
              requestId: null,
              address: null,
              fields: [],
              outcome: 'done',
            },
          ],
        },
      },
    },
  },
  errors: {
    DUPLICATE_RESOURCE: {
      error: {
        code: 'DUPLICATE_RESOURCE',
        message: 'email: a user of this installation has it; choose another one',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    VALIDATION_ERROR_422: {
      error: {
        code: 'VALIDATION_ERROR',
        message: 'hrTenants must say which tenants the permission HR is for; null for all of them',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    INVALID_REFERENCE: {
      error: {
        code: 'INVALID_REFERENCE',
        message: 'hrTenants: the organization has no tenant ffffffffffffffffffffffff',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    INVALID_STATE_TRANSITION: {
      error: {
        code: 'INVALID_STATE_TRANSITION',
        message: 'The user is inactive: reactivate the user first',
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
    INVALID_REFERENCE_ID: {
      error: {
        code: 'INVALID_REFERENCE_ID',
        message: 'id in the path must be 24 hexadecimal characters',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    NOT_FOUND: {
      error: {
        code: 'NOT_FOUND',
        message: 'No organization with this id is visible to the caller',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    INVALID_TOKEN: {
      error: {
        code: 'INVALID_TOKEN',
        message: 'Send a valid token of the platform: Authorization: Bearer kontorp_…',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    PERMISSION_DENIED: {
      error: {
        code: 'PERMISSION_DENIED',
        message: 'The permission organizations:read is missing; use a token that has it',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    VALIDATION_ERROR: {
      error: {
        code: 'VALIDATION_ERROR',
        message: 'page must be a whole number from 1 to 9007199254740991, in decimal digits',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    INVALID_FILTER_SYNTAX: {
      error: {
        code: 'INVALID_FILTER_SYNTAX',
        message: 'filter, position 18: expected a field name or (, found the end of the filter.',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    UNSUPPORTED_FILTER_FIELD: {
      error: {
        code: 'UNSUPPORTED_FILTER_FIELD',
        message: 'filter does not take the field city; use id, name, createdAt',
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
        message: 'sort does not take city; use id, name, createdAt',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    UNSUPPORTED_FIELD: {
      error: {
        code: 'UNSUPPORTED_FIELD',
        message: 'Not accepted here: "city"; leave that out, or use name',
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
    'updateUser VALIDATION_ERROR_422': {
      error: {
        code: 'VALIDATION_ERROR',
        message: 'hrTenants is for users with the permission HR; leave it out',
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
    'createApiKey VALIDATION_ERROR': {
      error: {
        code: 'VALIDATION_ERROR',
        message: 'wholeOrganization must be true or false',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'createApiKey VALIDATION_ERROR_422': {
      error: {
        code: 'VALIDATION_ERROR',
        message: 'Send either wholeOrganization: true, or grants',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'createApiKey INVALID_REFERENCE': {
      error: {
        code: 'INVALID_REFERENCE',
        message: 'grants: the organization has no tenant ffffffffffffffffffffffff',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'deactivateApiKey INVALID_STATE_TRANSITION': {
      error: {
        code: 'INVALID_STATE_TRANSITION',
        message: 'The key is deleted and stays so: create a new one',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'reactivateApiKey INVALID_STATE_TRANSITION': {
      error: {
        code: 'INVALID_STATE_TRANSITION',
        message: 'The key is deleted and stays so: create a new one',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'replaceApiKey INVALID_STATE_TRANSITION': {
      error: {
        code: 'INVALID_STATE_TRANSITION',
        message: 'The key is deleted: create a new one',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
  },
  headers: {
    'X-Request-ID': '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
    Location: '/platform/v1/organizations/65f0c0ffee00000000000001/tenants/65f0c0ffee00000000000003',
    'Retry-After': 18,
  },
};
