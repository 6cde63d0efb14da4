import { type AnswerOf, expectedUser, Rejection, rejectionOf, type Route } from './ask.ts';

/** The build puts here what the contract declares. */
declare const __UPLOADS__: { readonly bodyLimit: number; readonly mediaTypes: readonly string[] };

/** Accepted types of evidence. */
export const { mediaTypes } = __UPLOADS__;

/** The largest file, in bytes. The body has the name of the file as well. */
export const maxSize = __UPLOADS__.bodyLimit - 2048;

interface Options {
  readonly id: string;
  readonly file: File;
  /** Receives how much was sent, from 0 to 1. */
  readonly progress: (sent: number) => void;
  /** Aborts the upload. */
  readonly signal: AbortSignal;
}

/** The longest that an upload takes, in milliseconds: 5 MiB at 15 kB a second. */
const timeout = 6 * 60_000;

/**
 * Uploads a file. Only `XMLHttpRequest` reports how much was sent.
 * @throws Rejection; the reason of the signal
 */
export function upload<R extends Route & `${string}/${'attachments' | 'employee-imports'}`>(
  route: R,
  { id, file, progress, signal }: Options,
): Promise<AnswerOf<R>> {
  const { promise, resolve, reject } = Promise.withResolvers<AnswerOf<R>>();
  const request = new XMLHttpRequest();
  const path = route.slice(route.indexOf(' ') + 1).replace('{id}', encodeURIComponent(id));
  request.open('POST', `/portal/api${path}`);
  for (const [name, value] of Object.entries(expectedUser(route))) request.setRequestHeader(name, value);
  request.timeout = timeout;
  const unanswered = navigator.onLine ? 'NO_ANSWER' : 'UNREACHABLE';
  const answered = async () => {
    const { status, responseText } = request;
    const answer = new Response(responseText, { status });
    if (!answer.ok) throw await rejectionOf(answer, unanswered);
    return JSON.parse(responseText) as AnswerOf<R>;
  };
  const failed = () => reject(new Rejection(unanswered, 'The service gave no answer'));
  request.upload.addEventListener('progress', ({ loaded, total }) =>
    progress(total === 0 ? 0 : loaded / total),
  );
  request.addEventListener('load', () => resolve(answered()));
  request.addEventListener('error', failed);
  request.addEventListener('timeout', failed);
  request.addEventListener('abort', () => reject(signal.reason as Error));
  signal.addEventListener('abort', () => request.abort());
  const form = new FormData();
  form.append('file', file);
  request.send(form);
  return promise;
}
