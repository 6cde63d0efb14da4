import { isIP } from 'node:net';

/** For whom passkeys are: the domain that browsers bind them to, and the address of the pages that may use them. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

/**
 * The one of the address at which people reach the service; null where passkeys do not work: without a domain, and over plain HTTP
 * from elsewhere. What only this machine reaches is `localhost` to passkeys, since a number is no domain.
 */
export function relyingPartyOf(publicUrl: string): RelyingParty | null {
  const { protocol, hostname, port } = new URL(publicUrl);
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  const isLoopback = (isIP(address) === 4 && address.startsWith('127.')) || address === '::1';
  if (!isLoopback && isIP(address) !== 0) return null;
  const id = isLoopback ? 'localhost' : hostname;
  if (protocol !== 'https:' && id !== 'localhost') return null;
  return { id, origin: `${protocol}//${id}${port && `:${port}`}` };
}
