import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** Addresses and networks, such as those of the proxies in front of the service. */
export interface Networks {
  has(address: string): boolean;
}

/** Says where a request comes from. */
export type AddressOf = (request: IncomingMessage) => string;

/** The addresses and networks of a list such as `10.0.0.0/8, ::1`; null: one of them is none. */
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
 * A request comes from the other end of its connection; where that is one of these proxies, from whoever asked the proxy by its own word
 * (`X-Forwarded-For`), and so on from proxy to proxy. What stands there before the first one that is no proxy anybody may have written, so it
 * does not count.
 */
export function addressBehind(proxies: Networks | null): AddressOf {
  return ({ socket, headers }) => {
    const connected = socket.remoteAddress ?? '';
    if (proxies === null || !proxies.has(connected)) return connected;
    // Node joins several of them, with a comma.
    const forwarded = headers['x-forwarded-for'] as string | undefined;
    let client = connected;
    for (const said of forwarded?.split(',').reverse() ?? []) {
      const address = said.trim();
      if (isIP(address) === 0) break;
      client = address;
      if (!proxies.has(address)) break;
    }
    return client;
  };
}
