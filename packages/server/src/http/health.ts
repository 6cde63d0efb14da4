import { ApiError, contractVersion } from '@kontor/contract';
import type { Handlers } from './handlers.ts';
import { ok } from './route.ts';

/** `GET /health`: 200, or 503 while `healthy` answers no (specification.md 5.8). */
export function healthHandlers(healthy: () => Promise<boolean>): Handlers<'Health'> {
  const body = JSON.stringify({ status: 'ok', version: contractVersion });
  return {
    async getHealth() {
      if (!(await healthy()))
        throw new ApiError('SERVICE_UNAVAILABLE', 'The service cannot answer at the moment; try again later');
      return ok(body);
    },
  };
}
