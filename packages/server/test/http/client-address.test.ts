import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { trustedProxies } from '../../src/config.ts';
import { employeeId, keys, type StubService, stubService } from './stub-service.ts';

const trusts = trustedProxies('127.0.0.1, 10.0.0.0/8,fd00::/8');
let direct: StubService;
let proxied: StubService;
before(async () => {
  direct = await stubService();
  proxied = await stubService({ trustedProxies: trusts });
});
after(() => Promise.all([direct.close(), proxied.close()]));

/** The address that the handler gets of a request from `localAddress`. */
async function addressOf(
  service: StubService,
  localAddress: string,
  forwarded: string | undefined,
): Promise<string> {
  const headers = {
    'X-API-Key': keys.all,
    ...(forwarded !== undefined && { 'X-Forwarded-For': forwarded }),
  };
  const sent = request(`${service.url}/employees/${employeeId}`, { localAddress, headers }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  assert.equal(answer.statusCode, 200);
  return service.calls.at(-1)!.address;
}

describe('the address that a request comes from', () => {
  test('is the other end of the connection, whatever the request declares, where no proxy is named', async () => {
    assert.equal(await addressOf(direct, '127.0.0.1', '198.51.100.1'), '127.0.0.1');
  });

  const cases: Record<string, [connected: string, forwarded: string | undefined, address: string]> = {
    'is the other end where that is no proxy, whatever it says': ['127.0.0.7', '198.51.100.1', '127.0.0.7'],
    'is that of the proxy which says nothing': ['127.0.0.1', undefined, '127.0.0.1'],
    'is what the proxy says': ['127.0.0.1', '198.51.100.1', '198.51.100.1'],
    'is what the last proxy says, not what was sent to it': [
      '127.0.0.1',
      '1.2.3.4, 198.51.100.1',
      '198.51.100.1',
    ],
    'is found behind several proxies': ['127.0.0.1', '1.2.3.4, 198.51.100.1,10.1.2.3', '198.51.100.1'],
    'is the farthest proxy where all are': ['127.0.0.1', '10.9.9.9, 10.1.2.3', '10.9.9.9'],
    'may be of IPv6': ['127.0.0.1', '2001:db8::7, fd00::1', '2001:db8::7'],
    'knows a proxy whose address is written in IPv6': [
      '127.0.0.1',
      '198.51.100.1, ::ffff:10.1.2.3',
      '198.51.100.1',
    ],
    'stays that of the proxy which says no address': ['127.0.0.1', '198.51.100.1, unknown', '127.0.0.1'],
  };
  for (const [name, [connected, forwarded, address]] of Object.entries(cases))
    test(name, async () => assert.equal(await addressOf(proxied, connected, forwarded), address));

  test('is never one that stands before an address which is no proxy, nor anything that is no address', async () => {
    const stranger = fc.ipV4().filter(address => !trusts(address, 0));
    const proxy = fc.nat(255).map(last => `10.0.0.${last}`);
    const written = fc.oneof(fc.stringMatching(/^[ -~]*$/), fc.ipV4(), fc.ipV6());
    await fc.assert(
      fc.asyncProperty(fc.array(written), stranger, fc.array(proxy), async (before, client, passed) => {
        const forwarded = [...before, client, ...passed].join(', ');
        assert.equal(await addressOf(proxied, '127.0.0.1', forwarded), client);
      }),
    );
  });
});
