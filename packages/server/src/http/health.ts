import { ApiError, contractVersion, getHealth } from '@kontor/contract';
import { implement } from './implement.ts';
import { ok, type Route } from './route.ts';

/** `GET /health`: 200, or 503 while `healthy` resolves to false (specification.md 5.8). */
export function healthRoute(healthy: () => Promise<boolean>): Route {
  const body = JSON.stringify({ status: 'ok', version: contractVersion });
  return implement(getHealth, async () => {
    if (!(await healthy()))
      throw new ApiError('SERVICE_UNAVAILABLE', 'The service cannot answer at the moment; try again later');
    return ok(body);
  });
}
