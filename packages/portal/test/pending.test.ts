import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { usePortal } from '../../server/test/portal/support.ts';
import { signedInUser } from '../../server/test/support/data/users.ts';
import { assertAccessible, button, holdBack, inBrowser, inLanguages, visit } from './support.ts';

const fixture = usePortal();

const words = {
  en: {
    companies: 'Companies',
    loading: 'Loading',
    offline: /^No connection\. This page shows data as of \d/,
    name: 'Name',
    save: 'Save',
    saved: 'Changes saved',
    deleted: 'User deleted',
    remove: 'Delete',
    removeForEver: 'Delete permanently',
    users: 'Users',
  },
  de: {
    companies: 'Unternehmen',
    loading: 'Wird geladen',
    offline: /^Keine Verbindung\. Diese Seite zeigt den Stand vom \d/,
    name: 'Name',
    save: 'Speichern',
    saved: 'Änderungen gespeichert',
    deleted: 'Benutzer gelöscht',
    remove: 'Löschen',
    removeForEver: 'Endgültig löschen',
    users: 'Benutzer',
  },
};

inBrowser('what takes its time', () => {
  let secret: string;
  before(async () => {
    ({ secret } = await signedInUser(fixture.sql, fixture.testData.organization, {
      permissions: ['IT', 'COMPANY_ADMIN'],
    }));
  });

  for (const language of inLanguages('de')) {
    const { companies, loading, offline, name, save, saved, deleted, remove, removeForEver, users } =
      words[language];

    test(`shows a bar at once when a page is opened, and loads it while a pointer is on the link, in ${language}`, () =>
      visit(fixture.service.url, { secret, language }, async page => {
        await page.goto('/portal/settings/api-keys');
        const link = page.getByRole('navigation').getByRole('link', { name: companies });
        const bar = page.getByRole('progressbar', { name: loading });
        await page.locator('h1').waitFor();
        const { arrived, letGo } = await holdBack(page, '**/assets/list-page*.js');
        await link.hover();
        await arrived;
        assert.equal(await page.getByRole('heading', { name: companies, level: 1 }).count(), 0);
        await link.click();
        await bar.waitFor();
        letGo();
        await page.getByRole('heading', { name: companies, level: 1 }).waitFor();
        await bar.waitFor({ state: 'detached' });
      }));

    test(`follows the back button also before the page is there, in ${language}`, () =>
      visit(fixture.service.url, { secret, language }, async page => {
        await page.goto('/portal/companies');
        await page.getByRole('columnheader', { name }).getByRole('button').click();
        const descending = page.locator('th[aria-sort=descending]');
        await descending.waitFor();
        const { arrived, letGo } = await holdBack(page, '**/assets/list-page*.js');
        await page.reload({ waitUntil: 'commit' });
        await arrived;
        // The router has read the address, and waits for the script of its page.
        await page.evaluate(`new Promise(resolve => {
          const look = () => globalThis.__TSR_ROUTER__?.state.status === 'pending' ? resolve() : setTimeout(look);
          look();
        })`);
        await page.evaluate('history.back()');
        await page.waitForURL('**/companies');
        letGo();
        await page.getByRole('row').nth(1).waitFor();
        assert.equal(await descending.count(), 0);
      }));

    test(`keeps the page without a connection, says how old it is, and goes on with one, in ${language}`, () =>
      visit(fixture.service.url, { secret, language }, async (page, context) => {
        await page.goto('/portal/settings/api-keys');
        const row = page.getByRole('row').nth(1);
        await row.waitFor();
        await page.evaluate('document.body.dataset.stays = ""');
        await context.setOffline(true);
        const notice = page.getByRole('alert').filter({ hasText: offline });
        await notice.waitFor();
        await assertAccessible(page, 'offline');
        await page.getByRole('navigation').getByRole('link', { name: companies }).click();
        await page.getByRole('progressbar', { name: loading }).waitFor();
        await assertAccessible(page, 'loading');
        assert.ok(await row.isVisible());
        await context.setOffline(false);
        await page.getByRole('heading', { name: companies, level: 1 }).waitFor();
        await notice.waitFor({ state: 'detached' });
        assert.equal(await page.locator('body[data-stays]').count(), 1, 'the page was not loaded again');
      }));

    test(`is confirmed when it is saved or deleted, also on the next page, in ${language}`, async () => {
      const { sql, testData, service } = fixture;
      const { user } = await signedInUser(sql, testData.organization, { permissions: ['IT'] });
      // Without a password the invitation would be withdrawn instead.
      await sql`UPDATE portal_user SET password_hash = 'x' WHERE id = ${user.id}`;
      await visit(service.url, { secret, language }, async page => {
        const toast = (text: string) => page.getByRole('status').filter({ hasText: text }).waitFor();
        await page.goto(`/portal/settings/users/${user.id}`);
        await page.getByRole('textbox', { name }).fill('Changed');
        await button(page, save).click();
        await toast(saved);
        await assertAccessible(page, 'toast');
        await button(page, remove).click();
        await button(page, removeForEver).click();
        await toast(deleted);
        await page.getByRole('heading', { name: users, level: 1 }).waitFor();
      });
    });
  }
});
