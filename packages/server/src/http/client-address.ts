import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { compile } from '@fastify/proxy-addr';

/** Whether an address belongs to a trusted proxy. */
export type TrustedProxies = ReturnType<typeof compile>;

/** The headers in which proxies name the client. */
export const forwardedHeaders = ['x-forwarded-for', 'forwarded'] as const;
export type ForwardedHeader = (typeof forwardedHeaders)[number];

/** Returns the network address of the client of a request. */
export type ClientAddress = (request: IncomingMessage) => string;

/**
 * Each proxy adds the address that it was called from at the right end of the header. The client is the first address from the right that is
 * not a trusted proxy: clients can send anything to the left of it. If a trusted proxy does not name an address (`unknown`, `_hidden`), the
 * result is its own.
 */
export function clientAddressReader(trusts: TrustedProxies | null, header: ForwardedHeader): ClientAddress {
  return ({ socket, headers }) => {
    let address = socket.remoteAddress ?? '';
    if (trusts === null || !trusts(address, 0)) return address;
    // Node joins several lines of these headers with a comma.
    const sent = String(headers[header] ?? '');
    for (const element of partsFromRight(sent, ',')) {
      // Empty elements of lists are ignored (RFC 9110 section 5.6.1).
      if (element.trim() === '') continue;
      const node = header === 'forwarded' ? forwardedFor(element) : element;
      const named = node === null ? null : addressOf(node.trim());
      if (named === null) break;
      address = named;
      if (!trusts(address, 0)) break;
    }
    return address;
  };
}

/** An address with or without a port (RFC 7239 section 6), also IPv6 without brackets; null for anything else. */
function addressOf(node: string): string | null {
  const { bracketed, bare } =
    /^(?:\[(?<bracketed>[^\]]*)\]|(?<bare>[^[\]:]*))(?::(?:\d{1,5}|_[\w.-]+))?$/.exec(node)?.groups ?? {};
  if (bracketed !== undefined) return isIP(bracketed) === 6 ? bracketed : null;
  const address = bare ?? node;
  return isIP(address) === 0 ? null : address;
}

/** The parameter `for` of an element, without quotation marks; null unless it was sent exactly once. */
function forwardedFor(element: string): string | null {
  const values = [...partsFromRight(element, ';')]
    .map(pair => /^\s*for\s*=\s*(?:"(?<quoted>.*)"|(?<token>[^"]*?))\s*$/i.exec(pair)?.groups)
    .filter(groups => groups !== undefined);
  if (values.length !== 1) return null;
  const { quoted, token } = values[0]!;
  return quoted?.replaceAll(/\\(.)/g, '$1') ?? token!;
}

/**
 * The parts of a text between separators outside of quoted strings, from the right. A client can leave a quotation mark open. Read from the
 * left, that would hide what the proxies added.
 */
function* partsFromRight(text: string, separator: ',' | ';'): Generator<string> {
  let end = text.length;
  let isQuoted = false;
  for (let at = end - 1; at >= 0; at--) {
    if (text[at] === '"' && !isEscaped(text, at)) isQuoted = !isQuoted;
    if (text[at] !== separator || isQuoted) continue;
    yield text.slice(at + 1, end);
    end = at;
  }
  yield text.slice(0, end);
}

/** Whether an odd number of backslashes precedes the character. */
function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text[at - 1 - slashes] === '\\') slashes++;
  return slashes % 2 === 1;
}
