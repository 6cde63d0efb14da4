import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { describe, test } from 'node:test';
import { outcome } from '../portal/support.ts';
import type { Answer } from '../support/contract/client.ts';
import { drip, startHostileServer, writeWithoutEnd } from '../support/servers/hostile-server.ts';
import { key, useLyingIssuer } from './issuer-fixture.ts';

const fixture = useLyingIssuer();
const { signIn, signInAt } = fixture;

const begin = (): Promise<Answer<any>> => fixture.portal.post('/session/openid-request', undefined);

const failed = /^50[24] (BAD_GATEWAY|GATEWAY_TIMEOUT)$/;

/** Bytes that an issuer can send to one request, with what the buffers of the sockets hold. */
const maxBytes = 16 * 1024 * 1024;

describe('502 BAD_GATEWAY: no browser is sent to an address of the metadata that is', () => {
  for (const address of [
    'javascript:alert(document.domain)//',
    'JaVaScRiPt:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'file:///etc/passwd',
    'ftp://127.0.0.1/',
    '/portal',
    'https://',
    'blob:https://kontor.example.com/x',
  ])
    test(address, async () => {
      fixture.issuer.metadata = { authorization_endpoint: address };
      assert.equal(outcome(await begin()), '502 BAD_GATEWAY');
    });
});

test('502 BAD_GATEWAY: an issuer with https:// that names an endpoint with http:// is asked nothing there', async () => {
  const [address, insecure] = ['https://login.example.com', 'http://login.example.com'];
  for (const [endpoint, path] of [
    ['authorization_endpoint', '/authorize'],
    ['token_endpoint', '/token'],
    ['jwks_uri', '/keys'],
  ] as const) {
    const { answer, asked } = await signInAt(address, { metadata: { [endpoint]: `${insecure}${path}` } });
    assert.equal(outcome(answer), '502 BAD_GATEWAY', endpoint);
    assert.deepEqual(
      asked.filter(to => to.startsWith(insecure)),
      [],
    );
  }
});

describe('502 or 504, and no user is signed in: an issuer whose metadata or keys', () => {
  const answers: Readonly<Record<string, RequestListener>> = {
    'come byte by byte': (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      drip(response.socket as Socket, ' ');
    },
    'are nested a hundred thousand times': (_request, response) =>
      void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end('['.repeat(100_000) + ']'.repeat(100_000)),
    'are HTML': (_request, response) =>
      void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
    'are null': (_request, response) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end('null'),
    'set the prototype': (_request, response) =>
      void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"__proto__":{"issuer":"x","keys":[]}}'),
  };
  for (const [name, answer] of Object.entries(answers))
    for (const what of ['answerMetadata', 'answerKeys'] as const)
      test(`${name} (${what})`, async () => {
        fixture.issuer[what] = answer;
        assert.match(await signIn(), failed);
      });

  for (const status of [301, 302, 303, 307, 308])
    test(`are elsewhere, which is not asked (${status})`, async () => {
      const other = await startHostileServer(() => {});
      const redirect: RequestListener = (_request, response) =>
        void response.writeHead(status, { location: `http://127.0.0.1:${other.port}/` }).end();
      fixture.issuer.answerMetadata = redirect;
      assert.match(await signIn(), failed);
      fixture.issuer.answerMetadata = null;
      fixture.issuer.answerKeys = redirect;
      assert.match(await signIn(), failed);
      assert.equal(other.received(), '');
      await other.close();
    });

  test('have a name for each of a thousand keys, or one name for all', async () => {
    const began = performance.now();
    for (const kid of [(n: number) => `key ${n}`, () => 'first']) {
      const keys = Array.from({ length: 1000 }, (_, n) => ({
        ...key.jwk,
        n: undefined,
        x5t: n,
        kid: kid(n),
      }));
      fixture.issuer.answerKeys = (_request, response) =>
        void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys }));
      assert.match(await signIn(), failed);
    }
    assert.ok(performance.now() - began < 20_000);
  });
});

describe('502 or 504, and no user is signed in: a token or userinfo endpoint that', () => {
  const answers: Readonly<Record<string, (socket: Socket) => void>> = {
    'sends no end': socket => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n');
      writeWithoutEnd(socket, '[');
    },
    'sends a head without an end': socket => writeWithoutEnd(socket, 'X-More: y\r\n'),
    'sends its answer byte by byte': socket => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n');
      drip(socket, ' ');
    },
    'answers with no HTTP': socket => void socket.end('220 smtp\r\n'),
    'never answers': () => {},
    'ends the connection': socket => void socket.destroy(),
    'redirects to itself': socket =>
      void socket.end('HTTP/1.1 307 Again\r\nLocation: /again\r\nContent-Length: 0\r\n\r\n'),
  };
  for (const [name, answer] of Object.entries(answers))
    for (const endpoint of ['token_endpoint', 'userinfo_endpoint'])
      test(`${name} (${endpoint})`, async () => {
        const server = await startHostileServer(socket => void socket.once('data', () => answer(socket)));
        fixture.issuer.metadata = { [endpoint]: `http://127.0.0.1:${server.port}/x` };
        const lie = { claims: () => ({ email: undefined, email_verified: undefined }) };
        assert.match(await signIn(lie), failed);
        assert.ok(server.sent() < maxBytes, `the client took ${server.sent()} bytes`);
        await server.close();
      });
});

test('the service goes on: a sign-in at an honest issuer succeeds afterwards', async () => {
  assert.equal(await signIn(), '200');
});
