import type { ErrorBody, OperationsOf } from '@kontor/contract';
import type { TObject } from 'typebox';
import type { Sent } from './recorder.ts';
import type { Cast, Stage } from './recorder.ts';

const unknown = 'f'.repeat(24);

type Code = ErrorBody['error']['code'];
type Rejection = readonly [operationId: string, status: number, code: Code, sent: Sent];

type Operations = OperationsOf<'public'>;
type OperationWith<Part> = {
  [Id in keyof Operations]: Operations[Id] extends Part ? Id : never;
}[keyof Operations];

/** Lists and writes whose own words are recorded here; a new one does not compile until it is. */
type ListOperation = Exclude<OperationWith<{ fields: object }>, 'listEmployees'>;
type WriteOperation = OperationWith<{ body: TObject }>;

/** Errors of lists about their own fields: a field that is none, one to sort by, and an operator that is none of the field's type. */
const ofLists = {
  listDivisions: { field: 'costcenter', sort: 'position', operator: 'order CONTAINS 1' },
  listOrders: { field: 'orderNo', sort: 'tenant', operator: 'status > approved' },
  listIncidents: { field: 'incidenttype', sort: 'reportedAt', operator: 'type CONTAINS theft' },
  listPayrollExportDocuments: { field: 'periode', sort: 'month', operator: 'status > available' },
} as const satisfies Record<ListOperation, object>;

/** Errors of writes about their own properties: one that is none, and values of a wrong kind. */
const ofWrites = {
  createEmployee: [{ name: 'Kaya' }, { countryCode: 'de' }],
  updateEmployee: [{ tenant: unknown }, { countryCode: 'de', blocked: 'no' }],
  createDivision: [{ parent: null }, { order: '1' }],
  updateDivision: [{ id: unknown }, { name: '' }],
  decideOrder: [{ reason: 'Budget geprüft' }, { decision: 'Approved' }],
  createIncident: [{ date: '2026-09-02' }, { type: 'Theft', occurredOn: '02.09.2026' }],
  updateIncident: [{ status: 'resolved' }, { occurredOn: '2026-02-30' }],
} as const satisfies Record<WriteOperation, readonly [object, object]>;

/** Has every operation reject what it words in its own way, or its kind does: fields, properties, and what is not found. */
export async function wordings({ client, recorder }: Stage, cast: Cast): Promise<void> {
  for (const [operationId, status, code, sent] of ofKinds(cast))
    await recorder.reject(client, operationId, [status, code], sent);
  for (const [operationId, status, code, sent] of [
    ...listRejections(),
    ...writeRejections(cast),
    ...missing(cast),
  ])
    await recorder.reject(client, operationId, [status, code], { ...sent, own: true });
}

function ofKinds({ employee, incident }: Cast): Rejection[] {
  const tenant = 'Muster GmbH';
  const patch = { path: { id: employee }, body: { city: 'Hamburg' } };
  const upload = { path: { id: incident }, file: png };
  const record = new FormData();
  record.append('note', 'Foto vom Schaden');
  return [
    ['getEmployee', 400, 'VALIDATION_ERROR', { path: { id: employee }, tenant }],
    ['getEmployee', 400, 'UNKNOWN_QUERY_PARAMETER', { path: { id: employee }, query: { fields: 'city' } }],
    ['updateEmployee', 400, 'UNKNOWN_QUERY_PARAMETER', { ...patch, query: { dryrun: true } }],
    ['uploadIncidentAttachment', 400, 'VALIDATION_ERROR', { ...upload, tenant }],
    ['uploadIncidentAttachment', 400, 'UNKNOWN_QUERY_PARAMETER', { ...upload, query: { dryrun: true } }],
    ['uploadIncidentAttachment', 400, 'UNSUPPORTED_FIELD', { ...upload, file: record }],
    ['uploadIncidentAttachment', 415, 'UNSUPPORTED_MEDIA_TYPE', { ...upload, file: text }],
  ];
}

const png = { fileName: 'schaden.png', bytes: Buffer.from('89504e470d0a1a0a', 'hex') };
const text = { fileName: 'schaden.txt', bytes: Buffer.from('Rahmen gebrochen\n') };

function listRejections(): Rejection[] {
  return Object.entries(ofLists).flatMap(([name, { field, sort, operator }]): Rejection[] => {
    return [
      [name, 400, 'UNSUPPORTED_FILTER_FIELD', { query: { filter: `${field} = 1` } }],
      [name, 400, 'UNSUPPORTED_FILTER_OPERATOR', { query: { filter: operator } }],
      [name, 400, 'UNSUPPORTED_SORT_FIELD', { query: { sort } }],
    ];
  });
}

function writeRejections({ employee, division, underReview, incident }: Cast): Rejection[] {
  const right: Record<keyof typeof ofWrites, Sent & { body: object }> = {
    createEmployee: { body: { email: 'ali.kaya@example.com', firstName: 'Ali', lastName: 'Kaya' } },
    updateEmployee: { path: { id: employee }, body: {} },
    createDivision: { body: { name: 'Einkauf' } },
    updateDivision: { path: { id: division }, body: {} },
    decideOrder: { path: { id: underReview }, body: { decision: 'approved' } },
    createIncident: { body: { employeeId: employee, type: 'damage' } },
    updateIncident: { path: { id: incident }, body: {} },
  };
  return Object.entries(ofWrites).flatMap(([name, [unaccepted, wrong]]): Rejection[] => {
    const operationId = name as keyof typeof ofWrites;
    const sent = right[operationId];
    return [
      [operationId, 400, 'UNSUPPORTED_FIELD', { ...sent, body: { ...sent.body, ...unaccepted } }],
      [operationId, 400, 'VALIDATION_ERROR', { ...sent, body: { ...sent.body, ...wrong } }],
    ];
  });
}

/** What is not found by its name, and what is not acceptable where an answer is no JSON. */
function missing({ decided, payrollDocument }: Cast): Rejection[] {
  const path = { id: unknown };
  const attachment = { id: decided, attachmentId: unknown };
  const headers = { accept: 'text/html' };
  return [
    ['getHealth', 400, 'VALIDATION_ERROR', { query: { verbose: '\0' } }],
    ['getDivision', 404, 'NOT_FOUND', { path }],
    ['updateDivision', 404, 'NOT_FOUND', { path, body: { costCenter: '4711' } }],
    ['getOrder', 404, 'NOT_FOUND', { path }],
    ['decideOrder', 404, 'NOT_FOUND', { path, body: { decision: 'approved' } }],
    ['downloadOrderAttachment', 404, 'NOT_FOUND', { path: attachment }],
    ['downloadOrderAttachment', 406, 'NOT_ACCEPTABLE', { path: attachment, headers }],
    ['getIncident', 404, 'NOT_FOUND', { path }],
    ['updateIncident', 404, 'NOT_FOUND', { path, body: { occurredOn: '2026-09-02' } }],
    ['uploadIncidentAttachment', 404, 'NOT_FOUND', { path, file: png }],
    ['getPayrollExportDocument', 404, 'NOT_FOUND', { path }],
    ['downloadPayrollExportDocument', 404, 'NOT_FOUND', { path }],
    ['downloadPayrollExportDocument', 406, 'NOT_ACCEPTABLE', { path: { id: payrollDocument }, headers }],
  ];
}
