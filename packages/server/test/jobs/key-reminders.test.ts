import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createKey } from '../../src/cli/access/key.ts';
import { replaceKey } from '../../src/features/keys/lifecycle.ts';
import { openPepper } from '../../src/features/keys/pepper.ts';
import { expiryReminder } from '../../src/features/keys/notices/expiry.ts';
import { noticeJob, noticeMail, notifyByMail } from '../../src/features/keys/notices/notice.ts';
import type { GrantRow } from '../../src/features/keys/rules.ts';
import { findListedKey } from '../../src/features/keys/store.ts';
import { callOf, operator, system, Writes } from '../../src/write/writes.ts';
import { endPauses, sendOnce } from '../mail/support.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { deactivateKey } from '../support/data/keys.ts';
import { startServiceProcess } from '../support/service/kontor.ts';
import { type MailServer, type ReceivedMail, startMailServer } from '../support/servers/mail-server.ts';
import type { Sql } from '../support/database/sql.ts';
import { activeUser, invitedUser, testLinking } from '../support/data/users.ts';
import { insertTestData, testPepper, type TestData } from '../support/data/test-data.ts';
import { runOnce } from './support.ts';

const timeout = 120_000;
const day = 86_400_000;
const keyReminders = noticeJob(expiryReminder, notifyByMail(expiryReminder));

let database: TestDatabase;
let sql: Sql;
let testData: TestData;
let server: MailServer;
before(async () => {
  server = await startMailServer();
  database = await testDatabase();
  sql = database.database.sql;
  await openPepper(sql, { secret: testPepper.toString('utf8'), dataDirectory: '/nowhere' });
  testData = await insertTestData(sql);
});
after(async () => {
  await server?.close();
  await database?.drop();
});
beforeEach(async () => {
  const { organization } = testData;
  await sql`DELETE FROM portal_user WHERE organization_id = ${organization}`;
  await sql`UPDATE api_key SET status = 'deleted' WHERE organization_id = ${organization}`;
});

let made = 0;

/** A key that ends in so many days, made a year ago by default; returns its text and its identifier. */
async function ending(
  days: number,
  { grants = 'all', ageInDays = 365 }: { grants?: 'all' | GrantRow[]; ageInDays?: number } = {},
): Promise<{ id: string; key: string; name: string }> {
  const organizationId = testData.organization;
  const name = `Payroll ${++made}`;
  const { id, key } = await createKey(sql, testPepper, { organizationId, name, quota: null, grants });
  await setTimes(id, days, ageInDays);
  return { id, key, name };
}

/** A minute is left for the test. */
async function setTimes(id: string, days: number, ageInDays = 365): Promise<Date> {
  const expiresAt = new Date(Date.now() + days * day + 60_000);
  await sql`
    UPDATE api_key SET expires_at = ${expiresAt}, created_at = ${new Date(Date.now() - ageInDays * day)}
    WHERE organization_id = ${testData.organization} AND id = ${id}`;
  return expiresAt;
}

/** Lets the time pass until a key ends in so many days: its end and its last reminder move into the past. */
async function pass(id: string, days: number): Promise<void> {
  const [before] = await sql<{ expires_at: Date }[]>`
    SELECT expires_at FROM api_key WHERE organization_id = ${testData.organization} AND id = ${id}`;
  const passed = before!.expires_at.getTime() - (await setTimes(id, days)).getTime();
  await sql`
    UPDATE api_key SET expiry_reminded_at = expiry_reminded_at - make_interval(secs => ${passed / 1000})
    WHERE organization_id = ${testData.organization} AND id = ${id}`;
}

/** Replaces a key, which works on for so many milliseconds. */
async function replace(id: string, grace: number): Promise<void> {
  const old = await findListedKey(sql, id);
  await new Writes(sql).runWithoutClock(callOf(testData.organization, operator), (write, session) =>
    replaceKey(write, session, testPepper, old!, { name: 'Its successor', grace, expiresAt: null }),
  );
}

/** The key that is in the place of another one. */
async function successorOf(id: string): Promise<string> {
  const [row] = await sql<{ replaced_by: string }[]>`
    SELECT replaced_by FROM api_key WHERE organization_id = ${testData.organization} AND id = ${id}`;
  return row!.replaced_by;
}

async function endKey(id: string, status: 'inactive' | 'deleted'): Promise<void> {
  await sql`UPDATE api_key SET status = ${status} WHERE organization_id = ${testData.organization} AND id = ${id}`;
}

const it = (language: 'de' | 'en' = 'en') => activeUser(sql, testData.organization, { language });

/** Reminds, and answers to how many keys in each write. */
const remind = async () => (await runOnce(sql, keyReminders)).writes;

/** Sends what waits. */
async function sent(): Promise<readonly ReceivedMail[]> {
  const at = server.mails.length;
  await endPauses(sql, testData.organization);
  const kinds = [noticeMail(expiryReminder, testLinking.publicUrl)];
  assert.equal((await sendOnce(sql, server, { kinds })).error, null);
  return server.mails.slice(at);
}

const recipients = (mails: readonly ReceivedMail[]) => mails.map(({ to }) => to).sort();

describe('who looks after a key is reminded of its end', () => {
  test('14 days before and 7 days before, once each, with an entry in the audit of the key', async () => {
    const { email } = await it();
    const { id, name } = await ending(15);
    assert.deepEqual([await remind(), await sent()], [[], []]);
    for (const days of [13.9, 6.9]) {
      await pass(id, days);
      assert.deepEqual(await remind(), [1], String(days));
      const [mail, ...more] = await sent();
      assert.deepEqual([mail!.to, more], [email, []]);
      assert.match(
        mail!.headers['subject']!,
        new RegExp(`^The API key "${name}" expires on \\d+ \\w+ \\d{4}$`),
      );
      assert.match(
        mail!.text,
        new RegExp(
          `- ${name}: expires on [^\\n]+ \\(UTC\\)\\n  https://kontor\\.example\\.com/portal/settings/api-keys/${id}\\n`,
        ),
      );
      assert.deepEqual([await remind(), await sent()], [[], []]);
    }
    const audited = await sql`
      SELECT actor FROM audit WHERE organization_id = ${testData.organization} AND target_id = ${id} AND action = 'key.remind'`;
    assert.deepEqual(audited, [{ actor: 'system' }, { actor: 'system' }]);
  });

  test('in German to its speakers, with all keys in one mail', async () => {
    await it('de');
    const keys = [await ending(10), await ending(12)];
    assert.deepEqual(await remind(), [2]);
    const [mail, ...more] = await sent();
    assert.deepEqual(more, []);
    assert.equal(mail!.headers['subject'], '2 API-Schlüssel laufen bald ab');
    for (const { name } of keys)
      assert.match(mail!.text, new RegExp(`- ${name}: läuft am .* Uhr \\(UTC\\) ab\\n`));
  });

  test('once, after a stop of the service over both days', async () => {
    await it();
    const { id } = await ending(3);
    assert.deepEqual([await remind(), (await sent()).length, await remind()], [[1], 1, []]);
    await pass(id, 2);
    assert.deepEqual(await remind(), []);
  });

  test('not before the second of the days, when the key was made after the first', async () => {
    await it();
    const { id } = await ending(10, { ageInDays: 1 });
    assert.deepEqual(await remind(), []);
    await setTimes(id, 6, 5);
    assert.deepEqual(await remind(), [1]);
    await sent();
  });

  test('again, when the end has moved and comes near another time', async () => {
    await it();
    const { id } = await ending(13);
    assert.deepEqual([await remind(), (await sent()).length], [[1], 1]);
    await setTimes(id, 40);
    assert.deepEqual(await remind(), []);
    await pass(id, 12);
    assert.deepEqual([await remind(), (await sent()).length], [[1], 1]);
  });

  test('not of a key that was replaced, nor of one that is inactive, deleted or over', async () => {
    await it();
    const replaced = await ending(30);
    await replace(replaced.id, 5 * day);
    const { key } = await ending(5);
    await deactivateKey(sql, testData.organization, key);
    await ending(-1);
    await sql`
      UPDATE api_key SET status = 'deleted' WHERE organization_id = ${testData.organization} AND id = ${(await ending(5)).id}`;
    assert.deepEqual([await remind(), await sent()], [[], []]);
  });

  for (const status of ['inactive', 'deleted'] as const)
    test(`of a key that was replaced when what is in its place is ${status}: else it would end unnoticed`, async () => {
      await it();
      const { id, name } = await ending(30);
      await replace(id, 5 * day);
      assert.deepEqual([await remind(), await sent()], [[], []]);
      await endKey(await successorOf(id), status);
      assert.deepEqual(await remind(), [1]);
      const [mail, ...more] = await sent();
      assert.match(mail!.headers['subject']!, new RegExp(`"${name}"`));
      assert.deepEqual(more, []);
    });

  test('of a key that was replaced when what is in its place ends before it does', async () => {
    await it();
    const { id } = await ending(30);
    await replace(id, 5 * day);
    const successor = await successorOf(id);
    await setTimes(successor, 90);
    assert.deepEqual(await remind(), []);
    await setTimes(successor, -1);
    assert.deepEqual([await remind(), (await sent()).length], [[1], 1]);
  });

  test('not of a key when its replacement was replaced as well, and then stopped', async () => {
    await it();
    const { id } = await ending(30);
    await replace(id, 5 * day);
    const successor = await successorOf(id);
    await replace(successor, day);
    await endKey(successor, 'inactive');
    assert.deepEqual(await remind(), []);
  });

  test('not when the key is stopped, replaced or moved before the mail is sent', async () => {
    await it();
    const [stopped, replaced, moved, left] = [
      await ending(5),
      await ending(5),
      await ending(5),
      await ending(5),
    ];
    assert.deepEqual(await remind(), [4]);
    await deactivateKey(sql, testData.organization, stopped.key);
    await replace(replaced.id, day);
    await setTimes(moved.id, 90);
    const [mail] = await sent();
    assert.match(mail!.headers['subject']!, new RegExp(`"${left.name}"`));
    await ending(5);
    assert.deepEqual(await remind(), [1]);
    await sql`UPDATE api_key SET status = 'inactive' WHERE organization_id = ${testData.organization}`;
    assert.deepEqual(await sent(), [], 'there is nothing to say any more');
  });
});

describe('who that is', () => {
  const user = (permissions: ('IT' | 'HR' | 'COMPANY_ADMIN')[], hrTenants?: string[] | null) =>
    activeUser(sql, testData.organization, { permissions, ...(hrTenants !== undefined && { hrTenants }) });
  const reported = async () => {
    await remind();
    return recipients(await sent());
  };

  test('only IT, all of them', async () => {
    const it = [await user(['IT']), await user(['IT', 'HR'], null)];
    await user(['COMPANY_ADMIN']);
    await user(['HR'], null);
    await ending(5);
    assert.deepEqual(await reported(), it.map(({ email }) => email).sort());
  });

  test('where there is no IT user, the administration of the company', async () => {
    const admin = await user(['COMPANY_ADMIN']);
    await user(['HR'], null);
    await invitedUser(sql, testData.organization);
    const inactive = await user(['IT']);
    await sql`
      UPDATE portal_user SET deactivated_at = ${new Date()}
      WHERE organization_id = ${testData.organization} AND id = ${inactive.id}`;
    await ending(5);
    assert.deepEqual(await reported(), [admin.email]);
  });

  test('where there is none of them either, HR with companies that cover the access of the key', async () => {
    const { tenantA, tenantB } = testData;
    const ofA = await user(['HR'], [tenantA]);
    const ofBoth = await user(['HR'], [tenantA, tenantB]);
    const everyone = await user(['HR'], null);
    const grants = (...tenants: string[]) => tenants.map(tenantId => ({ tenantId, divisionId: null }));
    const cases: ['all' | GrantRow[], { email: string }[]][] = [
      [grants(tenantA), [ofA, ofBoth, everyone]],
      [grants(tenantB), [ofBoth, everyone]],
      [grants(tenantA, tenantB), [ofBoth, everyone]],
      ['all', [everyone]],
    ];
    for (const [seen, expected] of cases) {
      await ending(5, { grants: seen });
      assert.deepEqual(await reported(), expected.map(({ email }) => email).sort());
    }
  });

  test('where there is no such user, the key stays unchanged', async () => {
    const { id } = await ending(5);
    assert.deepEqual([await reported(), await remind()], [[], []]);
    assert.deepEqual(
      await sql`SELECT FROM audit WHERE organization_id = ${testData.organization} AND target_id = ${id} AND action = 'key.remind'`,
      [],
    );
  });
});

describe('processes', () => {
  /** How often each key was named in a mail that waits. */
  async function named(): Promise<number[]> {
    const rows = await sql<{ details: { keys: string[] } }[]>`
      SELECT details FROM mail WHERE organization_id = ${testData.organization}`;
    const counts = new Map<string, number>();
    for (const id of rows.flatMap(({ details }) => details.keys)) counts.set(id, (counts.get(id) ?? 0) + 1);
    return [...counts.values()];
  }
  const reminded = async () => {
    const [row] = await sql<{ n: number }[]>`
      SELECT count(*)::int AS n FROM api_key
      WHERE organization_id = ${testData.organization} AND expiry_reminded_at IS NOT NULL AND expires_at > ${new Date(Date.now() + 2 * day)}
        AND expires_at < ${new Date(Date.now() + 3 * day)}`;
    return row!.n;
  };

  test('two at once remind of each key once', { timeout }, async () => {
    await it();
    for (let n = 0; n < 60; n++) await ending(2.5);
    const call = callOf(testData.organization, system);
    const ids = await keyReminders.find(sql, testData.organization, 500);
    const runs = [new Writes(sql.database), new Writes(sql.database)].map(writes =>
      keyReminders.carryOut(writes, call, ids),
    );
    assert.deepEqual(
      (await Promise.all(runs)).sort((a, b) => a - b),
      [0, 60],
    );
    assert.deepEqual(await named(), Array(60).fill(1));
  });

  test(
    'kill -9 in the middle: the next one does the rest, and reminds of nothing twice',
    { timeout },
    async () => {
      await it();
      const before = await reminded();
      const many = 400;
      for (let n = 0; n < many; n += 20) await Promise.all(Array.from({ length: 20 }, () => ending(2.5)));
      // A mail server that is not there: what was queued stays to be counted.
      const variables = {
        ...server.variables,
        KONTOR_SMTP_PORT: '1',
        DATABASE_URL: database.url,
        KONTOR_JOB_INTERVAL: '1',
      };
      const first = await startServiceProcess({ variables });
      while ((await reminded()) === before) await delay(2);
      await first.end('SIGKILL');
      const done = (await reminded()) - before;
      assert.ok(done < many, `${done} were done when it was killed`);
      const second = await startServiceProcess({ variables });
      while ((await reminded()) - before < many) await delay(5);
      await second.end('SIGTERM');
      assert.deepEqual(await named(), Array(many).fill(1));
    },
  );
});
