// Generated from @kontor/contract by `npm run generate`. Change the contract instead.

export const prefix = '/v1';

/** The version of this client. */
export const version = '0.3.0';

/** One of the known values, or one that a newer service has. */
export type Open<Known extends string> = Known | (string & Record<never, never>);

/** A field to sort by, descending with a leading `-`. */
export type Sort<Field extends string> = Open<Field | `-${Field}`>;

/** Master data of an employee */
export interface Employee {
  /** Unique identifier of the employee */
  readonly id: string;
  /** Work address of the employee account; unique in the organization, not editable after creation */
  readonly email: string;
  /** Private address; null when none is stored */
  readonly privateEmail: string | null;
  /** Personnel number of the customer; unique in the tenant */
  readonly employeeNumber: string | null;
  /** First name */
  readonly firstName: string | null;
  /** Last name */
  readonly lastName: string | null;
  /** Phone number */
  readonly phoneNumber: string | null;
  /** Street and house number */
  readonly street: string | null;
  /** Postal code */
  readonly postalCode: string | null;
  /** City */
  readonly city: string | null;
  /** Two uppercase letters */
  readonly countryCode: string | null;
  /** Further information on the employee or the address */
  readonly additionalInfo: string | null;
  /** Whether the account is blocked */
  readonly blocked: boolean;
  /** Tenant (company) of the employee; null when none is assigned */
  readonly tenant: string | null;
  /** Division of the employee, inside the tenant; null when none is assigned */
  readonly divisionId: string | null;
  /** When the employee was created; in UTC, with milliseconds and `Z` */
  readonly createdAt: string;
  /** When the employee last changed; strictly increasing per organization in commit order; in UTC, with milliseconds and `Z` */
  readonly updatedAt: string;
}

/** Stable, case-sensitive code; `docs/errors.md` explains each one */
export type ErrorCode = Open<'VALIDATION_ERROR' | 'INVALID_REQUEST_ID' | 'UNKNOWN_QUERY_PARAMETER' | 'UNSUPPORTED_HEADER' | 'INVALID_FILTER_SYNTAX' | 'UNSUPPORTED_FILTER_FIELD' | 'UNSUPPORTED_FILTER_OPERATOR' | 'UNSUPPORTED_SORT_FIELD' | 'UNSUPPORTED_FIELD' | 'INVALID_REFERENCE_ID' | 'MISSING_ATTACHMENT' | 'INVALID_API_KEY' | 'TENANT_NOT_IN_SCOPE' | 'NOT_FOUND' | 'FILE_NOT_FOUND' | 'NOT_ACCEPTABLE' | 'DIVISION_CYCLE' | 'DIVISION_NAME_NOT_UNIQUE_ON_SAME_LEVEL' | 'DUPLICATE_RESOURCE' | 'INVALID_STATE_TRANSITION' | 'ORDER_ALREADY_DECIDED' | 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE' | 'TENANT_CONTEXT_AMBIGUOUS' | 'EMPLOYEE_PLACEMENT_AMBIGUOUS' | 'INVALID_REFERENCE' | 'EMPLOYEE_NOT_ACTIVATED' | 'EMPLOYEE_BLOCKED' | 'RATE_LIMIT_EXCEEDED' | 'INTERNAL_SERVER_ERROR' | 'BAD_GATEWAY' | 'SERVICE_UNAVAILABLE' | 'GATEWAY_TIMEOUT'>;

/** A new employee */
export interface EmployeeCreate {
  /** Work address of the employee account; unique in the organization, not editable after creation */
  email: string;
  /** First name */
  firstName: string;
  /** Last name */
  lastName: string;
  /** Private address; null when none is stored */
  privateEmail?: string | null;
  /** Personnel number of the customer; unique in the tenant */
  employeeNumber?: string | null;
  /** Phone number */
  phoneNumber?: string | null;
  /** Street and house number */
  street?: string | null;
  /** Postal code */
  postalCode?: string | null;
  /** City */
  city?: string | null;
  /** Two uppercase letters */
  countryCode?: string | null;
  /** Further information on the employee or the address */
  additionalInfo?: string | null;
  /** Whether the account is blocked */
  blocked?: boolean;
  /** Division of the employee, inside the tenant; null when none is assigned */
  divisionId?: string | null;
}

/** A merge: an absent property is left alone, null clears a nullable one */
export interface EmployeePatch {
  /** First name */
  firstName?: string;
  /** Last name */
  lastName?: string;
  /** Private address; null when none is stored */
  privateEmail?: string | null;
  /** Personnel number of the customer; unique in the tenant */
  employeeNumber?: string | null;
  /** Phone number */
  phoneNumber?: string | null;
  /** Street and house number */
  street?: string | null;
  /** Postal code */
  postalCode?: string | null;
  /** City */
  city?: string | null;
  /** Two uppercase letters */
  countryCode?: string | null;
  /** Further information on the employee or the address */
  additionalInfo?: string | null;
  /** Whether the account is blocked */
  blocked?: boolean;
  /** Division of the employee, inside the tenant; null when none is assigned */
  divisionId?: string | null;
}

/** A division in the tree of a tenant */
export interface Division {
  /** Unique identifier of the division */
  readonly id: string;
  /** Tenant (company) of the division */
  readonly tenant: string;
  /** Name, unique among siblings ignoring case */
  readonly name: string;
  /** Parent division, in the same tenant; null for a root */
  readonly parentId: string | null;
  /** Place among the siblings, any finite number; by default the last sibling plus one */
  readonly order: number;
  /** Cost center */
  readonly costCenter: string | null;
  /** When the division was created; in UTC, with milliseconds and `Z` */
  readonly createdAt: string;
  /** When the division last changed; strictly increasing per organization in commit order; in UTC, with milliseconds and `Z` */
  readonly updatedAt: string;
}

/** A new division */
export interface DivisionCreate {
  /** Name, unique among siblings ignoring case */
  name: string;
  /** Parent division, in the same tenant; null for a root */
  parentId?: string | null;
  /** Place among the siblings, any finite number; by default the last sibling plus one */
  order?: number;
  /** Cost center */
  costCenter?: string | null;
}

/** A merge: an absent property is left alone; `parentId: null` makes the division a root */
export interface DivisionPatch {
  /** Name, unique among siblings ignoring case */
  name?: string;
  /** Parent division, in the same tenant; null for a root */
  parentId?: string | null;
  /** Place among the siblings, any finite number; by default the last sibling plus one */
  order?: number;
  /** Cost center */
  costCenter?: string | null;
}

/** State of an order */
export type OrderStatus = Open<'under_review' | 'approved' | 'rejected' | 'cancelled' | 'expired' | 'ready_for_pickup' | 'active' | 'completed'>;

/** A product of an order */
export interface OrderProduct {
  /** Model */
  readonly model: string | null;
  /** Value added tax in percent */
  readonly vatRate: string;
  /** Manufacturer */
  readonly manufacturerName: string | null;
  /** Article group */
  readonly articleGroupName: string | null;
  /** Price with tax */
  readonly grossAmount: string;
  /** Price without tax */
  readonly netAmount: string;
  /** Service package */
  readonly service: string | null;
  /** Price of the service with tax */
  readonly grossService: string | null;
  /** Price of the service without tax */
  readonly netService: string | null;
}

/** The contract of an order */
export interface OrderContract {
  /** Number of the contract */
  readonly contractNumber: string | null;
  /** First day */
  readonly startDate: string | null;
  /** Last day */
  readonly endDate: string | null;
  /** Term in months */
  readonly termMonths: number;
  /** Currency (ISO 4217) */
  readonly currency: string;
  /** List price with tax */
  readonly listPrice: string;
  /** Purchase price */
  readonly purchasePrice: string;
  /** Calculated value at the end of the term */
  readonly residualValue: string | null;
  /** Leasing rate a month */
  readonly leasingRate: string;
  /** Employer's share of the leasing rate */
  readonly leasingRateSubsidy: string;
  /** Insurance rate a month */
  readonly insuranceRate: string;
  /** Employer's share of the insurance rate */
  readonly insuranceRateSubsidy: string;
  /** Service rate a month */
  readonly serviceRate: string;
  /** Employer's share of the service rate */
  readonly serviceRateSubsidy: string;
  /** Monthly salary conversion: rates less subsidies */
  readonly salaryConversion: string;
  /** Taxable benefit a month: 1 % of a quarter of the list price rounded down to full 100; 0.00 where the employer pays all */
  readonly taxableBenefit: string;
}

/** Kind of a document of an order */
export type OrderAttachmentKind = Open<'offer' | 'contract' | 'invoice' | 'handover' | 'other'>;

/** A document of an order */
export interface OrderAttachment {
  /** Identifier of the attachment */
  readonly id: string;
  readonly kind: OrderAttachmentKind;
  /** Name of the file */
  readonly fileName: string;
  /** Media type of the file */
  readonly mediaType: string;
  /** Size of the file in bytes */
  readonly size: number;
  /** When the file was stored; in UTC, with milliseconds and `Z` */
  readonly createdAt: string;
}

/** A decision of HR */
export type HrDecision = Open<'approved' | 'rejected'>;

/** How HR decided */
export type HrDecisionSource = Open<'user' | 'api_key' | 'automatic'>;

/** The HR decision on an order */
export interface OrderHrHistory {
  readonly decision: HrDecision;
  /** Portal user of the decision; null for automatic decisions and API keys */
  readonly decisionBy: string | null;
  readonly source: HrDecisionSource;
  /** Comment of HR */
  readonly comment: string | null;
  /** When it was decided; in UTC, with milliseconds and `Z` */
  readonly decidedAt: string;
}

/** An order of an employee */
export interface Order {
  /** Unique identifier of the order */
  readonly id: string;
  /** Number of the order, unique in the organization */
  readonly orderNumber: string;
  /** Employee of the order */
  readonly employeeId: string;
  readonly status: OrderStatus;
  /** Ordered products */
  readonly products: readonly OrderProduct[];
  /** The contract; null before there is one */
  readonly contract: OrderContract | null;
  /** Documents of the order */
  readonly attachments: readonly OrderAttachment[];
  /** The HR decision; null before there is one */
  readonly hrHistory: OrderHrHistory | null;
  /** When the employee submitted the order; in UTC, with milliseconds and `Z` */
  readonly submittedAt: string;
  /** When the order was created; in UTC, with milliseconds and `Z` */
  readonly createdAt: string;
  /** When the order last changed; strictly increasing per organization in commit order; in UTC, with milliseconds and `Z` */
  readonly updatedAt: string;
}

/** A decision on an order under review */
export interface OrderDecision {
  decision: HrDecision;
  /** Comment of HR */
  comment?: string | null;
}

/** What happened */
export type IncidentType = Open<'termination' | 'long_term_illness' | 'maternity_leave' | 'parental_leave' | 'unpaid_leave' | 'release' | 'retirement' | 'death' | 'employer_change' | 'theft' | 'damage' | 'accident' | 'loss' | 'other'>;

/** Requested solution */
export type RequestedSolution = Open<'user_change' | 'employer_change' | 'early_purchase' | 'return' | 'rate_protection' | 'repair' | 'replacement'>;

/** State of an incident, set by the service */
export type IncidentStatus = Open<'draft' | 'completed' | 'in_progress' | 'resolved' | 'rejected' | 'cancelled'>;

/** Evidence of an incident */
export interface IncidentAttachment {
  /** Identifier of the attachment */
  readonly id: string;
  /** Name of the file */
  readonly fileName: string;
  /** Media type of the file */
  readonly mediaType: string;
  /** Size of the file in bytes */
  readonly size: number;
  /** When the file was stored; in UTC, with milliseconds and `Z` */
  readonly createdAt: string;
}

/** An event that disturbs a running order (Störfall) */
export interface Incident {
  /** Unique identifier of the incident */
  readonly id: string;
  /** Number of the incident */
  readonly incidentNumber: string;
  /** Employee of the incident */
  readonly employeeId: string;
  /** Order that the incident disturbs, one of the employee */
  readonly orderId: string | null;
  readonly type: IncidentType;
  /** Requested solution */
  readonly requestedSolution: RequestedSolution | null;
  /** Day of the event */
  readonly occurredOn: string | null;
  /** First day of the effect */
  readonly effectiveFrom: string | null;
  /** Last day of the effect */
  readonly effectiveTo: string | null;
  /** Description of the event */
  readonly description: string | null;
  /** Reference of the police report */
  readonly policeReference: string | null;
  readonly status: IncidentStatus;
  /** Whether the incident can be updated */
  readonly editable: boolean;
  /** Evidence */
  readonly attachments: readonly IncidentAttachment[];
  /** When the incident was created; in UTC, with milliseconds and `Z` */
  readonly createdAt: string;
  /** When the incident last changed; strictly increasing per organization in commit order; in UTC, with milliseconds and `Z` */
  readonly updatedAt: string;
}

/** A new incident */
export interface IncidentCreate {
  /** Employee of the incident */
  employeeId: string;
  type: IncidentType;
  /** Order that the incident disturbs, one of the employee */
  orderId?: string | null;
  /** Requested solution */
  requestedSolution?: RequestedSolution | null;
  /** Day of the event */
  occurredOn?: string | null;
  /** First day of the effect */
  effectiveFrom?: string | null;
  /** Last day of the effect */
  effectiveTo?: string | null;
  /** Description of the event */
  description?: string | null;
  /** Reference of the police report */
  policeReference?: string | null;
}

/** A merge: an absent property is left alone, null clears a nullable one */
export interface IncidentPatch {
  type?: IncidentType;
  /** Order that the incident disturbs, one of the employee */
  orderId?: string | null;
  /** Requested solution */
  requestedSolution?: RequestedSolution | null;
  /** Day of the event */
  occurredOn?: string | null;
  /** First day of the effect */
  effectiveFrom?: string | null;
  /** Last day of the effect */
  effectiveTo?: string | null;
  /** Description of the event */
  description?: string | null;
  /** Reference of the police report */
  policeReference?: string | null;
}

/** Format of a payroll file */
export type PayrollExportFormat = Open<'csv' | 'datev_lodas' | 'datev_lug'>;

/** Outcome of a payroll export */
export type PayrollExportStatus = Open<'available' | 'empty' | 'failed'>;

/** Metadata of a generated payroll file */
export interface PayrollExportDocument {
  /** Unique identifier of the document */
  readonly id: string;
  /** Tenant (company) that the document is for */
  readonly tenant: string;
  /** Division that the document is for; null when it is for the whole tenant */
  readonly divisionId: string | null;
  /** Payroll period, year and month */
  readonly period: string;
  readonly format: PayrollExportFormat;
  readonly status: PayrollExportStatus;
  /** Name of the file; null when none was produced */
  readonly fileName: string | null;
  /** Media type of the file */
  readonly mediaType: string | null;
  /** Size of the file in bytes */
  readonly size: number | null;
  /** SHA-256 of the file */
  readonly sha256: string | null;
  /** Rows in the file */
  readonly rowCount: number;
  /** Rows that were left out */
  readonly skippedCount: number;
  /** When the export ran; in UTC, with milliseconds and `Z` */
  readonly generatedAt: string;
  /** When the document was created; in UTC, with milliseconds and `Z` */
  readonly createdAt: string;
  /** When the document last changed; strictly increasing per organization in commit order; in UTC, with milliseconds and `Z` */
  readonly updatedAt: string;
}

/** The service answers */
export type HealthStatus = Open<'ok'>;

/** The service is available */
export interface Health {
  readonly status: HealthStatus;
  /** Version of the contract */
  readonly version: string;
}

/** A page of resources, with exact totals from the same moment */
export interface Page<T> {
  /** Current page, counted from one */
  readonly page: number;
  /** Maximum number of resources on a page */
  readonly pageSize: number;
  /** Number of pages; 0 when nothing matches */
  readonly totalPages: number;
  /** Number of resources that match */
  readonly totalElements: number;
  /** The resources of this page */
  readonly items: readonly T[];
}

export interface ListQuery<Field extends string> {
  /** Page, counted from one; a page past the end is empty */
  page?: number;
  /** Maximum number of resources on a page */
  pageSize?: number;
  /** One field, with a leading `-` for descending, such as `-updatedAt`; nulls first ascending, last descending. Default: `id` ascending */
  sort?: Sort<Field>;
  /** Filter expression, such as `updatedAt >= 2026-09-02T00:00:00Z` */
  filter?: string;
  /** Inclusive lower bound on `createdAt`: ISO 8601 in UTC that ends in `Z`, such as `2026-09-02T00:00:00Z`; other offsets are rejected */
  createdAtFrom?: string;
  /** Inclusive upper bound on `createdAt`: ISO 8601 in UTC that ends in `Z`, such as `2026-09-02T00:00:00Z`; other offsets are rejected */
  createdAtTo?: string;
}

/** By operation: its path parameters, its query, its body and its result. */
export interface Operations {
  listEmployees: { parameters: undefined; query: ListQuery<'id' | 'email' | 'privateEmail' | 'employeeNumber' | 'firstName' | 'lastName' | 'phoneNumber' | 'street' | 'postalCode' | 'city' | 'countryCode' | 'additionalInfo' | 'blocked' | 'tenant' | 'divisionId' | 'createdAt' | 'updatedAt'>; body: undefined; result: Page<Employee> };
  createEmployee: { parameters: undefined; query: { dryRun?: boolean }; body: EmployeeCreate; result: Employee };
  getEmployee: { parameters: { id: string }; query: undefined; body: undefined; result: Employee };
  updateEmployee: { parameters: { id: string }; query: { dryRun?: boolean }; body: EmployeePatch; result: Employee };
  listDivisions: { parameters: undefined; query: ListQuery<'id' | 'tenant' | 'name' | 'parentId' | 'order' | 'costCenter' | 'createdAt' | 'updatedAt'>; body: undefined; result: Page<Division> };
  createDivision: { parameters: undefined; query: { dryRun?: boolean }; body: DivisionCreate; result: Division };
  getDivision: { parameters: { id: string }; query: undefined; body: undefined; result: Division };
  updateDivision: { parameters: { id: string }; query: { dryRun?: boolean }; body: DivisionPatch; result: Division };
  listOrders: { parameters: undefined; query: ListQuery<'id' | 'orderNumber' | 'employeeId' | 'status' | 'submittedAt' | 'createdAt' | 'updatedAt'>; body: undefined; result: Page<Order> };
  getOrder: { parameters: { id: string }; query: undefined; body: undefined; result: Order };
  decideOrder: { parameters: { id: string }; query: { dryRun?: boolean }; body: OrderDecision; result: Order };
  downloadOrderAttachment: { parameters: { id: string; attachmentId: string }; query: undefined; body: undefined; result: 'file' };
  listIncidents: { parameters: undefined; query: ListQuery<'id' | 'incidentNumber' | 'employeeId' | 'orderId' | 'type' | 'requestedSolution' | 'occurredOn' | 'effectiveFrom' | 'effectiveTo' | 'description' | 'policeReference' | 'status' | 'editable' | 'createdAt' | 'updatedAt'>; body: undefined; result: Page<Incident> };
  createIncident: { parameters: undefined; query: { dryRun?: boolean }; body: IncidentCreate; result: Incident };
  getIncident: { parameters: { id: string }; query: undefined; body: undefined; result: Incident };
  updateIncident: { parameters: { id: string }; query: { dryRun?: boolean }; body: IncidentPatch; result: Incident };
  uploadIncidentAttachment: { parameters: { id: string }; query: { dryRun?: boolean }; body: 'file'; result: IncidentAttachment };
  listPayrollExportDocuments: { parameters: undefined; query: ListQuery<'id' | 'tenant' | 'divisionId' | 'period' | 'format' | 'status' | 'fileName' | 'mediaType' | 'size' | 'sha256' | 'rowCount' | 'skippedCount' | 'generatedAt' | 'createdAt' | 'updatedAt'>; body: undefined; result: Page<PayrollExportDocument> };
  getPayrollExportDocument: { parameters: { id: string }; query: undefined; body: undefined; result: PayrollExportDocument };
  downloadPayrollExportDocument: { parameters: { id: string }; query: undefined; body: undefined; result: 'file' };
  getHealth: { parameters: undefined; query: undefined; body: undefined; result: Health };
}

export const operations = {
  listEmployees: { method: 'GET', path: '/employees' },
  createEmployee: { method: 'POST', path: '/employees' },
  getEmployee: { method: 'GET', path: '/employees/{id}' },
  updateEmployee: { method: 'PATCH', path: '/employees/{id}' },
  listDivisions: { method: 'GET', path: '/divisions' },
  createDivision: { method: 'POST', path: '/divisions' },
  getDivision: { method: 'GET', path: '/divisions/{id}' },
  updateDivision: { method: 'PATCH', path: '/divisions/{id}' },
  listOrders: { method: 'GET', path: '/orders' },
  getOrder: { method: 'GET', path: '/orders/{id}' },
  decideOrder: { method: 'POST', path: '/orders/{id}/decision' },
  downloadOrderAttachment: { method: 'GET', path: '/orders/{id}/attachments/{attachmentId}' },
  listIncidents: { method: 'GET', path: '/incidents' },
  createIncident: { method: 'POST', path: '/incidents' },
  getIncident: { method: 'GET', path: '/incidents/{id}' },
  updateIncident: { method: 'PATCH', path: '/incidents/{id}' },
  uploadIncidentAttachment: { method: 'POST', path: '/incidents/{id}/attachments' },
  listPayrollExportDocuments: { method: 'GET', path: '/payroll-export-documents' },
  getPayrollExportDocument: { method: 'GET', path: '/payroll-export-documents/{id}' },
  downloadPayrollExportDocument: { method: 'GET', path: '/payroll-export-documents/{id}/download' },
  getHealth: { method: 'GET', path: '/health' },
} as const;
