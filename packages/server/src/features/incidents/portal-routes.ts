import { apis, type IncidentDetails } from '@kontor/contract';
import type { Files } from '../../files/download.ts';
import type { HandlersOf } from '../../http/handlers.ts';
import { downloadAttachment } from '../../http/download-attachment.ts';
import { ok } from '../../http/route.ts';
import { incidentResource } from './mapping.ts';
import * as api from './public-routes.ts';
import { missingFields } from './rules.ts';

interface Parts extends Omit<api.Parts, 'files'> {
  readonly files: Files;
}

const { prefix } = apis.portal;

/** Incidents as HR works with them, by the rules of the public API, in the scope of the user's permission HR. */
export function portalIncidentHandlers({ files, ...others }: Parts): HandlersOf<'portal', 'Incidents'> {
  const { reads, collection } = others;
  const parts = { ...others, files: files.store };
  return {
    listPortalIncidents: async call => ok(await collection.page(call)),
    async getPortalIncident(call) {
      const { doc } = await api.findIncident(reads, call, null);
      return ok(detailsOf(doc));
    },
    async createPortalIncident(call) {
      const { id, doc } = await api.createIncident(parts, call);
      const body = detailsOf(doc);
      return call.dryRun
        ? ok(body)
        : { status: 201, body, headers: { Location: `${prefix}/incidents/${id}` } };
    },
    updatePortalIncident: async call => ok(detailsOf(await api.updateIncident(parts, call))),
    uploadPortalIncidentAttachment: call => api.uploadAttachment(parts, call, prefix),
    downloadPortalIncidentAttachment: call =>
      downloadAttachment({ reads, files }, { table: 'incident', noun: 'incident' }, call),
  };
}

function detailsOf(doc: string): string {
  const incident = incidentResource.parse(doc);
  return JSON.stringify({ incident, missing: missingFields(incident) } satisfies IncidentDetails);
}
