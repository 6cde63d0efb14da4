import { apis, type ErrorBody, type Recorded } from '@kontor/contract';
import type { Cast, Sent, Stage } from './recorder.ts';

const unknown = 'f'.repeat(24);

type Code = ErrorBody['error']['code'];
type Rejection = readonly [operationId: string, status: number, code: Code, sent: Sent];

const operations = Object.entries(apis.public.operations);

/** Mistakes of a request to a list: a field that does not exist, one to sort by, and an operator of another type. */
const ofLists: Readonly<Record<string, { field: string; sort: string; operator: string }>> = {
  listDivisions: { field: 'costcenter', sort: 'position', operator: 'order CONTAINS 1' },
  listOrders: { field: 'orderNo', sort: 'tenant', operator: 'status > approved' },
  listIncidents: { field: 'incidenttype', sort: 'reportedAt', operator: 'type CONTAINS theft' },
  listPayrollExportDocuments: { field: 'periode', sort: 'month', operator: 'status > available' },
};
const ofOtherLists = { field: 'colour', sort: 'colour', operator: 'createdAt CONTAINS 1' };

/** Mistakes of a body: a property that does not exist, and values of a wrong kind. */
const ofWrites: Readonly<Record<string, readonly [object, object?]>> = {
  createEmployee: [{ name: 'Kaya' }, { countryCode: 'de' }],
  updateEmployee: [{ tenant: unknown }, { countryCode: 'de', blocked: 'no' }],
  createDivision: [{ parent: null }, { order: '1' }],
  updateDivision: [{ id: unknown }, { name: '' }],
  decideOrder: [{ reason: 'Budget geprüft' }, { decision: 'Approved' }],
  createIncident: [{ date: '2026-09-02' }, { type: 'Theft', occurredOn: '02.09.2026' }],
  updateIncident: [{ status: 'resolved' }, { occurredOn: '2026-02-30' }],
};
const ofOtherWrites = [{ colour: 'red' }] as const;

/** Has every operation reject what it words in its own way, or its kind does: fields, properties, and what is not found. */
export async function wordings({ client, recorder }: Stage, cast: Cast): Promise<void> {
  for (const [operationId, status, code, sent] of ofKinds(cast))
    await recorder.reject(client, operationId, [status, code], sent);
  const { operations: recorded } = recorder.recorded;
  for (const [operationId, status, code, sent] of [
    ...listRejections(),
    ...writeRejections(recorded),
    ...missing(recorded),
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
  // The examples that all lists share are those of employees.
  const lists = operations.filter(([id, { fields }]) => fields && id !== 'listEmployees');
  return lists.flatMap(([id]): Rejection[] => {
    const { field, sort, operator } = ofLists[id] ?? ofOtherLists;
    return [
      [id, 400, 'UNSUPPORTED_FILTER_FIELD', { query: { filter: `${field} = 1` } }],
      [id, 400, 'UNSUPPORTED_FILTER_OPERATOR', { query: { filter: operator } }],
      [id, 400, 'UNSUPPORTED_SORT_FIELD', { query: { sort } }],
    ];
  });
}

function writeRejections(recorded: Recorded['operations']): Rejection[] {
  const writes = operations.filter(([, { body }]) => body);
  return writes.flatMap(([id]): Rejection[] => {
    const [unaccepted, wrong] = ofWrites[id] ?? ofOtherWrites;
    const { path, request } = recorded[id]!;
    const withBody = (more: object) => ({ path, body: { ...(request as object), ...more } });
    return [
      [id, 400, 'UNSUPPORTED_FIELD', withBody(unaccepted)],
      ...(wrong ? [[id, 400, 'VALIDATION_ERROR', withBody(wrong)] as const] : []),
    ];
  });
}

/** What is not found by its name, and what is not acceptable where an answer is no JSON. */
function missing(recorded: Recorded['operations']): Rejection[] {
  const onResources = operations.filter(([, { path }]) => path.includes('{'));
  return [
    ['getHealth', 400, 'VALIDATION_ERROR', { query: { verbose: '\0' } }],
    ...onResources.flatMap(([id, { parameters, upload, success }]): Rejection[] => {
      const { path, request } = recorded[id]!;
      const other = { ...path, [Object.keys(parameters.properties).at(-1)!]: unknown };
      const body = upload ? { file: png } : request !== undefined && { body: request };
      return [
        [id, 404, 'NOT_FOUND', { path: other, ...body }],
        ...(success.body === 'file'
          ? [[id, 406, 'NOT_ACCEPTABLE', { path, headers: { accept: 'text/html' } }] as const]
          : []),
      ];
    }),
  ];
}
