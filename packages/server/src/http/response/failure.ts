import { ApiError } from '@kontor/contract';
import type { Logger } from 'pino';
import { isUnavailable, isUncertain } from '../../db/failure.ts';
import { adviceOnRepeat, type RequestContext } from '../request-context.ts';
import { describeCause } from '../../telemetry/cause.ts';
import type { JsonAnswer } from '../route.ts';

/** Converts any thrown error to an error envelope (specification.md 2.6), and logs it when the status is 500 or more. */
export function failureAnswer(error: unknown, context: RequestContext, logger: Logger): JsonAnswer {
  const rejection = error instanceof ApiError ? error : mapped(error, context);
  context.rejection = rejection;
  if (rejection.status >= 500)
    logger.error(
      { requestId: context.requestId, operation: context.operation, cause: describeCause(error) },
      'request failed',
    );
  return {
    status: rejection.status,
    body: envelope(rejection, context.requestId, context.namesFields),
    headers: headersOf(rejection, context),
  };
}

function mapped(cause: unknown, context: RequestContext): ApiError {
  if (!isUnavailable(cause))
    return new ApiError('INTERNAL_SERVER_ERROR', 'Internal error. Give the operator this requestId', {
      cause,
    });
  const advice = isUncertain(cause) ? adviceOnRepeat(context) : 'try again later';
  return new ApiError('SERVICE_UNAVAILABLE', `The service cannot answer at the moment; ${advice}`, { cause });
}

const noHeaders = {};

/** The default of a 503. Most causes end within seconds, such as a write that waited too long or a lost connection. */
export const unavailableHeaders = { 'Retry-After': '2' };

function headersOf(
  { status, code, retryAfter, currentVersion }: ApiError,
  { quota, request }: RequestContext,
): Record<string, string> {
  if (retryAfter !== null) return { 'Retry-After': String(retryAfter) };
  if (currentVersion !== null && request.headers['if-match'] !== undefined)
    return { ETag: `"${currentVersion}"` };
  if (status === 503) return unavailableHeaders;
  if (code !== 'RATE_LIMIT_EXCEEDED' || quota === null) return noHeaders;
  return { 'Retry-After': String(quota.resetSeconds) };
}

export function envelope(
  { code, message, rejectedField }: ApiError,
  requestId: string,
  namesFields = false,
): string {
  return JSON.stringify({ error: { code, message, requestId, ...(namesFields && rejectedField) } });
}
