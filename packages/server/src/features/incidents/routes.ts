import { createHash } from 'node:crypto';
import { ApiError, type IncidentAttachment } from '@kontor/contract';
import type { Collection } from '../../collection/page.ts';
import type { Pool } from '../../database/connect.ts';
import { readDocument } from '../../database/find-in-scope.ts';
import { dryRunId, newId } from '../../database/ids.ts';
import type { OrganizationWrites } from '../../database/organization-write.ts';
import type { Queryable } from '../../database/session.ts';
import type { Fragment } from '../../database/sql.ts';
import type { FileStore } from '../../files/file-store.ts';
import { keepingFile } from '../../files/keeping.ts';
import type { AnswerOf, CallOf, Handlers } from '../../http/handlers.ts';
import { type Call, ok } from '../../http/route.ts';
import { incidentRow } from './record.ts';
import { attach, changeIncident, checkUpload, incidentNumber, newIncident } from './rules.ts';
import * as store from './store.ts';

/** What the operations of incidents stand on. */
interface Parts {
  readonly reads: Pool;
  readonly writes: OrganizationWrites;
  readonly files: FileStore;
  readonly collection: Collection;
}

/** The operations of incidents on a database, a file store and the collection of incidents. */
export function incidentHandlers(parts: Parts): Handlers<'Incidents'> {
  const { reads, collection } = parts;
  return {
    listIncidents: async call => ok(await collection.page(call)),
    getIncident: async ({ scope, tenant, parameters: { id } }) =>
      ok((await readDocument(reads, { table: 'incident', scope, tenant, id })) ?? notFound()),
    createIncident: call => createIncident(parts, call),
    updateIncident: call => updateIncident(parts, call),
    uploadIncidentAttachment: call => uploadAttachment(parts, call),
  };
}

async function createIncident(
  { reads, writes }: Parts,
  call: CallOf<'createIncident'>,
): Promise<AnswerOf<'createIncident'>> {
  const { body } = call;
  const { organizationId } = call.scope;
  const id = newId();
  const read = (db: Queryable) =>
    store.findReporter(db, call.scope, call.tenant, body.employeeId, body.orderId ?? null);
  newIncident(body, await read(reads));
  const doc = await writes.run(organizationId, call, {
    read,
    change(found, at) {
      const state = newIncident(body, found);
      const reporter = found!;
      const sequence = BigInt(reporter.lastSequence) + 1n;
      const row = incidentRow({
        ...state,
        id: call.dryRun ? dryRunId : id,
        incidentNumber: incidentNumber(at, sequence),
        employeeId: body.employeeId,
        attachments: [],
        createdAt: at.toISOString(),
        updatedAt: at.toISOString(),
      });
      const insertion = { row, place: reporter, author: author(call) };
      return { statements: inserting(organizationId, insertion, { id, sequence }), result: row.doc };
    },
  });
  return call.dryRun ? ok(doc) : { status: 201, body: doc, headers: { Location: `/v1/incidents/${id}` } };
}

/** The number of a dry run is not taken, so a write under way may have it: its row goes by another one meanwhile. */
function inserting(
  organizationId: string,
  insertion: store.Insertion,
  { id, sequence }: { id: string; sequence: bigint },
): Fragment[] {
  if (insertion.author !== null)
    return [store.takeSequence(organizationId, sequence), store.insertIncident(organizationId, insertion)];
  const row = { ...insertion.row, id, folded_incident_number: id };
  return [store.insertIncident(organizationId, { ...insertion, row })];
}

async function updateIncident(
  { reads, writes }: Parts,
  call: CallOf<'updateIncident'>,
): Promise<AnswerOf<'updateIncident'>> {
  const patch = call.body;
  const { organizationId } = call.scope;
  const read = (db: Queryable) => findIncident(db, call, patch.orderId ?? null);
  const first = await read(reads);
  if (changeIncident(first.incident, patch, first.ownsOrder).fields.length === 0) return ok(first.doc);
  const doc = await writes.run(organizationId, call, {
    read,
    change(found, at) {
      const { incident, fields } = changeIncident(found.incident, patch, found.ownsOrder);
      // Another write has made the same change meanwhile.
      if (fields.length === 0) return { statements: [], result: found.doc };
      const row = incidentRow({ ...incident, updatedAt: at.toISOString() });
      const update = { row, action: 'incident.update', fields, author: author(call) } as const;
      return { statements: [store.updateIncident(organizationId, update)], result: row.doc };
    },
  });
  return ok(doc);
}

async function uploadAttachment(
  { reads, writes, files }: Parts,
  call: CallOf<'uploadIncidentAttachment'>,
): Promise<AnswerOf<'uploadIncidentAttachment'>> {
  const { fileName, mediaType, bytes } = call.body;
  const { organizationId } = call.scope;
  const read = (db: Queryable) => findIncident(db, call, null);
  checkUpload((await read(reads)).incident);
  const file = { organizationId, id: newId(), bytes };
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const id = call.dryRun ? dryRunId : file.id;
  const write = () =>
    writes.run(organizationId, call, {
      stage: session => files.put(session, file),
      read,
      change({ incident }, at) {
        const instant = at.toISOString();
        const attachment = { id, fileName, mediaType, size: bytes.length, createdAt: instant };
        const update = {
          row: incidentRow({ ...attach(incident, attachment), updatedAt: instant }),
          action: 'incident.attach',
          fields: ['attachments'],
          author: author(call),
          attached: { id, sha256 },
        } as const;
        const statements = [store.updateIncident(organizationId, update)];
        return { statements, result: attachment satisfies IncidentAttachment };
      },
    });
  if (call.dryRun) return ok(JSON.stringify(await write()));
  const attachment = await keepingFile(files, file, write);
  // An attachment has no address of its own: the incident shows it.
  const headers = { Location: `/v1/incidents/${call.parameters.id}` };
  return { status: 201, body: JSON.stringify(attachment), headers };
}

type OfOne = CallOf<'updateIncident' | 'uploadIncidentAttachment'>;

async function findIncident(db: Queryable, call: OfOne, orderId: string | null): Promise<store.Found> {
  const { scope, tenant, parameters } = call;
  return (await store.findIncident(db, scope, tenant, parameters.id, orderId)) ?? notFound();
}

/** Null in a dry run, of which nothing is recorded. */
function author(call: Call): store.Author | null {
  return call.dryRun ? null : { actor: call.scope.keyId, requestId: call.requestId };
}

function notFound(): never {
  throw new ApiError('NOT_FOUND', 'No incident with this id is visible to the key');
}
