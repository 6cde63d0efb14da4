import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { KeyUse } from '../../server/src/features/keys/usage/key-use.ts';
import { parseKey } from '../../server/src/auth/api-keys.ts';
import { writeUses } from '../../server/src/features/keys/usage/write.ts';
import { usePortal } from '../../server/test/portal/support.ts';
import { testKey } from '../../server/test/support/data/test-data.ts';
import { assertAccessible, inBrowser, inLanguages, press, reach, visit } from './support.ts';

const fixture = usePortal();

/** What the stories look for, in both languages. */
const words = {
  en: {
    show: 'Show',
    noRecentActivity: 'No recent activity',
    hasNoRecentActivity: /^No recent activity$/,
    neverHeard: 'no success is known',
    change: 'Change interval',
    every: 'The system uses the key',
    daily: 'Daily',
    save: 'Save',
    set: /^Set: at least one success every 26 hours/,
    copy: 'Copy request ID',
    numbers: 'Show numbers by day',
    list: 'List orders',
    operation: 'Operation',
    rejected: 'The request was invalid',
    firstAndLast: /^first .*, last 3 hours ago$/,
    lag: /behind the last change/,
    replaced: /^This key was replaced by/,
    inUse: /The old key is still in use/,
    failing: 'Failing',
    errors: 'Errors',
    seeErrors: /^.* ?Failing, no successful request known. Check its last errors.$/,
    beingReplaced: 'Being replaced',
    used: 'used this minute',
    expires: /replace it in time/,
  },
  de: {
    show: 'Anzeigen',
    noRecentActivity: 'Keine Aktivität',
    hasNoRecentActivity: /^Keine Aktivität$/,
    neverHeard: 'kein Erfolg bekannt',
    change: 'Intervall ändern',
    every: 'Das System verwendet den Schlüssel',
    daily: 'Täglich',
    save: 'Speichern',
    set: /^Festgelegt: mindestens ein Erfolg alle 26 Stunden/,
    copy: 'Anfrage-ID kopieren',
    numbers: 'Zahlen nach Tagen anzeigen',
    list: 'Bestellungen auflisten',
    operation: 'Vorgang',
    rejected: 'Die Anfrage war ungültig',
    firstAndLast: /^zuerst .*, zuletzt vor 3 Stunden$/,
    lag: /hinter der letzten Änderung/,
    replaced: /^Dieser Schlüssel wurde durch/,
    inUse: /Der alte Schlüssel wird noch verwendet/,
    failing: 'Anfragen schlagen fehl',
    errors: 'Fehler',
    seeErrors:
      /^.* ?Anfragen schlagen fehl, keine erfolgreiche Anfrage bekannt. Prüfen Sie die letzten Fehler.$/,
    beingReplaced: 'Wird ersetzt',
    used: 'verwendet in dieser Minute',
    expires: /rechtzeitig ersetzen/,
  },
} as const;

const hour = 3_600_000;
const requestId = '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21';

const unsupportedSort = {
  code: 'UNSUPPORTED_SORT_FIELD',
  message:
    'Cannot sort by "…". Sortable fields: id, orderNumber, employeeId, status, submittedAt, createdAt, updatedAt',
} as const;

/** A key that has been used on thirty days, polls, had an error, and succeeded three hours ago for the last time. */
async function usedKey(): Promise<string> {
  const { sql, testData } = fixture;
  const { id } = parseKey(await testKey(sql, testData.organization, 'all'))!;
  const last = Date.now() - 3 * hour;
  for (let days = 29; days >= 0; days--) {
    // One on each of thirty days (UTC), also when three hours ago was yesterday.
    const at = Date.now() - days * 24 * hour;
    const succeededAt = Math.min(at, last);
    const use = new KeyUse(id);
    Object.assign(use, {
      at,
      requests: 40 + days,
      rejected: days % 7,
      succeededFrom: succeededAt,
      succeededAt,
    });
    const counts = { denied: 0, limited: 0, failed: 0 };
    use.operations.set('listEmployees', { ...counts, requests: 30 + days, rejected: days % 7 });
    use.operations.set('listOrders', { ...counts, requests: 10, rejected: 0 });
    use.polls.set('listOrders', { at: succeededAt, readTo: new Date(succeededAt).toISOString() });
    if (days < 3) use.errors.add({ operation: 'listOrders', requestId, rejection: unsupportedSort }, 400, at);
    await writeUses(sql, testData.organization, [use]);
  }
  return id;
}

const keyPage = (id: string) => `/portal/settings/api-keys/${id}`;

/** Chooses an option of a field that the keyboard has come to. */
async function choose(page: Page, field: string, option: string | RegExp): Promise<void> {
  await reach(page, page.getByRole('combobox', { name: field }).or(page.getByLabel(field)).first());
  await page.keyboard.press('Enter');
  const wanted = page.getByRole('option', { name: option, exact: typeof option === 'string' });
  await wanted.waitFor();
  for (let step = 0; step < 20; step++) {
    if ((await wanted.getAttribute('data-combobox-selected')) !== null) break;
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
}

inBrowser('an integration that has died is noticed', () => {
  for (const language of inLanguages('en')) {
    const labels = words[language];

    test(`${language}: a key that has never succeeded shows no success, in the list and on the home page`, async () => {
      const { sql, testData } = fixture;
      const name = `Never heard of ${language}`;
      const { id } = parseKey(await testKey(sql, testData.organization, 'all'))!;
      await sql`
        UPDATE api_key SET name = ${name}, expected_interval = 3600, watched_from = ${new Date(Date.now() - 3 * hour)}
        WHERE organization_id = ${testData.organization} AND id = ${id}`;
      const { secret } = await fixture.user();
      await visit(fixture.service.url, { language, secret }, async page => {
        await page.goto('/portal/settings/api-keys');
        await page.getByRole('row', { name }).getByText(labels.neverHeard).waitFor();
        await page.goto('/portal');
        const waiting = page.getByRole('listitem').filter({ hasText: name });
        await waiting.waitFor();
        assert.match(
          await waiting.innerText(),
          language === 'de' ? /keine erfolgreiche Anfrage bekannt/ : /no successful request known/,
        );
      });
    });

    test(`${language}: a key with 30 of 30 requests rejected is failing in the list, in its header and on the home page`, async () => {
      const { sql, testData } = fixture;
      const name = `Rejected ${language}`;
      const { id } = parseKey(await testKey(sql, testData.organization, 'all'))!;
      await sql`UPDATE api_key SET name = ${name} WHERE organization_id = ${testData.organization} AND id = ${id}`;
      const use = new KeyUse(id);
      const request = { operation: 'listOrders', requestId, rejection: unsupportedSort, readTo: null };
      for (let n = 0; n < 30; n++) use.answered(request, 400);
      await writeUses(sql, testData.organization, [use]);
      const { secret } = await fixture.user();
      await visit(fixture.service.url, { language, secret }, async page => {
        const state = page.locator('span[data-status]');
        await page.goto('/portal/settings/api-keys?show=failing');
        await page
          .getByRole('row', { name })
          .locator('span[data-status]')
          .getByText(labels.failing)
          .waitFor();
        await page.goto(keyPage(id));
        await state.getByText(labels.failing, { exact: true }).waitFor();
        assert.equal(await state.count(), 1, 'one state');
        await page.goto('/portal');
        await page.getByRole('listitem').filter({ hasText: name }).getByText(labels.seeErrors).waitFor();
      });
      await sql`UPDATE api_key SET status = 'inactive' WHERE organization_id = ${testData.organization} AND id = ${id}`;
    });

    test(`${language}: a key that is being replaced is marked, and needs no attention`, async () => {
      const { sql, testData } = fixture;
      const { secret } = await fixture.user();
      const names = [`Expires ${language}`, `Replaced ${language}`];
      const ids = [];
      for (const name of names) {
        const { id } = parseKey(await testKey(sql, testData.organization, 'all'))!;
        ids.push(id);
        const use = new KeyUse(id);
        use.answered({ operation: 'listOrders', requestId, rejection: null, readTo: null }, 200);
        await writeUses(sql, testData.organization, [use]);
        await sql`
          UPDATE api_key SET name = ${name}, expires_at = ${new Date(Date.now() + 100 * hour)}
          WHERE organization_id = ${testData.organization} AND id = ${id}`;
      }
      await fixture.portal.post(`/api-keys/${ids[1]}/replacement`, { name: 'Next' }, { key: secret });
      await visit(fixture.service.url, { language, secret }, async page => {
        await page.goto('/portal/settings/api-keys?show=being_replaced');
        const row = page.getByRole('row', { name: names[1]! });
        await row.getByText(labels.beingReplaced).waitFor();
        await row.getByText(labels.used).waitFor();
        await page.goto('/portal');
        await page.getByRole('listitem').filter({ hasText: names[0]! }).getByText(labels.expires).waitFor();
        const replaced = page.getByRole('listitem').filter({ hasText: names[1]! });
        assert.equal(await replaced.getByText(labels.expires).count(), 0);
      });
    });

    test(`${language}: by keyboard an expected interval is set, by which the key has no recent activity and is found in the list`, async () => {
      const id = await usedKey();
      const { secret } = await fixture.user();
      await visit(fixture.service.url, { language, secret }, async page => {
        await page.goto(keyPage(id));
        await press(page, page.getByRole('button', { name: labels.change }));
        await page.getByRole('dialog').waitFor();
        await choose(page, labels.every, labels.daily);
        await press(page, page.getByRole('dialog').getByRole('button', { name: labels.save }));
        await page.getByText(labels.set).waitFor();
        assert.equal(
          await page.locator('span[data-status]').getByText(labels.hasNoRecentActivity).count(),
          0,
          'three hours are less than a day',
        );
        await fixture.sql`
          UPDATE api_key SET last_success_at = ${new Date(Date.now() - 27 * hour)}
          WHERE organization_id = ${fixture.testData.organization} AND id = ${id}`;
        // It appears by itself.
        await page.locator('span[data-status]').getByText(labels.hasNoRecentActivity).first().waitFor();
        await page.goto('/portal/settings/api-keys');
        await reach(page, page.getByRole('combobox', { name: labels.show }));
        await page.keyboard.press(labels.noRecentActivity.charAt(0));
        await page.waitForURL(url => url.searchParams.get('show') === 'no_recent_activity');
        await page.locator('span[data-status]').getByText(labels.hasNoRecentActivity).first().waitFor();
        await press(page, page.locator(`main a[href$="${id}"]`));
        await page.getByText(labels.set).waitFor();
      });
    });

    test(`${language}: by keyboard the use is looked at by operation and in numbers, and the last error`, async () => {
      const id = await usedKey();
      const { secret } = await fixture.user();
      await visit(fixture.service.url, { language, secret }, async (page, context) => {
        await context.grantPermissions(['clipboard-read', 'clipboard-write']);
        await page.goto(keyPage(id));
        await page.getByText(labels.lag).first().waitFor();
        await choose(page, labels.operation, labels.list);
        await page.locator('[data-kind=fine]').filter({ hasText: '300' }).waitFor();
        await press(page, page.getByRole('button', { name: labels.numbers }));
        assert.equal(await page.getByRole('table').first().getByRole('row').count(), 31);
        await page.getByText(labels.rejected).first().waitFor();
        await press(page, page.getByRole('link', { name: labels.errors }));
        await press(page, page.locator('summary').filter({ hasText: 'UNSUPPORTED_SORT_FIELD' }));
        await press(page, page.getByRole('button', { name: labels.copy }).first());
        assert.equal(await page.evaluate('navigator.clipboard.readText()'), requestId);
      });
    });

    test(`${language}: equal errors are one row with their number, the first and the last, and their latest requests`, async () => {
      const { sql, testData } = fixture;
      const { id } = parseKey(await testKey(sql, testData.organization, 'all'))!;
      const use = new KeyUse(id);
      const began = Date.now() - 25 * hour;
      const ids = Array.from({ length: 23 }, () => crypto.randomUUID());
      for (const [n, requestId] of ids.entries())
        use.errors.add(
          { operation: 'listOrders', requestId, rejection: unsupportedSort },
          400,
          began + n * hour,
        );
      use.errors.add({ operation: 'getOrder', requestId, rejection: null }, 502, began);
      await writeUses(sql, testData.organization, [use]);
      const { secret } = await fixture.user();
      await visit(fixture.service.url, { language, secret }, async page => {
        await page.goto(`${keyPage(id)}?tab=errors`);
        const errors = page.getByRole('listitem').filter({ has: page.locator('summary') });
        const [looped, single] = [0, 1].map(n => errors.nth(n)) as [Locator, Locator];
        await looped.getByText(`23 × ${labels.rejected}`).waitFor();
        await looped.getByText(labels.firstAndLast).waitFor();
        await single.getByText(/^1 × /).waitFor();
        assert.equal(await errors.count(), 2);
        assert.ok((await looped.boundingBox())!.height < 130);
        await press(page, looped.locator('summary'));
        await looped.getByText(unsupportedSort.message).waitFor();
        const shown = await looped.locator('li > span:first-child').allInnerTexts();
        assert.deepEqual(shown, ids.slice(-5).toReversed());
      });
    });

    test(`${language}: the page of a key that was replaced shows its use until there is none`, async () => {
      const id = await usedKey();
      const { secret } = await fixture.user();
      const { organization } = fixture.testData;
      const use = async () => {
        const now = new KeyUse(id);
        now.answered({ operation: 'listEmployees', requestId: '1', rejection: null, readTo: null }, 200);
        await writeUses(fixture.sql, organization, [now]);
      };
      await use();
      await fixture.portal.post(`/api-keys/${id}/replacement`, {}, { key: secret });
      await visit(fixture.service.url, { language, secret }, async page => {
        await page.goto(keyPage(id));
        await page.getByText(labels.replaced).waitFor();
        const live = page.getByText(labels.inUse);
        await live.waitFor();
        const [, before] = /(\d+) (?:requests|Anfragen)/.exec((await live.textContent())!)!;
        await use();
        await live.filter({ hasText: `${Number(before) + 1} ` }).waitFor({ timeout: 6_000 });
      });
    });
  }

  for (const [name, path] of [
    ['list', '/portal/settings/api-keys?show=no_recent_activity'],
    ['page', null],
  ] as const)
    test(`the ${name} of keys with all of that has no finding of axe in light and dark, and fits 320 pixels`, async () => {
      const id = await usedKey();
      await fixture.sql`
        UPDATE api_key SET expected_interval = 3600 WHERE organization_id = ${fixture.testData.organization} AND id = ${id}`;
      const { secret } = await fixture.user();
      await visit(fixture.service.url, { secret }, async page => {
        await page.goto(path ?? keyPage(id));
        await page.locator('span[data-status]').getByText(words.en.hasNoRecentActivity).first().waitFor();
        if (path === null) await page.getByRole('button', { name: words.en.numbers }).click();
        await assertAccessible(page);
      });
    });
});
