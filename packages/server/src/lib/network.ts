import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * The network of an address: the first 24 bits of IPv4, the first 64 of IPv6. One customer of a provider can use all of its addresses. An
 * IPv4-mapped IPv6 address (RFC 4291, 2.5.5.2) is treated as IPv4. Any other text is returned unchanged.
 */
export function networkOf(address: string): string {
  const version = isIP(address);
  if (version === 0) return address;
  const parsed = ipaddr.process(version === 4 ? address : hexadecimal(address));
  if (parsed instanceof ipaddr.IPv4) return `${parsed.octets.slice(0, 3).join('.')}.0/24`;
  const groups = parsed.parts.slice(0, 4).map(group => group.toString(16));
  return `${groups.join(':')}::/64`;
}

/** Without decimals and zone (`%eth0`). The library takes `::192.0.2.7`, which is not IPv4-mapped, for `::ffff:192.0.2.7`. */
function hexadecimal(address: string): string {
  return new URL(`http://[${address.split('%', 1)[0]}]`).hostname.slice(1, -1);
}
