import {
  apis,
  createPortalIncident,
  downloadPortalIncidentAttachment,
  getPortalIncident,
  type IncidentDetails,
  type IncidentReport,
  listPortalIncidents,
  type ResourceChange,
  updatePortalIncident,
  uploadPortalIncidentAttachment,
} from '@kontor/contract';
import type { Files } from '../../files/download.ts';
import { implement } from '../../http/implement.ts';
import { downloadAttachment, inline } from '../../http/download-attachment.ts';
import { ok, type Route } from '../../http/route.ts';
import { incidentResource } from './mapping.ts';
import * as api from './public-routes.ts';
import { missingFields } from './rules.ts';

interface Parts extends Omit<api.Parts, 'files'> {
  readonly files: Files;
  readonly readChanges: (organizationId: string, id: string) => Promise<ResourceChange[]>;
}

const { prefix } = apis.portal;

/** Incidents as HR works with them, by the rules of the public API, in the scope of the user's permission HR. */
export function portalIncidentRoutes({ files, readChanges, ...others }: Parts): Route[] {
  const { reads, collection } = others;
  const parts = { ...others, files: files.store };
  return [
    implement(listPortalIncidents, async call => ok(await collection.page(call))),
    implement(getPortalIncident, async call => {
      const { doc } = await api.findIncident(reads, call, null);
      const history = await readChanges(call.scope.organizationId, call.parameters.id);
      return ok(JSON.stringify({ ...reportOf(doc), history } satisfies IncidentDetails));
    }),
    implement(createPortalIncident, async call => {
      const { id, doc } = await api.create(parts, call);
      const body = JSON.stringify(reportOf(doc));
      return call.dryRun
        ? ok(body)
        : { status: 201, body, headers: { Location: `${prefix}/incidents/${id}` } };
    }),
    implement(updatePortalIncident, async call =>
      ok(JSON.stringify(reportOf(await api.update(parts, call)))),
    ),
    implement(uploadPortalIncidentAttachment, call => api.uploadAttachment(parts, call, prefix)),
    implement(downloadPortalIncidentAttachment, async call =>
      inline(await downloadAttachment({ reads, files }, { table: 'incident', noun: 'incident' }, call)),
    ),
  ];
}

function reportOf(doc: string): IncidentReport {
  const incident = incidentResource.parse(doc);
  return { incident, missing: missingFields(incident) };
}
