import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '@kontor/contract';

/**
 * Checks that a write comes from a page of the service itself, since browsers send its cookie whoever asks. Browsers say where a request
 * comes from, and no page can change that: in `Sec-Fetch-Site`, and older ones in `Origin`, whose host must be the one that is asked.
 * @throws ApiError CROSS_SITE_REQUEST, also where neither is sent, which no browser does.
 */
export function checkSite(headers: IncomingHttpHeaders): void {
  const site = headers['sec-fetch-site'];
  if (site === undefined ? isOwnOrigin(headers) : site === 'same-origin') return;
  throw new ApiError('CROSS_SITE_REQUEST', 'Only pages of the portal itself may do this; use the portal');
}

function isOwnOrigin({ origin, host }: IncomingHttpHeaders): boolean {
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === host?.toLowerCase();
}
