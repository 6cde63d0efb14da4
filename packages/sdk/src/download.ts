import { DownloadError, TimeoutError } from './errors.ts';
import { startTimer } from './transport/sleep.ts';
import { baseNameOf } from './upload.ts';

/** A file that arrives. Read `stream` to its end: it fails when the file is not whole. */
export interface Download {
  /** The bytes. Reading them fails when the connection breaks, stands still, or ends too early. */
  readonly stream: ReadableStream<Uint8Array>;
  /** The name without a path; null when the service did not say it. */
  readonly fileName: string | null;
  /** Such as `application/pdf`; null when the service did not say it. */
  readonly mediaType: string | null;
  /** In bytes; null when the service did not say it. */
  readonly size: number | null;
}

interface StreamOptions {
  readonly requestId: string;
  /** The longest pause between two chunks, in milliseconds. */
  readonly timeout: number;
  readonly signal: AbortSignal | undefined;
  /** Closes the connection. */
  readonly controller: AbortController;
  /** Gets the error of a stream that failed. */
  readonly onFailure: (error: Error) => void;
}

/** The file of a response. The stream fails when it stalls, is aborted, or ends before its length. */
export function downloadOf(response: Response, options: StreamOptions): Download {
  const { headers } = response;
  const length = headers.get('content-encoding') === null ? headers.get('content-length') : null;
  const size = length === null ? null : Number(length);
  return {
    stream: guardStream(response.body, size, options),
    fileName: baseNameOf(readFileName(headers.get('content-disposition') ?? '') ?? ''),
    mediaType: headers.get('content-type')?.split(';', 1)[0]!.trim() ?? null,
    size,
  };
}

function guardStream(
  body: Response['body'],
  size: number | null,
  { requestId, timeout, signal, controller, onFailure }: StreamOptions,
): ReadableStream<Uint8Array> {
  const reader = (body ?? new Blob([]).stream()).getReader();
  let received = 0;
  const abort = () => controller.abort(signal!.reason as Error);
  const close = () => signal?.removeEventListener('abort', abort);
  signal?.addEventListener('abort', abort, { once: true });
  return new ReadableStream<Uint8Array>({
    async pull(stream) {
      const stalled = new TimeoutError(requestId, `The download stood still for ${timeout} ms`);
      const timer = startTimer(() => controller.abort(stalled), timeout);
      try {
        const { done, value } = await reader.read();
        if (!done) {
          received += value.length;
          return stream.enqueue(value);
        }
        if (size !== null && received !== size)
          throw new DownloadError(requestId, `The download ended after ${received} of ${size} bytes`);
        close();
        stream.close();
      } catch (error) {
        close();
        const failure = streamError(error, controller.signal, requestId);
        onFailure(failure);
        throw failure;
      } finally {
        clearTimeout(timer);
      }
    },
    async cancel(reason) {
      close();
      await reader.cancel(reason);
    },
  });
}

/** An aborted stream fails with the reason, a broken one as a download that is not whole. */
function streamError(error: unknown, { aborted, reason }: AbortSignal, requestId: string): Error {
  if (aborted) return reason as Error;
  if (error instanceof DownloadError) return error;
  return new DownloadError(requestId, 'The connection broke during the download', error);
}

/** The name of `Content-Disposition`, in UTF-8 where it is there (RFC 6266). */
function readFileName(disposition: string): string | null {
  const encoded = /filename\*=UTF-8''([^;\s]+)/i.exec(disposition)?.[1];
  try {
    if (encoded !== undefined) return decodeURIComponent(encoded);
  } catch {
    // The file is whole, although its name cannot be read.
  }
  const plain = /filename="((?:[^"\\]|\\.)*)"/i.exec(disposition)?.[1];
  return plain === undefined ? null : plain.replace(/\\(.)/g, '$1');
}
