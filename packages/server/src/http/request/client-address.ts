import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

export interface Networks {
  has(address: string): boolean;
}

export type AddressOf = (request: IncomingMessage) => string;

/** Parses a list such as `10.0.0.0/8, ::1`; null when an entry is invalid. */
export function parseNetworks(list: string): Networks | null {
  const networks = new BlockList();
  for (const part of list.split(',')) {
    const [address = '', prefix, ...more] = part.trim().split('/');
    const version = isIP(address);
    const longest = version === 4 ? 32 : 128;
    const length = prefix === undefined ? longest : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Infinity;
    if (version === 0 || length > longest || more.length > 0) return null;
    networks.addSubnet(address, length, version === 4 ? 'ipv4' : 'ipv6');
  }
  return { has: address => networks.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4') };
}

/**
 * The client is the other end of the connection. If that is one of `proxies`, `X-Forwarded-For` is read from its end: the first address that is no
 * proxy is the client. Clients can forge the entries before it.
 */
export function addressBehind(proxies: Networks | null): AddressOf {
  return ({ socket, headers }) => {
    const connected = socket.remoteAddress ?? '';
    if (proxies === null || !proxies.has(connected)) return connected;
    // Node joins several headers of this name with a comma.
    const forwarded = headers['x-forwarded-for'] as string | undefined;
    let client = connected;
    for (const entry of forwarded?.split(',').reverse() ?? []) {
      const address = entry.trim();
      if (isIP(address) === 0) break;
      client = address;
      if (!proxies.has(address)) break;
    }
    return client;
  };
}

/**
 * The network of an address: the first 24 bits of IPv4, the first 64 of IPv6. One customer of a provider can use all of its addresses. An
 * IPv4-mapped IPv6 address (RFC 4291, 2.5.5.2) is treated as IPv4. Any other text is returned unchanged.
 */
export function networkOf(address: string): string {
  if (isIPv4(address)) return `${address.slice(0, address.lastIndexOf('.'))}.0/24`;
  if (!isIPv6(address)) return address;
  const groups = groupsOf(address);
  const isMapped = groups.slice(0, 5).every(group => group === 0) && groups[5] === 0xffff;
  if (isMapped) return `${groups[6]! >> 8}.${groups[6]! & 0xff}.${groups[7]! >> 8}.0/24`;
  const prefix = groups.slice(0, 4).map(group => group.toString(16));
  return `${prefix.join(':')}::/64`;
}

/** The eight groups of an IPv6 address, without its zone (`%eth0`). */
function groupsOf(address: string): number[] {
  // The URL parser accepts all spellings, but its output abbreviates one run of zeros.
  const { hostname } = new URL(`http://[${address.split('%', 1)[0]}]`);
  const [front = '', back] = hostname.slice(1, -1).split('::');
  const numbers = (part: string) => (part === '' ? [] : part.split(':').map(group => parseInt(group, 16)));
  if (back === undefined) return numbers(front);
  const [first, last] = [numbers(front), numbers(back)];
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => 0);
  return [...first, ...zeros, ...last];
}
