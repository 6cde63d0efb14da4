import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { describe, test } from 'node:test';
import { outcome } from '../portal/support.ts';
import { finishWith } from '../support/servers/lying-issuer.ts';
import { key, useLyingIssuer } from './issuer-fixture.ts';

const fixture = useLyingIssuer();
const { signIn, signInAt } = fixture;

describe('the client authenticates with its secret', () => {
  test('as Basic where the metadata list no methods (OpenID Connect Discovery 1.0, 3)', async () => {
    assert.equal(await signIn(), '200');
    assert.match(fixture.issuer.tokenRequest!.authorization!, /^Basic /);
    assert.equal(fixture.issuer.tokenRequest!.body.get('client_secret'), null);
  });

  test('in the body, and there alone, where the metadata list client_secret_post without Basic', async () => {
    fixture.issuer.metadata = {
      token_endpoint_auth_methods_supported: ['private_key_jwt', 'client_secret_post'],
    };
    assert.equal(await signIn(), '200');
    assert.equal(fixture.issuer.tokenRequest!.authorization, undefined);
    assert.equal(
      fixture.issuer.tokenRequest!.body.get('client_secret'),
      fixture.issuer.settings.clientSecret,
    );
  });

  test('never where the metadata list other methods', async () => {
    fixture.issuer.tokenRequest = null;
    fixture.issuer.metadata = {
      token_endpoint_auth_methods_supported: ['private_key_jwt', 'tls_client_auth', 'none'],
    };
    assert.equal(await signIn(), '502 BAD_GATEWAY');
    assert.equal(fixture.issuer.tokenRequest, null, 'the issuer was sent something');
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
      fixture.issuer.metadata = { issuer: of(fixture.issuer.settings.issuer) };
      assert.equal(await signIn({ claims: () => fixture.issuer.metadata }), '502 BAD_GATEWAY');
    });
});

describe('the answer that a browser leads back names the issuer (RFC 9207, mix-up)', () => {
  test('401 SIGN_IN_FAILED: another one, one with a slash more, and none where the metadata announce it', async () => {
    const { issuer: own } = fixture.issuer.settings;
    for (const iss of ['https://evil.example', `${own}/`, own.toUpperCase()])
      assert.equal(await signIn({ answer: { iss } }), '401 SIGN_IN_FAILED', iss);
    fixture.issuer.metadata = { authorization_response_iss_parameter_supported: true };
    assert.equal(await signIn(), '401 SIGN_IN_FAILED');
    assert.equal(await signIn({ answer: { iss: own } }), '200');
  });
});

describe('the userinfo endpoint', () => {
  const open = () => ({ email: undefined, email_verified: undefined });

  test('200: it completes the ID token of the same subject', async () => {
    const email = await fixture.invite();
    fixture.issuer.userInfo = { sub: email, email, email_verified: 'true' };
    assert.equal(
      outcome(await finishWith(fixture.portal, fixture.issuer, { email, lie: { claims: open } })),
      '200',
    );
  });

  test('502 BAD_GATEWAY: it answers for another subject, or for none', async () => {
    for (const sub of ['another', undefined]) {
      fixture.issuer.userInfo = { sub, email: 'a@example.com', email_verified: true };
      assert.equal(await signIn({ claims: open }), '502 BAD_GATEWAY');
    }
  });

  test('it is not asked where the ID token decides', async () => {
    fixture.issuer.userInfo = { sub: 'another', email: 'a@example.com', email_verified: true };
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
    fixture.issuer.answerKeys = send(() => long({ keys: [key.jwk] }));
    assert.equal(await signIn(), '502 BAD_GATEWAY');
    assert.ok(
      fixture.service.log.some(line => line.includes('the answer of the issuer has more than 1048576 bytes')),
    );
  });

  test('its metadata, also without an end', async () => {
    fixture.issuer.metadata = { more: 'x'.repeat(1_048_576) };
    assert.equal(await signIn(), '502 BAD_GATEWAY');
    fixture.issuer.answerMetadata = (_request, response) => {
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
    const email = await fixture.invite();
    fixture.issuer.userInfo = { sub: email, email, email_verified: true, more: 'x'.repeat(1_048_576) };
    const lie = { claims: () => ({ email: undefined }) };
    assert.equal(
      outcome(await finishWith(fixture.portal, fixture.issuer, { email, lie })),
      '502 BAD_GATEWAY',
    );
  });

  test('200: a token with 2,000 groups is shorter', async () => {
    const groups = Array.from(
      { length: 2000 },
      (_, index) => `CN=Group ${index},OU=Groups,DC=example,DC=com`,
    );
    assert.equal(await signIn({ claims: () => ({ groups }) }), '200');
  });
});

const hasClaim = (log: readonly string[], claim: string) =>
  log.some(line => line.includes('rejected an unknown credential') && line.includes(`"claim":"${claim}"`));

describe('Entra ID at common, where every tenant signs in (learn.microsoft.com, v2-protocols-oidc)', () => {
  const common = 'https://login.microsoftonline.com/common/v2.0';
  const metadata = { issuer: 'https://login.microsoftonline.com/{tenantid}/v2.0' };
  const tid = '72f988bf-86f1-41af-91ab-2d7cd011db47';
  const iss = `https://login.microsoftonline.com/${tid}/v2.0`;

  test('401 SIGN_IN_FAILED: the email of any tenant identifies nobody, even as verified', async () => {
    const { answer, log } = await signInAt(common, {
      metadata,
      lie: { claims: () => ({ iss, tid }) },
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
      const { answer } = await signInAt(common, { metadata, lie: { claims: () => claims } });
      assert.equal(outcome(answer), '502 BAD_GATEWAY', JSON.stringify(claims));
    }
  });

  test('200: at the address of one tenant, by its domain too, a trusted email does', async () => {
    const address = 'https://login.microsoftonline.com/muster.onmicrosoft.com/v2.0';
    const lie = { claims: () => ({ iss, tid, email_verified: undefined }) };
    const { answer } = await signInAt(address, {
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
    const hosted = await signInAt(google, { lie: { claims: () => ({ hd: 'example.com' }) } });
    assert.equal(outcome(hosted.answer), '200');
    const { answer, log } = await signInAt(google);
    assert.equal(outcome(answer), '401 SIGN_IN_FAILED');
    assert.ok(hasClaim(log, 'hd'));
  });
});
