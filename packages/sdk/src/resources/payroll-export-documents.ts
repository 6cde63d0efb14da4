import type { ApiPromise } from '../answer.ts';
import type { Download } from '../download.ts';
import type { RequestOptions } from '../options.ts';
import { openDownload, saveDownload, type SavedFile, type SaveOptions } from '../save.ts';
import type { Transport } from '../transport/transport.ts';
import { Collection } from './collection.ts';

/** The files of payroll exports. */
export class PayrollExportDocuments extends Collection<
  'listPayrollExportDocuments',
  'getPayrollExportDocument'
> {
  constructor(transport: Transport) {
    super(transport, 'listPayrollExportDocuments', 'getPayrollExportDocument');
  }

  /** Downloads the file of a document into a file, and compares it with the SHA-256 of the document. */
  download(id: string, options: SaveOptions): Promise<SavedFile>;
  /** Downloads the file of a document as a stream. */
  download(id: string, options?: RequestOptions): ApiPromise<Download>;
  download(
    id: string,
    { to, ...options }: Partial<SaveOptions> = {},
  ): Promise<SavedFile> | ApiPromise<Download> {
    if (to !== undefined) return this.#save(id, to, options);
    return openDownload(this.transport, 'downloadPayrollExportDocument', { parameters: { id }, options });
  }

  async #save(id: string, to: string, options: RequestOptions): Promise<SavedFile> {
    const { sha256 } = await this.get(id, options);
    const call = { parameters: { id }, options };
    return saveDownload(this.transport, 'downloadPayrollExportDocument', call, to, sha256);
  }
}
