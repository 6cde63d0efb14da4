import { ApiError } from '@kontor/contract';
import { Disconnected } from './body.ts';
import type { Exchange } from './exchange.ts';

/**
 * Runs what a request asks for, for so many milliseconds at most. The signal is aborted when they are over, or when the
 * client has left; a read is given up then, a write goes on without anybody waiting for it.
 * Errors: those of the work, SERVICE_UNAVAILABLE when the time is over, {@link Disconnected}.
 */
export async function inTime<T>(
  { response, mayStore }: Exchange,
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const end = new AbortController();
  const giveUp = (reason: Error) => {
    reject(reason);
    end.abort(reason);
  };
  const timer = setTimeout(() => giveUp(tooLate(milliseconds, mayStore)), milliseconds);
  const onClose = () => giveUp(new Disconnected('The client broke off'));
  if (!mayStore) response.once('close', onClose);
  try {
    return await Promise.race([work(end.signal), ended]);
  } finally {
    clearTimeout(timer);
    response.off('close', onClose);
  }
}

function tooLate(milliseconds: number, mayStore: boolean): ApiError {
  const advice = mayStore ? readFirst : 'try again later';
  return new ApiError(
    'SERVICE_UNAVAILABLE',
    `The request took longer than ${milliseconds / 1000} s; ${advice}`,
  );
}

/** What a client does about a write whose outcome is not known. */
export const readFirst = 'it may have been stored: read before you send it again';
