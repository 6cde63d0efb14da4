import { type ApiPromise, apiPromise } from '../answer.ts';
import { Changes, type ChangesOptions } from '../changes.ts';
import type { Incident, IncidentAttachment, IncidentCreate, IncidentPatch } from '../contract.ts';
import { List, type ListOptions, splitListOptions } from '../list.ts';
import type { RequestOptions, WriteOptions } from '../options.ts';
import type { Fields, Transport } from '../transport.ts';
import { formOf, type Upload, type UploadOptions } from '../upload.ts';

export class Incidents {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  list(given: ListOptions<Fields<'listIncidents'>> = {}): List<Incident> {
    const { query, options } = splitListOptions(given);
    return new List(given.pageSize, page =>
      this.#transport.json('listIncidents', { query: { ...query, ...page }, options }),
    );
  }

  /** All incidents that have changed since a checkpoint. */
  changes({ since, pageSize, ...options }: ChangesOptions = {}): Changes<Incident> {
    return new Changes(since, pageSize, query => this.#transport.json('listIncidents', { query, options }));
  }

  get(id: string, options?: RequestOptions): ApiPromise<Incident> {
    return this.#transport.json('getIncident', { parameters: { id }, options });
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
      const body = await formOf(file, { fileName });
      const call = { parameters: { id }, body, options };
      return this.#transport.json('uploadIncidentAttachment', call).withResponse();
    };
    return apiPromise(upload());
  }
}
