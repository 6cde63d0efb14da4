import assert from 'node:assert/strict';
import { type IncomingHttpHeaders, request } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { text } from 'node:stream/consumers';
import { apis } from '@kontor/contract';
import { allOperations, type DeclaredOperation, pathIn, useApis } from './support.ts';

const fixture = useApis();

interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Sends a request that no client of an API would, such as one with another method. */
function sendRaw(url: string, method: string, headers: Record<string, string> = {}): Promise<Received> {
  const { promise, resolve, reject } = Promise.withResolvers<Received>();
  const sent = request(url, { method, headers }, answer => {
    text(answer).then(body => resolve({ status: answer.statusCode!, headers: answer.headers, body }), reject);
  });
  sent.on('error', reject);
  sent.end();
  return promise;
}

/** The address of an operation. */
function addressOf({ operation, api, apiName }: DeclaredOperation): string {
  const base = apiName === 'platform' ? fixture.service.managementUrl : fixture.service.url;
  return base + api.prefix + pathIn(operation, fixture.own.rows);
}

function credentialOf({ apiName, api }: DeclaredOperation): Record<string, string> {
  const secret = fixture.own.credentials[apiName];
  if (api.credential.header === 'Cookie') return { cookie: `__Host-kontor=${secret}` };
  return api.credential.header === 'Authorization'
    ? { authorization: `Bearer ${secret}` }
    : { 'x-api-key': secret };
}

/** What an answer must never have: how the service is built, and where. */
function assertRevealsNothing({ headers, body }: Received, where: string): void {
  for (const name of ['server', 'x-powered-by', 'via', 'x-runtime', 'x-aspnet-version'])
    assert.equal(headers[name], undefined, `${where}: ${name}`);
  for (const sign of [
    /\n\s+at /,
    /node_modules/,
    /\.ts:\d+/,
    /\/src\//,
    /\bSELECT\b.*\bFROM\b/s,
    /postgres/i,
    /fastify/i,
  ])
    assert.doesNotMatch(body, sign, where);
}

/** The headers of every answer of an API for browsers and caches: no other site may read it. */
function assertProtected({ headers }: Received, where: string): void {
  assert.equal(headers['x-content-type-options'], 'nosniff', where);
  assert.equal(headers['cache-control'], 'no-store', where);
  for (const name of Object.keys(headers)) assert.doesNotMatch(name, /^access-control-/, where);
}

const otherMethods = ['OPTIONS', 'TRACE', 'PUT', 'HEAD', 'PROPFIND', 'QUERY'];

describe('only the declared methods are answered, to no other site, and no answer reveals how the service is built', () => {
  for (const declared of allOperations)
    test(declared.id, async () => {
      const { operation } = declared;
      const address = addressOf(declared);
      const foreign = {
        origin: 'https://attacker.example',
        'access-control-request-method': operation.method,
        'access-control-request-headers': 'authorization, x-api-key',
      };
      for (const method of otherMethods) {
        const answer = await sendRaw(address, method, {
          ...credentialOf(declared),
          ...foreign,
          'x-echo': 'echoed',
        });
        assert.ok([400, 404, 405, 501].includes(answer.status), `${method}: ${answer.status}`);
        assertProtected(answer, method);
        assertRevealsNothing(answer, method);
        assert.doesNotMatch(answer.body, /echoed/, method);
      }
      const query = operation.fields ? '?filter=(' : '?surprise=1';
      const rejected = await sendRaw(address + query, operation.method, {
        ...credentialOf(declared),
        ...foreign,
      });
      assert.ok(rejected.status >= 400 && rejected.status < 500, String(rejected.status));
      assertProtected(rejected, 'rejected');
      assertRevealsNothing(rejected, 'rejected');
      if (operation.method !== 'GET') return;
      const answer = await sendRaw(address, 'GET', { ...credentialOf(declared), ...foreign });
      assertProtected(answer, 'answered');
      for (const name of ['server', 'x-powered-by']) assert.equal(answer.headers[name], undefined);
    });
});

describe('a write of an API that browsers send a cookie to is rejected for a page of another site', () => {
  const writes = allOperations.filter(
    ({ api, operation }) => api.credential.header === 'Cookie' && operation.method !== 'GET',
  );
  for (const declared of writes)
    test(declared.id, async () => {
      const sites = [
        {},
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { 'sec-fetch-site': 'none' },
        { origin: 'https://attacker.example' },
        { origin: 'null' },
        { origin: 'https://attacker.example', 'sec-fetch-site': 'cross-site' },
      ] as Record<string, string>[];
      for (const site of sites) {
        const headers = { ...credentialOf(declared), ...site, 'content-type': 'text/plain' };
        const { status, body } = await sendRaw(addressOf(declared), declared.operation.method, headers);
        assert.deepEqual(
          [status, (JSON.parse(body) as { error: { code: string } }).error.code],
          [403, 'CROSS_SITE_REQUEST'],
          JSON.stringify(site),
        );
      }
    });
});

describe('a fault of the service reveals nothing of it', () => {
  const tables = [
    'organization',
    'tenant',
    'employee',
    'api_key',
    'platform_token',
    'portal_session',
    'portal_user',
  ];
  const rename = async (from: string, to: string) => {
    for (const name of tables)
      await fixture.sql.unsafe(`ALTER TABLE "${name}${from}" RENAME TO "${name}${to}"`);
  };
  before(() => rename('', '_elsewhere'));
  after(() => rename('_elsewhere', ''));
  for (const declared of allOperations.filter(
    ({ operation }) => operation.authenticated && operation.method === 'GET',
  ))
    test(declared.id, async () => {
      const answer = await sendRaw(addressOf(declared), 'GET', credentialOf(declared));
      assert.ok(answer.status >= 200, String(answer.status));
      if (declared.apiName !== 'public') assert.equal(answer.status, 500, answer.body);
      assertProtected(answer, declared.id);
      assertRevealsNothing(answer, declared.id);
    });
});

describe('pages may not be framed, and load nothing from elsewhere', () => {
  const pages = ['/docs', '/docs/changelog', '/docs/guides', '/portal', '/portal/sign-in'];
  for (const path of pages)
    test(path, async () => {
      const { headers } = await sendRaw(fixture.service.url + path, 'GET', { accept: 'text/html' });
      const policy = String(headers['content-security-policy']);
      for (const directive of [
        "default-src 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "connect-src 'self'",
      ])
        assert.ok(policy.includes(directive), directive);
      assert.doesNotMatch(policy, /script-src[^;]*('unsafe-inline'|'unsafe-eval'|\*|https?:)/);
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.match(String(headers['referrer-policy']), /^(no-referrer|same-origin)$/);
    });
});

test('what only the operator may see is on the management port alone', async () => {
  const { url, managementUrl } = fixture.service;
  for (const path of [
    '/metrics',
    '/livez',
    '/readyz',
    `${apis.platform.prefix}/openapi.json`,
    '/platform/docs',
  ]) {
    assert.equal((await sendRaw(managementUrl + path, 'GET')).status, 200, path);
    const answer = await sendRaw(url + path, 'GET');
    assert.equal(answer.status, 404, path);
    assertRevealsNothing(answer, path);
  }
});
