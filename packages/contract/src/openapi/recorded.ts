// Written by `npm run examples` from the answers of a live service, whose identifiers and instants are replaced by fixed ones.
import type { Recorded } from './recording.ts';

export const recorded: Recorded = {
  exchanges: {
    createDivision: {
      path: {},
      answers: {
        '200': {
          id: '000000000000000000000000',
          tenant: '65f0c0ffee00000000000002',
          name: 'Vertrieb Süd',
          parentId: '65f0c0ffee00000000000003',
          order: 1.5,
          costCenter: '4711',
          createdAt: '2026-09-02T08:15:30.123Z',
          updatedAt: '2026-09-02T08:15:30.123Z',
        },
        '201': {
          id: '65f0c0ffee00000000000004',
          tenant: '65f0c0ffee00000000000002',
          name: 'Vertrieb Süd',
          parentId: '65f0c0ffee00000000000003',
          order: 1.5,
          costCenter: '4711',
          createdAt: '2026-09-02T08:16:31.130Z',
          updatedAt: '2026-09-02T08:16:31.130Z',
        },
      },
      request: { name: 'Vertrieb Süd', parentId: '65f0c0ffee00000000000003', order: 1.5, costCenter: '4711' },
    },
    getDivision: {
      path: { id: '65f0c0ffee00000000000004' },
      answers: {
        '200': {
          id: '65f0c0ffee00000000000004',
          tenant: '65f0c0ffee00000000000002',
          name: 'Vertrieb Süd',
          parentId: '65f0c0ffee00000000000003',
          order: 1.5,
          costCenter: '4711',
          createdAt: '2026-09-02T08:16:31.130Z',
          updatedAt: '2026-09-02T08:16:31.130Z',
        },
      },
    },
    listDivisions: {
      path: {},
      answers: {
        '200': {
          page: 1,
          pageSize: 100,
          totalPages: 1,
          totalElements: 1,
          items: [
            {
              id: '65f0c0ffee00000000000004',
              tenant: '65f0c0ffee00000000000002',
              name: 'Vertrieb Süd',
              parentId: '65f0c0ffee00000000000003',
              order: 1.5,
              costCenter: '4711',
              createdAt: '2026-09-02T08:16:31.130Z',
              updatedAt: '2026-09-02T08:16:31.130Z',
            },
          ],
        },
      },
    },
    updateDivision: {
      path: { id: '65f0c0ffee00000000000004' },
      answers: {
        '200': {
          id: '65f0c0ffee00000000000004',
          tenant: '65f0c0ffee00000000000002',
          name: 'Vertrieb Süd-West',
          parentId: '65f0c0ffee00000000000003',
          order: 2,
          costCenter: '4711',
          createdAt: '2026-09-02T08:16:31.130Z',
          updatedAt: '2026-09-02T08:17:32.137Z',
        },
      },
      request: { name: 'Vertrieb Süd-West', order: 2 },
    },
    createEmployee: {
      path: {},
      answers: {
        '200': {
          id: '000000000000000000000000',
          email: 'maria.schulz@example.com',
          privateEmail: null,
          employeeNumber: '10042',
          firstName: 'Maria',
          lastName: 'Schulz',
          phoneNumber: '+49 30 1234567',
          street: 'Lange Straße 12',
          postalCode: '10115',
          city: 'Berlin',
          countryCode: 'DE',
          additionalInfo: null,
          blocked: false,
          tenant: '65f0c0ffee00000000000002',
          divisionId: '65f0c0ffee00000000000004',
          createdAt: '2026-09-02T08:18:33.144Z',
          updatedAt: '2026-09-02T08:18:33.144Z',
        },
        '201': {
          id: '65f0c0ffee00000000000005',
          email: 'maria.schulz@example.com',
          privateEmail: null,
          employeeNumber: '10042',
          firstName: 'Maria',
          lastName: 'Schulz',
          phoneNumber: '+49 30 1234567',
          street: 'Lange Straße 12',
          postalCode: '10115',
          city: 'Berlin',
          countryCode: 'DE',
          additionalInfo: null,
          blocked: false,
          tenant: '65f0c0ffee00000000000002',
          divisionId: '65f0c0ffee00000000000004',
          createdAt: '2026-09-02T08:19:34.151Z',
          updatedAt: '2026-09-02T08:19:34.151Z',
        },
      },
      request: {
        email: 'maria.schulz@example.com',
        firstName: 'Maria',
        lastName: 'Schulz',
        employeeNumber: '10042',
        street: 'Lange Straße 12',
        postalCode: '10115',
        city: 'Berlin',
        countryCode: 'DE',
        phoneNumber: '+49 30 1234567',
        divisionId: '65f0c0ffee00000000000004',
      },
    },
    getEmployee: {
      path: { id: '65f0c0ffee00000000000005' },
      answers: {
        '200': {
          id: '65f0c0ffee00000000000005',
          email: 'maria.schulz@example.com',
          privateEmail: null,
          employeeNumber: '10042',
          firstName: 'Maria',
          lastName: 'Schulz',
          phoneNumber: '+49 30 1234567',
          street: 'Lange Straße 12',
          postalCode: '10115',
          city: 'Berlin',
          countryCode: 'DE',
          additionalInfo: null,
          blocked: false,
          tenant: '65f0c0ffee00000000000002',
          divisionId: '65f0c0ffee00000000000004',
          createdAt: '2026-09-02T08:19:34.151Z',
          updatedAt: '2026-09-02T08:19:34.151Z',
        },
      },
    },
    listEmployees: {
      path: {},
      answers: {
        '200': {
          page: 1,
          pageSize: 100,
          totalPages: 1,
          totalElements: 1,
          items: [
            {
              id: '65f0c0ffee00000000000005',
              email: 'maria.schulz@example.com',
              privateEmail: null,
              employeeNumber: '10042',
              firstName: 'Maria',
              lastName: 'Schulz',
              phoneNumber: null,
              street: 'Elbchaussee 7',
              postalCode: '22765',
              city: 'Hamburg',
              countryCode: 'DE',
              additionalInfo: null,
              blocked: false,
              tenant: '65f0c0ffee00000000000002',
              divisionId: '65f0c0ffee00000000000004',
              createdAt: '2026-09-02T08:19:34.151Z',
              updatedAt: '2026-09-02T08:20:35.158Z',
            },
          ],
        },
      },
    },
    updateEmployee: {
      path: { id: '65f0c0ffee00000000000005' },
      answers: {
        '200': {
          id: '65f0c0ffee00000000000005',
          email: 'maria.schulz@example.com',
          privateEmail: null,
          employeeNumber: '10042',
          firstName: 'Maria',
          lastName: 'Schulz',
          phoneNumber: null,
          street: 'Elbchaussee 7',
          postalCode: '22765',
          city: 'Hamburg',
          countryCode: 'DE',
          additionalInfo: null,
          blocked: false,
          tenant: '65f0c0ffee00000000000002',
          divisionId: '65f0c0ffee00000000000004',
          createdAt: '2026-09-02T08:19:34.151Z',
          updatedAt: '2026-09-02T08:20:35.158Z',
        },
      },
      request: { street: 'Elbchaussee 7', postalCode: '22765', city: 'Hamburg', phoneNumber: null },
    },
    getOrder: {
      path: { id: '65f0c0ffee00000000000006' },
      answers: {
        '200': {
          id: '65f0c0ffee00000000000006',
          orderNumber: 'A-2026-000123',
          employeeId: '65f0c0ffee00000000000005',
          status: 'under_review',
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
          attachments: [
            {
              id: '65f0c0ffee00000000000007',
              kind: 'offer',
              fileName: 'angebot.pdf',
              mediaType: 'application/pdf',
              size: 15,
              createdAt: '2026-09-02T08:22:37.172Z',
            },
          ],
          hrHistory: null,
          submittedAt: '2026-09-02T08:21:00.000Z',
          createdAt: '2026-09-02T08:21:36.165Z',
          updatedAt: '2026-09-02T08:22:37.172Z',
        },
      },
    },
    listOrders: {
      path: {},
      answers: {
        '200': {
          page: 1,
          pageSize: 100,
          totalPages: 1,
          totalElements: 1,
          items: [
            {
              id: '65f0c0ffee00000000000006',
              orderNumber: 'A-2026-000123',
              employeeId: '65f0c0ffee00000000000005',
              status: 'under_review',
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
              attachments: [
                {
                  id: '65f0c0ffee00000000000007',
                  kind: 'offer',
                  fileName: 'angebot.pdf',
                  mediaType: 'application/pdf',
                  size: 15,
                  createdAt: '2026-09-02T08:22:37.172Z',
                },
              ],
              hrHistory: null,
              submittedAt: '2026-09-02T08:21:00.000Z',
              createdAt: '2026-09-02T08:21:36.165Z',
              updatedAt: '2026-09-02T08:22:37.172Z',
            },
          ],
        },
      },
    },
    decideOrder: {
      path: { id: '65f0c0ffee00000000000006' },
      answers: {
        '200': {
          id: '65f0c0ffee00000000000006',
          orderNumber: 'A-2026-000123',
          employeeId: '65f0c0ffee00000000000005',
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
          attachments: [
            {
              id: '65f0c0ffee00000000000007',
              kind: 'offer',
              fileName: 'angebot.pdf',
              mediaType: 'application/pdf',
              size: 15,
              createdAt: '2026-09-02T08:22:37.172Z',
            },
          ],
          hrHistory: {
            decision: 'approved',
            decisionBy: null,
            source: 'api_key',
            comment: 'Budget geprüft',
            decidedAt: '2026-09-02T08:23:38.179Z',
          },
          submittedAt: '2026-09-02T08:21:00.000Z',
          createdAt: '2026-09-02T08:21:36.165Z',
          updatedAt: '2026-09-02T08:23:38.179Z',
        },
      },
      request: { decision: 'approved', comment: 'Budget geprüft' },
    },
    downloadOrderAttachment: {
      path: { id: '65f0c0ffee00000000000006', attachmentId: '65f0c0ffee00000000000007' },
      answers: {},
    },
    createIncident: {
      path: {},
      answers: {
        '200': {
          id: '000000000000000000000000',
          incidentNumber: 'S-2026-000001',
          employeeId: '65f0c0ffee00000000000005',
          orderId: '65f0c0ffee00000000000006',
          type: 'theft',
          requestedSolution: 'replacement',
          occurredOn: '2026-09-02',
          effectiveFrom: null,
          effectiveTo: null,
          description: 'Am Bahnhof gestohlen, das Schloss lag aufgebrochen daneben',
          policeReference: 'ST/0123456/2026',
          status: 'completed',
          editable: true,
          attachments: [],
          createdAt: '2026-09-02T08:24:39.186Z',
          updatedAt: '2026-09-02T08:24:39.186Z',
        },
        '201': {
          id: '65f0c0ffee00000000000008',
          incidentNumber: 'S-2026-000001',
          employeeId: '65f0c0ffee00000000000005',
          orderId: '65f0c0ffee00000000000006',
          type: 'theft',
          requestedSolution: 'replacement',
          occurredOn: '2026-09-02',
          effectiveFrom: null,
          effectiveTo: null,
          description: 'Am Bahnhof gestohlen, das Schloss lag aufgebrochen daneben',
          policeReference: 'ST/0123456/2026',
          status: 'completed',
          editable: true,
          attachments: [],
          createdAt: '2026-09-02T08:25:40.193Z',
          updatedAt: '2026-09-02T08:25:40.193Z',
        },
      },
      request: {
        employeeId: '65f0c0ffee00000000000005',
        type: 'theft',
        orderId: '65f0c0ffee00000000000006',
        requestedSolution: 'replacement',
        occurredOn: '2026-09-02',
        description: 'Am Bahnhof gestohlen, das Schloss lag aufgebrochen daneben',
        policeReference: 'ST/0123456/2026',
      },
    },
    uploadIncidentAttachment: {
      path: { id: '65f0c0ffee00000000000008' },
      answers: {
        '200': {
          id: '000000000000000000000000',
          fileName: 'schaden.png',
          mediaType: 'image/png',
          size: 16,
          createdAt: '2026-09-02T08:26:41.200Z',
        },
        '201': {
          id: '65f0c0ffee00000000000009',
          fileName: 'schaden.png',
          mediaType: 'image/png',
          size: 16,
          createdAt: '2026-09-02T08:27:42.207Z',
        },
      },
    },
    getIncident: {
      path: { id: '65f0c0ffee00000000000008' },
      answers: {
        '200': {
          id: '65f0c0ffee00000000000008',
          incidentNumber: 'S-2026-000001',
          employeeId: '65f0c0ffee00000000000005',
          orderId: '65f0c0ffee00000000000006',
          type: 'theft',
          requestedSolution: 'replacement',
          occurredOn: '2026-09-02',
          effectiveFrom: null,
          effectiveTo: null,
          description: 'Am Bahnhof gestohlen, das Schloss lag aufgebrochen daneben',
          policeReference: 'ST/0123456/2026',
          status: 'completed',
          editable: true,
          attachments: [
            {
              id: '65f0c0ffee00000000000009',
              fileName: 'schaden.png',
              mediaType: 'image/png',
              size: 16,
              createdAt: '2026-09-02T08:27:42.207Z',
            },
          ],
          createdAt: '2026-09-02T08:25:40.193Z',
          updatedAt: '2026-09-02T08:27:42.207Z',
        },
      },
    },
    listIncidents: {
      path: {},
      answers: {
        '200': {
          page: 1,
          pageSize: 100,
          totalPages: 1,
          totalElements: 1,
          items: [
            {
              id: '65f0c0ffee00000000000008',
              incidentNumber: 'S-2026-000001',
              employeeId: '65f0c0ffee00000000000005',
              orderId: '65f0c0ffee00000000000006',
              type: 'theft',
              requestedSolution: 'replacement',
              occurredOn: '2026-09-02',
              effectiveFrom: null,
              effectiveTo: null,
              description: 'Am Bahnhof gestohlen, das Schloss lag aufgebrochen daneben',
              policeReference: 'ST/0123456/2026',
              status: 'completed',
              editable: true,
              attachments: [
                {
                  id: '65f0c0ffee00000000000009',
                  fileName: 'schaden.png',
                  mediaType: 'image/png',
                  size: 16,
                  createdAt: '2026-09-02T08:27:42.207Z',
                },
              ],
              createdAt: '2026-09-02T08:25:40.193Z',
              updatedAt: '2026-09-02T08:27:42.207Z',
            },
          ],
        },
      },
    },
    updateIncident: {
      path: { id: '65f0c0ffee00000000000008' },
      answers: {
        '200': {
          id: '65f0c0ffee00000000000008',
          incidentNumber: 'S-2026-000001',
          employeeId: '65f0c0ffee00000000000005',
          orderId: '65f0c0ffee00000000000006',
          type: 'theft',
          requestedSolution: 'early_purchase',
          occurredOn: '2026-09-02',
          effectiveFrom: null,
          effectiveTo: null,
          description: 'Am Bahnhof gestohlen, das Schloss lag aufgebrochen daneben',
          policeReference: 'ST/0123456/2026',
          status: 'completed',
          editable: true,
          attachments: [
            {
              id: '65f0c0ffee00000000000009',
              fileName: 'schaden.png',
              mediaType: 'image/png',
              size: 16,
              createdAt: '2026-09-02T08:27:42.207Z',
            },
          ],
          createdAt: '2026-09-02T08:25:40.193Z',
          updatedAt: '2026-09-02T08:28:43.214Z',
        },
      },
      request: { requestedSolution: 'early_purchase' },
    },
    getPayrollExportDocument: {
      path: { id: '65f0c0ffee0000000000000a' },
      answers: {
        '200': {
          id: '65f0c0ffee0000000000000a',
          tenant: '65f0c0ffee00000000000002',
          divisionId: null,
          period: '2026-08',
          format: 'datev_lodas',
          status: 'available',
          fileName: 'lohn-2026-08.txt',
          mediaType: 'text/plain',
          size: 19,
          sha256: '01f1c8422135f20f2c6068a73ed2a072ee5d32d535fe7ccb5a448dda27607d14',
          rowCount: 1,
          skippedCount: 0,
          generatedAt: '2026-09-02T08:29:44.221Z',
          createdAt: '2026-09-02T08:29:44.221Z',
          updatedAt: '2026-09-02T08:29:44.221Z',
        },
      },
    },
    listPayrollExportDocuments: {
      path: {},
      answers: {
        '200': {
          page: 1,
          pageSize: 100,
          totalPages: 1,
          totalElements: 1,
          items: [
            {
              id: '65f0c0ffee0000000000000a',
              tenant: '65f0c0ffee00000000000002',
              divisionId: null,
              period: '2026-08',
              format: 'datev_lodas',
              status: 'available',
              fileName: 'lohn-2026-08.txt',
              mediaType: 'text/plain',
              size: 19,
              sha256: '01f1c8422135f20f2c6068a73ed2a072ee5d32d535fe7ccb5a448dda27607d14',
              rowCount: 1,
              skippedCount: 0,
              generatedAt: '2026-09-02T08:29:44.221Z',
              createdAt: '2026-09-02T08:29:44.221Z',
              updatedAt: '2026-09-02T08:29:44.221Z',
            },
          ],
        },
      },
    },
    downloadPayrollExportDocument: { path: { id: '65f0c0ffee0000000000000a' }, answers: {} },
    getHealth: { path: {}, answers: { '200': { status: 'ok', version: '1.0.0' } } },
  },
  errors: {
    VALIDATION_ERROR: {
      error: {
        code: 'VALIDATION_ERROR',
        message: 'pageSize must be a whole number from 1 to 1000, in decimal digits',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    VALIDATION_ERROR_422: {
      error: {
        code: 'VALIDATION_ERROR',
        message: 'createdAtFrom must not be later than createdAtTo',
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
        message:
          'Unknown query parameter "pagesize"; did you mean pageSize? use page, pageSize, sort, filter, createdAtFrom, createdAtTo',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    UNSUPPORTED_HEADER: {
      error: {
        code: 'UNSUPPORTED_HEADER',
        message: 'if-match is not supported; leave it out',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    INVALID_FILTER_SYNTAX: {
      error: {
        code: 'INVALID_FILTER_SYNTAX',
        message:
          'filter, position 8: expected a value, found the keyword NULL. Test for null with IS NULL or IS NOT NULL; put the text null in quotes.',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    UNSUPPORTED_FILTER_FIELD: {
      error: {
        code: 'UNSUPPORTED_FILTER_FIELD',
        message:
          'filter does not take the field lastname; did you mean lastName? use id, email, privateEmail, employeeNumber, firstName, lastName, phoneNumber, street, postalCode, city, countryCode, additionalInfo, blocked, tenant, divisionId, createdAt, updatedAt',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    UNSUPPORTED_FILTER_OPERATOR: {
      error: {
        code: 'UNSUPPORTED_FILTER_OPERATOR',
        message: 'blocked does not take >; use =, !=, IN, IS NULL, IS NOT NULL',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    UNSUPPORTED_SORT_FIELD: {
      error: {
        code: 'UNSUPPORTED_SORT_FIELD',
        message:
          'sort does not take updated; did you mean updatedAt? use id, email, privateEmail, employeeNumber, firstName, lastName, phoneNumber, street, postalCode, city, countryCode, additionalInfo, blocked, tenant, divisionId, createdAt, updatedAt',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    UNSUPPORTED_FIELD: {
      error: {
        code: 'UNSUPPORTED_FIELD',
        message:
          'Not accepted here: "tenant"; leave that out, or use firstName, lastName, privateEmail, employeeNumber, phoneNumber, street, postalCode, city, countryCode, additionalInfo, blocked, divisionId',
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
    INVALID_API_KEY: {
      error: {
        code: 'INVALID_API_KEY',
        message: 'Send a valid, active API key in the header X-API-Key',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    TENANT_NOT_IN_SCOPE: {
      error: {
        code: 'TENANT_NOT_IN_SCOPE',
        message: 'The tenant of X-Tenant-ID is not in the scope of the key',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    NOT_FOUND: {
      error: {
        code: 'NOT_FOUND',
        message: 'No employee with this id is visible to the key',
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
    PAYLOAD_TOO_LARGE: {
      error: {
        code: 'PAYLOAD_TOO_LARGE',
        message: 'The body is larger than 5 MiB (5,242,880 bytes); send less at once',
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
    INVALID_REFERENCE: {
      error: {
        code: 'INVALID_REFERENCE',
        message: 'divisionId must name a division of the same tenant in the scope of the key',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    TENANT_CONTEXT_AMBIGUOUS: {
      error: {
        code: 'TENANT_CONTEXT_AMBIGUOUS',
        message: 'The tenant of the employee cannot be inferred: send X-Tenant-ID, or a divisionId',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    EMPLOYEE_PLACEMENT_AMBIGUOUS: {
      error: {
        code: 'EMPLOYEE_PLACEMENT_AMBIGUOUS',
        message:
          'The key covers several divisions of the tenant: send divisionId to say which one the employee belongs to',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    DUPLICATE_RESOURCE: {
      error: {
        code: 'DUPLICATE_RESOURCE',
        message: 'email is used by another employee of the organization already',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    DIVISION_NAME_NOT_UNIQUE_ON_SAME_LEVEL: {
      error: {
        code: 'DIVISION_NAME_NOT_UNIQUE_ON_SAME_LEVEL',
        message: 'name: a division of this name exists on the same level; choose another name',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    DIVISION_CYCLE: {
      error: {
        code: 'DIVISION_CYCLE',
        message: 'parentId must not name the division itself or one below it; choose another parent',
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
    INVALID_STATE_TRANSITION: {
      error: {
        code: 'INVALID_STATE_TRANSITION',
        message: 'Only an order that is under_review can be decided: read it again',
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
    EMPLOYEE_NOT_ACTIVATED: {
      error: {
        code: 'EMPLOYEE_NOT_ACTIVATED',
        message:
          'employeeId: the referenced employee is not activated; report the incident once the activation is complete',
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
    FILE_NOT_FOUND: {
      error: {
        code: 'FILE_NOT_FOUND',
        message: 'No file was produced for this document: its fileName is null; do not download it',
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
    RATE_LIMIT_EXCEEDED: {
      error: {
        code: 'RATE_LIMIT_EXCEEDED',
        message: 'The quota of the key is used up; wait 18 seconds, as Retry-After says',
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
    'read VALIDATION_ERROR': {
      error: {
        code: 'VALIDATION_ERROR',
        message: 'X-Tenant-ID must be 24 hexadecimal characters',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'read UNKNOWN_QUERY_PARAMETER': {
      error: {
        code: 'UNKNOWN_QUERY_PARAMETER',
        message: 'Unknown query parameter "fields"; this operation has none',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'write UNKNOWN_QUERY_PARAMETER': {
      error: {
        code: 'UNKNOWN_QUERY_PARAMETER',
        message: 'Unknown query parameter "dryrun"; did you mean dryRun? use dryRun',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'upload VALIDATION_ERROR': {
      error: {
        code: 'VALIDATION_ERROR',
        message: 'X-Tenant-ID must be 24 hexadecimal characters',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'upload UNKNOWN_QUERY_PARAMETER': {
      error: {
        code: 'UNKNOWN_QUERY_PARAMETER',
        message: 'Unknown query parameter "dryrun"; did you mean dryRun? use dryRun',
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
    'listDivisions UNSUPPORTED_FILTER_FIELD': {
      error: {
        code: 'UNSUPPORTED_FILTER_FIELD',
        message:
          'filter does not take the field costcenter; did you mean costCenter? use id, tenant, name, parentId, order, costCenter, createdAt, updatedAt',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'listDivisions UNSUPPORTED_FILTER_OPERATOR': {
      error: {
        code: 'UNSUPPORTED_FILTER_OPERATOR',
        message: 'order does not take CONTAINS; use >, >=, <, <=, =, !=, IN, IS NULL, IS NOT NULL',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'listDivisions UNSUPPORTED_SORT_FIELD': {
      error: {
        code: 'UNSUPPORTED_SORT_FIELD',
        message:
          'sort does not take position; use id, tenant, name, parentId, order, costCenter, createdAt, updatedAt',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'listOrders UNSUPPORTED_FILTER_FIELD': {
      error: {
        code: 'UNSUPPORTED_FILTER_FIELD',
        message:
          'filter does not take the field orderNo; use id, orderNumber, employeeId, status, submittedAt, createdAt, updatedAt',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'listOrders UNSUPPORTED_FILTER_OPERATOR': {
      error: {
        code: 'UNSUPPORTED_FILTER_OPERATOR',
        message: 'status does not take >; use =, !=, IN, IS NULL, IS NOT NULL',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'listOrders UNSUPPORTED_SORT_FIELD': {
      error: {
        code: 'UNSUPPORTED_SORT_FIELD',
        message:
          'sort does not take tenant; use id, orderNumber, employeeId, status, submittedAt, createdAt, updatedAt',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'listIncidents UNSUPPORTED_FILTER_FIELD': {
      error: {
        code: 'UNSUPPORTED_FILTER_FIELD',
        message:
          'filter does not take the field incidenttype; use id, incidentNumber, employeeId, orderId, type, requestedSolution, occurredOn, effectiveFrom, effectiveTo, description, policeReference, status, editable, createdAt, updatedAt',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'listIncidents UNSUPPORTED_FILTER_OPERATOR': {
      error: {
        code: 'UNSUPPORTED_FILTER_OPERATOR',
        message: 'type does not take CONTAINS; use =, !=, IN, IS NULL, IS NOT NULL',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'listIncidents UNSUPPORTED_SORT_FIELD': {
      error: {
        code: 'UNSUPPORTED_SORT_FIELD',
        message:
          'sort does not take reportedAt; use id, incidentNumber, employeeId, orderId, type, requestedSolution, occurredOn, effectiveFrom, effectiveTo, description, policeReference, status, editable, createdAt, updatedAt',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'listPayrollExportDocuments UNSUPPORTED_FILTER_FIELD': {
      error: {
        code: 'UNSUPPORTED_FILTER_FIELD',
        message:
          'filter does not take the field periode; did you mean period? use id, tenant, divisionId, period, format, status, fileName, mediaType, size, sha256, rowCount, skippedCount, generatedAt, createdAt, updatedAt',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'listPayrollExportDocuments UNSUPPORTED_FILTER_OPERATOR': {
      error: {
        code: 'UNSUPPORTED_FILTER_OPERATOR',
        message: 'status does not take >; use =, !=, IN, IS NULL, IS NOT NULL',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'listPayrollExportDocuments UNSUPPORTED_SORT_FIELD': {
      error: {
        code: 'UNSUPPORTED_SORT_FIELD',
        message:
          'sort does not take month; use id, tenant, divisionId, period, format, status, fileName, mediaType, size, sha256, rowCount, skippedCount, generatedAt, createdAt, updatedAt',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'createEmployee UNSUPPORTED_FIELD': {
      error: {
        code: 'UNSUPPORTED_FIELD',
        message:
          'Not accepted here: "name"; leave that out, or use email, firstName, lastName, privateEmail, employeeNumber, phoneNumber, street, postalCode, city, countryCode, additionalInfo, blocked, divisionId',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'createEmployee VALIDATION_ERROR': {
      error: {
        code: 'VALIDATION_ERROR',
        message: 'countryCode must be two uppercase letters, such as "DE"',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'updateEmployee VALIDATION_ERROR': {
      error: {
        code: 'VALIDATION_ERROR',
        message: 'countryCode must be two uppercase letters, such as "DE"; blocked must be true or false',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'createDivision UNSUPPORTED_FIELD': {
      error: {
        code: 'UNSUPPORTED_FIELD',
        message:
          'Not accepted here: "parent" (did you mean parentId?); leave that out, or use name, parentId, order, costCenter',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'createDivision VALIDATION_ERROR': {
      error: {
        code: 'VALIDATION_ERROR',
        message: 'order must be a number',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'updateDivision UNSUPPORTED_FIELD': {
      error: {
        code: 'UNSUPPORTED_FIELD',
        message: 'Not accepted here: "id"; leave that out, or use name, parentId, order, costCenter',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'updateDivision VALIDATION_ERROR': {
      error: {
        code: 'VALIDATION_ERROR',
        message: 'name must not be empty',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'decideOrder UNSUPPORTED_FIELD': {
      error: {
        code: 'UNSUPPORTED_FIELD',
        message: 'Not accepted here: "reason"; leave that out, or use decision, comment',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'decideOrder VALIDATION_ERROR': {
      error: {
        code: 'VALIDATION_ERROR',
        message: 'decision must be one of "approved", "rejected"',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'createIncident UNSUPPORTED_FIELD': {
      error: {
        code: 'UNSUPPORTED_FIELD',
        message:
          'Not accepted here: "date"; leave that out, or use employeeId, type, orderId, requestedSolution, occurredOn, effectiveFrom, effectiveTo, description, policeReference',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'createIncident VALIDATION_ERROR': {
      error: {
        code: 'VALIDATION_ERROR',
        message:
          'type must be one of "termination", "long_term_illness", "maternity_leave", "parental_leave", "unpaid_leave", "release", "retirement", "death", "employer_change", "theft", "damage", "accident", "loss", "other"; occurredOn must be a date of the calendar, from the year 0001 on, such as "2026-09-02"',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'updateIncident UNSUPPORTED_FIELD': {
      error: {
        code: 'UNSUPPORTED_FIELD',
        message:
          'Not accepted here: "status"; leave that out, or use type, orderId, requestedSolution, occurredOn, effectiveFrom, effectiveTo, description, policeReference',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'updateIncident VALIDATION_ERROR': {
      error: {
        code: 'VALIDATION_ERROR',
        message: 'occurredOn must be a date of the calendar, from the year 0001 on, such as "2026-09-02"',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'getHealth VALIDATION_ERROR': {
      error: {
        code: 'VALIDATION_ERROR',
        message: 'The query parameter "verbose" has a NUL character',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'getDivision NOT_FOUND': {
      error: {
        code: 'NOT_FOUND',
        message: 'No division with this id is visible to the key',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'updateDivision NOT_FOUND': {
      error: {
        code: 'NOT_FOUND',
        message: 'No division with this id is visible to the key',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'getOrder NOT_FOUND': {
      error: {
        code: 'NOT_FOUND',
        message: 'No order with this id is visible to the key',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'decideOrder NOT_FOUND': {
      error: {
        code: 'NOT_FOUND',
        message: 'No order with this id is visible to the key',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'downloadOrderAttachment NOT_FOUND': {
      error: {
        code: 'NOT_FOUND',
        message: 'No such attachment of an order is visible to the key',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'downloadOrderAttachment NOT_ACCEPTABLE': {
      error: {
        code: 'NOT_ACCEPTABLE',
        message:
          'The answer is application/pdf or image/png or image/jpeg or image/webp or application/json; allow that in Accept, or leave it out',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'getIncident NOT_FOUND': {
      error: {
        code: 'NOT_FOUND',
        message: 'No incident with this id is visible to the key',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'updateIncident NOT_FOUND': {
      error: {
        code: 'NOT_FOUND',
        message: 'No incident with this id is visible to the key',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'uploadIncidentAttachment NOT_FOUND': {
      error: {
        code: 'NOT_FOUND',
        message: 'No incident with this id is visible to the key',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'getPayrollExportDocument NOT_FOUND': {
      error: {
        code: 'NOT_FOUND',
        message: 'No payroll export document with this id is visible to the key',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'downloadPayrollExportDocument NOT_FOUND': {
      error: {
        code: 'NOT_FOUND',
        message: 'No payroll export document with this id is visible to the key',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'downloadPayrollExportDocument NOT_ACCEPTABLE': {
      error: {
        code: 'NOT_ACCEPTABLE',
        message:
          'The answer is text/csv or text/plain or application/json; allow that in Accept, or leave it out',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'createEmployee INVALID_REFERENCE_ID': {
      error: {
        code: 'INVALID_REFERENCE_ID',
        message: 'divisionId must be 24 hexadecimal characters',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'updateEmployee DUPLICATE_RESOURCE': {
      error: {
        code: 'DUPLICATE_RESOURCE',
        message: 'employeeNumber is used by another employee of the tenant already',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'createDivision INVALID_REFERENCE_ID': {
      error: {
        code: 'INVALID_REFERENCE_ID',
        message: 'parentId must be 24 hexadecimal characters',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'createDivision INVALID_REFERENCE': {
      error: {
        code: 'INVALID_REFERENCE',
        message: 'parentId must name a division of the same tenant in the scope of the key',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'createDivision TENANT_CONTEXT_AMBIGUOUS': {
      error: {
        code: 'TENANT_CONTEXT_AMBIGUOUS',
        message: 'The tenant of the division cannot be inferred: send X-Tenant-ID, or a parentId',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'createDivision VALIDATION_ERROR_422': {
      error: {
        code: 'VALIDATION_ERROR',
        message: 'parentId is required with this key, which does not cover the whole tenant',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'updateDivision INVALID_REFERENCE': {
      error: {
        code: 'INVALID_REFERENCE',
        message: 'parentId must name a division of the same tenant in the scope of the key',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'updateDivision VALIDATION_ERROR_422': {
      error: {
        code: 'VALIDATION_ERROR',
        message: 'parentId: a division tree is at most 20 levels deep; choose a higher parent',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'createIncident EMPLOYEE_BLOCKED': {
      error: {
        code: 'EMPLOYEE_BLOCKED',
        message: 'employeeId: the account of the referenced employee is blocked; unblock it first',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'createIncident INVALID_REFERENCE_ID': {
      error: {
        code: 'INVALID_REFERENCE_ID',
        message: 'orderId must be 24 hexadecimal characters',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'createIncident INVALID_REFERENCE': {
      error: {
        code: 'INVALID_REFERENCE',
        message: 'orderId must name an order of the employee',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'createIncident VALIDATION_ERROR_422': {
      error: {
        code: 'VALIDATION_ERROR',
        message: 'effectiveTo must not be before effectiveFrom',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'updateIncident INVALID_REFERENCE': {
      error: {
        code: 'INVALID_REFERENCE',
        message: 'orderId must name an order of the employee',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'updateIncident VALIDATION_ERROR_422': {
      error: {
        code: 'VALIDATION_ERROR',
        message: 'effectiveTo must not be before effectiveFrom',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'uploadIncidentAttachment INVALID_STATE_TRANSITION': {
      error: {
        code: 'INVALID_STATE_TRANSITION',
        message: 'The incident is draft; files can be attached while it is completed and editable',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'updateIncident INVALID_STATE_TRANSITION': {
      error: {
        code: 'INVALID_STATE_TRANSITION',
        message: 'The incident is cancelled and can no longer be changed; read it again',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
    'downloadOrderAttachment FILE_NOT_FOUND': {
      error: {
        code: 'FILE_NOT_FOUND',
        message: 'The file of this resource is not available',
        requestId: '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
      },
    },
  },
  headers: {
    Location: '/v1/employees/65f0c0ffee00000000000005',
    'Content-Disposition': 'attachment; filename="lohn-2026-08.txt"; filename*=UTF-8\'\'lohn-2026-08.txt',
    'X-Request-ID': '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21',
    'RateLimit-Policy': '"default";q=600;w=60',
    RateLimit: '"default";r=599;t=60',
    'Retry-After': 18,
  },
};
