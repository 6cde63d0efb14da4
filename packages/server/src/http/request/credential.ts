import type { IncomingHttpHeaders } from 'node:http';
import type { Credential } from '@kontor/contract';

/** What stands in the header of the credential; undefined where there is none, or not in the form of its scheme. */
export function credentialIn(
  headers: IncomingHttpHeaders,
  { header, cookie }: Pick<Credential, 'header' | 'cookie'>,
): string | undefined {
  if (header === 'X-API-Key') return headers['x-api-key'] as string | undefined;
  if (header === 'Cookie') return cookieIn(headers.cookie ?? '', cookie!);
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
}

/** The value of a cookie; undefined where it is not sent, and where several are, of which nobody knows whose they are. */
function cookieIn(sent: string, name: string): string | undefined {
  const values = sent.split(';').map(pair => pair.trim());
  const found = values.filter(pair => pair.startsWith(`${name}=`));
  return found.length === 1 ? found[0]!.slice(name.length + 1) : undefined;
}
