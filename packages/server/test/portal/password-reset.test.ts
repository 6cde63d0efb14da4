import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { linkMails } from '../../src/features/users/mails.ts';
import { resetLimits } from '../../src/features/users/passwords/resets.ts';
import { endPauses, sendOnce } from '../mail/support.ts';
import { type ApiClient, apiClient } from '../support/contract/client.ts';
import { type MailServer, secretIn, startMailServer } from '../support/servers/mail-server.ts';
import { someMail, startService, type TestService } from '../support/service/service.ts';
import { invitedUser, testLinking } from '../support/data/users.ts';
import { testPepper } from '../support/data/test-data.ts';
import { outcome, password, sessionOf, usePortal } from './support.ts';

let server: MailServer;
const fixture = usePortal();
before(async () => {
  server = await startMailServer();
});
after(() => server?.close());

const kinds = linkMails({ pepper: testPepper, publicUrl: testLinking.publicUrl });

/** Has the work done with a service that sends mails when a test starts it, and has counted nothing yet. */
async function withMail(work: (portal: ApiClient, service: TestService) => Promise<void>): Promise<void> {
  const service = await startService(fixture.sql, { mail: someMail });
  const portal = apiClient(service.url, { api: 'portal' });
  try {
    await work(portal, service);
  } finally {
    portal.close();
    await service.stop();
  }
}

const ask = (portal: ApiClient, email: string) => portal.post('/password-reset', { email });

/** The mails that wait for a user, or for all users. */
const waiting = (userId: string | null = null) => fixture.sql<{ kind: string; user_id: string }[]>`
  SELECT kind, user_id FROM mail
  WHERE organization_id = ${fixture.testData.organization} AND (${userId}::text IS NULL OR user_id = ${userId})`;

/** Resolves when a mail waits for a user: requests are handled behind the answer, one after the other. */
async function queued(userId: string): Promise<void> {
  while ((await waiting(userId)).length === 0) await delay(10);
}

/** Sends what waits, and answers what the mail server was given. */
async function sent() {
  const at = server.mails.length;
  await endPauses(fixture.sql, fixture.testData.organization);
  assert.equal((await sendOnce(fixture.sql, server, { kinds })).error, null);
  return server.mails.slice(at);
}

test('GET /sign-in-methods returns whether a link can be mailed', async () => {
  assert.equal((await fixture.portal.get('/sign-in-methods')).body.passwordReset, false);
  await withMail(async portal => {
    assert.equal((await portal.get('/sign-in-methods')).body.passwordReset, true);
  });
});

describe('POST /password-reset', () => {
  test('200: mails a link that sets the password once and ends all sessions; until then the password before works', () =>
    withMail(async portal => {
      const { id, email, secret: session } = await fixture.user();
      const { status, body } = await ask(portal, email.toUpperCase());
      assert.deepEqual([status, body], [200, { minutes: 60 }]);
      await queued(id);
      const [mail, ...more] = await sent();
      assert.deepEqual([mail!.to, more], [email, []]);
      assert.equal(mail!.headers['subject'], 'Ihr neues Passwort für Kontor');
      assert.match(mail!.text, /Der Link kann einmal verwendet werden und ist 60 Minuten lang gültig\./);
      assert.equal(outcome(await fixture.signIn(email)), '200');
      const accept = () =>
        portal.post('/invitation/acceptance', { secret: secretIn(mail!), password: 'tacker brille zitrone' });
      const accepted = await accept();
      assert.equal(outcome(accepted), '200');
      assert.equal(outcome(await portal.get('/session', { key: session })), '401 INVALID_SESSION');
      assert.equal(outcome(await portal.get('/session', { key: sessionOf(accepted) })), '200');
      assert.equal(outcome(await fixture.signIn(email)), '401 SIGN_IN_FAILED');
      assert.equal(outcome(await accept()), '422 INVALID_LINK');
      const audited = await fixture.sql<{ action: string; actor_type: string; address: string }[]>`
        SELECT action, actor_type, address FROM audit
        WHERE target_id = ${id} AND action IN ('user.forget_password', 'user.password') ORDER BY at OFFSET 1`;
      assert.deepEqual(audited, [
        { action: 'user.forget_password', actor_type: 'anonymous', address: '127.0.0.1' },
        { action: 'user.password', actor_type: 'user', address: '127.0.0.1' },
      ]);
    }));

  test('200: the same for an unknown email and for an inactive user, and nothing is mailed', () =>
    withMail(async portal => {
      const inactive = await fixture.user();
      await fixture.sql`
        UPDATE portal_user SET deactivated_at = ${new Date()}
        WHERE organization_id = ${fixture.testData.organization} AND id = ${inactive.id}`;
      const known = await fixture.user();
      const answers = [];
      for (const email of ['nobody@example.com', inactive.email, known.email])
        answers.push(await ask(portal, email));
      const seen = answers.map(({ status, body, headers }) => [status, body, Object.keys(headers).sort()]);
      assert.deepEqual([seen[0], seen[1]], [seen[2], seen[2]]);
      await queued(known.id);
      assert.deepEqual(await waiting(), [{ kind: 'password_reset', user_id: known.id }]);
      await sent();
    }));

  test('200: is answered before the user is looked up, so its time reveals nothing', () =>
    withMail(async portal => {
      const { sql } = fixture;
      const { id, email } = await fixture.user();
      await sql.begin(async locking => {
        await locking`LOCK TABLE portal_email, portal_user IN ACCESS EXCLUSIVE MODE`;
        for (const each of [email, 'nobody@example.com']) assert.equal((await ask(portal, each)).status, 200);
      });
      await queued(id);
      await sent();
    }));

  test('200: who was invited gets the invitation again, which works no shorter than before', () =>
    withMail(async portal => {
      const { id, email, invitedUntil } = await invitedUser(fixture.sql, fixture.testData.organization);
      await ask(portal, email);
      await queued(id);
      const [mail] = await sent();
      assert.equal(mail!.headers['subject'], 'Ihr Zugang zu Kontor');
      const [user] = await fixture.sql<{ until: Date }[]>`
        SELECT link_expires_at AS until FROM portal_user
        WHERE organization_id = ${fixture.testData.organization} AND id = ${id}`;
      assert.equal(user!.until.toISOString(), invitedUntil);
      const accepted = await portal.post('/invitation/acceptance', { secret: secretIn(mail!), password });
      assert.equal(outcome(accepted), '200');
    }));

  test('an orderly stop waits for requests that were answered', async () => {
    const { id, email } = await fixture.user();
    await withMail(async portal => void (await ask(portal, email)));
    assert.deepEqual(await waiting(id), [{ kind: 'password_reset', user_id: id }]);
    await sent();
  });

  test('a request that fails behind the answer is logged without the email, and holds up no other', () =>
    withMail(async (portal, service) => {
      const { sql } = fixture;
      const { id, email } = await fixture.user();
      await sql`ALTER TABLE portal_email RENAME TO elsewhere`;
      await ask(portal, email);
      while (!service.log.some(line => line.includes('was not mailed'))) await delay(10);
      await sql`ALTER TABLE elsewhere RENAME TO portal_email`;
      await ask(portal, email);
      await queued(id);
      await sent();
      assert.ok(service.log.every(line => !line.includes('@')));
    }));

  test('429 RATE_LIMIT_EXCEEDED: too many for one email, known or unknown', () =>
    withMail(async portal => {
      const { email } = await fixture.user();
      for (const each of [email, 'nobody@example.com']) {
        for (let n = 0; n < resetLimits.ofBoth.attempts; n++)
          assert.equal((await ask(portal, each)).status, 200);
        const rejected = await ask(portal, each);
        assert.equal(outcome(rejected), '429 RATE_LIMIT_EXCEEDED');
        assert.ok(Number(rejected.headers['retry-after']) > 0);
      }
    }));

  test('503 SERVICE_UNAVAILABLE: too many wait to be handled', () =>
    withMail(async portal => {
      await fixture.sql.begin(async locking => {
        await locking`LOCK TABLE portal_email IN ACCESS EXCLUSIVE MODE`;
        const outcomes = await Promise.all(
          Array.from({ length: 101 }, async (_, n) => outcome(await ask(portal, `nobody${n}@example.com`))),
        );
        assert.deepEqual(
          [outcomes.filter(each => each === '200').length, outcomes.filter(each => each !== '200')],
          [100, ['503 SERVICE_UNAVAILABLE']],
        );
      });
    }));

  test('409 INVALID_STATE_TRANSITION: no mail server is set', async () => {
    const { email } = await fixture.user();
    assert.equal(outcome(await ask(fixture.portal, email)), '409 INVALID_STATE_TRANSITION');
  });

  test('403 CROSS_SITE_REQUEST: a page of another site mails nothing', () =>
    withMail(async portal => {
      const headers = { 'sec-fetch-site': 'cross-site' };
      const answer = await portal.post('/password-reset', { email: 'a@example.com' }, { headers });
      assert.equal(outcome(answer), '403 CROSS_SITE_REQUEST');
    }));
});
