import assert from 'node:assert/strict';
import { argon2Sync } from 'node:crypto';
import { describe, test } from 'node:test';
import { apiClient } from '../support/contract/client.ts';
import { startService } from '../support/service/service.ts';
import { recordingPool } from '../support/database/sql.ts';
import { invitedUser, secretOf } from '../support/data/users.ts';
import { outcome, password, sessionOf, usePortal } from './support.ts';

const fixture = usePortal();

const whoIs = async (key: string) => outcome(await fixture.portal.get('/session', { key }));

const set = (id: string, change: string) =>
  fixture.sql.unsafe(`UPDATE portal_user SET ${change} WHERE id = '${id}'`);

describe('POST /session', () => {
  test('200: the cookie is for this host, HTTPS and no script; the session works', async () => {
    const { id, email } = await fixture.user();
    const answer = await fixture.signIn(email.toUpperCase(), password, {
      headers: { 'user-agent': 'Firefox' },
    });
    assert.equal(outcome(answer), '200');
    const [cookie] = answer.headers['set-cookie']!;
    assert.match(cookie!, /^__Host-kontor=kontors_[^;]+; Path=\/; Secure; HttpOnly; SameSite=Strict$/);
    const { user, organization, session, freshUntil } = answer.body;
    assert.partialDeepStrictEqual(user, { id, email, status: 'active', lastSignInAt: session.createdAt });
    assert.equal(organization.id, fixture.testData.organization);
    assert.partialDeepStrictEqual(session, { current: true, address: '127.0.0.1', userAgent: 'Firefox' });
    assert.equal(Date.parse(session.expiresAt) - Date.parse(session.createdAt), 12 * 3_600_000);
    assert.equal(Date.parse(freshUntil) - Date.parse(session.createdAt), 600_000);
    assert.equal(await whoIs(sessionOf(answer)), '200');
  });

  test('neither database, log nor audit has a password or the secret of a session', async () => {
    const { email } = await fixture.user();
    const secret = sessionOf(await fixture.signIn(email)).split('_')[3]!;
    const stored = JSON.stringify([
      await fixture.sql`SELECT to_jsonb(u) AS row FROM portal_user u`,
      await fixture.sql`SELECT to_jsonb(s) AS row FROM portal_session s`,
      await fixture.sql`SELECT to_jsonb(a) AS row FROM audit a`,
      fixture.service.log,
    ]);
    for (const word of [password, secret]) assert.ok(!stored.includes(word));
    assert.ok(!fixture.service.log.join('').includes(email));
  });

  test('a sign-in is audited as one of the user', async () => {
    const { id, email } = await fixture.user();
    const sessionId = (await fixture.signIn(email)).body.session.id;
    const entries = await fixture.sql`
      SELECT action, actor_type, actor, actor_name, address FROM audit WHERE target_id = ${sessionId}`;
    assert.deepEqual(
      entries.map(row => ({ ...row })),
      [
        {
          action: 'session.start',
          actor_type: 'user',
          actor: id,
          actor_name: 'Petra Lang',
          address: '127.0.0.1',
        },
      ],
    );
  });

  test('401 SIGN_IN_FAILED: neither body nor headers reveal what is wrong', async () => {
    const { email } = await fixture.user();
    const inactive = await fixture.user();
    await set(inactive.id, 'deactivated_at = now()');
    const invited = await invitedUser(fixture.sql, fixture.testData.organization);
    const answers = [
      await fixture.signIn(email, 'a wrong password'),
      await fixture.signIn('nobody@example.com'),
      await fixture.signIn(inactive.email),
      await fixture.signIn(invited.email),
      await fixture.signIn(invited.email, ' '),
      await fixture.signIn('no email'),
    ];
    const texts = answers.map(({ status, headers, body }) => {
      const { date: _date, 'x-request-id': id, ...same } = headers;
      return JSON.stringify([status, same, body]).replaceAll(String(id), 'id');
    });
    assert.equal(new Set(texts).size, 1, texts.join('\n'));
    assert.equal(outcome(answers[0]!), '401 SIGN_IN_FAILED');
    assert.equal(answers[0]!.headers['set-cookie'], undefined);
  });

  test('401 SIGN_IN_FAILED takes the same statements and as much computing, whatever is wrong', async () => {
    const { sql, testData } = fixture;
    const { email } = await fixture.user();
    const invited = await invitedUser(sql, testData.organization);
    const statements: string[] = [];
    const reads = recordingPool(sql.database.reads, text => void statements.push(text));
    const service = await startService(sql, { reads });
    const client = apiClient(service.url, { api: 'portal' });
    const kinds = new Map<string, { asked: string; computed: number }>();
    for (const tried of [email, 'nobody@example.com', invited.email]) {
      const computed = [];
      let asked = '';
      for (let n = 0; n < 4; n++) {
        statements.length = 0;
        const before = process.cpuUsage();
        await client.post('/session', { email: tried, password: 'a wrong password' });
        computed.push(process.cpuUsage(before).user);
        asked = statements.filter(text => text.includes('portal_')).join('\n');
      }
      kinds.set(tried, { asked, computed: Math.min(...computed) });
    }
    client.close();
    await service.stop();
    const [known, ...others] = [...kinds.values()];
    assert.match(known!.asked, /portal_email[^]*portal_user/);
    for (const { asked, computed } of others) {
      assert.equal(asked, known!.asked);
      assert.ok(computed > known!.computed / 2, `${computed} and ${known!.computed} µs`);
    }
  });

  test('500 INTERNAL_SERVER_ERROR: a fault, of a sign-in and of an invitation', async () => {
    const invited = await invitedUser(fixture.sql, fixture.testData.organization);
    await fixture.sql`ALTER TABLE portal_user RENAME TO elsewhere`;
    try {
      assert.equal(outcome(await fixture.signIn(invited.email)), '500 INTERNAL_SERVER_ERROR');
      const body = { secret: secretOf(invited), password };
      const answer = await fixture.portal.post('/invitation/acceptance', body);
      assert.equal(outcome(answer), '500 INTERNAL_SERVER_ERROR');
    } finally {
      await fixture.sql`ALTER TABLE elsewhere RENAME TO portal_user`;
    }
  });

  test('a password that is typed on another keyboard is the same', async () => {
    const { email, secret: key } = await fixture.user();
    const composed = 'Zwölf Boxkämpfer jagen Viktor';
    assert.equal(
      (await fixture.portal.post('/password', { currentPassword: password, password: composed }, { key }))
        .status,
      200,
    );
    assert.equal(outcome(await fixture.signIn(email, composed.normalize('NFD'))), '200');
    assert.equal(outcome(await fixture.signIn(email)), '401 SIGN_IN_FAILED');
  });

  test('a password that was hashed with weaker parameters signs in, and is hashed with the present ones then', async () => {
    const { id, email } = await fixture.user();
    const salt = Buffer.alloc(16);
    const weaker = { memory: 8192, passes: 1, parallelism: 1 };
    const hash = argon2Sync('argon2id', { message: password, nonce: salt, tagLength: 32, ...weaker });
    const [encodedSalt, encodedHash] = [salt, hash].map(bytes => bytes.toString('base64').replace(/=+$/, ''));
    await set(id, `password_hash = '$argon2id$v=19$m=8192,t=1,p=1$${encodedSalt}$${encodedHash}'`);
    assert.equal(outcome(await fixture.signIn(email, 'a wrong password')), '401 SIGN_IN_FAILED');
    assert.equal(outcome(await fixture.signIn(email)), '200');
    const [row] = await fixture.sql`SELECT password_hash FROM portal_user WHERE id = ${id}`;
    assert.match(String(row!['password_hash']), /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    assert.equal(outcome(await fixture.signIn(email)), '200');
  });
});
