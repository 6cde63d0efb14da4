import { createHash } from 'node:crypto';
import {
  ApiError,
  type IncidentAttachment,
  type IncidentCreate,
  type IncidentPatch,
  operations,
} from '@kontor/contract';
import type { Collection } from '../../collection/page.ts';
import { readDocument } from '../../database/read-document.ts';
import type { Sql } from '../../database/connect.ts';
import { dryRunId, newId } from '../../database/ids.ts';
import { inOrganization } from '../../database/organization-write.ts';
import type { Session } from '../../database/transaction.ts';
import type { FileStore } from '../../files/file-store.ts';
import { keepingFile } from '../../files/keeping.ts';
import type { Answer, Call, Route, Upload } from '../../http/route.ts';
import { incidentRow } from './record.ts';
import { attach, changeIncident, checkUpload, incidentNumber, newIncident } from './rules.ts';
import * as store from './store.ts';

/** What the operations of incidents stand on. `writes` is the pool of what may wait for its turn, which a dry run does not. */
interface Parts {
  readonly sql: Sql;
  readonly writes: Sql;
  readonly files: FileStore;
  readonly collection: Collection;
}

/** The operations of incidents on a database, a file store and the collection of incidents. */
export function incidentRoutes(parts: Parts): Route[] {
  const { sql, collection } = parts;
  return [
    {
      operationId: 'listIncidents',
      operation: operations.listIncidents,
      handle: async ({ scope, tenant, list }) => ok(await collection.page({ scope, tenant, list: list! })),
    },
    {
      operationId: 'getIncident',
      operation: operations.getIncident,
      handle: async ({ scope, tenant, parameters }) =>
        ok((await readDocument(sql, 'incident', scope, tenant, parameters['id']!)) ?? notFound()),
    },
    {
      operationId: 'createIncident',
      operation: operations.createIncident,
      handle: call => createIncident(parts, call),
    },
    {
      operationId: 'updateIncident',
      operation: operations.updateIncident,
      handle: call => updateIncident(parts, call),
    },
    {
      operationId: 'uploadIncidentAttachment',
      operation: operations.uploadIncidentAttachment,
      handle: call => uploadAttachment(parts, call),
    },
  ];
}

async function createIncident({ sql, writes }: Parts, call: Call): Promise<Answer> {
  const body = call.body as IncidentCreate;
  const { organizationId } = call.scope;
  const pool = call.dryRun ? sql : writes;
  const id = newId();
  const find = (on: Sql) =>
    store.findReporter(on, call.scope, call.tenant, body.employeeId, body.orderId ?? null);
  newIncident(body, await find(sql));
  const doc = await inOrganization(pool, organizationId, call, async (session, at) => {
    const reporter = await find(session);
    const state = newIncident(body, reporter);
    const sequence = await store.nextSequence(session, organizationId, call.dryRun);
    const row = incidentRow({
      ...state,
      id: call.dryRun ? dryRunId : id,
      incidentNumber: incidentNumber(at, sequence),
      employeeId: body.employeeId,
      attachments: [],
      createdAt: at.toISOString(),
      updatedAt: at.toISOString(),
    });
    // The number of a dry run is not taken, so a write under way may have it: the row goes by another one meanwhile.
    const stored = call.dryRun ? { ...row, id, folded_incident_number: id } : row;
    await store.insertIncident(session, organizationId, {
      row: stored,
      place: reporter!,
      author: author(call),
    });
    return row.doc;
  });
  return call.dryRun ? ok(doc) : { status: 201, body: doc, headers: { Location: `/v1/incidents/${id}` } };
}

/** Ends a transaction whose patch, once it was its turn, had nothing left to change. */
class Unchanged extends Error {
  override readonly name = 'Unchanged';
  readonly doc: string;

  constructor(doc: string) {
    super('The patch changes nothing');
    this.doc = doc;
  }
}

async function updateIncident({ sql, writes }: Parts, call: Call): Promise<Answer> {
  const patch = call.body as IncidentPatch;
  const { organizationId } = call.scope;
  const pool = call.dryRun ? sql : writes;
  const change = async (on: Sql) => {
    const found = await findIncident(on, call, patch.orderId ?? null);
    const changed = changeIncident(found.incident, patch, found.ownsOrder);
    if (changed.fields.length === 0) throw new Unchanged(found.doc);
    return changed;
  };
  try {
    await change(sql);
    const doc = await inOrganization(pool, organizationId, call, async (session, at) => {
      const { incident, fields } = await change(session);
      const row = incidentRow({ ...incident, updatedAt: at.toISOString() });
      const update = { row, action: 'incident.update', fields, author: author(call) } as const;
      await store.updateIncident(session, organizationId, update);
      return row.doc;
    });
    return ok(doc);
  } catch (error) {
    if (error instanceof Unchanged) return ok(error.doc);
    throw error;
  }
}

async function uploadAttachment({ sql, writes, files }: Parts, call: Call): Promise<Answer> {
  const { fileName, mediaType, bytes } = call.body as Upload;
  const { organizationId } = call.scope;
  checkUpload((await findIncident(sql, call, null)).incident);
  const file = { organizationId, id: newId(), bytes };
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const { dryRun, receivedAt } = call;
  const pool = dryRun ? sql : writes;
  const mode = { dryRun, receivedAt, stage: (session: Session) => files.put(session, file) };
  const write = () =>
    inOrganization(pool, organizationId, mode, async (session, at) => {
      const instant = at.toISOString();
      const id = dryRun ? dryRunId : file.id;
      const attachment = { id, fileName, mediaType, size: bytes.length, createdAt: instant };
      const { incident } = await findIncident(session, call, null);
      const row = incidentRow({ ...attach(incident, attachment), updatedAt: instant });
      await store.updateIncident(session, organizationId, {
        row,
        action: 'incident.attach',
        fields: ['attachments'],
        author: author(call),
        attached: { id, sha256 },
      });
      return attachment satisfies IncidentAttachment;
    });
  if (dryRun) return ok(JSON.stringify(await write()));
  const attachment = await keepingFile(files, file, write);
  // An attachment has no address of its own: the incident shows it.
  const headers = { Location: `/v1/incidents/${call.parameters['id']!}` };
  return { status: 201, body: JSON.stringify(attachment), headers };
}

async function findIncident(on: Sql, call: Call, orderId: string | null): Promise<store.Found> {
  const { scope, tenant, parameters } = call;
  return (await store.findIncident(on, scope, tenant, parameters['id']!, orderId)) ?? notFound();
}

/** Null in a dry run, of which nothing is recorded. */
function author(call: Call): store.Author | null {
  return call.dryRun ? null : { actor: call.scope.keyId, requestId: call.requestId };
}

function ok(body: Buffer | string): Answer {
  return { status: 200, body };
}

function notFound(): never {
  throw new ApiError('NOT_FOUND', 'No incident with this id is visible to the key');
}
