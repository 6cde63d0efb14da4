import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { trustedProxies } from '../../src/config.ts';
import { employeeId, keys, type StubService, stubService } from './stub-service.ts';

const trusts = trustedProxies('127.0.0.1, 10.0.0.0/8,fd00::/8');
let direct: StubService;
let proxied: StubService;
let standard: StubService;
before(async () => {
  direct = await stubService();
  proxied = await stubService({ trustedProxies: trusts });
  standard = await stubService({ trustedProxies: trusts, forwardedHeader: 'forwarded' });
});
after(() => Promise.all([direct.close(), proxied.close(), standard.close()]));

/** The address that the handler gets of a request from `localAddress`. */
async function addressOf(
  service: StubService,
  localAddress: string,
  forwarded: OutgoingHttpHeaders,
): Promise<string> {
  const headers = { 'X-API-Key': keys.all, ...forwarded };
  const sent = request(`${service.url}/employees/${employeeId}`, { localAddress, headers }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  assert.equal(answer.statusCode, 200);
  return service.calls.at(-1)!.address;
}

type Sent = string | string[] | undefined;
const named = (header: string, value: Sent) => (value === undefined ? {} : { [header]: value });

const client = '198.51.100.1';

describe('the address that a request comes from', () => {
  test('is the other end of the connection, whatever the request declares, where no proxy is named', async () => {
    for (const header of ['X-Forwarded-For', 'Forwarded'])
      assert.equal(await addressOf(direct, '127.0.0.1', { [header]: client }), '127.0.0.1');
  });

  test('is not read from the header that is not configured', async () => {
    assert.equal(await addressOf(proxied, '127.0.0.1', { Forwarded: `for=${client}` }), '127.0.0.1');
    assert.equal(await addressOf(standard, '127.0.0.1', { 'X-Forwarded-For': client }), '127.0.0.1');
  });

  const cases: Record<string, [connected: string, forwarded: Sent, address: string]> = {
    'is the other end where that is no proxy, whatever it says': ['127.0.0.7', client, '127.0.0.7'],
    'is that of the proxy which says nothing': ['127.0.0.1', undefined, '127.0.0.1'],
    'is what the proxy says': ['127.0.0.1', client, client],
    'is what the last proxy says, not what was sent to it': ['127.0.0.1', `1.2.3.4, ${client}`, client],
    'is found behind several proxies': ['127.0.0.1', `1.2.3.4, ${client},10.1.2.3`, client],
    'is the farthest proxy where all are': ['127.0.0.1', '10.9.9.9, 10.1.2.3', '10.9.9.9'],
    'may be of IPv6': ['127.0.0.1', '2001:db8::7, fd00::1', '2001:db8::7'],
    'knows a proxy whose address is written in IPv6': ['127.0.0.1', `${client}, ::ffff:10.1.2.3`, client],
    'may have a port, as Azure Application Gateway writes it': ['127.0.0.1', `${client}:51000`, client],
    'may have a port at each proxy': ['127.0.0.1', `1.2.3.4:9, ${client}:51000, 10.1.2.3:443`, client],
    'may be of IPv6 in brackets': ['127.0.0.1', '[2001:db8::7]', '2001:db8::7'],
    'may be of IPv6 in brackets with a port': ['127.0.0.1', '[2001:db8::7]:443, [fd00::1]:80', '2001:db8::7'],
    'may be on several lines of the header': ['127.0.0.1', ['1.2.3.4', client, '10.1.2.3'], client],
    'is found beside empty elements': ['127.0.0.1', `1.2.3.4,, ${client} , ,10.1.2.3, `, client],
    'stays that of the proxy which says unknown': ['127.0.0.1', `${client}, unknown`, '127.0.0.1'],
    'stays that of the proxy which hides it': ['127.0.0.1', `${client}, _hidden`, '127.0.0.1'],
    'stays that of the inner proxy which says unknown': [
      '127.0.0.1',
      `${client}, unknown, 10.1.2.3`,
      '10.1.2.3',
    ],
    'is none in brackets that are not IPv6': ['127.0.0.1', `[${client}]`, '127.0.0.1'],
    'is none with a port that is none': ['127.0.0.1', `${client}:port`, '127.0.0.1'],
    'is none with two ports': ['127.0.0.1', `${client}:1:2`, '127.0.0.1'],
  };
  for (const [name, [connected, forwarded, address]] of Object.entries(cases))
    test(`${name} (X-Forwarded-For)`, async () =>
      assert.equal(await addressOf(proxied, connected, named('X-Forwarded-For', forwarded)), address));

  const standardCases: typeof cases = {
    'is the other end where that is no proxy, whatever it says': ['127.0.0.7', `for=${client}`, '127.0.0.7'],
    'is what the proxy says': ['127.0.0.1', `for=${client}`, client],
    'is what the last proxy says, not what was sent to it': [
      '127.0.0.1',
      `for=1.2.3.4, for=${client}`,
      client,
    ],
    'is found behind several proxies': [
      '127.0.0.1',
      `for=1.2.3.4, for=${client};proto=https,for=10.1.2.3;by=10.9.9.9`,
      client,
    ],
    'may be quoted': ['127.0.0.1', `for="${client}"`, client],
    'may be quoted with a port': ['127.0.0.1', `for="${client}:51000"`, client],
    'may be of IPv6 with a port': ['127.0.0.1', 'for="[2001:db8::1]:4711"', '2001:db8::1'],
    'may have an obfuscated port': ['127.0.0.1', 'for="[2001:db8::1]:_port"', '2001:db8::1'],
    'may have escaped characters': ['127.0.0.1', String.raw`for="198.51.100.\1"`, client],
    'has a parameter name in any letter case': ['127.0.0.1', `By=_x;FOR=${client};Proto=http`, client],
    'may be on several lines of the header': [
      '127.0.0.1',
      ['for=1.2.3.4', `for=${client}`, 'for=10.1.2.3'],
      client,
    ],
    'is found beside empty elements': ['127.0.0.1', `for=1.2.3.4,, for=${client} , ,`, client],
    'stays that of the proxy which says unknown': ['127.0.0.1', `for=${client}, for=unknown`, '127.0.0.1'],
    'stays that of the proxy which hides it': ['127.0.0.1', `for=${client}, for=_hidden`, '127.0.0.1'],
    'stays that of the proxy which does not say it': ['127.0.0.1', `for=${client}, proto=https`, '127.0.0.1'],
    'stays that of the proxy which says two': ['127.0.0.1', `for=1.2.3.4;for=${client}`, '127.0.0.1'],
    'is none without a parameter name': ['127.0.0.1', client, '127.0.0.1'],
    'is not read from another parameter': ['127.0.0.1', `x="y;for=1.2.3.4;z";for=${client}`, client],
    'is not hidden by a quotation mark that a client leaves open': [
      '127.0.0.1',
      `for=", for="${client}:51000"`,
      client,
    ],
    'is not hidden by an escape that a client leaves open': ['127.0.0.1', `for="\\, for=${client}`, client],
    'is not hidden by a line that a client leaves open': ['127.0.0.1', ['for="', `for=${client}`], client],
  };
  for (const [name, [connected, forwarded, address]] of Object.entries(standardCases))
    test(`${name} (Forwarded)`, async () =>
      assert.equal(await addressOf(standard, connected, named('Forwarded', forwarded)), address));

  const stranger = fc.oneof(
    fc.ipV4().filter(address => !trusts(address, 0)),
    fc.nat(0xffff).map(last => `2001:db8::${last.toString(16)}`),
  );
  const proxy = fc.nat(255).map(last => `10.0.0.${last}`);
  const written = fc.oneof(fc.stringMatching(/^[ -~]*$/), fc.ipV4(), fc.ipV6());
  const withPort = (address: string) => (address.includes(':') ? `[${address}]:443` : `${address}:443`);

  test('is never one that stands before an address which is no proxy, nor anything that is no address', async () => {
    const formats = fc.constantFrom((address: string) => address, withPort);
    await fc.assert(
      fc.asyncProperty(
        fc.array(written),
        stranger,
        fc.array(proxy),
        formats,
        async (before, address, passed, format) => {
          const forwarded = [...before, ...[address, ...passed].map(format)].join(', ');
          const seen = await addressOf(proxied, '127.0.0.1', { 'X-Forwarded-For': forwarded });
          assert.equal(seen, address);
        },
      ),
    );
  });

  test('is never one that stands before it in Forwarded, whatever marks a client leaves open', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(written), stranger, fc.array(proxy), async (before, address, passed) => {
        const added = [address, ...passed].map(node => `for="${withPort(node)}";proto=https`);
        const seen = await addressOf(standard, '127.0.0.1', { Forwarded: [...before, ...added].join(', ') });
        assert.equal(seen, address);
      }),
    );
  });
});
