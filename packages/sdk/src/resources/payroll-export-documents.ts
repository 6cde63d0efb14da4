import type { ApiPromise } from '../answer.ts';
import { Changes, type ChangesOptions } from '../changes.ts';
import type { PayrollExportDocument } from '../contract.ts';
import type { Download } from '../download.ts';
import { List, type ListOptions, splitListOptions } from '../list.ts';
import type { RequestOptions } from '../options.ts';
import { openDownload, saveDownload, type SavedFile, type SaveOptions } from '../save.ts';
import type { Call, Fields, Transport } from '../transport.ts';

export class PayrollExportDocuments {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  list(given: ListOptions<Fields<'listPayrollExportDocuments'>> = {}): List<PayrollExportDocument> {
    const { query, options } = splitListOptions(given);
    return new List(given.pageSize, page =>
      this.#transport.json('listPayrollExportDocuments', { query: { ...query, ...page }, options }),
    );
  }

  /** All payroll export documents that have changed since a checkpoint. */
  changes({ since, pageSize, ...options }: ChangesOptions = {}): Changes<PayrollExportDocument> {
    return new Changes(since, pageSize, query =>
      this.#transport.json('listPayrollExportDocuments', { query, options }),
    );
  }

  get(id: string, options?: RequestOptions): ApiPromise<PayrollExportDocument> {
    return this.#transport.json('getPayrollExportDocument', { parameters: { id }, options });
  }

  /** Downloads the file, as a stream or into a file: that one is compared with the SHA-256 of the document. */
  download(id: string, options: SaveOptions): Promise<SavedFile>;
  download(id: string, options?: RequestOptions): ApiPromise<Download>;
  download(id: string, given: RequestOptions | SaveOptions = {}): Promise<SavedFile> | ApiPromise<Download> {
    const call = { parameters: { id }, options: given };
    if ('to' in given) return this.#save(call, given);
    return openDownload(this.#transport, 'downloadPayrollExportDocument', call);
  }

  async #save(call: Call<'downloadPayrollExportDocument'>, options: SaveOptions): Promise<SavedFile> {
    const { sha256 } = await this.get(call.parameters!.id, options);
    return saveDownload(this.#transport, 'downloadPayrollExportDocument', call, options, sha256);
  }
}
