import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '@kontor/contract';

/**
 * Checks that a write comes from a page of the service itself, since browsers send its cookie with every request. Browsers tell where a
 * request comes from, and no page can change that: in `Sec-Fetch-Site`, which decides when it is sent, and older ones in `Origin`. That
 * must be the scheme of `publicUrl` with the host and port that the request was sent to. The proxy that ends TLS hides the scheme.
 * @throws ApiError CROSS_SITE_REQUEST, also when neither is sent, which no browser does, and for `Origin: null`.
 */
export function checkSite(headers: IncomingHttpHeaders, publicUrl: string | undefined): void {
  const site = headers['sec-fetch-site'];
  if (site === undefined ? isOwnOrigin(headers, publicUrl) : site === 'same-origin') return;
  throw new ApiError('CROSS_SITE_REQUEST', 'Only pages of the portal itself may do this; use the portal');
}

function isOwnOrigin({ origin, host }: IncomingHttpHeaders, publicUrl: string | undefined): boolean {
  if (publicUrl === undefined) return false;
  const own = `${new URL(publicUrl).protocol}//${host}`;
  // The origin of a URL leaves out the default port, as browsers do.
  return URL.canParse(own) && origin === new URL(own).origin;
}
