import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { after, beforeEach, describe, test } from 'node:test';
import { type Answer, type ApiClient, apiClient } from '../support/contract/client.ts';
import {
  finishWith,
  issuerKey,
  type Lie,
  type LyingIssuer,
  startLyingIssuer,
} from '../support/servers/lying-issuer.ts';
import { type OpenIdOptions, startService, type TestService } from '../support/service/service.ts';
import { invitedUser } from '../support/data/users.ts';
import { outcome, usePortal } from '../portal/support.ts';

const key = issuerKey('first');
let issuer: LyingIssuer;
let service: TestService;
let portal: ApiClient;
const fixture = usePortal(async ({ sql }) => {
  issuer = await startLyingIssuer();
  service = await startService(sql, { openId: issuer.settings });
  portal = apiClient(service.url, { api: 'portal' });
});
beforeEach(() => {
  Object.assign(issuer, {
    keys: [key],
    metadata: {},
    userInfo: null,
    answerMetadata: null,
    answerKeys: null,
  });
});
after(async () => {
  portal?.close();
  await service?.stop();
  await issuer?.close();
});

async function signIn(lie: Lie = {}): Promise<string> {
  const { email } = await invitedUser(fixture.sql, fixture.testData.organization);
  return outcome(await finishWith(portal, issuer, { email, lie }));
}

describe('the client authenticates with its secret', () => {
  test('as Basic where the metadata list no methods (OpenID Connect Discovery 1.0, 3)', async () => {
    assert.equal(await signIn(), '200');
    assert.match(issuer.tokenRequest!.authorization!, /^Basic /);
    assert.equal(issuer.tokenRequest!.body.get('client_secret'), null);
  });

  test('in the body, and there alone, where the metadata list client_secret_post without Basic', async () => {
    issuer.metadata = { token_endpoint_auth_methods_supported: ['private_key_jwt', 'client_secret_post'] };
    assert.equal(await signIn(), '200');
    assert.equal(issuer.tokenRequest!.authorization, undefined);
    assert.equal(issuer.tokenRequest!.body.get('client_secret'), issuer.settings.clientSecret);
  });

  test('never where the metadata list other methods', async () => {
    issuer.tokenRequest = null;
    issuer.metadata = {
      token_endpoint_auth_methods_supported: ['private_key_jwt', 'tls_client_auth', 'none'],
    };
    assert.equal(await signIn(), '502 BAD_GATEWAY');
    assert.equal(issuer.tokenRequest, null, 'the issuer was sent something');
  });
});

describe('502 BAD_GATEWAY: the metadata name an issuer that is another one than the configured address', () => {
  const issuers: Readonly<Record<string, (own: string) => unknown>> = {
    'of another host': () => 'https://login.example.org',
    'of a longer host': own => `${own}0`,
    'with a path': own => `${own}/other`,
    'with two slashes more': own => `${own}//`,
    'with a query': own => `${own}?a`,
    'over another scheme': own => own.replace('http:', 'https:'),
    'that is no text': own => [own],
    'that is missing': () => undefined,
  };
  for (const [name, of] of Object.entries(issuers))
    test(name, async () => {
      issuer.metadata = { issuer: of(issuer.settings.issuer) };
      assert.equal(await signIn({ claims: () => issuer.metadata }), '502 BAD_GATEWAY');
    });
});

describe('the answer that a browser leads back names the issuer (RFC 9207, mix-up)', () => {
  test('401 SIGN_IN_FAILED: another one, one with a slash more, and none where the metadata announce it', async () => {
    const { issuer: own } = issuer.settings;
    for (const iss of ['https://evil.example', `${own}/`, own.toUpperCase()])
      assert.equal(await signIn({ answer: { iss } }), '401 SIGN_IN_FAILED', iss);
    issuer.metadata = { authorization_response_iss_parameter_supported: true };
    assert.equal(await signIn(), '401 SIGN_IN_FAILED');
    assert.equal(await signIn({ answer: { iss: own } }), '200');
  });
});

describe('the userinfo endpoint', () => {
  const open = () => ({ email: undefined, email_verified: undefined });

  test('200: it completes the ID token of the same subject', async () => {
    const { email } = await invitedUser(fixture.sql, fixture.testData.organization);
    issuer.userInfo = { sub: email, email, email_verified: 'true' };
    assert.equal(outcome(await finishWith(portal, issuer, { email, lie: { claims: open } })), '200');
  });

  test('502 BAD_GATEWAY: it answers for another subject, or for none', async () => {
    for (const sub of ['another', undefined]) {
      issuer.userInfo = { sub, email: 'a@example.com', email_verified: true };
      assert.equal(await signIn({ claims: open }), '502 BAD_GATEWAY');
    }
  });

  test('it is not asked where the ID token decides', async () => {
    issuer.userInfo = { sub: 'another', email: 'a@example.com', email_verified: true };
    assert.equal(await signIn(), '200');
    assert.equal(await signIn({ claims: () => ({ email_verified: false }) }), '401 SIGN_IN_FAILED');
  });
});

describe('502 BAD_GATEWAY: an answer of the issuer that is longer than a mebibyte is not kept in memory', () => {
  const long = (contents: object) => JSON.stringify({ ...contents, more: 'x'.repeat(1_048_576) });
  const send =
    (text: () => string): RequestListener =>
    (_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(text());

  test('its keys', async () => {
    issuer.answerKeys = send(() => long({ keys: [key.jwk] }));
    assert.equal(await signIn(), '502 BAD_GATEWAY');
    assert.ok(
      service.log.some(line => line.includes('the answer of the issuer has more than 1048576 bytes')),
    );
  });

  test('its metadata, also without an end', async () => {
    issuer.metadata = { more: 'x'.repeat(1_048_576) };
    assert.equal(await signIn(), '502 BAD_GATEWAY');
    issuer.answerMetadata = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const write = () => {
        while (!response.destroyed && response.write('['.repeat(65_536)));
      };
      response.on('drain', write);
      write();
    };
    assert.equal(await signIn(), '502 BAD_GATEWAY');
  });

  test('its user', async () => {
    const { email } = await invitedUser(fixture.sql, fixture.testData.organization);
    issuer.userInfo = { sub: email, email, email_verified: true, more: 'x'.repeat(1_048_576) };
    const lie = { claims: () => ({ email: undefined }) };
    assert.equal(outcome(await finishWith(portal, issuer, { email, lie })), '502 BAD_GATEWAY');
  });

  test('200: a token with 2,000 groups is shorter', async () => {
    const groups = Array.from(
      { length: 2000 },
      (_, index) => `CN=Group ${index},OU=Groups,DC=example,DC=com`,
    );
    assert.equal(await signIn({ claims: () => ({ groups }) }), '200');
  });
});

/** Has the service reach an issuer of the internet at the one of this machine. */
async function atAddress(
  address: string,
  {
    options,
    metadata,
    lie,
  }: { options?: Partial<OpenIdOptions>; metadata?: object; lie: (email: string) => Lie },
): Promise<{ answer: Answer<any>; log: readonly string[] }> {
  const own = issuer.settings.issuer;
  const usual = globalThis.fetch;
  globalThis.fetch = (to, ...more) => usual((to as string).replace(address, own), ...more);
  const named = { ...issuer, settings: { ...issuer.settings, issuer: address } };
  issuer.metadata = {
    issuer: address,
    authorization_endpoint: `${address}/authorize`,
    token_endpoint: `${address}/token`,
    jwks_uri: `${address}/keys`,
    ...metadata,
  };
  const set = new Proxy(named, { set: (_target, name, value) => Reflect.set(issuer, name, value) });
  const started = await startService(fixture.sql, { openId: { ...named.settings, ...options } });
  const client = apiClient(started.url, { api: 'portal' });
  try {
    const { email } = await invitedUser(fixture.sql, fixture.testData.organization);
    return { answer: await finishWith(client, set, { email, lie: lie(email) }), log: started.log };
  } finally {
    globalThis.fetch = usual;
    client.close();
    await started.stop();
  }
}

const hasClaim = (log: readonly string[], claim: string) =>
  log.some(line => line.includes('rejected an unknown credential') && line.includes(`"claim":"${claim}"`));

describe('Entra ID at common, where every tenant signs in (learn.microsoft.com, v2-protocols-oidc)', () => {
  const common = 'https://login.microsoftonline.com/common/v2.0';
  const metadata = { issuer: 'https://login.microsoftonline.com/{tenantid}/v2.0' };
  const tid = '72f988bf-86f1-41af-91ab-2d7cd011db47';
  const iss = `https://login.microsoftonline.com/${tid}/v2.0`;

  test('401 SIGN_IN_FAILED: the email of any tenant identifies nobody, even as verified', async () => {
    const { answer, log } = await atAddress(common, {
      metadata,
      lie: () => ({ claims: () => ({ iss, tid }) }),
    });
    assert.equal(outcome(answer), '401 SIGN_IN_FAILED');
    assert.ok(hasClaim(log, 'iss'));
  });

  test('502 BAD_GATEWAY: an iss that is not of the tenant of the token', async () => {
    for (const claims of [
      { iss, tid: 'another' },
      { iss },
      { iss: metadata.issuer, tid },
      { iss: common, tid },
    ]) {
      const { answer } = await atAddress(common, { metadata, lie: () => ({ claims: () => claims }) });
      assert.equal(outcome(answer), '502 BAD_GATEWAY', JSON.stringify(claims));
    }
  });

  test('200: at the address of one tenant, by its domain too, a trusted email does', async () => {
    const address = 'https://login.microsoftonline.com/muster.onmicrosoft.com/v2.0';
    const lie = () => ({ claims: () => ({ iss, tid, email_verified: undefined }) });
    const { answer } = await atAddress(address, {
      options: { emails: 'trusted' },
      metadata: { issuer: iss },
      lie,
    });
    assert.equal(outcome(answer), '200');
  });
});

describe('Google is the authority for its own domains (developers.google.com/identity, hd)', () => {
  const google = 'https://accounts.google.com';

  test('200: a verified email of a Workspace domain; 401 SIGN_IN_FAILED: one of another provider', async () => {
    const hosted = await atAddress(google, { lie: () => ({ claims: () => ({ hd: 'example.com' }) }) });
    assert.equal(outcome(hosted.answer), '200');
    const { answer, log } = await atAddress(google, { lie: () => ({}) });
    assert.equal(outcome(answer), '401 SIGN_IN_FAILED');
    assert.ok(hasClaim(log, 'hd'));
  });
});
