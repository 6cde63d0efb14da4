import { ApiError, contractVersion, operations } from '@kontor/contract';
import type { Route } from './route.ts';

/** `GET /health`: 200, or 503 while `healthy` answers no (specification.md 5.8). */
export function healthRoute(healthy: () => Promise<boolean>): Route {
  const body = JSON.stringify({ status: 'ok', version: contractVersion });
  return {
    operationId: 'getHealth',
    operation: operations.getHealth,
    async handle() {
      if (!(await healthy()))
        throw new ApiError('SERVICE_UNAVAILABLE', 'The service cannot answer at the moment; try again later');
      return { status: 200, body };
    },
  };
}
