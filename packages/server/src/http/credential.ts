import type { IncomingHttpHeaders } from 'node:http';
import type { Credential } from '@kontor/contract';

/** What stands in the header of the credential; undefined where there is none, or not in the form of its scheme. */
export function credentialIn(
  headers: IncomingHttpHeaders,
  { header }: Pick<Credential, 'header'>,
): string | undefined {
  if (header === 'X-API-Key') return headers['x-api-key'] as string | undefined;
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
}
