import { type ApiPromise, apiPromise } from '../answer.ts';
import type { Incident, IncidentAttachment, IncidentCreate, IncidentPatch } from '../contract.ts';
import type { WriteOptions } from '../options.ts';
import type { Transport } from '../transport.ts';
import { multipartOf, type Upload, type UploadOptions } from '../upload.ts';
import { Collection } from './collection.ts';

/** The incidents of employees. */
export class Incidents extends Collection<'listIncidents', 'getIncident'> {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    super(transport, 'listIncidents', 'getIncident');
    this.#transport = transport;
  }

  /** Reports an incident. Nothing of it is unique, so a lost answer stays `unknown`. */
  create(body: IncidentCreate, options?: WriteOptions): ApiPromise<Incident> {
    return this.#transport.json('createIncident', { body, options });
  }

  /** Merges the body into an incident. Nothing of it is unique, so a lost answer stays `unknown`. */
  update(id: string, body: IncidentPatch, options?: WriteOptions): ApiPromise<Incident> {
    return this.#transport.json('updateIncident', { parameters: { id }, body, options });
  }

  /** Attaches a PNG, JPEG, WebP or PDF file of up to 5 MiB. Nothing of it is unique, so a lost answer stays `unknown`. */
  uploadAttachment(
    id: string,
    file: Upload,
    { fileName, ...options }: UploadOptions & WriteOptions = {},
  ): ApiPromise<IncidentAttachment> {
    const upload = async () => {
      const body = await multipartOf(file, fileName);
      const call = { parameters: { id }, body, options };
      return this.#transport.json('uploadIncidentAttachment', call).withResponse();
    };
    return apiPromise(upload());
  }
}
