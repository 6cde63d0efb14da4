import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { invitationLimit } from '../../src/features/users/invitations.ts';
import type { MailConfig } from '../../src/app/mail-settings.ts';
import { outcome } from '../portal/support.ts';
import { type ApiClient, apiClient } from '../support/contract/client.ts';
import { useFixture } from '../support/service/fixture.ts';
import { type MailServer, rejection, startMailServer } from '../support/servers/mail-server.ts';
import { startService } from '../support/service/service.ts';
import { signedInUser } from '../support/data/users.ts';

const fixture = useFixture();
let server: MailServer;
before(async () => {
  server = await startMailServer();
});
after(() => server?.close());

/** Runs a test with a service that has these settings of mail. */
async function withMail(mail: Partial<MailConfig>, act: (portal: ApiClient) => Promise<void>): Promise<void> {
  const service = await startService(fixture.sql, { mail });
  const portal = apiClient(service.url, { api: 'portal' });
  try {
    await act(portal);
  } finally {
    portal.close();
    await service.stop();
  }
}

const admin = (language: 'de' | 'en' = 'en') =>
  signedInUser(fixture.sql, fixture.testData.organization, { permissions: ['COMPANY_ADMIN'], language });

const send = (portal: ApiClient, key: string, query = {}) =>
  portal.request('POST', '/mail/test-message', { key, query });

async function audited(id: string): Promise<number> {
  const rows = await fixture.sql`SELECT FROM audit WHERE target_id = ${id} AND action = 'user.test_mail'`;
  return rows.length;
}

describe('a test message', () => {
  for (const [language, subject] of [
    ['en', 'A test message from Kontor'],
    ['de', 'Testnachricht von Kontor'],
  ] as const)
    test(`200: ${language}: reaches the user in the language of the user, at once, and is audited`, async () => {
      const { secret: key, user } = await admin(language);
      await withMail(server.settings, async portal => {
        assert.deepEqual((await send(portal, key)).body, { outcome: 'accepted', reply: null });
        const mail = server.mails.at(-1)!;
        assert.deepEqual([mail.to, mail.headers['subject']], [user.email, subject]);
        assert.equal(await audited(user.id), 1);
      });
    });

  test('200: the rejection of the mail server is answered with its code, but without its text', async () => {
    const { secret: key, user } = await admin();
    server.decide.recipient = () => {
      throw rejection(550, 'no such mailbox on mx3.internal');
    };
    await withMail(server.settings, async portal => {
      const answer = await send(portal, key);
      assert.deepEqual(answer.body, { outcome: 'rejected', reply: 550 });
      assert.equal(await audited(user.id), 1);
    });
    server.decide.recipient = () => {};
  });

  test('200: a login that the mail server rejects', async () => {
    const { secret: key } = await admin();
    const strict = await startMailServer({
      disabledCommands: ['STARTTLS'],
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => done(new Error('wrong password')),
    });
    const login = { smtpUser: 'kontor', smtpPassword: 'wrong' };
    await withMail({ ...strict.settings, ...login }, async portal =>
      assert.deepEqual((await send(portal, key)).body, { outcome: 'login_rejected', reply: 535 }),
    );
    await strict.close();
  });

  test('200: a mail server that cannot be reached', async () => {
    const { secret: key } = await admin();
    const gone = await startMailServer();
    await gone.close();
    await withMail(gone.settings, async portal =>
      assert.deepEqual((await send(portal, key)).body, { outcome: 'unreachable', reply: null }),
    );
  });

  test('200: a dry run sends and audits nothing', async () => {
    const { secret: key, user } = await admin();
    await withMail(server.settings, async portal => {
      const count = server.mails.length;
      assert.equal((await send(portal, key, { dryRun: true })).body.outcome, 'accepted');
      assert.deepEqual([server.mails.length, await audited(user.id)], [count, 0]);
    });
  });

  test('409 INVALID_STATE_TRANSITION: without a mail server, which the overview says', async () => {
    const { secret: key } = await admin();
    await withMail({}, async portal => {
      assert.equal(outcome(await send(portal, key)), '409 INVALID_STATE_TRANSITION');
      const { body } = await portal.get('/mail', { key });
      assert.deepEqual(body, { isSetUp: false, from: null, mails: [] });
    });
  });

  test('429 RATE_LIMIT_EXCEEDED: as many as invitations of a user', async () => {
    const { secret: key } = await admin();
    await withMail(server.settings, async portal => {
      for (let sent = 0; sent < invitationLimit.ofTarget; sent++)
        assert.equal(outcome(await send(portal, key)), '200');
      const limited = await send(portal, key);
      assert.equal(outcome(limited), '429 RATE_LIMIT_EXCEEDED');
      assert.ok(Number(limited.headers['retry-after']) > 0);
    });
  });
});

describe('the overview of mails', () => {
  test('200: has the sender and the kinds, and nothing of the mail server', async () => {
    const { secret: key } = await admin();
    await withMail(server.settings, async portal => {
      const { body } = await portal.get('/mail', { key });
      assert.deepEqual(body, {
        isSetUp: true,
        from: 'kontor@example.com',
        mails: [
          'invitation',
          'password_reset',
          'key_reminder',
          'key_no_recent_activity',
          'key_failing',
          'digest',
        ],
      });
    });
  });

  test('403 PERMISSION_DENIED: for other users', async () => {
    const { secret: key } = await signedInUser(fixture.sql, fixture.testData.organization, {
      permissions: ['IT'],
    });
    await withMail(server.settings, async portal => {
      assert.equal(outcome(await portal.get('/mail', { key })), '403 PERMISSION_DENIED');
      assert.equal(outcome(await send(portal, key)), '403 PERMISSION_DENIED');
    });
  });
});
