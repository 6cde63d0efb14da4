import { isIPv4, isIPv6 } from 'node:net';

/**
 * The network of an address: of IPv4 the first 24 bits, of IPv6 the first 64, which one customer of a provider has to choose from. An
 * IPv4-mapped IPv6 address (RFC 4291, 2.5.5.2) belongs to the network of the IPv4 address. Any other text is returned unchanged.
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

/** The eight groups of an IPv6 address; the zone (`%eth0`) is left out. */
function groupsOf(address: string): number[] {
  // The URL standard knows all spellings, but its serialization leaves one run of zeros out.
  const { hostname } = new URL(`http://[${address.split('%', 1)[0]}]`);
  const [front = '', back] = hostname.slice(1, -1).split('::');
  const numbers = (part: string) => (part === '' ? [] : part.split(':').map(group => parseInt(group, 16)));
  if (back === undefined) return numbers(front);
  const [first, last] = [numbers(front), numbers(back)];
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => 0);
  return [...first, ...zeros, ...last];
}
