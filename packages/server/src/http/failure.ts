import { ApiError } from '@kontor/contract';
import type { Logger } from 'pino';
import { isUnavailable } from '../database/failure.ts';
import type { Exchange } from './exchange.ts';
import { describeCause } from './log.ts';
import type { JsonAnswer } from './route.ts';

/** The answer to anything that was thrown: the one place where errors become envelopes (spec.md, Errors). */
export function failureAnswer(error: unknown, exchange: Exchange, logger: Logger): JsonAnswer {
  const refusal = error instanceof ApiError ? error : mapped(error);
  if (refusal.status >= 500)
    logger.error(
      { requestId: exchange.requestId, operation: exchange.operation, cause: describeCause(error) },
      'request failed',
    );
  return {
    status: refusal.status,
    body: envelope(refusal, exchange.requestId),
    headers: retryHeaders(refusal, exchange),
  };
}

function mapped(cause: unknown): ApiError {
  return isUnavailable(cause)
    ? new ApiError('SERVICE_UNAVAILABLE', 'The service cannot answer at the moment; try again later', {
        cause,
      })
    : new ApiError('INTERNAL_SERVER_ERROR', 'The service failed; tell its operator the request identifier', {
        cause,
      });
}

const noHeaders = {};

function retryHeaders(refusal: ApiError, { quota }: Exchange): Record<string, string> {
  if (refusal.code !== 'RATE_LIMIT_EXCEEDED' || quota === null) return noHeaders;
  return { 'Retry-After': String(quota.resetSeconds) };
}

/** The JSON text of the error envelope. */
export function envelope({ code, message }: ApiError, requestId: string): string {
  return JSON.stringify({ error: { code, message, requestId } });
}
