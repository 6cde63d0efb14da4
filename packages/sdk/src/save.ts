import { type Download, downloadOf } from './download.ts';
import { DownloadError, TimeoutError } from './errors.ts';
import { makeRequestId } from './request-id.ts';
import type { AttemptEvent, RequestOptions } from './options.ts';
import { type ApiPromise, apiPromise } from './answer.ts';
import type { Call, Transport } from './transport/transport.ts';

type DownloadId = 'downloadOrderAttachment' | 'downloadPayrollExportDocument';

/** The options of a download into a file. */
export interface SaveOptions extends RequestOptions {
  /** The file to write, which only its owner may read. It appears under this name when it is whole, and replaces one that is there. */
  to: string;
}

/** A file that was saved. */
export interface SavedFile {
  /** Where it was written. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
  /** Such as `text/csv`; null when the service did not say it. */
  readonly mediaType: string | null;
}

/** Returns the function that gets the error of a stream, when the attempt has begun. */
type OnBegin = (event: AttemptEvent) => (error: unknown) => void;

/** Begins a download. The deadline of the call ends when the answer begins; then `timeout` is the longest pause. */
export function openDownload<Id extends DownloadId>(
  transport: Transport,
  id: Id,
  call: Call<Id>,
  onBegin: OnBegin = event => error => transport.reportFailure(event, error),
): ApiPromise<Download> {
  const { timeout, signal } = call.options ?? {};
  return apiPromise(
    transport.send(id, call, async (response, controller, event) => {
      if (!/^attachment\b/i.test(response.headers.get('content-disposition') ?? ''))
        throw transport.unexpected({ response, requestId: event.requestId }, 'the answer is not a file');
      return downloadOf(response, {
        requestId: response.headers.get('x-request-id') ?? event.requestId,
        timeout: timeout ?? transport.timeout,
        signal,
        controller,
        onFailure: onBegin(event),
      });
    }),
  );
}

/**
 * Downloads into a file, which is there whole or not at all. A download that breaks or stands still is begun again.
 * @throws DownloadError when it broke each time, or is not the file with this SHA-256; TimeoutError when it stood still
 */
export async function saveDownload<Id extends DownloadId>(
  transport: Transport,
  id: Id,
  call: Call<Id>,
  to: string,
  sha256?: string | null,
): Promise<SavedFile> {
  const maxRetries = call.options?.maxRetries ?? transport.maxRetries;
  for (let attempt = 0; ; attempt++) {
    let event!: AttemptEvent;
    const onBegin = (begun: AttemptEvent) => ((event = begun), () => {});
    const { data, requestId } = await openDownload(transport, id, call, onBegin).withResponse();
    try {
      return await writeWhole(data, to, requestId, sha256 ?? undefined);
    } catch (error) {
      const isBroken = error instanceof DownloadError || error instanceof TimeoutError;
      if (isBroken && attempt < maxRetries) continue;
      transport.reportFailure(event, error);
      throw error;
    }
  }
}

/** Writes a neighbour of the file, and renames it when it is whole and on the disk. */
async function writeWhole(
  { stream, mediaType }: Download,
  to: string,
  requestId: string,
  expected: string | undefined,
): Promise<SavedFile> {
  const [{ open, rename, rm }, { createHash }] = await Promise.all([
    import('node:fs/promises'),
    import('node:crypto'),
  ]);
  const partial = `${to}.${makeRequestId()}.partial`;
  const hash = createHash('sha256');
  let size = 0;
  try {
    const file = await open(partial, 'wx', 0o600);
    try {
      for await (const chunk of stream) {
        hash.update(chunk);
        size += chunk.length;
        await file.writeFile(chunk);
      }
      await file.sync();
    } finally {
      await file.close();
    }
    const sha256 = hash.digest('hex');
    if (expected !== undefined && sha256 !== expected)
      throw new DownloadError(requestId, `The file has the SHA-256 ${sha256}, its document says ${expected}`);
    await rename(partial, to);
    return { path: to, size, sha256, mediaType };
  } catch (error) {
    await stream.cancel().catch(() => {});
    await rm(partial, { force: true });
    throw error;
  }
}
