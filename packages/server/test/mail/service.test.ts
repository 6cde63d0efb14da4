import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openPepper } from '../../src/features/keys/pepper.ts';
import { linkMails } from '../../src/features/users/mails.ts';
import { storeNewUser } from '../../src/features/users/invitations.ts';
import { mailText } from '../../src/mail/text.ts';
import { callOf, operator, Writes } from '../../src/write/writes.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service/kontor.ts';
import { type MailServer, rejection, startMailServer } from '../support/servers/mail-server.ts';
import { startService } from '../support/service/service.ts';
import type { Sql } from '../support/database/sql.ts';
import { testLinking } from '../support/data/users.ts';
import { insertTestData, testPepper, type TestData } from '../support/data/test-data.ts';
import { endPauses } from './support.ts';

const timeout = 60_000;

let database: TestDatabase;
let sql: Sql;
let testData: TestData;
let server: MailServer;
before(async () => {
  database = await testDatabase();
  sql = database.database.sql;
  await openPepper(sql, { secret: testPepper.toString('utf8'), dataDirectory: '/nowhere' });
  testData = await insertTestData(sql);
  server = await startMailServer();
});
after(async () => {
  await server?.close();
  await database?.drop();
});

let made = 0;

/** Makes users who are mailed an invitation. */
async function invite(count: number): Promise<void> {
  for (let n = 0; n < count; n++)
    await new Writes(sql).runWithoutClock(callOf(testData.organization, operator), (write, session) =>
      storeNewUser(
        write,
        session,
        { ...testLinking, byMail: true },
        {
          email: `mailed${++made}@example.com`,
          name: 'Petra Lang',
          language: 'en',
          permissions: ['IT'],
        },
      ),
    );
}

const start = () =>
  startServiceProcess({
    variables: { ...server.variables, DATABASE_URL: database.url, KONTOR_JOB_INTERVAL: '1' },
  });

/** Resolves when no mail waits any more. */
async function emptied(): Promise<void> {
  while ((await sql`SELECT FROM mail LIMIT 1`).length > 0)
    await new Promise(resolve => setTimeout(resolve, 20));
}

const messageIds = (mails: readonly { raw: string }[]) =>
  mails.map(({ raw }) => /^Message-ID: (\S+)/m.exec(raw)![1]!);

describe('kontor serve', () => {
  test(
    'kill -9 while a mail is sent: it is sent again, and can be recognised by its Message-ID',
    { timeout },
    async () => {
      const seen: string[] = [];
      const hanging = Promise.withResolvers<void>();
      const first = await start();
      server.decide.message = async raw => {
        seen.push(raw);
        hanging.resolve();
        await new Promise(() => {});
      };
      await invite(2);
      await hanging.promise;
      await first.end('SIGKILL');
      server.decide.message = () => {};
      const at = server.mails.length;
      const second = await start();
      // The one that was in progress has its pause, the other one has not.
      await server.received(at + 1);
      await endPauses(sql, testData.organization);
      await server.received(at + 2);
      await emptied();
      await second.end('SIGTERM');
      const ids = messageIds(server.mails.slice(at));
      assert.deepEqual([ids.length, new Set(ids).size, seen.length], [2, 2, 1]);
      assert.ok(ids.includes(messageIds([{ raw: seen[0]! }])[0]!));
    },
  );

  test('two processes at once send each mail once', { timeout }, async () => {
    const at = server.mails.length;
    const services: ServiceProcess[] = await Promise.all([start(), start()]);
    await invite(20);
    await server.received(at + 20);
    await emptied();
    await Promise.all(services.map(service => service.end('SIGTERM')));
    const ids = messageIds(server.mails.slice(at));
    assert.deepEqual([ids.length, new Set(ids).size], [20, 20]);
  });
});

test(
  'metrics count how many wait, for how long, and what failed; the log names no user',
  { timeout },
  async () => {
    server.decide.recipient = address => {
      throw rejection(450, `${address} is busy`);
    };
    await invite(1);
    const service = await startService(sql, { mail: server.settings, jobInterval: 1 });
    const metric = async (name: string) => {
      const text = await (await fetch(`${service.managementUrl}/metrics`)).text();
      return Number(new RegExp(`^kontor_${name} (\\S+)$`, 'm').exec(text)![1]);
    };
    while ((await metric('mail_attempts_failed_total')) === 0)
      await new Promise(resolve => setTimeout(resolve, 20));
    assert.equal(await metric('mails_waiting'), 1);
    assert.ok((await metric('mail_oldest_seconds')) > 0);
    assert.equal(await metric('mails_given_up_total'), 0);
    server.decide.recipient = () => {
      throw rejection(550, 'anonymous');
    };
    await endPauses(sql, testData.organization);
    while ((await metric('mails_given_up_total')) === 0)
      await new Promise(resolve => setTimeout(resolve, 20));
    server.decide.recipient = () => {};
    await invite(1);
    while ((await metric('mails_sent_total')) === 0) await new Promise(resolve => setTimeout(resolve, 20));
    while ((await metric('mails_waiting')) > 0) await new Promise(resolve => setTimeout(resolve, 20));
    await service.stop();
    const lines = service.log.filter(line => line.includes('mail'));
    assert.match(lines.join('\n'), /a mail could not be sent yet[^]*a mail was given up[^]*a mail was sent/);
    for (const line of lines) assert.doesNotMatch(line, /@|Petra|busy|kontorl_/);
  },
);

test('a link that a mail brings is made of its seed with the pepper only', async () => {
  await invite(1);
  const [mail] = await sql<{ details: { id: string; seed: string }; user_id: string }[]>`
    SELECT details, user_id FROM mail WHERE organization_id = ${testData.organization}`;
  const to = {
    organizationId: testData.organization,
    userId: mail!.user_id,
    email: 'a@example.com',
    name: mailText`A`,
    language: 'en' as const,
  };
  const written = async (pepper: Buffer) => {
    const [kind] = linkMails({ pepper, publicUrl: 'https://kontor.example.com' });
    return (await kind!.compose(sql, to, mail!.details))?.action!.address ?? null;
  };
  assert.match((await written(testPepper))!, /^https:/);
  assert.equal(await written(testPepper), await written(testPepper));
  assert.equal(await written(Buffer.from('another pepper of thirty-two chars')), null);
});
