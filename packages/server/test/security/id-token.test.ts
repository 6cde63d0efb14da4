import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { outcome, sessionOf } from '../portal/support.ts';
import type { Answer } from '../support/contract/client.ts';
import {
  finishWith,
  issuerKey,
  type Lie,
  signedBy,
  signedWithSecret,
} from '../support/servers/lying-issuer.ts';
import { key, useLyingIssuer } from './issuer-fixture.ts';

const otherKey = issuerKey('second');
const sameNameKey = issuerKey('first');

const fixture = useLyingIssuer();

const now = () => Math.floor(Date.now() / 1000);

/** Finishes a sign-in with an ID token that the first key signs, unless the lie says otherwise. */
function finish(email: string, lie: Lie = {}, session?: string): Promise<Answer<any>> {
  const header = { alg: 'RS256', kid: 'first' };
  return finishWith(fixture.portal, fixture.issuer, {
    email,
    lie: { header, signature: signedBy(key), ...lie },
    session,
  });
}

async function signIn(lie: Lie = {}): Promise<string> {
  return outcome(await finish(await fixture.invite(), lie));
}

/** Says the same with another signature. */
function flipped(signed: string): Buffer {
  const signature = signedBy(key)(signed);
  signature[10]! ^= 1;
  return signature;
}

describe('an ID token is accepted', () => {
  test('that a key of the issuer has signed since the sign-in began', async () => {
    assert.equal(await signIn(), '200');
  });

  test('that a key on an elliptic curve has signed', async () => {
    const curveKey = issuerKey('curve', 'ES256');
    fixture.issuer.keys = [key, curveKey];
    assert.equal(
      await signIn({ header: { alg: 'ES256', kid: 'curve' }, signature: signedBy(curveKey) }),
      '200',
    );
  });

  test('with a clock that is off by less than a minute', async () => {
    assert.equal(await signIn({ claims: () => ({ iat: now() - 50 }) }), '200');
    assert.equal(await signIn({ claims: () => ({ iat: now() + 50 }) }), '200');
    assert.equal(await signIn({ claims: () => ({ exp: now() - 50 }) }), '200');
  });
});

const lies: Record<string, Lie> = {
  'a wrong signature': { signature: flipped },
  'no signature': { signature: () => Buffer.alloc(0) },
  'a key that the issuer does not publish': {
    header: { alg: 'RS256', kid: 'second' },
    signature: signedBy(otherKey),
  },
  'another key under the name of a published one': { signature: signedBy(sameNameKey) },
  'the algorithm none': { header: { alg: 'none' }, signature: () => Buffer.alloc(0) },
  'the algorithm none in capitals': { header: { alg: 'NONE' }, signature: () => Buffer.alloc(0) },
  'HS256 with the public key as the secret': {
    header: { alg: 'HS256', kid: 'first' },
    signature: signedWithSecret(JSON.stringify(key.jwk)),
  },
  'an issue before the sign-in began': { claims: () => ({ iat: now() - 65 }) },
  'an issue in the future': { claims: () => ({ iat: now() + 65 }) },
  'an end that has passed': { claims: () => ({ exp: now() - 65 }) },
  'no end': { claims: () => ({ exp: undefined }) },
  'no issue': { claims: () => ({ iat: undefined }) },
  'an issue that is no number': { claims: () => ({ iat: String(now()) }) },
  'another audience': { claims: () => ({ aud: 'another' }) },
  'a second audience that it was issued to': {
    claims: () => ({ aud: ['kontor', 'another'], azp: 'another' }),
  },
  'no audience': { claims: () => ({ aud: undefined }) },
  'no subject': { claims: () => ({ sub: undefined }) },
  'another issuer': { claims: () => ({ iss: 'https://evil.example' }) },
  'the issuer with a slash more': { claims: () => ({ iss: `${fixture.issuer.settings.issuer}/` }) },
  'the nonce of another sign-in': { claims: () => ({ nonce: 'another' }) },
  'no nonce': { claims: () => ({ nonce: undefined }) },
};

describe('502 BAD_GATEWAY, and no user is signed in: an ID token with', () => {
  for (const [name, lie] of Object.entries(lies))
    test(name, async () => assert.equal(await signIn(lie), '502 BAD_GATEWAY'));

  test('HS256 with the client secret', async () => {
    const signature = signedWithSecret(fixture.issuer.settings.clientSecret);
    assert.equal(await signIn({ header: { alg: 'HS256' }, signature }), '502 BAD_GATEWAY');
  });

  for (const claim of ['iss', 'aud', 'nonce', 'exp', 'iat', 'sub'])
    test(`a wrong ${claim}, which the log names without its value`, async () => {
      const lines = fixture.service.log.length;
      const value =
        claim === 'exp' || claim === 'iat' ? 1_111_111_111 : claim === 'sub' ? 2_222_222 : 'a-wrong-value';
      assert.equal(await signIn({ claims: () => ({ [claim]: value }) }), '502 BAD_GATEWAY');
      const [failed] = fixture.service.log.slice(lines).filter(line => line.includes('request failed'));
      assert.match(
        failed!,
        claim === 'iat' ? /issued before the sign-in began/ : new RegExp(`\\\\"${claim}\\\\"`),
      );
      assert.ok(!failed!.includes(String(value)));
    });

  test('anything wrong leaves no token in the log', () => {
    assert.ok(
      fixture.service.log.some(line => line.includes('BAD_GATEWAY') || line.includes('"status":502')),
    );
    for (const line of fixture.service.log) assert.doesNotMatch(line, /eyJ|@example\.com/);
  });
});

describe('401 SIGN_IN_FAILED: a confirmation with a sign-in at the issuer', () => {
  for (const seconds of [65, 400])
    test(`${seconds} seconds before it was begun`, async () => {
      const email = await fixture.invite();
      const session = sessionOf(await finish(email));
      const lie = { claims: () => ({ auth_time: now() - seconds }) };
      assert.equal(outcome(await finish(email, lie, session)), '401 SIGN_IN_FAILED');
      assert.equal(outcome(await finish(email, {}, session)), '200');
    });
});

describe('the keys of the issuer', () => {
  test('new keys work at once, and withdrawn ones no longer', async () => {
    assert.equal(await signIn(), '200');
    fixture.issuer.keys = [otherKey];
    const rotated = { header: { alg: 'RS256', kid: 'second' }, signature: signedBy(otherKey) };
    assert.equal(await signIn(rotated), '200');
    assert.equal(await signIn(), '502 BAD_GATEWAY');
    fixture.issuer.keys = [sameNameKey];
    assert.equal(await signIn({ signature: signedBy(sameNameKey) }), '200');
    assert.equal(await signIn(), '502 BAD_GATEWAY');
  });

  test('502 BAD_GATEWAY: they cannot be read', async () => {
    fixture.issuer.answerKeys = request => request.destroy();
    assert.equal(await signIn(), '502 BAD_GATEWAY');
    fixture.issuer.answerKeys = (_request, response) => response.writeHead(500).end();
    assert.equal(await signIn(), '502 BAD_GATEWAY');
    fixture.issuer.answerKeys = (_request, response) => response.end('<html>');
    assert.equal(await signIn(), '502 BAD_GATEWAY');
    fixture.issuer.answerKeys = null;
    assert.equal(await signIn(), '200');
  });

  test('504 GATEWAY_TIMEOUT: they do not come in time', async () => {
    fixture.issuer.answerKeys = () => {};
    assert.equal(await signIn(), '504 GATEWAY_TIMEOUT');
  });
});
