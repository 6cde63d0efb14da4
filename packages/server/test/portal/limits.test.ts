import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { attemptLimits } from '../../src/features/users/attempts.ts';
import { parseNetworks } from '../../src/http/client-address.ts';
import { apiClient } from '../support/client.ts';
import { startService } from '../support/service.ts';
import { outcome, password, usePortal } from './support.ts';

const fixture = usePortal();
const { attempts, seconds } = attemptLimits.ofNetwork;

describe('429 RATE_LIMIT_EXCEEDED: too many attempts to show the password of one e-mail', () => {
  async function exhaust(attempt: () => Promise<any>, usual: string): Promise<void> {
    const outcomes = new Set<string>();
    for (let n = 0; n < attempts; n++) outcomes.add(outcome(await attempt()));
    assert.deepEqual([...outcomes], [usual]);
    const refused = await attempt();
    assert.equal(outcome(refused), '429 RATE_LIMIT_EXCEEDED');
    const wait = Number(refused.headers['retry-after']);
    assert.ok(wait > 0 && wait <= seconds, String(wait));
  }

  test('signIn, confirmPassword and changePassword: also the right password is refused then, and nobody else', async () => {
    const { email, secret: key } = await fixture.user();
    await exhaust(() => fixture.signIn(email), '200');
    const confirmed = await fixture.portal.post('/session/confirmation', { password }, { key });
    assert.equal(outcome(confirmed), '429 RATE_LIMIT_EXCEEDED');
    const change = { currentPassword: password, password: 'another password' };
    const changed = await fixture.portal.post('/password', change, { key });
    assert.equal(outcome(changed), '429 RATE_LIMIT_EXCEEDED');
    const other = await fixture.user();
    assert.equal(outcome(await fixture.signIn(other.email)), '200');
  });

  test('signIn: an e-mail that nobody has is counted alike, in whatever letter case', async () => {
    let n = 0;
    const spellings = ['nobody@example.com', 'NOBODY@example.com'];
    await exhaust(() => fixture.signIn(spellings[n++ % 2]!), '401 SIGN_IN_FAILED');
  });

  test('signIn: behind a proxy that the operator has named each of its clients is counted by itself', async () => {
    const service = await startService(fixture.sql, { trustedProxies: parseNetworks('127.0.0.1')! });
    const client = apiClient(service.url, { api: 'portal' });
    const { email } = await fixture.user();
    const from = (address: string) =>
      client.post(
        '/session',
        { email, password },
        { headers: { 'X-Forwarded-For': `192.0.2.9, ${address}` } },
      );
    await exhaust(() => from('203.0.113.7'), '200');
    assert.equal(outcome(await from('203.0.113.8')), '200');
    client.close();
    await service.stop();
  });

  test('signIn: what a failing address is not let through with is no attempt, so nothing is kept of it', async () => {
    const { email } = await fixture.user();
    const from = '127.0.0.77';
    for (let n = 0; n <= 30; n++) await fixture.signIn(`stranger${n}@example.com`, password, { from });
    const sent = Array.from({ length: attempts + 4 }, () => fixture.signIn(email, password, { from }));
    const outcomes = (await Promise.all(sent)).map(outcome);
    assert.deepEqual([...new Set(outcomes)].sort(), ['200', '503 SERVICE_UNAVAILABLE']);
  });
});
