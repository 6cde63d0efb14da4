import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { usePortal } from '../../server/test/portal/support.ts';
import { testKey } from '../../server/test/support/data/test-data.ts';
import { button, inBrowser, press, reach, type, visit } from './support.ts';

const fixture = usePortal(async ({ sql, testData }) => {
  for (let made = 0; made < 30; made++) await testKey(sql, testData.organization, 'all');
});

const list = '/portal/settings/api-keys';
const hasFocus = (page: Page, selector: string) =>
  page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`);

inBrowser('a list', () => {
  let secret: string;
  before(async () => {
    ({ secret } = await fixture.user());
  });

  test('goes to its last page when there is no such page, or no more', () =>
    visit(fixture.service.url, { secret }, async page => {
      await page.goto(`${list}?page=9`);
      await page.getByRole('button', { name: 'Page 2' }).and(page.locator('[aria-current=page]')).waitFor();
      const rows = page.locator('tbody tr');
      await rows.nth(8).waitFor();
      assert.equal(await rows.count(), 9);
    }));

  test('shows the searched text in its search, also on the way back', () =>
    visit(fixture.service.url, { secret }, async page => {
      await page.goto(list);
      const search = page.getByRole('searchbox');
      await type(page, search, 'no such key');
      await press(page, page.getByRole('link', { name: 'Show all keys' }));
      await page.getByText('34 keys').waitFor();
      assert.equal(await search.inputValue(), '');
      await page.goBack();
      await page.getByText('No matching keys').waitFor();
      assert.equal(await search.inputValue(), 'no such key');
    }));

  test('keeps the typed text of a filter that was rejected', () =>
    visit(fixture.service.url, { secret }, async page => {
      await page.clock.install();
      await page.goto(`${list}?filter=${encodeURIComponent('city = Bonn')}`);
      const text = page.getByLabel('Filter as text');
      await page.getByText('The list has no field with this name.').waitFor();
      let more = 0;
      page.on('request', request => {
        if (request.url().endsWith('/api-keys/search')) more++;
      });
      await type(page, text, 'city = Bremen');
      await page.clock.runFor(10_000);
      assert.equal(await text.inputValue(), 'city = Bremen');
      assert.equal(more, 0, 'nothing is different when it is asked for again');
    }));

  test('that failed shows so until there is an answer, and keeps its button', () =>
    visit(fixture.service.url, { secret }, async page => {
      await page.route('**/portal/api/api-keys/search', route =>
        route.fulfill({
          status: 500,
          json: { error: { code: 'INTERNAL_ERROR', message: 'No', requestId: 'x' } },
        }),
      );
      await page.goto(list);
      await reach(page, button(page, 'Try again'));
      const again = page.waitForResponse('**/portal/api/api-keys/search');
      await again;
      await page.waitForResponse('**/portal/api/api-keys/search');
      assert.equal(await hasFocus(page, 'button'), true);
    }));

  test('of keys leaves deleted ones out unless the filter is about the status', () =>
    visit(fixture.service.url, { secret }, async page => {
      await page.goto(`${list}?filter=${encodeURIComponent("name != 'status'")}`);
      await page.getByText('34 keys').waitFor();
      const { id } = { id: await page.locator('tbody a').first().getAttribute('href') };
      await fixture.portal.request('DELETE', `/api-keys/${id!.split('/').at(-1)}`, { key: secret });
      await page.mouse.move(1, 1);
      await page.getByText('33 keys').waitFor();
      await page.goto(`${list}?filter=${encodeURIComponent("name != 'status'")}`);
      await page.getByText(/^\d+ keys/).waitFor();
      assert.equal(await page.getByText(/^\d+ keys/).textContent(), '33 keys');
    }));

  test('of keys is found by a whole key, of which nothing secret comes into the address', () =>
    visit(fixture.service.url, { secret }, async page => {
      const key = await testKey(fixture.sql, fixture.testData.organization, 'all');
      const addresses: string[] = [];
      page.on('request', request => addresses.push(request.url()));
      await page.goto(list);
      await type(page, page.getByRole('searchbox'), key);
      await page.getByText('1 key', { exact: true }).waitFor();
      const [, , hidden] = key.split('_');
      assert.equal(
        addresses.concat(page.url()).some(address => address.includes(hidden!)),
        false,
      );
    }));

  test('of keys is put into another order on a phone, too', () =>
    visit(fixture.service.url, { secret, width: 400 }, async page => {
      await page.goto(list);
      await page.getByLabel('Sort order').selectOption('name');
      await page.waitForURL(url => url.searchParams.get('sort') === 'name');
    }));
});
