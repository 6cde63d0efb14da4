import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import { nextAttempt } from '../../src/mail/send.ts';
import { deliver, SmtpFailure } from '../../src/mail/smtp.ts';
import { useFixture } from '../support/service/fixture.ts';
import { type MailServer, rejection, startMailServer } from '../support/servers/mail-server.ts';
import { invitedUser } from '../support/data/users.ts';
import { endPauses, queueRecord, sendOnce, settingsOf, shortDeadlines } from './support.ts';

let server: MailServer;
let place: { organizationId: string; userId: string };
let email: string;
const fixture = useFixture(async ({ sql, testData }) => {
  const user = await invitedUser(sql, testData.organization, { name: 'Petra <Lang>' });
  place = { organizationId: testData.organization, userId: user.id };
  email = user.email;
});
before(async () => {
  server = await startMailServer();
});
after(() => server?.close());
beforeEach(async () => {
  server.decide.recipient = () => {};
  server.decide.message = () => {};
  await fixture.sql`DELETE FROM mail WHERE organization_id = ${place.organizationId}`;
});

const left = () => fixture.sql<{ attempts: number; next_at: Date; queued_at: Date }[]>`
  SELECT attempts, next_at, queued_at FROM mail WHERE organization_id = ${place.organizationId}`;
const givenUp = async () => {
  const rows = await fixture.sql<{ target_id: string; actor: string }[]>`
    SELECT target_id, actor FROM audit
    WHERE organization_id = ${place.organizationId} AND action = 'user.mail_failed'`;
  return rows.length;
};

describe('a mail', () => {
  test('is sent once, in the language of the user, as text and as HTML, and nothing of it is kept', async () => {
    await queueRecord(fixture.sql, place, 'Größe & <b>');
    const at = server.mails.length;
    assert.deepEqual((await sendOnce(fixture.sql, server)).reported, ['waiting 1', 'sent', 'waiting 0']);
    const { from, to, headers, text, html } = server.mails[at]!;
    assert.deepEqual([from, to], ['kontor@example.com', email]);
    assert.match(
      headers['message-id']!,
      new RegExp(`^<[0-9a-f]{24}\\.${place.organizationId}@example\\.com>$`),
    );
    assert.equal(headers['auto-submitted'], 'auto-generated');
    assert.match(
      text,
      /^Guten Tag Petra <Lang>,\n\nGröße & <b>\n\n-- \n.*\nhttps:\/\/kontor\.example\.com\n/,
    );
    assert.match(
      html,
      /<html lang="de">[^]*<p>Guten Tag Petra &lt;Lang&gt;,<\/p>\n<p>Größe &amp; &lt;b&gt;<\/p>/,
    );
    assert.deepEqual(await left(), []);
    assert.deepEqual((await sendOnce(fixture.sql, server)).reported, ['waiting 0']);
  });

  test('without content is not sent, and gone', async () => {
    await queueRecord(fixture.sql, place, '');
    assert.deepEqual((await sendOnce(fixture.sql, server)).reported, ['waiting 1', 'waiting 0']);
  });

  test('to a deactivated user is not sent, and gone', async () => {
    const { sql, testData } = fixture;
    const { id: userId } = await invitedUser(sql, testData.organization);
    await queueRecord(sql, { ...place, userId }, 'Hello');
    await sql`UPDATE portal_user SET deactivated_at = ${new Date()} WHERE organization_id = ${place.organizationId} AND id = ${userId}`;
    assert.deepEqual((await sendOnce(sql, server)).reported, ['waiting 1', 'waiting 0']);
  });

  test('goes with its user', async () => {
    const { sql, testData } = fixture;
    const { id: userId } = await invitedUser(sql, testData.organization);
    await queueRecord(sql, { ...place, userId }, 'Hello');
    await sql`DELETE FROM portal_user WHERE organization_id = ${place.organizationId} AND id = ${userId}`;
    assert.deepEqual(await left(), []);
  });

  test('of a kind that this version does not know waits for one that does', async () => {
    await queueRecord(fixture.sql, place, 'Hello');
    assert.deepEqual((await sendOnce(fixture.sql, server, { kinds: [] })).reported, [
      'waiting 1',
      'waiting 1',
    ]);
    assert.deepEqual(await left().then(rows => rows.map(({ attempts }) => attempts)), [0]);
  });

  test('is queued with what causes it or not at all', async () => {
    const { sql } = fixture;
    await assert.rejects(queueRecord(sql, { ...place, userId: 'anonymous' }, 'Hello'));
    assert.deepEqual(await left(), []);
  });
});

describe('a server that rejects', () => {
  test('with 4xx: the mail is tried again after a pause, and the others are sent', async () => {
    const other = await invitedUser(fixture.sql, fixture.testData.organization);
    server.decide.recipient = to => {
      if (to === email) throw rejection(450, `${email} is busy`);
    };
    await queueRecord(fixture.sql, place, 'One');
    await queueRecord(fixture.sql, { ...place, userId: other.id }, 'Two');
    const { reported, error } = await sendOnce(fixture.sql, server);
    assert.deepEqual([reported.sort(), error], [['failed', 'sent', 'waiting 1', 'waiting 2'], null]);
    const [{ attempts, next_at: next, queued_at: queued }] = (await left()) as [
      Awaited<ReturnType<typeof left>>[0],
    ];
    assert.equal(attempts, 1);
    assert.ok(next.getTime() >= queued.getTime() + 30_000);
    assert.deepEqual(
      (await sendOnce(fixture.sql, server)).reported,
      ['waiting 1'],
      'not before the pause is over',
    );
    server.decide.recipient = () => {};
    await endPauses(fixture.sql, place.organizationId);
    assert.deepEqual((await sendOnce(fixture.sql, server)).reported, ['waiting 1', 'sent', 'waiting 0']);
  });

  for (const [reply, what] of [
    ['recipient', rejection(550, `5.1.1 no mailbox here`)],
    ['message', rejection(554, 'looks like spam')],
  ] as const)
    test(`the ${reply} for good: the mail is given up and audited`, async () => {
      const before = await givenUp();
      server.decide[reply] = () => {
        throw what;
      };
      await queueRecord(fixture.sql, place, 'Hello');
      const { reported } = await sendOnce(fixture.sql, server);
      assert.deepEqual(reported, ['waiting 1', 'failed', 'gave up', 'waiting 0']);
      assert.equal((await givenUp()) - before, 1);
    });

  test('by a rule of its own (5.7.x), which the operator can mend: the mail is tried again', async () => {
    server.decide.recipient = () => {
      throw rejection(550, '5.7.1 relaying denied');
    };
    await queueRecord(fixture.sql, place, 'Hello');
    assert.deepEqual((await sendOnce(fixture.sql, server)).reported, ['waiting 1', 'failed', 'waiting 1']);
  });

  test('until the mail is outdated: it is given up and audited', async () => {
    const before = await givenUp();
    server.decide.recipient = () => {
      throw rejection(450, 'later');
    };
    await queueRecord(fixture.sql, place, 'Hello', 20_000);
    const { reported } = await sendOnce(fixture.sql, server);
    assert.deepEqual(
      reported,
      ['waiting 1', 'failed', 'gave up', 'waiting 0'],
      'the next attempt would come too late',
    );
    await queueRecord(fixture.sql, place, 'Hello', 0);
    assert.deepEqual((await sendOnce(fixture.sql, server)).reported, ['waiting 1', 'gave up', 'waiting 0']);
    assert.equal((await givenUp()) - before, 2);
  });
});

describe('a server that takes nothing', () => {
  test('ends the run, so that no other mail loses an attempt', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    closed.close();
    await once(closed, 'close');
    await queueRecord(fixture.sql, place, 'One');
    await queueRecord(fixture.sql, place, 'Two');
    const { reported, error } = await sendOnce(fixture.sql, { port });
    assert.deepEqual(reported, ['waiting 2', 'failed']);
    assert.ok(error instanceof SmtpFailure);
    assert.deepEqual((await left()).map(({ attempts }) => attempts).sort(), [0, 1]);
  });

  const message = {
    from: 'kontor@example.com',
    to: 'a@example.com',
    content: Buffer.from('Subject: x\r\n\r\nx'),
  };

  for (const [name, replies] of [
    ['connect', []],
    ['connect', ['220 here']],
    ['send', ['220 here', '250 here']],
    ['send', ['220 here', '250 here', '250 sender']],
    ['send', ['220 here', '250 here', '250 sender', '250 recipient']],
    ['send', ['220 here', '250 here', '250 sender', '250 recipient', '354 go on']],
  ] as const)
    test(`but hangs after ${replies.length} replies: the step ${name} ends within its deadline`, async () => {
      const sockets: Socket[] = [];
      const hanging = createServer(socket => {
        sockets.push(socket);
        const rest = [...replies] as string[];
        const reply = () => {
          const next = rest.shift();
          if (next !== undefined) socket.write(`${next}\r\n`);
        };
        socket.on('error', () => {});
        socket.on('data', reply);
        reply();
      }).listen(0, '127.0.0.1');
      await once(hanging, 'listening');
      const { port } = hanging.address() as AddressInfo;
      const deadlines = { connect: 300, login: 300, send: 300 };
      await assert.rejects(deliver(settingsOf({ port }), message, { deadlines }), (error: SmtpFailure) => {
        assert.deepEqual([error.step, error.isFinal, error.isOfMail], [name, false, false]);
        return true;
      });
      for (const socket of sockets) socket.destroy();
      hanging.close();
      await once(hanging, 'close');
    });
});

test('pauses grow from half a minute to four hours', () => {
  const at = new Date(0);
  const seconds = [1, 2, 3, 4, 5, 6, 20].map(attempt => nextAttempt(at, attempt).getTime() / 1000);
  assert.deepEqual(seconds, [30, 120, 480, 1920, 7680, 14400, 14400]);
});

test('two senders at once send each mail once', async () => {
  const at = server.mails.length;
  for (let n = 0; n < 30; n++) await queueRecord(fixture.sql, place, `Note ${n}`);
  // The second one finds the first at work and leaves it alone, and takes over what was not claimed when it ends.
  const first = sendOnce(fixture.sql, server);
  const second = sendOnce(fixture.sql, server);
  await Promise.all([first, second]);
  const subjects = server.mails.slice(at).map(({ headers }) => headers['subject']);
  assert.deepEqual([subjects.length, new Set(subjects).size], [30, 30]);
});

test('the answer of a mail server is in no failure that is logged', async () => {
  server.decide.recipient = () => {
    throw rejection(550, `${email} is unknown`);
  };
  const failure = await deliver(
    settingsOf(server),
    { from: 'a@example.com', to: email, content: Buffer.from('x') },
    { deadlines: shortDeadlines },
  ).catch((error: unknown) => error);
  assert.ok(failure instanceof SmtpFailure);
  assert.match(failure.serverText, /is unknown/);
  assert.ok(!failure.message.includes('example.com'), failure.message);
  assert.deepEqual([failure.command, failure.reply, failure.isFinal], ['RCPT TO', 550, true]);
});
