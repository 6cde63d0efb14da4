import {
  apis,
  cancelIncident,
  createIncident,
  createPortalIncident,
  downloadPortalIncidentAttachment,
  getIncident,
  getPortalIncident,
  type Incident,
  type IncidentAttachment,
  type IncidentDetails,
  type IncidentReport,
  listIncidents,
  listPortalIncidents,
  rejectIncident,
  resolveIncident,
  type ResourceChange,
  startIncident,
  updateIncident,
  updatePortalIncident,
  uploadIncidentAttachment,
  uploadPortalIncidentAttachment,
} from '@kontor/contract';
import { createHash } from 'node:crypto';
import type { Pool } from '../../db/connect.ts';
import { dryRunId, newId } from '../../db/ids.ts';
import type { Queryable } from '../../db/session.ts';
import type { Files } from '../../files/download.ts';
import type { FileStore } from '../../files/file-store.ts';
import { writeWithFile } from '../../files/keeping.ts';
import { downloadAttachment, inline } from '../../http/download-attachment.ts';
import { type AnswerOf, type CallOf, implement } from '../../http/implement.ts';
import { notFound, readResource, type ResourceCall } from '../../http/read-resource.ts';
import { ok, type Route, type OkAnswer } from '../../http/route.ts';
import type { Collection } from '../../query/page.ts';
import { requestOf, type Writes } from '../../write/writes.ts';
import { incidentResource, incidentRow } from './mapping.ts';
import {
  attach,
  changeIncident,
  checkUpload,
  incidentNumber,
  newIncident,
  checkTransition,
  type Destination,
  missingFields,
} from './rules.ts';
import * as store from './store.ts';
import { moveIncident } from './store.ts';

export interface Parts {
  readonly reads: Pool;
  readonly writes: Writes;
  readonly files: FileStore;
  readonly collection: Collection;
}

interface TransitionParts {
  readonly reads: Pool;
  readonly writes: Writes;
}

interface PortalParts extends Omit<Parts, 'files'> {
  readonly files: Files;
  readonly readChanges: (organizationId: string, id: string) => Promise<ResourceChange[]>;
}

export function incidentRoutes(parts: Parts): Route[] {
  const { reads, collection } = parts;
  return [
    implement(listIncidents, async call => ok(await collection.page(call))),
    implement(getIncident, call => readResource(reads, incidentResource, call)),
    implement(createIncident, async call => {
      const { id, doc } = await create(parts, call);
      if (call.dryRun) return ok(doc);
      return { status: 201, body: doc, headers: { Location: `/v1/incidents/${id}` } };
    }),
    implement(updateIncident, async call => ok(await update(parts, call))),
    implement(uploadIncidentAttachment, call => uploadAttachment(parts, call, '/v1')),
  ];
}

export function incidentTransitionRoutes(parts: TransitionParts): Route[] {
  return [
    implement(startIncident, call => move(parts, call, 'in_progress')),
    implement(resolveIncident, call => move(parts, call, 'resolved')),
    implement(rejectIncident, call => move(parts, call, 'rejected')),
    implement(cancelIncident, call => move(parts, call, 'cancelled')),
  ];
}

/** Incidents as HR works with them, by the rules of the public API, in the scope of the user's permission HR. */
export function portalIncidentRoutes({ files, readChanges, ...others }: PortalParts): Route[] {
  const { reads, collection } = others;
  const parts = { ...others, files: files.store };
  return [
    implement(listPortalIncidents, async call => ok(await collection.page(call))),
    implement(getPortalIncident, async call => {
      const { doc } = await findIncident(reads, call, null);
      const history = await readChanges(call.scope.organizationId, call.parameters.id);
      return ok(JSON.stringify({ ...reportOf(doc), history } satisfies IncidentDetails));
    }),
    implement(createPortalIncident, async call => {
      const { id, doc } = await create(parts, call);
      const body = JSON.stringify(reportOf(doc));
      return call.dryRun
        ? ok(body)
        : { status: 201, body, headers: { Location: `${apis.portal.prefix}/incidents/${id}` } };
    }),
    implement(updatePortalIncident, async call => ok(JSON.stringify(reportOf(await update(parts, call))))),
    implement(uploadPortalIncidentAttachment, call => uploadAttachment(parts, call, apis.portal.prefix)),
    implement(downloadPortalIncidentAttachment, async call =>
      inline(await downloadAttachment({ reads, files }, { table: 'incident', noun: 'incident' }, call)),
    ),
  ];
}

async function create(
  { reads, writes }: Parts,
  call: CallOf<typeof createIncident | typeof createPortalIncident>,
): Promise<{ id: string; doc: string }> {
  const { body, receivedAt } = call;
  const id = newId();
  const read = (db: Queryable) =>
    store.findReporter(db, call.scope, call.tenant, body.employeeId, body.orderId ?? null);
  newIncident(body, await read(reads), receivedAt);
  const doc = await writes.runOrdered(requestOf(call), {
    targets: [id],
    read,
    change(write, found) {
      const state = newIncident(body, found, receivedAt);
      const reporter = found!;
      const sequence = BigInt(reporter.lastSequence) + 1n;
      const row = incidentRow({
        ...state,
        id: write.dryRun ? dryRunId : id,
        incidentNumber: incidentNumber(write.at, sequence),
        employeeId: body.employeeId,
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
  return { id, doc };
}

async function update(
  { reads, writes }: Parts,
  call: CallOf<typeof updateIncident | typeof updatePortalIncident>,
): Promise<string> {
  const { body: patch, receivedAt } = call;
  const read = (db: Queryable) => findIncident(db, call, patch.orderId ?? null);
  const first = await read(reads);
  if (changeIncident(first.incident, patch, first.ownsOrder, receivedAt).fields.length === 0)
    return first.doc;
  return writes.runOrdered(requestOf(call), {
    targets: [call.parameters.id],
    read,
    change(write, found) {
      const { incident, fields } = changeIncident(found.incident, patch, found.ownsOrder, receivedAt);
      // Another write has made the same change since the first read.
      if (fields.length === 0) return found.doc;
      const row = incidentRow({ ...incident, updatedAt: write.instant });
      store.updateIncident(write, { row, action: 'incident.update', fields });
      return row.doc;
    },
  });
}

/** `prefix` is that of the API, whose address of the incident is in the answer. */
async function uploadAttachment(
  parts: Parts,
  call: CallOf<typeof uploadIncidentAttachment | typeof uploadPortalIncidentAttachment>,
  prefix: string,
): Promise<AnswerOf<typeof uploadIncidentAttachment>> {
  const { fileName, mediaType, bytes } = call.body;
  const read = (db: Queryable) => findIncident(db, call, null);
  checkUpload((await read(parts.reads)).incident);
  const file = { organizationId: call.scope.organizationId, id: newId(), bytes };
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const id = call.dryRun ? dryRunId : file.id;
  const attachment = await writeWithFile(parts, requestOf(call), file, {
    targets: [call.parameters.id],
    read,
    change(write, { incident }) {
      const createdAt = write.instant;
      const attachment = { id, fileName, mediaType, size: bytes.length, createdAt };
      store.updateIncident(write, {
        row: incidentRow({ ...attach(incident, attachment), updatedAt: createdAt }),
        action: 'incident.attach',
        fields: ['attachments'],
        attached: { id, sha256 },
      });
      return attachment satisfies IncidentAttachment;
    },
  });
  const body = JSON.stringify(attachment);
  // An attachment has no path of its own, only its incident has.
  const Location = `${prefix}/incidents/${call.parameters.id}`;
  return call.dryRun ? ok(body) : { status: 201, body, headers: { Location } };
}

/** @throws ApiError NOT_FOUND */
async function findIncident(db: Queryable, call: ResourceCall, orderId: string | null): Promise<store.Found> {
  const { scope, tenant, parameters } = call;
  return (await store.findIncident(db, scope, tenant, parameters.id, orderId)) ?? notFound('incident', call);
}

/**
 * Moves the incident of a call into a state that clients cannot edit. Also checked before the write, so a rejected request does not take
 * the organization clock.
 * @throws ApiError NOT_FOUND, INVALID_STATE_TRANSITION
 */
async function move(
  { reads, writes }: TransitionParts,
  call: ResourceCall,
  status: Destination,
): Promise<OkAnswer> {
  const read = async (db: Queryable): Promise<Incident> => {
    const { incident } = await findIncident(db, call, null);
    checkTransition(incident, status);
    return incident;
  };
  await read(reads);
  const doc = await writes.runOrdered(requestOf(call), {
    targets: [call.parameters.id],
    read,
    change: (write, incident) => moveIncident(write, incident, status),
  });
  return ok(doc);
}

function reportOf(doc: string): IncidentReport {
  const incident = incidentResource.parse(doc);
  return { incident, missing: missingFields(incident) };
}
