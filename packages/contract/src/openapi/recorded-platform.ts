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
    createOrganization: {
      path: {},
      answers: {
        '200': {
          id: '000000000000000000000000',
          name: 'Muster Energie AG',
          createdAt: '2026-09-02T08:17:32.137Z',
        },
        '201': {
          id: '65f0c0ffee00000000000003',
          name: 'Muster Energie AG',
          createdAt: '2026-09-02T08:18:33.144Z',
        },
      },
      request: { name: 'Muster Energie AG' },
    },
    createTenant: {
      path: { organizationId: '65f0c0ffee00000000000001' },
      answers: {
        '200': {
          id: '000000000000000000000000',
          organizationId: '65f0c0ffee00000000000001',
          name: 'Muster Wien GmbH',
          decisionDays: 30,
          createdAt: '2026-09-02T08:19:34.151Z',
        },
        '201': {
          id: '65f0c0ffee00000000000004',
          organizationId: '65f0c0ffee00000000000001',
          name: 'Muster Wien GmbH',
          decisionDays: 30,
          createdAt: '2026-09-02T08:20:35.158Z',
        },
      },
      request: { name: 'Muster Wien GmbH', decisionDays: 30 },
    },
    getTenant: {
      path: { organizationId: '65f0c0ffee00000000000001', id: '65f0c0ffee00000000000004' },
      answers: {
        '200': {
          id: '65f0c0ffee00000000000004',
          organizationId: '65f0c0ffee00000000000001',
          name: 'Muster Wien GmbH',
          decisionDays: 30,
          createdAt: '2026-09-02T08:20:35.158Z',
        },
      },
    },
    updateTenant: {
      path: { organizationId: '65f0c0ffee00000000000001', id: '65f0c0ffee00000000000004' },
      answers: {
        '200': {
          id: '65f0c0ffee00000000000004',
          organizationId: '65f0c0ffee00000000000001',
          name: 'Muster Wien GmbH',
          decisionDays: 14,
          createdAt: '2026-09-02T08:20:35.158Z',
        },
      },
      request: { decisionDays: 14 },
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
              id: '65f0c0ffee00000000000004',
              organizationId: '65f0c0ffee00000000000001',
              name: 'Muster Wien GmbH',
              decisionDays: 14,
              createdAt: '2026-09-02T08:20:35.158Z',
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
          grants: [{ tenant: '65f0c0ffee00000000000005', divisions: ['65f0c0ffee00000000000006'] }],
          quota: { requests: 600, seconds: 60 },
          createdAt: '2026-09-02T08:21:36.165Z',
          expiresAt: '2026-09-02T08:56:10.403Z',
          lastUsedAt: null,
          key: null,
        },
        '201': {
          id: '3vQ7kZ9mB2x1',
          name: 'Payroll of Muster GmbH',
          status: 'active',
          wholeOrganization: false,
          grants: [{ tenant: '65f0c0ffee00000000000005', divisions: ['65f0c0ffee00000000000006'] }],
          quota: { requests: 600, seconds: 60 },
          createdAt: '2026-09-02T08:22:37.172Z',
          expiresAt: '2026-09-02T08:56:10.403Z',
          lastUsedAt: null,
          key: 'kontor_3vQ7kZ9mB2x1_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg_0ABcde',
        },
      },
      request: {
        name: 'Payroll of Muster GmbH',
        grants: [{ tenant: '65f0c0ffee00000000000005', divisions: ['65f0c0ffee00000000000006'] }],
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
          grants: [{ tenant: '65f0c0ffee00000000000005', divisions: ['65f0c0ffee00000000000006'] }],
          quota: { requests: 600, seconds: 60 },
          createdAt: '2026-09-02T08:22:37.172Z',
          expiresAt: '2026-09-02T08:56:10.403Z',
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
              grants: [{ tenant: '65f0c0ffee00000000000005', divisions: ['65f0c0ffee00000000000006'] }],
              quota: { requests: 600, seconds: 60 },
              createdAt: '2026-09-02T08:22:37.172Z',
              expiresAt: '2026-09-02T08:56:10.403Z',
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
          grants: [{ tenant: '65f0c0ffee00000000000005', divisions: ['65f0c0ffee00000000000006'] }],
          quota: { requests: 600, seconds: 60 },
          createdAt: '2026-09-02T08:22:37.172Z',
          expiresAt: '2026-09-02T08:56:10.403Z',
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
          grants: [{ tenant: '65f0c0ffee00000000000005', divisions: ['65f0c0ffee00000000000006'] }],
          quota: { requests: 600, seconds: 60 },
          createdAt: '2026-09-02T08:22:37.172Z',
          expiresAt: '2026-09-02T08:56:10.403Z',
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
          grants: [{ tenant: '65f0c0ffee00000000000005', divisions: ['65f0c0ffee00000000000006'] }],
          quota: { requests: 600, seconds: 60 },
          createdAt: '2026-09-02T08:23:38.179Z',
          expiresAt: null,
          lastUsedAt: null,
          key: null,
        },
        '201': {
          id: '3vQ7kZ9mB2x2',
          name: 'Payroll of Muster GmbH, new',
          status: 'active',
          wholeOrganization: false,
          grants: [{ tenant: '65f0c0ffee00000000000005', divisions: ['65f0c0ffee00000000000006'] }],
          quota: { requests: 600, seconds: 60 },
          createdAt: '2026-09-02T08:24:39.186Z',
          expiresAt: null,
          lastUsedAt: null,
          key: 'kontor_3vQ7kZ9mB2x2_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg_0ABcde',
        },
      },
      request: { name: 'Payroll of Muster GmbH, new', graceSeconds: 604800 },
    },
    getApiKeyUsage: {
      path: { organizationId: '65f0c0ffee00000000000001', id: '3vQ7kZ9mB2x1' },
      answers: { '200': { requests: 0, lastUsedAt: null, days: [], operations: [] } },
    },
    deleteApiKey: {
      path: { organizationId: '65f0c0ffee00000000000001', id: '3vQ7kZ9mB2x1' },
      answers: {
        '200': {
          id: '3vQ7kZ9mB2x1',
          name: 'Payroll of Muster GmbH',
          status: 'deleted',
          wholeOrganization: false,
          grants: [{ tenant: '65f0c0ffee00000000000005', divisions: ['65f0c0ffee00000000000006'] }],
          quota: { requests: 600, seconds: 60 },
          createdAt: '2026-09-02T08:22:37.172Z',
          expiresAt: '2026-09-02T08:55:09.396Z',
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
          hrTenants: ['65f0c0ffee00000000000005'],
          status: 'invited',
          createdAt: '2026-09-02T08:25:40.193Z',
          invitedUntil: '2026-09-02T08:52:06.375Z',
          lastSignInAt: null,
          link: null,
        },
        '201': {
          id: '65f0c0ffee00000000000007',
          organizationId: '65f0c0ffee00000000000001',
          email: 'petra.lang@example.com',
          name: 'Petra Lang',
          language: 'de',
          permissions: ['HR'],
          hrTenants: ['65f0c0ffee00000000000005'],
          status: 'invited',
          createdAt: '2026-09-02T08:26:41.200Z',
          invitedUntil: '2026-09-02T08:53:07.382Z',
          lastSignInAt: null,
          link: 'https://kontor.example.com/portal/invitation#kontorl_65f0c0ffee00000000000001_3vQ7kZ9mB2xT_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg_1pESGC',
        },
      },
      request: {
        email: 'petra.lang@example.com',
        name: 'Petra Lang',
        language: 'de',
        permissions: ['HR'],
        hrTenants: ['65f0c0ffee00000000000005'],
      },
    },
    getUser: {
      path: { organizationId: '65f0c0ffee00000000000001', id: '65f0c0ffee00000000000007' },
      answers: {
        '200': {
          id: '65f0c0ffee00000000000007',
          organizationId: '65f0c0ffee00000000000001',
          email: 'petra.lang@example.com',
          name: 'Petra Lang',
          language: 'de',
          permissions: ['HR'],
          hrTenants: ['65f0c0ffee00000000000005'],
          status: 'invited',
          createdAt: '2026-09-02T08:26:41.200Z',
          invitedUntil: '2026-09-02T08:53:07.382Z',
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
              id: '65f0c0ffee00000000000007',
              organizationId: '65f0c0ffee00000000000001',
              email: 'petra.lang@example.com',
              name: 'Petra Lang',
              language: 'de',
              permissions: ['HR'],
              hrTenants: ['65f0c0ffee00000000000005'],
              status: 'invited',
              createdAt: '2026-09-02T08:26:41.200Z',
              invitedUntil: '2026-09-02T08:53:07.382Z',
              lastSignInAt: null,
            },
          ],
        },
      },
    },
    updateUser: {
      path: { organizationId: '65f0c0ffee00000000000001', id: '65f0c0ffee00000000000007' },
      answers: {
        '200': {
          id: '65f0c0ffee00000000000007',
          organizationId: '65f0c0ffee00000000000001',
          email: 'petra.lang@example.com',
          name: 'Petra Lang',
          language: 'de',
          permissions: ['HR', 'COMPANY_ADMIN'],
          hrTenants: ['65f0c0ffee00000000000005'],
          status: 'invited',
          createdAt: '2026-09-02T08:26:41.200Z',
          invitedUntil: '2026-09-02T08:53:07.382Z',
          lastSignInAt: null,
        },
      },
      request: { permissions: ['HR', 'COMPANY_ADMIN'] },
    },
    inviteUser: {
      path: { organizationId: '65f0c0ffee00000000000001', id: '65f0c0ffee00000000000007' },
      answers: {
        '200': {
          id: '65f0c0ffee00000000000007',
          organizationId: '65f0c0ffee00000000000001',
          email: 'petra.lang@example.com',
          name: 'Petra Lang',
          language: 'de',
          permissions: ['HR', 'COMPANY_ADMIN'],
          hrTenants: ['65f0c0ffee00000000000005'],
          status: 'invited',
          createdAt: '2026-09-02T08:26:41.200Z',
          invitedUntil: '2026-09-02T08:54:08.389Z',
          lastSignInAt: null,
          link: 'https://kontor.example.com/portal/invitation#kontorl_65f0c0ffee00000000000001_3vQ7kZ9mB2xT_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg_1pESGC',
        },
      },
    },
    deactivateUser: {
      path: { organizationId: '65f0c0ffee00000000000001', id: '65f0c0ffee00000000000007' },
      answers: {
        '200': {
          id: '65f0c0ffee00000000000007',
          organizationId: '65f0c0ffee00000000000001',
          email: 'petra.lang@example.com',
          name: 'Petra Lang',
          language: 'de',
          permissions: ['HR', 'COMPANY_ADMIN'],
          hrTenants: ['65f0c0ffee00000000000005'],
          status: 'inactive',
          createdAt: '2026-09-02T08:26:41.200Z',
          invitedUntil: null,
          lastSignInAt: null,
        },
      },
    },
    reactivateUser: {
      path: { organizationId: '65f0c0ffee00000000000001', id: '65f0c0ffee00000000000007' },
      answers: {
        '200': {
          id: '65f0c0ffee00000000000007',
          organizationId: '65f0c0ffee00000000000001',
          email: 'petra.lang@example.com',
          name: 'Petra Lang',
          language: 'de',
          permissions: ['HR', 'COMPANY_ADMIN'],
          hrTenants: ['65f0c0ffee00000000000005'],
          status: 'invited',
          createdAt: '2026-09-02T08:26:41.200Z',
          invitedUntil: null,
          lastSignInAt: null,
        },
      },
    },
    deleteUser: {
      path: { organizationId: '65f0c0ffee00000000000001', id: '65f0c0ffee00000000000007' },
      answers: {
        '200': {
          id: '65f0c0ffee00000000000007',
          organizationId: '65f0c0ffee00000000000001',
          email: 'petra.lang@example.com',
          name: 'Petra Lang',
          language: 'de',
          permissions: ['HR', 'COMPANY_ADMIN'],
          hrTenants: ['65f0c0ffee00000000000005'],
          status: 'invited',
          createdAt: '2026-09-02T08:26:41.200Z',
          invitedUntil: null,
          lastSignInAt: null,
        },
      },
    },
    getEmployeeActivation: {
      path: { organizationId: '65f0c0ffee00000000000001', id: '65f0c0ffee00000000000008' },
      answers: { '200': { employeeId: '65f0c0ffee00000000000008', activated: false, activatedAt: null } },
    },
    activateEmployee: {
      path: { organizationId: '65f0c0ffee00000000000001', id: '65f0c0ffee00000000000008' },
      answers: {
        '200': {
          employeeId: '65f0c0ffee00000000000008',
          activated: true,
          activatedAt: '2026-09-02T08:27:42.207Z',
        },
      },
    },
    listOrganizationEmployees: {
      path: { organizationId: '65f0c0ffee00000000000001' },
      answers: {
        '200': {
          page: 1,
          pageSize: 100,
          totalPages: 1,
          totalElements: 1,
          items: [
            {
              id: '65f0c0ffee00000000000009',
              email: 'maria.schulz@example.com',
              privateEmail: null,
              employeeNumber: '10042',
              firstName: 'Maria',
              lastName: 'Schulz',
              phoneNumber: null,
              street: null,
              postalCode: null,
              city: null,
              countryCode: null,
              additionalInfo: null,
              blocked: false,
              tenant: null,
              divisionId: null,
              createdAt: '2026-09-02T08:28:43.214Z',
              updatedAt: '2026-09-02T08:28:43.214Z',
            },
          ],
        },
      },
    },
    assignEmployee: {
      path: { organizationId: '65f0c0ffee00000000000001', id: '65f0c0ffee00000000000009' },
      answers: {
        '200': {
          id: '65f0c0ffee00000000000009',
          email: 'maria.schulz@example.com',
          privateEmail: null,
          employeeNumber: '10042',
          firstName: 'Maria',
          lastName: 'Schulz',
          phoneNumber: null,
          street: null,
          postalCode: null,
          city: null,
          countryCode: null,
          additionalInfo: null,
          blocked: false,
          tenant: '65f0c0ffee00000000000005',
          divisionId: '65f0c0ffee00000000000006',
          createdAt: '2026-09-02T08:28:43.214Z',
          updatedAt: '2026-09-02T08:29:44.221Z',
        },
      },
      request: { tenant: '65f0c0ffee00000000000005', divisionId: '65f0c0ffee00000000000006' },
    },
    activateEmployeeBatch: {
      path: { organizationId: '65f0c0ffee00000000000001' },
      answers: {
        '200': {
          items: [
            { index: 0, status: 200, id: '65f0c0ffee00000000000009', error: null },
            {
              index: 1,
              status: 422,
              id: null,
              error: {
                code: 'INVALID_REFERENCE',
                message: 'employeeId must name an employee of the organization',
                requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
              },
            },
          ],
        },
      },
      request: {
        items: [{ employeeId: '65f0c0ffee00000000000009' }, { employeeId: 'ffffffffffffffffffffffff' }],
      },
    },
    createOrder: {
      path: { organizationId: '65f0c0ffee00000000000001' },
      answers: {
        '200': {
          id: '000000000000000000000000',
          orderNumber: 'A-2026-000126',
          employeeId: '65f0c0ffee0000000000000b',
          status: 'under_review',
          products: [
            {
              model: 'Helium 5.9',
              vatRate: '19.00',
              manufacturerName: 'Nox Cycles',
              articleGroupName: 'E-Bike',
              grossAmount: '3599.00',
              netAmount: '3024.3697',
              service: null,
              grossService: null,
              netService: null,
            },
          ],
          contract: {
            contractNumber: null,
            startDate: null,
            endDate: null,
            termMonths: 36,
            currency: 'EUR',
            listPrice: '3599.00',
            purchasePrice: '3419.05',
            residualValue: null,
            leasingRate: '98.10',
            leasingRateSubsidy: '20.00',
            insuranceRate: '9.90',
            insuranceRateSubsidy: '9.90',
            serviceRate: '5.00',
            serviceRateSubsidy: '0.00',
            salaryConversion: '83.10',
            taxableBenefit: '8.00',
          },
          attachments: [],
          hrHistory: null,
          submittedAt: '2026-09-02T08:15:30.123Z',
          createdAt: '2026-09-02T08:31:46.235Z',
          updatedAt: '2026-09-02T08:31:46.235Z',
        },
        '201': {
          id: '65f0c0ffee0000000000000c',
          orderNumber: 'A-2026-000123',
          employeeId: '65f0c0ffee0000000000000b',
          status: 'under_review',
          products: [
            {
              model: 'Helium 5.9',
              vatRate: '19.00',
              manufacturerName: 'Nox Cycles',
              articleGroupName: 'E-Bike',
              grossAmount: '3599.00',
              netAmount: '3024.3697',
              service: null,
              grossService: null,
              netService: null,
            },
          ],
          contract: {
            contractNumber: null,
            startDate: null,
            endDate: null,
            termMonths: 36,
            currency: 'EUR',
            listPrice: '3599.00',
            purchasePrice: '3419.05',
            residualValue: null,
            leasingRate: '98.10',
            leasingRateSubsidy: '20.00',
            insuranceRate: '9.90',
            insuranceRateSubsidy: '9.90',
            serviceRate: '5.00',
            serviceRateSubsidy: '0.00',
            salaryConversion: '83.10',
            taxableBenefit: '8.00',
          },
          attachments: [],
          hrHistory: null,
          submittedAt: '2026-09-02T08:15:30.123Z',
          createdAt: '2026-09-02T08:30:45.228Z',
          updatedAt: '2026-09-02T08:30:45.228Z',
        },
      },
      request: {
        externalId: 'shop-2026-000126',
        orderNumber: 'A-2026-000126',
        employeeId: '65f0c0ffee0000000000000b',
        products: [
          {
            model: 'Helium 5.9',
            vatRate: '19.00',
            manufacturerName: 'Nox Cycles',
            articleGroupName: 'E-Bike',
            grossAmount: '3599.00',
            netAmount: '3024.3697',
          },
        ],
        contract: {
          termMonths: 36,
          currency: 'EUR',
          listPrice: '3599.00',
          purchasePrice: '3419.05',
          leasingRate: '98.10',
          leasingRateSubsidy: '20.00',
          insuranceRate: '9.90',
          insuranceRateSubsidy: '9.90',
          serviceRate: '5.00',
          serviceRateSubsidy: '0.00',
        },
        submittedAt: '2026-09-02T08:15:30.123Z',
      },
    },
    createOrderBatch: {
      path: { organizationId: '65f0c0ffee00000000000001' },
      answers: {
        '200': {
          items: [
            { index: 0, status: 200, id: '65f0c0ffee0000000000000c', error: null },
            { index: 1, status: 201, id: '65f0c0ffee0000000000000d', error: null },
            {
              index: 2,
              status: 409,
              id: null,
              error: {
                code: 'DUPLICATE_RESOURCE',
                message: 'orderNumber is used by another order of the organization already',
                requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
              },
            },
          ],
        },
      },
      request: {
        items: [
          {
            externalId: 'shop-2026-000123',
            orderNumber: 'A-2026-000123',
            employeeId: '65f0c0ffee0000000000000b',
            products: [
              {
                model: 'Helium 5.9',
                vatRate: '19.00',
                manufacturerName: 'Nox Cycles',
                articleGroupName: 'E-Bike',
                grossAmount: '3599.00',
                netAmount: '3024.3697',
              },
            ],
            contract: {
              termMonths: 36,
              currency: 'EUR',
              listPrice: '3599.00',
              purchasePrice: '3419.05',
              leasingRate: '98.10',
              leasingRateSubsidy: '20.00',
              insuranceRate: '9.90',
              insuranceRateSubsidy: '9.90',
              serviceRate: '5.00',
              serviceRateSubsidy: '0.00',
            },
            submittedAt: '2026-09-02T08:15:30.123Z',
          },
          {
            externalId: 'shop-2026-000124',
            orderNumber: 'A-2026-000124',
            employeeId: '65f0c0ffee0000000000000b',
            products: [
              {
                model: 'Helium 5.9',
                vatRate: '19.00',
                manufacturerName: 'Nox Cycles',
                articleGroupName: 'E-Bike',
                grossAmount: '3599.00',
                netAmount: '3024.3697',
              },
            ],
            contract: {
              termMonths: 36,
              currency: 'EUR',
              listPrice: '3599.00',
              purchasePrice: '3419.05',
              leasingRate: '98.10',
              leasingRateSubsidy: '20.00',
              insuranceRate: '9.90',
              insuranceRateSubsidy: '9.90',
              serviceRate: '5.00',
              serviceRateSubsidy: '0.00',
            },
            submittedAt: '2026-09-02T08:15:30.123Z',
          },
          {
            externalId: 'shop-2026-000125',
            orderNumber: 'A-2026-000124',
            employeeId: '65f0c0ffee0000000000000b',
            products: [
              {
                model: 'Helium 5.9',
                vatRate: '19.00',
                manufacturerName: 'Nox Cycles',
                articleGroupName: 'E-Bike',
                grossAmount: '3599.00',
                netAmount: '3024.3697',
              },
            ],
            contract: {
              termMonths: 36,
              currency: 'EUR',
              listPrice: '3599.00',
              purchasePrice: '3419.05',
              leasingRate: '98.10',
              leasingRateSubsidy: '20.00',
              insuranceRate: '9.90',
              insuranceRateSubsidy: '9.90',
              serviceRate: '5.00',
              serviceRateSubsidy: '0.00',
            },
            submittedAt: '2026-09-02T08:15:30.123Z',
          },
        ],
      },
    },
    uploadOrderAttachment: {
      path: { organizationId: '65f0c0ffee00000000000001', id: '65f0c0ffee0000000000000c' },
      answers: {
        '200': {
          id: '000000000000000000000000',
          kind: 'offer',
          fileName: 'angebot.pdf',
          mediaType: 'application/pdf',
          size: 17,
          createdAt: '2026-09-02T08:33:48.249Z',
        },
        '201': {
          id: '65f0c0ffee0000000000000e',
          kind: 'offer',
          fileName: 'angebot.pdf',
          mediaType: 'application/pdf',
          size: 15,
          createdAt: '2026-09-02T08:32:47.242Z',
        },
      },
    },
    getOrganizationOrder: {
      path: { organizationId: '65f0c0ffee00000000000001', id: '65f0c0ffee0000000000000c' },
      answers: {
        '200': {
          id: '65f0c0ffee0000000000000c',
          orderNumber: 'A-2026-000123',
          employeeId: '65f0c0ffee0000000000000b',
          status: 'under_review',
          products: [
            {
              model: 'Helium 5.9',
              vatRate: '19.00',
              manufacturerName: 'Nox Cycles',
              articleGroupName: 'E-Bike',
              grossAmount: '3599.00',
              netAmount: '3024.3697',
              service: null,
              grossService: null,
              netService: null,
            },
          ],
          contract: {
            contractNumber: null,
            startDate: null,
            endDate: null,
            termMonths: 36,
            currency: 'EUR',
            listPrice: '3599.00',
            purchasePrice: '3419.05',
            residualValue: null,
            leasingRate: '98.10',
            leasingRateSubsidy: '20.00',
            insuranceRate: '9.90',
            insuranceRateSubsidy: '9.90',
            serviceRate: '5.00',
            serviceRateSubsidy: '0.00',
            salaryConversion: '83.10',
            taxableBenefit: '8.00',
          },
          attachments: [
            {
              id: '65f0c0ffee0000000000000e',
              kind: 'offer',
              fileName: 'angebot.pdf',
              mediaType: 'application/pdf',
              size: 15,
              createdAt: '2026-09-02T08:32:47.242Z',
            },
          ],
          hrHistory: null,
          submittedAt: '2026-09-02T08:15:30.123Z',
          createdAt: '2026-09-02T08:30:45.228Z',
          updatedAt: '2026-09-02T08:32:47.242Z',
        },
      },
    },
    recordOrderDecision: {
      path: { organizationId: '65f0c0ffee00000000000001', id: '65f0c0ffee0000000000000f' },
      answers: {
        '200': {
          id: '65f0c0ffee0000000000000f',
          orderNumber: 'A-2026-000130',
          employeeId: '65f0c0ffee00000000000010',
          status: 'approved',
          products: [
            {
              model: 'Helium',
              vatRate: '19.00',
              manufacturerName: 'Nox Cycles',
              articleGroupName: 'E-Bike',
              grossAmount: '3599.00',
              netAmount: '3024.3697',
              service: null,
              grossService: null,
              netService: null,
            },
          ],
          contract: {
            contractNumber: null,
            startDate: null,
            endDate: null,
            termMonths: 36,
            currency: 'EUR',
            listPrice: '3599.00',
            purchasePrice: '3599.00',
            residualValue: null,
            leasingRate: '98.10',
            leasingRateSubsidy: '20.00',
            insuranceRate: '9.90',
            insuranceRateSubsidy: '9.90',
            serviceRate: '5.00',
            serviceRateSubsidy: '0.00',
            salaryConversion: '83.10',
            taxableBenefit: '8.00',
          },
          attachments: [],
          hrHistory: {
            decision: 'approved',
            decisionBy: null,
            source: 'automatic',
            comment: 'Laut Rahmenvertrag',
            decidedAt: '2026-09-02T08:36:51.270Z',
          },
          submittedAt: '2026-09-02T08:21:00.000Z',
          createdAt: '2026-09-02T08:34:49.256Z',
          updatedAt: '2026-09-02T08:36:51.270Z',
        },
      },
      request: { decision: 'approved', comment: 'Laut Rahmenvertrag' },
    },
    makeOrderReady: {
      path: { organizationId: '65f0c0ffee00000000000001', id: '65f0c0ffee0000000000000f' },
      answers: {
        '200': {
          id: '65f0c0ffee0000000000000f',
          orderNumber: 'A-2026-000130',
          employeeId: '65f0c0ffee00000000000010',
          status: 'ready_for_pickup',
          products: [
            {
              model: 'Helium',
              vatRate: '19.00',
              manufacturerName: 'Nox Cycles',
              articleGroupName: 'E-Bike',
              grossAmount: '3599.00',
              netAmount: '3024.3697',
              service: null,
              grossService: null,
              netService: null,
            },
          ],
          contract: {
            contractNumber: null,
            startDate: null,
            endDate: null,
            termMonths: 36,
            currency: 'EUR',
            listPrice: '3599.00',
            purchasePrice: '3599.00',
            residualValue: null,
            leasingRate: '98.10',
            leasingRateSubsidy: '20.00',
            insuranceRate: '9.90',
            insuranceRateSubsidy: '9.90',
            serviceRate: '5.00',
            serviceRateSubsidy: '0.00',
            salaryConversion: '83.10',
            taxableBenefit: '8.00',
          },
          attachments: [],
          hrHistory: {
            decision: 'approved',
            decisionBy: null,
            source: 'automatic',
            comment: 'Laut Rahmenvertrag',
            decidedAt: '2026-09-02T08:36:51.270Z',
          },
          submittedAt: '2026-09-02T08:21:00.000Z',
          createdAt: '2026-09-02T08:34:49.256Z',
          updatedAt: '2026-09-02T08:37:52.277Z',
        },
      },
    },
    handOverOrder: {
      path: { organizationId: '65f0c0ffee00000000000001', id: '65f0c0ffee0000000000000f' },
      answers: {
        '200': {
          id: '65f0c0ffee0000000000000f',
          orderNumber: 'A-2026-000130',
          employeeId: '65f0c0ffee00000000000010',
          status: 'active',
          products: [
            {
              model: 'Helium',
              vatRate: '19.00',
              manufacturerName: 'Nox Cycles',
              articleGroupName: 'E-Bike',
              grossAmount: '3599.00',
              netAmount: '3024.3697',
              service: null,
              grossService: null,
              netService: null,
            },
          ],
          contract: {
            contractNumber: 'LV-2026-000123',
            startDate: '2026-10-01',
            endDate: '2029-09-30',
            termMonths: 36,
            currency: 'EUR',
            listPrice: '3599.00',
            purchasePrice: '3599.00',
            residualValue: null,
            leasingRate: '98.10',
            leasingRateSubsidy: '20.00',
            insuranceRate: '9.90',
            insuranceRateSubsidy: '9.90',
            serviceRate: '5.00',
            serviceRateSubsidy: '0.00',
            salaryConversion: '83.10',
            taxableBenefit: '8.00',
          },
          attachments: [],
          hrHistory: {
            decision: 'approved',
            decisionBy: null,
            source: 'automatic',
            comment: 'Laut Rahmenvertrag',
            decidedAt: '2026-09-02T08:36:51.270Z',
          },
          submittedAt: '2026-09-02T08:21:00.000Z',
          createdAt: '2026-09-02T08:34:49.256Z',
          updatedAt: '2026-09-02T08:38:53.284Z',
        },
      },
      request: { contractNumber: 'LV-2026-000123', startDate: '2026-10-01' },
    },
    completeOrder: {
      path: { organizationId: '65f0c0ffee00000000000001', id: '65f0c0ffee0000000000000f' },
      answers: {
        '200': {
          id: '65f0c0ffee0000000000000f',
          orderNumber: 'A-2026-000130',
          employeeId: '65f0c0ffee00000000000010',
          status: 'completed',
          products: [
            {
              model: 'Helium',
              vatRate: '19.00',
              manufacturerName: 'Nox Cycles',
              articleGroupName: 'E-Bike',
              grossAmount: '3599.00',
              netAmount: '3024.3697',
              service: null,
              grossService: null,
              netService: null,
            },
          ],
          contract: {
            contractNumber: 'LV-2026-000123',
            startDate: '2026-10-01',
            endDate: '2029-09-30',
            termMonths: 36,
            currency: 'EUR',
            listPrice: '3599.00',
            purchasePrice: '3599.00',
            residualValue: null,
            leasingRate: '98.10',
            leasingRateSubsidy: '20.00',
            insuranceRate: '9.90',
            insuranceRateSubsidy: '9.90',
            serviceRate: '5.00',
            serviceRateSubsidy: '0.00',
            salaryConversion: '83.10',
            taxableBenefit: '8.00',
          },
          attachments: [],
          hrHistory: {
            decision: 'approved',
            decisionBy: null,
            source: 'automatic',
            comment: 'Laut Rahmenvertrag',
            decidedAt: '2026-09-02T08:36:51.270Z',
          },
          submittedAt: '2026-09-02T08:21:00.000Z',
          createdAt: '2026-09-02T08:34:49.256Z',
          updatedAt: '2026-09-02T08:39:54.291Z',
        },
      },
    },
    cancelOrder: {
      path: { organizationId: '65f0c0ffee00000000000001', id: '65f0c0ffee00000000000011' },
      answers: {
        '200': {
          id: '65f0c0ffee00000000000011',
          orderNumber: 'A-2026-000131',
          employeeId: '65f0c0ffee00000000000010',
          status: 'cancelled',
          products: [
            {
              model: 'Helium',
              vatRate: '19.00',
              manufacturerName: 'Nox Cycles',
              articleGroupName: 'E-Bike',
              grossAmount: '3599.00',
              netAmount: '3024.3697',
              service: null,
              grossService: null,
              netService: null,
            },
          ],
          contract: {
            contractNumber: null,
            startDate: null,
            endDate: null,
            termMonths: 36,
            currency: 'EUR',
            listPrice: '3599.00',
            purchasePrice: '3599.00',
            residualValue: null,
            leasingRate: '98.10',
            leasingRateSubsidy: '20.00',
            insuranceRate: '9.90',
            insuranceRateSubsidy: '9.90',
            serviceRate: '5.00',
            serviceRateSubsidy: '0.00',
            salaryConversion: '83.10',
            taxableBenefit: '8.00',
          },
          attachments: [],
          hrHistory: null,
          submittedAt: '2026-09-02T08:21:00.000Z',
          createdAt: '2026-09-02T08:34:49.256Z',
          updatedAt: '2026-09-02T08:40:55.298Z',
        },
      },
    },
    expireOrder: {
      path: { organizationId: '65f0c0ffee00000000000001', id: '65f0c0ffee00000000000012' },
      answers: {
        '200': {
          id: '65f0c0ffee00000000000012',
          orderNumber: 'A-2026-000132',
          employeeId: '65f0c0ffee00000000000010',
          status: 'expired',
          products: [
            {
              model: 'Helium',
              vatRate: '19.00',
              manufacturerName: 'Nox Cycles',
              articleGroupName: 'E-Bike',
              grossAmount: '3599.00',
              netAmount: '3024.3697',
              service: null,
              grossService: null,
              netService: null,
            },
          ],
          contract: {
            contractNumber: null,
            startDate: null,
            endDate: null,
            termMonths: 36,
            currency: 'EUR',
            listPrice: '3599.00',
            purchasePrice: '3599.00',
            residualValue: null,
            leasingRate: '98.10',
            leasingRateSubsidy: '20.00',
            insuranceRate: '9.90',
            insuranceRateSubsidy: '9.90',
            serviceRate: '5.00',
            serviceRateSubsidy: '0.00',
            salaryConversion: '83.10',
            taxableBenefit: '8.00',
          },
          attachments: [],
          hrHistory: null,
          submittedAt: '2026-09-02T08:21:00.000Z',
          createdAt: '2026-09-02T08:34:49.256Z',
          updatedAt: '2026-09-02T08:41:56.305Z',
        },
      },
    },
    startIncident: {
      path: { organizationId: '65f0c0ffee00000000000001', id: '65f0c0ffee00000000000013' },
      answers: {
        '200': {
          id: '65f0c0ffee00000000000013',
          incidentNumber: 'S-2026-000001',
          employeeId: '65f0c0ffee00000000000010',
          orderId: '65f0c0ffee0000000000000f',
          type: 'damage',
          requestedSolution: null,
          occurredOn: '2026-09-02',
          effectiveFrom: null,
          effectiveTo: null,
          description: 'Rahmen gebrochen',
          policeReference: null,
          status: 'in_progress',
          editable: false,
          attachments: [],
          createdAt: '2026-09-02T08:42:57.312Z',
          updatedAt: '2026-09-02T08:46:00.333Z',
        },
      },
    },
    resolveIncident: {
      path: { organizationId: '65f0c0ffee00000000000001', id: '65f0c0ffee00000000000013' },
      answers: {
        '200': {
          id: '65f0c0ffee00000000000013',
          incidentNumber: 'S-2026-000001',
          employeeId: '65f0c0ffee00000000000010',
          orderId: '65f0c0ffee0000000000000f',
          type: 'damage',
          requestedSolution: null,
          occurredOn: '2026-09-02',
          effectiveFrom: null,
          effectiveTo: null,
          description: 'Rahmen gebrochen',
          policeReference: null,
          status: 'resolved',
          editable: false,
          attachments: [],
          createdAt: '2026-09-02T08:42:57.312Z',
          updatedAt: '2026-09-02T08:47:01.340Z',
        },
      },
    },
    rejectIncident: {
      path: { organizationId: '65f0c0ffee00000000000001', id: '65f0c0ffee00000000000014' },
      answers: {
        '200': {
          id: '65f0c0ffee00000000000014',
          incidentNumber: 'S-2026-000002',
          employeeId: '65f0c0ffee00000000000010',
          orderId: '65f0c0ffee0000000000000f',
          type: 'damage',
          requestedSolution: null,
          occurredOn: '2026-09-02',
          effectiveFrom: null,
          effectiveTo: null,
          description: 'Rahmen gebrochen',
          policeReference: null,
          status: 'rejected',
          editable: false,
          attachments: [],
          createdAt: '2026-09-02T08:43:58.319Z',
          updatedAt: '2026-09-02T08:48:02.347Z',
        },
      },
    },
    cancelIncident: {
      path: { organizationId: '65f0c0ffee00000000000001', id: '65f0c0ffee00000000000015' },
      answers: {
        '200': {
          id: '65f0c0ffee00000000000015',
          incidentNumber: 'S-2026-000003',
          employeeId: '65f0c0ffee00000000000010',
          orderId: '65f0c0ffee0000000000000f',
          type: 'damage',
          requestedSolution: null,
          occurredOn: '2026-09-02',
          effectiveFrom: null,
          effectiveTo: null,
          description: 'Rahmen gebrochen',
          policeReference: null,
          status: 'cancelled',
          editable: false,
          attachments: [],
          createdAt: '2026-09-02T08:44:59.326Z',
          updatedAt: '2026-09-02T08:49:03.354Z',
        },
      },
    },
    tryDecisionRule: {
      path: { organizationId: '65f0c0ffee00000000000001', id: '65f0c0ffee00000000000005' },
      answers: {
        '200': {
          looked: 7,
          wouldApprove: 0,
          wouldReject: 7,
          wouldLeave: 0,
          decidedByPeople: 1,
          agreed: 0,
          differed: 1,
          differing: [
            {
              orderId: '65f0c0ffee00000000000016',
              orderNumber: 'A-2026-000134',
              monthlyRate: '113.00',
              decision: 'approved',
              decidedAt: '2026-09-02T08:35:50.263Z',
              wouldBe: 'rejected',
            },
          ],
          next: null,
        },
      },
    },
    setDecisionRule: {
      path: { organizationId: '65f0c0ffee00000000000001', id: '65f0c0ffee00000000000005' },
      answers: {
        '200': {
          tenant: '65f0c0ffee00000000000005',
          version: 2,
          approveUpTo: '80.00',
          rejectAbove: '110.00',
          withinDays: 30,
          changedAt: '2026-09-02T08:50:04.361Z',
        },
      },
      request: { approveUpTo: '80.00', rejectAbove: '110.00', withinDays: 30 },
    },
    applyDecisionRule: {
      path: { organizationId: '65f0c0ffee00000000000001', id: '65f0c0ffee00000000000005' },
      answers: { '200': { looked: 3, approved: 0, rejected: 3, left: 0, next: null } },
      request: {},
    },
    getDecisionRule: {
      path: { organizationId: '65f0c0ffee00000000000001', id: '65f0c0ffee00000000000005' },
      answers: {
        '200': {
          tenant: '65f0c0ffee00000000000005',
          version: 2,
          approveUpTo: '80.00',
          rejectAbove: '110.00',
          withinDays: 30,
          changedAt: '2026-09-02T08:50:04.361Z',
        },
      },
    },
    removeDecisionRule: {
      path: { organizationId: '65f0c0ffee00000000000001', id: '65f0c0ffee00000000000005' },
      answers: {
        '200': {
          tenant: '65f0c0ffee00000000000005',
          version: 2,
          approveUpTo: '80.00',
          rejectAbove: '110.00',
          withinDays: 30,
          changedAt: '2026-09-02T08:50:04.361Z',
        },
      },
    },
    exportEmployee: {
      path: { organizationId: '65f0c0ffee00000000000001', id: '65f0c0ffee00000000000017' },
      answers: {},
    },
    getEmployeeErasure: {
      path: { organizationId: '65f0c0ffee00000000000001', id: '65f0c0ffee00000000000017' },
      answers: {
        '200': {
          employeeId: '65f0c0ffee00000000000017',
          erasedAt: null,
          possible: false,
          possibleFrom: '2031-01-01',
          reasons: ['order A-2021-000123 has vouchers of the payroll, which are kept until 2031-01-01'],
          orders: 1,
          incidents: 0,
          files: 1,
        },
      },
    },
    getTenantRetention: {
      path: { organizationId: '65f0c0ffee00000000000001', id: '65f0c0ffee00000000000018' },
      answers: {
        '200': {
          tenantId: '65f0c0ffee00000000000018',
          voucherYears: 6,
          otherDays: 0,
          dueCount: 1,
          dueEmployeeIds: ['65f0c0ffee00000000000019'],
          keptCount: 1,
          nextDueOn: '2031-01-01',
          documentCount: 0,
          firstPeriod: null,
          lastPeriod: null,
        },
      },
    },
    eraseEmployee: {
      path: { organizationId: '65f0c0ffee00000000000001', id: '65f0c0ffee00000000000019' },
      answers: {
        '200': {
          employeeId: '65f0c0ffee00000000000019',
          erasedAt: '2026-09-02T08:51:05.368Z',
          possible: true,
          possibleFrom: null,
          reasons: [],
          orders: 0,
          incidents: 0,
          files: 0,
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
              id: '65f0c0ffee0000000000001a',
              createdAt: '2026-09-02T08:20:35.158Z',
              actorType: 'platform_token',
              actorId: '3vQ7kZ9mB2x3',
              actorName: 'back office',
              action: 'tenant.create',
              targetType: 'tenant',
              targetId: '65f0c0ffee00000000000004',
              requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
              address: '127.0.0.1',
              fields: [],
              outcome: 'done',
              reason: null,
              count: 1,
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
              id: '65f0c0ffee0000000000001b',
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
              reason: null,
              count: 1,
            },
          ],
        },
      },
    },
    exportAuditEntries: { path: { organizationId: '65f0c0ffee00000000000001' }, answers: {} },
    exportPlatformAuditEntries: { path: {}, answers: {} },
    updateAuditRetention: {
      path: { organizationId: '65f0c0ffee00000000000001' },
      answers: { '200': { days: 400 } },
      request: { days: 400 },
    },
    getAuditRetention: {
      path: { organizationId: '65f0c0ffee00000000000001' },
      answers: { '200': { days: 400 } },
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
    VALIDATION_ERROR: {
      error: {
        code: 'VALIDATION_ERROR',
        message: 'products.0.netAmount must be a string',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    INVALID_REFERENCE_ID: {
      error: {
        code: 'INVALID_REFERENCE_ID',
        message: 'employeeId must be 24 hexadecimal characters',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    EMPLOYEE_BLOCKED: {
      error: {
        code: 'EMPLOYEE_BLOCKED',
        message:
          'The employee of the order is blocked: unblock the employee before approving, or reject the order',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    ORDER_ALREADY_DECIDED: {
      error: {
        code: 'ORDER_ALREADY_DECIDED',
        message: 'The order has a decision already: read it again',
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
        message: 'Not accepted here: "city"; leave that out, or use name, decisionDays',
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
        message: 'The body is larger than 64 KiB (65,536 bytes); send less at once',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    MISSING_ATTACHMENT: {
      error: {
        code: 'MISSING_ATTACHMENT',
        message: 'The part "file" is missing or empty; send a file with its name in it',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    BAD_GATEWAY: {
      error: {
        code: 'BAD_GATEWAY',
        message: 'The file store failed; try again later',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    GATEWAY_TIMEOUT: {
      error: {
        code: 'GATEWAY_TIMEOUT',
        message: 'The file store was too slow; try again later',
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
    'assignEmployee INVALID_STATE_TRANSITION': {
      error: {
        code: 'INVALID_STATE_TRANSITION',
        message:
          'The employee has a tenant already: nobody is moved to another one, and the public API changes the division',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'assignEmployee DUPLICATE_RESOURCE': {
      error: {
        code: 'DUPLICATE_RESOURCE',
        message: 'employeeNumber is used by another employee of the tenant already',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'assignEmployee INVALID_REFERENCE': {
      error: {
        code: 'INVALID_REFERENCE',
        message: 'tenant must name a tenant of the organization, and divisionId a division of that tenant',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'createOrder DUPLICATE_RESOURCE': {
      error: {
        code: 'DUPLICATE_RESOURCE',
        message:
          'externalId is taken by an order of the organization whose intake said something else; nothing was changed',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'createOrder INVALID_REFERENCE': {
      error: {
        code: 'INVALID_REFERENCE',
        message: 'employeeId must name an employee of the organization whose data were not erased',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'createOrder VALIDATION_ERROR_422': {
      error: {
        code: 'VALIDATION_ERROR',
        message: 'serviceRateSubsidy must not exceed serviceRate',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'handOverOrder VALIDATION_ERROR_422': {
      error: {
        code: 'VALIDATION_ERROR',
        message: 'endDate must not be before startDate',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'recordOrderDecision INVALID_STATE_TRANSITION': {
      error: {
        code: 'INVALID_STATE_TRANSITION',
        message: 'Only an order that is under_review can be decided: read it again',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'makeOrderReady INVALID_STATE_TRANSITION': {
      error: {
        code: 'INVALID_STATE_TRANSITION',
        message:
          'The order is expired and cannot become ready_for_pickup: that state is final; read it again',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'handOverOrder INVALID_STATE_TRANSITION': {
      error: {
        code: 'INVALID_STATE_TRANSITION',
        message: 'The order is expired and cannot become active: that state is final; read it again',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'completeOrder INVALID_STATE_TRANSITION': {
      error: {
        code: 'INVALID_STATE_TRANSITION',
        message: 'The order is expired and cannot become completed: that state is final; read it again',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'cancelOrder INVALID_STATE_TRANSITION': {
      error: {
        code: 'INVALID_STATE_TRANSITION',
        message: 'The order is expired and cannot become cancelled: that state is final; read it again',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'expireOrder INVALID_STATE_TRANSITION': {
      error: {
        code: 'INVALID_STATE_TRANSITION',
        message: 'The order is expired and cannot become expired: that state is final; read it again',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'startIncident INVALID_STATE_TRANSITION': {
      error: {
        code: 'INVALID_STATE_TRANSITION',
        message:
          'The incident is cancelled and cannot become in_progress: that state is final; read it again',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'resolveIncident INVALID_STATE_TRANSITION': {
      error: {
        code: 'INVALID_STATE_TRANSITION',
        message: 'The incident is cancelled and cannot become resolved: that state is final; read it again',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'rejectIncident INVALID_STATE_TRANSITION': {
      error: {
        code: 'INVALID_STATE_TRANSITION',
        message: 'The incident is cancelled and cannot become rejected: that state is final; read it again',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'cancelIncident INVALID_STATE_TRANSITION': {
      error: {
        code: 'INVALID_STATE_TRANSITION',
        message: 'The incident is cancelled and cannot become cancelled: that state is final; read it again',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'tryDecisionRule VALIDATION_ERROR_422': {
      error: {
        code: 'VALIDATION_ERROR',
        message: 'approveUpTo or rejectAbove is required: a rule without both decides nothing',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'setDecisionRule VALIDATION_ERROR_422': {
      error: {
        code: 'VALIDATION_ERROR',
        message: 'approveUpTo or rejectAbove is required: a rule without both decides nothing',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'read INVALID_REFERENCE_ID': {
      error: {
        code: 'INVALID_REFERENCE_ID',
        message: 'id in the path must be 24 hexadecimal characters',
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
    'upload VALIDATION_ERROR': {
      error: {
        code: 'VALIDATION_ERROR',
        message: 'kind must be one of offer, contract, invoice, handover, other',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'upload UNKNOWN_QUERY_PARAMETER': {
      error: {
        code: 'UNKNOWN_QUERY_PARAMETER',
        message: 'Unknown query parameter "type"; use dryRun, kind',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'upload UNSUPPORTED_FIELD': {
      error: {
        code: 'UNSUPPORTED_FIELD',
        message: 'The part "note" is not accepted here; send one part "file"',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'upload UNSUPPORTED_MEDIA_TYPE': {
      error: {
        code: 'UNSUPPORTED_MEDIA_TYPE',
        message: 'The file is no PNG, JPEG, WebP or PDF by its content; send one of these',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'uploadOrderAttachment INVALID_STATE_TRANSITION': {
      error: {
        code: 'INVALID_STATE_TRANSITION',
        message: 'The data of the employee were erased; the order takes no documents any more',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'eraseEmployee INVALID_STATE_TRANSITION': {
      error: {
        code: 'INVALID_STATE_TRANSITION',
        message:
          'Employee 65f0c0ffee00000000000017 cannot be erased now, it can be from 2031-01-01: order A-2021-000123 has vouchers of the payroll, which are kept until 2031-01-01',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
  },
  headers: {
    'X-Request-ID': '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
    Location: '/platform/v1/organizations/65f0c0ffee00000000000001/tenants/65f0c0ffee00000000000004',
    'Content-Disposition':
      'attachment; filename="audit-platform.jsonl"; filename*=UTF-8\'\'audit-platform.jsonl',
    'Retry-After': 18,
  },
};
