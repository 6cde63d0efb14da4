import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { apis } from '@kontor/contract';
import { startService, type TestService } from '../support/service/service.ts';
import { signedInUser } from '../support/data/users.ts';
import { usePortal } from '../portal/support.ts';

/** The public address of the service of the fixture is https://kontor.example.com. */
let withoutPublicUrl: TestService;
const fixture = usePortal(async ({ sql }) => {
  withoutPublicUrl = await startService(sql, { publicUrl: null });
});
after(() => withoutPublicUrl?.stop());

const rejected = '403 CROSS_SITE_REQUEST';
const host = 'kontor.example.com';

/** Signs a new session out with these headers; a sign-out that was rejected has left the session alone. */
async function signOut(url: string, headers: Record<string, string>): Promise<string> {
  const { secret, sessionId } = await signedInUser(fixture.sql, fixture.testData.organization);
  const { credential, prefix } = apis.portal;
  const outgoing = request(`${url}${prefix}/session`, {
    method: 'DELETE',
    headers: { cookie: `${credential.cookie}=${secret}`, ...headers },
  });
  outgoing.end();
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  const body = JSON.parse(await text(incoming));
  const sessions = await fixture.sql`
    SELECT FROM portal_session WHERE organization_id = ${fixture.testData.organization} AND id = ${sessionId}`;
  assert.equal(sessions.length, incoming.statusCode === 200 ? 0 : 1);
  return incoming.statusCode === 200 ? '200' : `${incoming.statusCode} ${body.error.code}`;
}

const accepted: Record<string, Record<string, string>> = {
  'the scheme of KONTOR_PUBLIC_URL and the host': { host, origin: 'https://kontor.example.com' },
  'a host in capitals': { host: 'Kontor.Example.com', origin: 'https://kontor.example.com' },
  'a host with the default port': { host: `${host}:443`, origin: 'https://kontor.example.com' },
  'a host with another port': { host: `${host}:8443`, origin: 'https://kontor.example.com:8443' },
  'Sec-Fetch-Site: same-origin, which wins over Origin': {
    host,
    'sec-fetch-site': 'same-origin',
    origin: 'null',
  },
};

const foreign: Record<string, Record<string, string>> = {
  'the other scheme': { host, origin: 'http://kontor.example.com' },
  'the other scheme with the port of this one': { host, origin: 'http://kontor.example.com:443' },
  'another host': { host, origin: 'https://evil.example' },
  'a host below it': { host, origin: 'https://a.kontor.example.com' },
  'a host that begins with it': { host, origin: 'https://kontor.example.com.evil.example' },
  'another port': { host, origin: 'https://kontor.example.com:8443' },
  'null, as of sandboxed frames and files': { host, origin: 'null' },
  'an address with a path': { host, origin: 'https://kontor.example.com/portal' },
  'an address with credentials': { host, origin: 'https://kontor.example.com@evil.example' },
  'an empty one': { host, origin: '' },
  'no origin at all': { host },
};

describe('a write without Sec-Fetch-Site needs the Origin of the portal', () => {
  for (const [name, headers] of Object.entries(accepted))
    test(`200: ${name}`, async () => assert.equal(await signOut(fixture.service.url, headers), '200'));

  for (const [name, headers] of Object.entries(foreign))
    test(`403: ${name}`, async () => assert.equal(await signOut(fixture.service.url, headers), rejected));

  test('Sec-Fetch-Site wins when it is sent: a foreign site is rejected with the right Origin', async () => {
    const origin = 'https://kontor.example.com';
    for (const site of ['cross-site', 'same-site', 'none', 'SAME-ORIGIN', ''])
      assert.equal(
        await signOut(fixture.service.url, { host, origin, 'sec-fetch-site': site }),
        rejected,
        site,
      );
  });

  test('without KONTOR_PUBLIC_URL the scheme is http', async () => {
    const { url } = withoutPublicUrl;
    assert.equal(await signOut(url, { origin: url }), '200');
    assert.equal(await signOut(url, { origin: url.replace('http:', 'https:') }), rejected);
  });
});
