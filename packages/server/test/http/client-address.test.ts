import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { addressBehind, parseNetworks } from '../../src/http/request/client-address.ts';

const request = (remoteAddress: string, forwarded?: string) =>
  ({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage;

describe('the address that a request comes from', () => {
  const proxies = parseNetworks('127.0.0.1, 10.0.0.0/8,fd00::/8');

  test('is the other end of the connection, whatever the request says, where no proxy is named', () => {
    assert.equal(addressBehind(null)(request('203.0.113.7', '198.51.100.1')), '203.0.113.7');
  });

  const cases: Record<string, [connected: string, forwarded: string | undefined, address: string]> = {
    'is the other end where that is no proxy, whatever it says': [
      '203.0.113.7',
      '198.51.100.1',
      '203.0.113.7',
    ],
    'is that of the proxy which says nothing': ['127.0.0.1', undefined, '127.0.0.1'],
    'is what the proxy says': ['127.0.0.1', '198.51.100.1', '198.51.100.1'],
    'is what the last proxy says, not what was sent to it': [
      '127.0.0.1',
      '1.2.3.4, 198.51.100.1',
      '198.51.100.1',
    ],
    'is found behind several proxies': ['127.0.0.1', '1.2.3.4, 198.51.100.1,10.1.2.3', '198.51.100.1'],
    'is the farthest proxy where all are': ['127.0.0.1', '10.9.9.9, 10.1.2.3', '10.9.9.9'],
    'may be of IPv6': ['fd00::1', '2001:db8::7', '2001:db8::7'],
    'knows a proxy whose address is written in IPv6': ['::ffff:10.1.2.3', '198.51.100.1', '198.51.100.1'],
    'stays that of the proxy which says no address': ['127.0.0.1', '198.51.100.1, unknown', '127.0.0.1'],
  };
  for (const [name, [connected, forwarded, address]] of Object.entries(cases))
    test(name, () => assert.equal(addressBehind(proxies)(request(connected, forwarded)), address));

  test('is never one that stands before an address which is no proxy, nor anything that is no address', () => {
    const stranger = fc.ipV4().filter(address => !proxies!.has(address));
    const proxy = fc.nat(255).map(last => `10.0.0.${last}`);
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string(), fc.ipV4(), fc.ipV6())),
        stranger,
        fc.array(proxy),
        (written, client, passed) => {
          const forwarded = [...written, client, ...passed].join(', ');
          assert.equal(addressBehind(proxies)(request('127.0.0.1', forwarded)), client);
        },
      ),
    );
  });
});
