import type {
  ApiPromise,
  RequestOptions,
  Division,
  Employee,
  Incident,
  Kontor,
  Order,
  PayrollExportDocument,
} from '@kontor/sdk';

interface Resources {
  divisions: Division;
  employees: Employee;
  orders: Order;
  incidents: Incident;
  'payroll-export-documents': PayrollExportDocument;
}

export type ResourceType = keyof Resources;
export type Resource = Resources[ResourceType];

/** The fields of each type in the order of the contract: the columns of its view and of its CSV file. */
export const fieldsOf = {
  divisions: ['id', 'tenant', 'name', 'parentId', 'order', 'costCenter', 'createdAt', 'updatedAt'],
  employees: [
    'id',
    'email',
    'privateEmail',
    'employeeNumber',
    'firstName',
    'lastName',
    'phoneNumber',
    'street',
    'postalCode',
    'city',
    'countryCode',
    'additionalInfo',
    'blocked',
    'tenant',
    'divisionId',
    'createdAt',
    'updatedAt',
  ],
  orders: [
    'id',
    'orderNumber',
    'employeeId',
    'status',
    'products',
    'contract',
    'attachments',
    'hrHistory',
    'submittedAt',
    'createdAt',
    'updatedAt',
  ],
  incidents: [
    'id',
    'incidentNumber',
    'employeeId',
    'orderId',
    'type',
    'requestedSolution',
    'occurredOn',
    'effectiveFrom',
    'effectiveTo',
    'description',
    'policeReference',
    'status',
    'editable',
    'attachments',
    'createdAt',
    'updatedAt',
  ],
  'payroll-export-documents': [
    'id',
    'tenant',
    'divisionId',
    'period',
    'format',
    'status',
    'fileName',
    'mediaType',
    'size',
    'sha256',
    'rowCount',
    'skippedCount',
    'generatedAt',
    'createdAt',
    'updatedAt',
  ],
} as const satisfies { [Type in ResourceType]: readonly (keyof Resources[Type])[] };

export const resourceTypes = Object.keys(fieldsOf) as ResourceType[];

/** A page or changes of any type. */
interface Rows {
  readonly items: readonly Resource[];
}

/** The part of a collection of the client that reads any type. */
export interface Reader {
  list(options: RequestOptions & { readonly sort: 'updatedAt' | '-updatedAt'; readonly pageSize: number }): {
    page(): ApiPromise<Rows & { readonly totalElements: number }>;
  };
  changes(options: { readonly since: string | null }): {
    pages(): AsyncIterable<Rows & { readonly checkpoint: string }>;
  };
}

export function readerOf(kontor: Kontor, type: ResourceType): Reader {
  return type === 'payroll-export-documents' ? kontor.payrollExportDocuments : kontor[type];
}
