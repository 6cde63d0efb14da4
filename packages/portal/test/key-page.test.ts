import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { KeyUse } from '../../server/src/features/keys/usage/key-use.ts';
import { parseKey } from '../../server/src/auth/api-keys.ts';
import { writeUses } from '../../server/src/features/keys/usage/write.ts';
import { usePortal } from '../../server/test/portal/support.ts';
import { testKey } from '../../server/test/support/data/test-data.ts';
import { button, inBrowser, inLanguages, press, type, visit } from './support.ts';

const fixture = usePortal();

const hour = 3_600_000;
const keyPage = (id: string) => `/portal/settings/api-keys/${id}`;

/** A key that was used at an instant, for both of its operations. */
async function usedKey(at: number): Promise<string> {
  const { sql, testData } = fixture;
  const { id } = parseKey(await testKey(sql, testData.organization, 'all'))!;
  const use = new KeyUse(id);
  Object.assign(use, { at, requests: 1234, succeededFrom: at, succeededAt: at });
  const counts = { denied: 0, limited: 0, failed: 0, rejected: 0 };
  use.operations.set('listEmployees', { ...counts, requests: 1231 });
  use.operations.set('listOrders', { ...counts, requests: 3 });
  await writeUses(sql, testData.organization, [use]);
  return id;
}

inBrowser('the page of a key', () => {
  let secret: string;
  before(async () => {
    ({ secret } = await fixture.user());
  });

  for (const timeZone of ['America/Los_Angeles', 'Pacific/Kiritimati'])
    test(`names the days that the service has counted, also in ${timeZone}`, async () => {
      const now = Date.now();
      const id = await usedKey(now);
      await visit(fixture.service.url, { secret, timeZone }, async page => {
        await page.goto(keyPage(id));
        await button(page, 'Show numbers by day').click();
        const today = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }).format(now);
        await page.getByRole('rowheader', { name: today, exact: true }).waitFor();
      });
    });

  test('updates how long ago something was as time passes, and whether the old key is still used', async () => {
    const id = await usedKey(Date.now());
    await fixture.portal.patch(`/api-keys/${id}`, { expectedIntervalSeconds: 4 * 3600 }, { key: secret });
    await fixture.portal.post(`/api-keys/${id}/replacement`, {}, { key: secret });
    await visit(fixture.service.url, { secret }, async page => {
      await page.clock.install();
      await page.goto(keyPage(id));
      await page.getByText('The old key is still in use').waitFor();
      await page.clock.fastForward('03:00:00');
      await page.getByText('The old key is still in use: last 3 hours ago').waitFor();
      await page.clock.fastForward('02:00:00');
      await page.getByText('The old key is no longer used. Its last request was 5 hours ago').waitFor();
    });
  });

  for (const language of inLanguages('de'))
    test(`is not replaced again while its successor is there, and names its lifetime, in ${language}`, async () => {
      const { sql, testData } = fixture;
      const labels = {
        en: {
          replace: 'Replace',
          rename: 'Replace under another name',
          lifetime: 'In 1 day, as the old one was to',
        },
        de: {
          replace: 'Ersetzen',
          rename: 'Unter anderem Namen ersetzen',
          lifetime: 'In 1 Tag, wie der alte Schlüssel',
        },
      }[language];
      const { id } = parseKey(await testKey(sql, testData.organization, 'all'))!;
      await sql`UPDATE api_key SET expires_at = created_at + interval '1 day'
        WHERE organization_id = ${testData.organization} AND id = ${id}`;
      await visit(fixture.service.url, { secret, language }, async page => {
        await page.goto(keyPage(id));
        await press(page, button(page, labels.rename));
        await page
          .getByRole('combobox', { name: labels.lifetime })
          .or(page.locator(`input[value="${labels.lifetime}"]`))
          .first()
          .waitFor();
        await page.keyboard.press('Escape');
        const { body } = await fixture.portal.post(`/api-keys/${id}/replacement`, {}, { key: secret });
        await button(page, labels.rename).waitFor({ state: 'detached' });
        assert.equal(await button(page, labels.replace).count(), 0);
        await fixture.portal.post(`/api-keys/${body.id}/deactivation`, undefined, { key: secret });
        await page.reload();
        await page.locator(`main a[href$="${body.id}"]`).waitFor();
        assert.equal(await button(page, labels.replace).count(), 0, 'the API rejects it too');
        await fixture.portal.request('DELETE', `/api-keys/${body.id}`, { key: secret });
        await button(page, labels.replace).waitFor();
      });
    });

  test('shows that the old key is still in use without an expected interval, and nothing once it is deleted', async () => {
    const id = await usedKey(Date.now() - 3 * hour);
    const { body } = await fixture.portal.post(`/api-keys/${id}/replacement`, {}, { key: secret });
    await visit(fixture.service.url, { secret }, async page => {
      await page.goto(keyPage(body.id));
      await page.getByText('This key replaces').waitFor();
      const use = page.getByText('The old key is');
      await use.waitFor();
      assert.match((await use.textContent())!, /still in use: last 3 hours ago/);
      await fixture.portal.request('DELETE', `/api-keys/${id}`, { key: secret });
      await use.waitFor({ state: 'detached' });
    });
  });

  test('of another key that a link leads to is another page: its heading has the focus, nothing is chosen', async () => {
    const id = await usedKey(Date.now());
    await fixture.portal.post(`/api-keys/${id}/replacement`, {}, { key: secret });
    await visit(fixture.service.url, { secret }, async page => {
      await page.goto(keyPage(id));
      await button(page, 'List orders').click();
      await page.locator('[data-kind=fine]').filter({ hasText: '3 requests' }).waitFor();
      await page.getByText('This key was replaced by').getByRole('link').click();
      await page.waitForURL(url => !url.pathname.endsWith(id));
      await page.getByText('This key replaces').getByRole('link').waitFor();
      assert.equal(await page.evaluate('document.activeElement.tagName'), 'H1');
      await page.getByText('This key replaces').getByRole('link').click();
      await page.locator('[data-kind=fine]').filter({ hasText: '1,234 requests' }).waitFor();
      assert.equal(await page.evaluate('document.activeElement.tagName'), 'H1');
    });
  });

  test('marks the row below the pointer only where it leads somewhere', async () => {
    const id = await usedKey(Date.now());
    await visit(fixture.service.url, { secret }, async page => {
      const isMarked = async (row: Locator) => {
        await row.hover();
        return (
          (await row.evaluate(row => row.ownerDocument.defaultView.getComputedStyle(row).backgroundColor)) !==
          'rgba(0, 0, 0, 0)'
        );
      };
      await page.goto(keyPage(id));
      assert.equal(await isMarked(page.getByRole('row', { name: /List orders/ })), false);
      await page.goto('/portal/settings/api-keys');
      assert.equal(await isMarked(page.locator('tbody tr').first()), true);
    });
  });

  test('takes its name as it is read, to delete the key', async () => {
    const { body } = await fixture.portal.post(
      '/api-keys',
      { name: 'Payroll  of\u00A0Müller', wholeOrganization: true },
      { key: secret },
    );
    await visit(fixture.service.url, { secret }, async page => {
      await page.goto(keyPage(body.id));
      await press(page, button(page, 'Delete'));
      await type(page, page.getByLabel('Name of the key'), 'Payroll of Mu\u0308ller');
      await button(page, 'Delete permanently').click();
      await page.waitForURL(url => url.pathname === '/portal/settings/api-keys');
    });
  });
});
