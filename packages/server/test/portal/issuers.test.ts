import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { generateKeyPairSync, type KeyPairKeyObjectResult, X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { parseClientKey } from '../../src/features/users/openid/client-key.ts';
import { openIdSettings } from '../../src/features/users/openid/settings.ts';
import { type Answer, apiClient } from '../support/contract/client.ts';
import {
  type IssuerShape,
  linkPaths,
  startIssuer,
  type TestIssuer,
  visitIssuer,
} from '../support/servers/issuer.ts';
import { type OpenIdOptions, startService } from '../support/service/service.ts';
import { invitedUser, sessionOfUser } from '../support/data/users.ts';
import { outcome, usePortal } from './support.ts';

const back = 'https://kontor.example.com/portal/sign-in/openid';
const fixture = usePortal();

type Claims = Parameters<TestIssuer['staff']['set']>[1];

/** The behaviour of an issuer, and where it is reported. */
interface RealIssuer {
  readonly source: string;
  readonly shape?: IssuerShape;
  readonly claims: (email: string) => Claims;
  readonly options?: Partial<OpenIdOptions>;
  /** The address that an operator sets; by default that of the metadata. */
  readonly address?: (issuer: string) => string;
}

/** Signs an invited user in at such an issuer; with the lines that the service has logged. */
async function signInAt(real: RealIssuer): Promise<{ answer: Answer<any>; userId: string; log: string[] }> {
  const issuer = await startIssuer([back], real.shape);
  const address = real.address?.(issuer.settings.issuer) ?? issuer.settings.issuer;
  const openId = { ...issuer.settings, ...real.options, issuer: address };
  const service = await startService(fixture.sql, { openId });
  const portal = apiClient(service.url, { api: 'portal' });
  try {
    const user = await invitedUser(fixture.sql, fixture.testData.organization);
    issuer.staff.set(user.id, real.claims(user.email));
    const answer = await visitIssuer(portal, user.id);
    if (answer.status === 200) assert.equal(outcome(await visitIssuer(portal, user.id)), '200', 'again');
    return { answer, userId: user.id, log: [...service.log] };
  } finally {
    portal.close();
    await service.stop();
    await issuer.close();
  }
}

const groups = Array.from(
  { length: 500 },
  (_, index) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
);

/** Which methods the metadata offer, and the one that the client is registered for. */
const methods = (offered: readonly string[], registered = offered[0]!): IssuerShape => ({
  provider: { clientAuthMethods: offered },
  client: { token_endpoint_auth_method: registered },
});
const pairwise: IssuerShape = {
  provider: {
    subjectTypes: ['pairwise'],
    pairwiseIdentifier: (_context: unknown, name: string) =>
      Buffer.from(`pairwise ${name}`).toString('base64url'),
  },
  client: { subject_type: 'pairwise', sector_identifier_uri: undefined },
};
const entraSecret = 'Ab8Q~+/=:% .-_!*()';
const inIdToken = { conformIdTokenClaims: false };

const accepted: Readonly<Record<string, RealIssuer>> = {
  'Entra ID of one tenant, trusted: no email_verified, pairwise subjects': {
    source: 'outline/outline#12863, n8n-io/n8n#17203, open-mercato/open-mercato#2026',
    shape: {
      provider: {
        ...pairwise.provider,
        ...inIdToken,
        clientAuthMethods: ['client_secret_post', 'private_key_jwt', 'client_secret_basic'],
      },
      client: pairwise.client!,
    },
    claims: email => ({ email }),
    options: { emails: 'trusted' },
  },
  'Entra ID with a claims policy: email_verified is a text': {
    source: 'coder/coder#3954, chirpstack/chirpstack#302',
    shape: { provider: inIdToken },
    claims: email => ({ email, email_verified: 'true' }),
  },
  'Cognito: email_verified is a text at the userinfo endpoint': {
    source: 'zitadel/oidc#139, pocketbase/pocketbase#6657',
    claims: email => ({ email, email_verified: 'true' }),
  },
  'Okta: the ID token has the email, only the userinfo endpoint has email_verified': {
    source: 'canonical/authd#1440, okta/okta-developer-docs#1968',
    shape: { provider: inIdToken },
    claims: email => use => (use === 'id_token' ? { email } : { email, email_verified: true }),
  },
  'Keycloak: a realm in the path, and a claim with 500 groups': {
    source: 'keycloak.org, Server Administration Guide, protocol mappers',
    shape: { path: '/realms/muster', provider: inIdToken },
    claims: email => ({ email, email_verified: true, groups }),
  },
  'Google Workspace: the claim hd': {
    source: 'developers.google.com/identity/openid-connect/openid-connect',
    shape: { provider: inIdToken },
    claims: email => ({ email, email_verified: true, hd: 'example.com' }),
  },
  'an issuer that accepts the client secret only in the body': {
    source: 'nextcloud/user_oidc#907',
    shape: methods(['client_secret_post', 'private_key_jwt']),
    claims: email => ({ email, email_verified: true }),
  },
  'an issuer that accepts the client secret only as Basic': {
    source: 'nextcloud/user_oidc#349',
    shape: methods(['client_secret_basic']),
    claims: email => ({ email, email_verified: true }),
  },
  'Authelia: a client registered for the body, while the metadata offer both': {
    source: 'nextcloud/user_oidc#907',
    shape: methods(['client_secret_basic', 'client_secret_post'], 'client_secret_post'),
    claims: email => ({ email, email_verified: true }),
    options: { clientAuthentication: 'client_secret_post' },
  },
  'a secret of Entra ID with signs that a form encodes': {
    source: 'MicrosoftDocs/azure-docs#39037, panva/openid-client#134',
    shape: { client: { client_secret: entraSecret } },
    claims: email => ({ email, email_verified: true }),
    options: { clientSecret: entraSecret },
  },
  ...Object.fromEntries(
    ['RS256', 'PS256', 'ES256'].map(alg => [
      `an issuer that signs with ${alg}`,
      {
        source: 'openid.net/specs/openid-connect-core-1_0, 3.1.3.7',
        shape: {
          provider: { jwks: { keys: [jwkOf(alg)] }, enabledJWA: { idTokenSigningAlgValues: [alg] } },
          client: { id_token_signed_response_alg: alg },
        },
        claims: (email: string) => ({ email, email_verified: true }),
      },
    ]),
  ),
  'metadata with fields that nobody knows': {
    source: 'learn.microsoft.com, OpenID Connect on the Microsoft identity platform',
    shape: {
      provider: { discovery: { tenant_region_scope: 'EU', cloud_instance_name: 'x', kerberos_endpoint: 7 } },
    },
    claims: email => ({ email, email_verified: true }),
  },
};

function jwkOf(alg: string): object {
  const { privateKey } =
    alg === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), kid: '1', use: 'sig', alg };
}

describe('200: an invited user signs in at', () => {
  for (const [name, real] of Object.entries(accepted))
    test(`${name} (${real.source})`, async () => {
      const { answer, userId } = await signInAt(real);
      assert.equal(outcome(answer), '200');
      assert.equal(answer.body.user.id, userId);
    });
});

describe('the configured address may have or lack the slash of the issuer, or be the address of the metadata', () => {
  // Auth0 and authentik have the slash, Keycloak and Okta lack it (coreos/go-oidc#203, markrai/scrumboy#126, Freika/dawarich#2925).
  for (const path of ['/', '/application/o/kontor/', '/realms/muster', ''])
    for (const [name, ending] of Object.entries({
      'without a slash': '',
      'with a slash': '/',
      'with that of the metadata': '/.well-known/openid-configuration',
    }))
      test(`an issuer with the path "${path}", ${name}`, async () => {
        const { answer } = await signInAt({
          source: '',
          shape: { path },
          claims: email => ({ email, email_verified: true }),
          address: issuer => issuer.replace(/\/$/, '') + ending,
        });
        assert.equal(outcome(answer), '200');
      });
});

const rejected: Readonly<Record<string, RealIssuer & { readonly claim: string }>> = {
  'Entra ID sends no email_verified, and the operator does not trust it': {
    source: 'outline/outline#12863',
    claims: email => ({ email }),
    claim: 'email_verified',
  },
  'Cognito has not verified the email': {
    source: 'amazon-archives/amazon-cognito-identity-js#436',
    claims: email => ({ email, email_verified: 'false' }),
    options: { emails: 'trusted' },
    claim: 'email_verified',
  },
  'Keycloak has not verified the email, whatever the operator trusts': {
    source: 'canonical/authd#1440',
    shape: { provider: inIdToken },
    claims: email => ({ email, email_verified: false }),
    options: { emails: 'trusted' },
    claim: 'email_verified',
  },
  'the userinfo endpoint denies what the ID token leaves open': {
    source: 'okta/okta-developer-docs#1968',
    shape: { provider: inIdToken },
    claims: email => use => (use === 'id_token' ? { email } : { email, email_verified: false }),
    options: { emails: 'trusted' },
    claim: 'email_verified',
  },
  'an issuer whose email_verified is something else': {
    source: 'gravitational/teleport#14854',
    claims: email => ({ email, email_verified: 'yes' }),
    options: { emails: 'trusted' },
    claim: 'email_verified',
  },
  'Entra ID has no email of a user without a mailbox': {
    source: 'learn.microsoft.com, optional claims',
    claims: () => ({ email: null }),
    options: { emails: 'trusted' },
    claim: 'email',
  },
};

describe('401 SIGN_IN_FAILED, one message for all, and the log names the claim without its value:', () => {
  for (const [name, real] of Object.entries(rejected))
    test(`${name} (${real.source})`, async () => {
      const { answer, log } = await signInAt(real);
      assert.equal(outcome(answer), '401 SIGN_IN_FAILED');
      assert.match(answer.body.error.message, /^This identity belongs to no user: /);
      const lines = log.filter(line => line.includes('rejected an unknown credential'));
      assert.equal(lines.length, 1);
      assert.partialDeepStrictEqual(JSON.parse(lines[0]!), { reason: 'unknown', claim: real.claim });
      assert.ok(!log.some(line => line.includes('@')), 'the log has an email');
    });
});

describe('a trusted issuer without email_verified', () => {
  test('connects an invited user only; any other one connects while signed in', async () => {
    const issuer = await startIssuer([back]);
    const service = await startService(fixture.sql, { openId: { ...issuer.settings, emails: 'trusted' } });
    const portal = apiClient(service.url, { api: 'portal' });
    try {
      const { id, email } = await fixture.user();
      issuer.staff.set('stranger', { email });
      assert.equal(outcome(await visitIssuer(portal, 'stranger')), '401 SIGN_IN_FAILED');
      const { secret: key } = await sessionOfUser(fixture.sql, fixture.testData.organization, id);
      issuer.staff.set('owner', { email });
      assert.equal(outcome(await visitIssuer(portal, 'owner', { ...linkPaths, key })), '200');
      assert.equal((await visitIssuer(portal, 'owner')).body.user.id, id);
      assert.equal(outcome(await visitIssuer(portal, 'stranger')), '401 SIGN_IN_FAILED');
    } finally {
      portal.close();
      await service.stop();
      await issuer.close();
    }
  });

  test('finds the email in another letter case and another form of Unicode, and no other one', async () => {
    const issuer = await startIssuer([back]);
    const service = await startService(fixture.sql, { openId: { ...issuer.settings, emails: 'trusted' } });
    const portal = apiClient(service.url, { api: 'portal' });
    try {
      const user = await invitedUser(fixture.sql, fixture.testData.organization, {
        email: 'jörg.kraft@example.com',
      });
      const others = [
        'jorg.kraft@example.com',
        'jörg.\u212Araft@example.org',
        ' jörg.kraft@example.com',
        'jörg.kraft@example.com, x@example.com',
      ];
      for (const [index, email] of others.entries()) {
        issuer.staff.set(`other ${index}`, { email });
        assert.equal(outcome(await visitIssuer(portal, `other ${index}`)), '401 SIGN_IN_FAILED', email);
      }
      issuer.staff.set('jörg', { email: 'JÖRG.Kraft@EXAMPLE.com'.normalize('NFD') });
      assert.equal((await visitIssuer(portal, 'jörg')).body.user.id, user.id);
    } finally {
      portal.close();
      await service.stop();
      await issuer.close();
    }
  });
});

describe('private_key_jwt', () => {
  let folder: string;
  before(async () => void (folder = await mkdtemp(join(tmpdir(), 'kontor-key-'))));
  after(() => rm(folder, { recursive: true }));

  const keys: Readonly<Record<string, { alg: string; pair: () => KeyPairKeyObjectResult; jwk?: object }>> = {
    'an RSA key in PEM': { alg: 'RS256', pair: () => generateKeyPairSync('rsa', { modulusLength: 2048 }) },
    'an EC key in PEM': { alg: 'ES256', pair: () => generateKeyPairSync('ec', { namedCurve: 'P-384' }) },
    'an RSA key as a JWK for PS256': {
      alg: 'PS256',
      pair: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
      jwk: { kid: 'of Kontor', alg: 'PS256' },
    },
    'an Ed25519 key as a JWK': {
      alg: 'Ed25519',
      pair: () => generateKeyPairSync('ed25519'),
      jwk: { kid: 'ed' },
    },
  };
  for (const [name, { pair, jwk }] of Object.entries(keys))
    test(`200: ${name} (Keycloak and Okta, learn.microsoft.com/entra/identity-platform/certificate-credentials)`, async () => {
      const { privateKey, publicKey } = pair();
      const file = join(folder, `${name}.key`);
      const pem = privateKey.export({ format: 'pem', type: 'pkcs8' });
      await writeFile(file, jwk ? JSON.stringify({ ...privateKey.export({ format: 'jwk' }), ...jwk }) : pem);
      const { answer } = await signInAt({
        source: '',
        shape: {
          provider: {
            clientAuthMethods: ['private_key_jwt'],
            enabledJWA: { clientAuthSigningAlgValues: ['RS256', 'PS256', 'ES384', 'Ed25519'] },
          },
          client: {
            client_secret: undefined,
            token_endpoint_auth_method: 'private_key_jwt',
            jwks: { keys: [{ ...publicKey.export({ format: 'jwk' }), ...jwk }] },
          },
        },
        claims: email => ({ email, email_verified: true }),
        options: { clientSecret: null, clientKeyFile: file },
      });
      assert.equal(outcome(answer), '200');
    });

  const noOpenssl =
    spawnSync('openssl', ['version']).status === 0 ? false : 'there is no openssl to make a certificate';
  test(
    'a certificate in the file is named by its SHA-256, as Entra ID needs it',
    { skip: noOpenssl },
    async () => {
      const make = (name: string) => {
        const files = ['-keyout', join(folder, `${name}.key`), '-out', join(folder, `${name}.pem`)];
        const request = [
          'req',
          '-x509',
          '-newkey',
          'rsa:2048',
          '-nodes',
          '-days',
          '2',
          '-subj',
          '/CN=kontor',
        ];
        execFileSync('openssl', [...request, ...files], { stdio: 'ignore' });
      };
      make('own');
      make('other');
      const read = (name: string) => readFile(join(folder, name), 'utf8');
      const [key, certificate, other] = [
        await read('own.key'),
        await read('own.pem'),
        await read('other.pem'),
      ];
      const digest = new X509Certificate(certificate).fingerprint256.replaceAll(':', '');
      const expected = Buffer.from(digest, 'hex').toString('base64url');
      for (const text of [key + certificate, certificate + key])
        assert.deepEqual(parseClientKey(text).header, { 'x5t#S256': expected });
      assert.throws(() => parseClientKey(key + other), /belongs to another key/);
    },
  );

  test('502 BAD_GATEWAY: the issuer accepts no secret, or not this one; the log says what to do', async () => {
    const only = await signInAt({
      source: '',
      shape: methods(['private_key_jwt', 'client_secret_post'], 'client_secret_post'),
      claims: email => ({ email, email_verified: true }),
      options: { clientSecret: 'another secret' },
    });
    assert.equal(outcome(only.answer), '502 BAD_GATEWAY');
    assert.ok(
      only.log.some(
        line => line.includes('invalid_client') && line.includes('KONTOR_OPENID_CLIENT_AUTHENTICATION'),
      ),
    );
    assert.ok(!only.log.some(line => line.includes('another secret')));
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const none = await signInAt({
      source: '',
      shape: {
        ...methods(['private_key_jwt']),
        client: {
          token_endpoint_auth_method: 'private_key_jwt',
          client_secret: undefined,
          jwks: { keys: [publicKey.export({ format: 'jwk' })] },
        },
      },
      claims: email => ({ email, email_verified: true }),
    });
    assert.equal(outcome(none.answer), '502 BAD_GATEWAY');
    assert.ok(none.log.some(line => line.includes('KONTOR_OPENID_CLIENT_KEY_FILE')));
  });
});

describe('an issuer that is not limited to one tenant of Entra ID is never trusted for emails (nOAuth, descope.com/blog/post/noauth)', () => {
  const settings = {
    openIdClientId: 'kontor',
    openIdClientSecret: 's',
    openIdClientSecretFile: null,
    openIdClientKeyFile: null,
    openIdClientAuthentication: null,
    openIdName: null,
  };
  const start = (openIdIssuer: string, openIdEmails: 'verified' | 'trusted' = 'trusted') =>
    openIdSettings({ ...settings, openIdIssuer, openIdEmails });

  for (const address of [
    'https://login.microsoftonline.com/common/v2.0',
    'https://login.microsoftonline.com/common/v2.0/',
    'https://login.microsoftonline.com/COMMON/v2.0/.well-known/openid-configuration',
    'https://LOGIN.microsoftonline.com/organizations/v2.0',
    'https://login.microsoftonline.com//organizations/v2.0',
    'https://login.microsoftonline.com/consumers/v2.0',
    'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0',
    'https://login.microsoftonline.us/common/v2.0',
    'https://login.partner.microsoftonline.cn/organizations/v2.0',
    'https://login.windows.net/common',
    'https://sts.windows.net/common/',
  ])
    test(`the service does not start with ${address}`, async () => {
      await assert.rejects(start(address), {
        name: 'OperatorError',
        message: /KONTOR_OPENID_EMAILS=trusted .*nOAuth/,
      });
      assert.equal((await start(address, 'verified'))!.emails, 'verified');
    });

  for (const address of [
    'https://login.microsoftonline.com/72f988bf-86f1-41af-91ab-2d7cd011db47/v2.0',
    'https://login.microsoftonline.com/muster.onmicrosoft.com/v2.0',
    'https://login.example.com/common/v2.0',
  ])
    test(`it starts with ${address}`, async () => assert.equal((await start(address))!.emails, 'trusted'));
});
