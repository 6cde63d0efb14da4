import { type ApiPromise, apiPromise } from '../answer.ts';
import type { Incident, IncidentAttachment, IncidentCreate, IncidentPatch } from '../contract.ts';
import type { CreateOptions, UpdateOptions } from '../options.ts';
import type { Transport } from '../transport/transport.ts';
import { multipartOf, type Upload, type UploadOptions } from '../upload.ts';
import { Collection } from './collection.ts';

/** The incidents of employees. */
export class Incidents extends Collection<'listIncidents', 'getIncident'> {
  constructor(transport: Transport) {
    super(transport, 'listIncidents', 'getIncident');
  }

  /** Reports an incident. A lost answer is asked for again: the incident is reported once. */
  create(body: IncidentCreate, options?: CreateOptions): ApiPromise<Incident> {
    return this.transport.json('createIncident', { body, options });
  }

  /** Merges the body into an incident. With `ifMatch` no change of others is replaced, and a lost answer is asked for again. */
  update(id: string, body: IncidentPatch, options?: UpdateOptions): ApiPromise<Incident> {
    return this.transport.json('updateIncident', { parameters: { id }, body, options });
  }

  /** Attaches a PNG, JPEG, WebP or PDF file of up to 5 MiB. A lost answer is asked for again: the file is attached once. */
  uploadAttachment(
    id: string,
    file: Upload,
    { fileName, ...options }: UploadOptions & CreateOptions = {},
  ): ApiPromise<IncidentAttachment> {
    const upload = async () => {
      const body = await multipartOf(file, fileName);
      const call = { parameters: { id }, body, options };
      return this.transport.json('uploadIncidentAttachment', call).withResponse();
    };
    return apiPromise(upload());
  }
}
