import {
  apis,
  attachIncidentFile,
  cancelIncident,
  createIncident,
  createPortalIncident,
  downloadPortalIncidentAttachment,
  exportPortalIncidents,
  getIncident,
  getPortalIncident,
  type Incident,
  type IncidentAttachment,
  type IncidentDetails,
  incidentFields,
  type IncidentLeave,
  type IncidentLeavePatch,
  type IncidentReport,
  listIncidents,
  listPortalIncidents,
  recordIncidentLeave,
  recordPortalIncidentLeave,
  rejectIncident,
  removeIncidentFile,
  removePortalIncidentFile,
  resolveIncident,
  type ResourceChange,
  startIncident,
  updateIncident,
  updatePortalIncident,
  uploadIncidentAttachment,
  uploadPortalIncidentAttachment,
  withdrawPortalIncident,
} from '@kontor/contract';
import { createHash } from 'node:crypto';
import type { Scope } from '../../auth/scope.ts';
import { dryRunId, newId } from '../../db/ids.ts';
import type { Queryable } from '../../db/session.ts';
import type { Files } from '../../files/download.ts';
import type { FileStore } from '../../files/file-store.ts';
import { stagedFile } from '../../files/keeping.ts';
import { downloadAttachment, inline } from '../../http/download-attachment.ts';
import { type AnswerOf, type CallOf, implement } from '../../http/implement.ts';
import { notFound, readResource, repeatWith, type ResourceCall } from '../../http/read-resource.ts';
import { created, ok, type Route, type OkAnswer, type RouteParts } from '../../http/route.ts';
import { exportList } from '../../http/response/list-file.ts';
import { fileFields } from '../../query/file-fields.ts';
import type { Collection } from '../../query/page.ts';
import { personFields, type Placed, placedList, placedRows } from '../../query/placed-rows.ts';
import { decision, unchanged, type WriteCall, type Writes } from '../../write/writes.ts';
import { incidentResource, incidentRow } from './mapping.ts';
import {
  changeIncident,
  changeLeave,
  checkRemoval,
  checkUpload,
  incidentNumber,
  isRecordable,
  newIncident,
  checkTransition,
  type Destination,
  missingFields,
} from './rules.ts';
import * as store from './store.ts';

export interface Parts extends RouteParts {
  readonly files: FileStore;
  readonly collection: Collection;
}

interface TransitionParts {
  readonly writes: Writes;
  readonly files: FileStore;
}

interface PortalParts extends Omit<Parts, 'files'> {
  readonly files: Files;
  readonly readChanges: (organizationId: string, id: string) => Promise<ResourceChange[]>;
}

export function incidentRoutes(parts: Parts): Route[] {
  const { reads, writes, collection } = parts;
  return [
    implement(listIncidents, async call => ok(await collection.page(call))),
    implement(getIncident, call => readResource(reads, incidentResource, call)),
    implement(createIncident, async call => {
      const doc = await create(parts, { ...call, needsHandover: false });
      return call.dryRun ? ok(doc) : created('/v1/incidents', doc);
    }),
    implement(updateIncident, async call =>
      ok(await writes.decide({ ...call, needsHandover: false }, incidentUpdate)),
    ),
    implement(uploadIncidentAttachment, call =>
      uploadAttachment(parts, { ...call, acceptsDrafts: false }, '/v1'),
    ),
  ];
}

export function incidentTransitionRoutes(parts: TransitionParts): Route[] {
  return [
    implement(startIncident, call => move(parts, call, 'in_progress')),
    implement(resolveIncident, call => move(parts, call, 'resolved')),
    implement(rejectIncident, call => move(parts, call, 'rejected')),
    implement(cancelIncident, call => move(parts, call, 'cancelled')),
    implement(recordIncidentLeave, call => recordLeave(parts, call)),
    implement(attachIncidentFile, call =>
      uploadAttachment(
        parts,
        { ...call, acceptsDrafts: true },
        `${apis.platform.prefix}/organizations/${call.parameters.organizationId}`,
      ),
    ),
    implement(removeIncidentFile, call => removeAttachment(parts, call)),
  ];
}

/** Incidents as HR works with them, by the rules of the public API, in the scope of the user's permission HR. */
export function portalIncidentRoutes({ files, readChanges, ...others }: PortalParts): Route[] {
  const { reads, writes, collection } = others;
  const parts = { ...others, files: files.store };
  return [
    implement(listPortalIncidents, async call => ok(await collection.page(call))),
    implement(exportPortalIncidents, call =>
      exportList(parts, call, {
        list: placedList(incidentResource),
        rows: placedRows('incident', call.scope, call.tenant),
        fields: exportedFields,
        fileName: 'incidents.csv',
        action: 'incident.export_list',
      }),
    ),
    implement(getPortalIncident, async call => {
      const found = await findIncident(reads, call, null);
      const leave = isRecordable(found.incident) ? found.leave : null;
      const history = await readChanges(call.scope.organizationId, call.parameters.id);
      return ok(JSON.stringify({ ...reportOf(found.doc), leave, history } satisfies IncidentDetails));
    }),
    implement(createPortalIncident, async call => {
      const doc = await create(parts, { ...call, needsHandover: true });
      const body = JSON.stringify(reportOf(doc));
      return call.dryRun ? ok(body) : created(`${apis.portal.prefix}/incidents`, doc, body);
    }),
    implement(updatePortalIncident, async call => {
      const doc = await writes.decide({ ...call, needsHandover: true }, incidentUpdate);
      return ok(JSON.stringify(reportOf(doc)));
    }),
    implement(recordPortalIncidentLeave, call => recordLeave(parts, call)),
    implement(uploadPortalIncidentAttachment, call =>
      uploadAttachment(parts, { ...call, acceptsDrafts: true }, apis.portal.prefix),
    ),
    implement(removePortalIncidentFile, call => removeAttachment(parts, call)),
    implement(withdrawPortalIncident, call => move(parts, call, 'cancelled')),
    implement(downloadPortalIncidentAttachment, async call =>
      inline(await downloadAttachment({ reads, files }, { table: 'incident', noun: 'incident' }, call)),
    ),
  ];
}

function create(
  { writes }: Parts,
  call: CallOf<typeof createIncident | typeof createPortalIncident> & OrderRule,
): Promise<string> {
  return writes.decide({ ...call, id: newId() }, incidentCreate);
}

interface OrderRule {
  /** Whether the order must have been handed over; otherwise any order of the employee may be named. */
  readonly needsHandover: boolean;
}

type Creating = CallOf<typeof createIncident> & OrderRule & { readonly id: string };

const incidentCreate = decision({
  targets: ({ id }: Creating) => [id],
  repeat: repeatWith(incidentResource, ({ id }: Creating) => id),
  read: (db, { scope, tenant, body, needsHandover }) =>
    store.findReporter(db, scope, tenant, body.employeeId, { id: body.orderId ?? null, needsHandover }),
  plan({ body, receivedAt, needsHandover }, reporter) {
    const state = newIncident(body, reporter, receivedAt, needsHandover);
    return { ...state, employeeId: body.employeeId, reporter: reporter! };
  },
  store(write, { reporter, ...report }, { id }) {
    const sequence = BigInt(reporter.lastSequence) + 1n;
    const row = incidentRow({
      ...report,
      id: write.dryRun ? dryRunId : id,
      incidentNumber: incidentNumber(write.at, sequence),
      attachments: [],
      createdAt: write.instant,
      updatedAt: write.instant,
    });
    // A dry run does not reserve the number. Its row has another one, because a concurrent write may use the number.
    if (write.dryRun) store.insertIncident(write, { ...row, id, folded_incident_number: id }, reporter);
    else {
      store.updateSequence(write, sequence);
      store.insertIncident(write, row, reporter);
    }
    return row.doc;
  },
});

const incidentUpdate = decision({
  targets: ({ parameters }: CallOf<typeof updateIncident> & OrderRule) => [parameters.id],
  read: (db, call) =>
    findIncident(db, call, { id: call.body.orderId ?? null, needsHandover: call.needsHandover }),
  plan({ body, receivedAt, needsHandover }, { incident, doc, ownsOrder }) {
    const change = changeIncident(incident, body, { ownsOrder, needsHandover }, receivedAt);
    return change.fields.length === 0 ? unchanged(doc) : change;
  },
  version: ({ incident }) => incident.updatedAt,
  store(write, { incident, fields }) {
    const row = incidentRow({ ...incident, updatedAt: write.instant });
    store.updateIncident(write, { row, action: 'incident.update', fields });
    return row.doc;
  },
});

/** `prefix` is that of the API, whose address of the incident is in the answer. */
async function uploadAttachment(
  { writes, files }: TransitionParts,
  call: CallOf<
    typeof uploadIncidentAttachment | typeof uploadPortalIncidentAttachment | typeof attachIncidentFile
  > &
    EvidenceRule,
  prefix: string,
): Promise<AnswerOf<typeof uploadIncidentAttachment>> {
  const { bytes } = call.body;
  const id = newId();
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const file = stagedFile(files, { organizationId: call.scope.organizationId, id, bytes });
  const attachment = await writes.decide({ ...call, id, sha256 }, attachmentUpload, file);
  const body = JSON.stringify(attachment);
  // An attachment has no path of its own, only its incident has.
  const Location = `${prefix}/incidents/${call.parameters.id}`;
  return call.dryRun ? ok(body) : { status: 201, body, headers: { Location } };
}

interface EvidenceRule {
  /** The public API accepts files of complete reports only. */
  readonly acceptsDrafts: boolean;
}

type Uploading = CallOf<typeof uploadIncidentAttachment> &
  EvidenceRule & { readonly id: string; readonly sha256: string };

const attachmentUpload = decision({
  targets: ({ parameters }: Uploading) => [parameters.id],
  repeat: {
    id: ({ id }) => id,
    async read(db, { scope, tenant, parameters }, id): Promise<IncidentAttachment | null> {
      const found = await store.findIncident(db, scope, tenant, parameters.id, null);
      return found?.incident.attachments.find(attachment => attachment.id === id) ?? null;
    },
  },
  read: (db, call) => findIncident(db, call, null),
  plan({ body, id, dryRun, acceptsDrafts }, { incident }, at) {
    checkUpload(incident, acceptsDrafts);
    const { fileName, mediaType, bytes } = body;
    const createdAt = at.toISOString();
    const attachment = { id: dryRun ? dryRunId : id, fileName, mediaType, size: bytes.length, createdAt };
    return { incident, attachment: attachment satisfies IncidentAttachment };
  },
  store(write, { incident, attachment }, { sha256 }) {
    const attachments = [...incident.attachments, attachment];
    store.updateIncident(write, {
      row: incidentRow({ ...incident, attachments, updatedAt: write.instant }),
      action: 'incident.attach',
      fields: ['attachments'],
      attached: { id: attachment.id, sha256 },
    });
    return attachment;
  },
});

async function removeAttachment(
  { writes, files }: TransitionParts,
  call: CallOf<typeof removeIncidentFile | typeof removePortalIncidentFile>,
): Promise<OkAnswer> {
  return ok(await writes.decide({ ...call, files }, attachmentRemoval));
}

type Removing = CallOf<typeof removePortalIncidentFile> & { readonly files: FileStore };

const attachmentRemoval = decision({
  targets: ({ parameters }: Removing) => [parameters.id],
  read: (db, call) => findIncident(db, call, null),
  plan(call, { incident }) {
    const { attachmentId } = call.parameters;
    if (!incident.attachments.some(({ id }) => id === attachmentId)) notFound('attachment', call);
    checkRemoval(incident);
    return incident;
  },
  store(write, incident, { parameters: { attachmentId }, files }) {
    const attachments = incident.attachments.filter(({ id }) => id !== attachmentId);
    const row = incidentRow({ ...incident, attachments, updatedAt: write.instant });
    store.updateIncident(write, {
      row,
      action: 'incident.detach',
      fields: ['attachments'],
      detached: attachmentId,
    });
    const { organizationId } = write;
    for (const removal of files.removing([{ organizationId, id: attachmentId }])) write.send(removal);
    return row.doc;
  },
});

/** @throws ApiError NOT_FOUND */
async function findIncident(
  db: Queryable,
  call: Pick<RecordingLeave, 'scope' | 'tenant' | 'parameters' | 'caller'>,
  order: store.NamedOrder | null,
): Promise<store.Found> {
  const { scope, tenant, parameters } = call;
  return (await store.findIncident(db, scope, tenant, parameters.id, order)) ?? notFound('incident', call);
}

async function move({ writes }: TransitionParts, call: ResourceCall, status: Destination): Promise<OkAnswer> {
  return ok(await writes.decide({ ...call, status }, incidentMove));
}

/** Moves an incident into a state that clients cannot edit. */
const incidentMove = decision({
  targets: ({ parameters }: ResourceCall & { readonly status: Destination }) => [parameters.id],
  read: (db, call) => findIncident(db, call, null),
  plan({ status }, { incident }) {
    checkTransition(incident, status);
    return incident;
  },
  store: (write, incident, { status }) => store.moveIncident(write, incident, status),
});

async function recordLeave(
  { writes }: TransitionParts,
  call: CallOf<typeof recordIncidentLeave | typeof recordPortalIncidentLeave>,
): Promise<OkAnswer> {
  return ok(JSON.stringify(await writes.decide(call, leaveRecord)));
}

interface RecordingLeave extends WriteCall {
  readonly scope: Scope;
  readonly tenant: string | null;
  readonly parameters: ResourceCall['parameters'];
  readonly body: IncidentLeavePatch;
}

/** `updatedAt` follows what the public API shows: the last day alone. */
export const leaveRecord = decision({
  targets: ({ parameters }: RecordingLeave) => [parameters.id],
  read: (db, call) => findIncident(db, call, null),
  plan({ body, receivedAt }, { incident, leave }) {
    const { fields, ...changed } = changeLeave(incident, leave, body, receivedAt);
    return fields.length === 0 ? unchanged<IncidentLeave>(changed) : { ...changed, fields };
  },
  store(write, { incident: before, fields, ...leave }): IncidentLeave {
    const isPublic = fields.includes('effectiveTo');
    const incident = isPublic ? { ...before, updatedAt: write.instant } : before;
    const row = incidentRow(incident);
    store.updateIncident(write, { row, action: 'incident.record_leave', fields, leave });
    return { incident, ...leave };
  },
});

function reportOf(doc: string): IncidentReport {
  const incident = incidentResource.parse(doc);
  return { incident, missing: missingFields(incident) };
}

const exportedFields = fileFields<Incident & Placed>(incidentFields, personFields);
