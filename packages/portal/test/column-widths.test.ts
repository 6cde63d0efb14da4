import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { usePortal } from '../../server/test/portal/support.ts';
import { testKey } from '../../server/test/support/data/test-data.ts';
import { axeFindings, button, inBrowser, inLanguages, press, reach, visit } from './support.ts';
import { assertFits } from './views/layout.ts';

const fixture = usePortal(async ({ sql, testData }) => {
  const { tenantA, tenantB, organization } = testData;
  for (let made = 0; made < 3; made++) await testKey(sql, organization, { tenants: [tenantA, tenantB] });
});

const words = {
  en: { widths: 'Column widths', name: 'Name', access: 'Access', reset: 'Reset' },
  de: { widths: 'Spaltenbreiten', name: 'Name', access: 'Zugriff', reset: 'Zurücksetzen' },
} as const;

const list = '/portal/settings/api-keys';

/** How much of the table a column has, in percent. */
const percentOf = (page: Page, column: string) =>
  page
    .locator(`th[data-column=${column}]`)
    .evaluate(head => Math.round((head.offsetWidth / head.closest('table')!.offsetWidth) * 100));

inBrowser('the columns of a list', () => {
  let secret: string;
  before(async () => {
    ({ secret } = await fixture.user());
  });

  for (const language of inLanguages('de'))
    test(`get another width by keyboard, which the browser keeps, in ${language}`, () =>
      visit(fixture.service.url, { secret, language }, async page => {
        const text = words[language];
        const slider = (name: string) => page.getByRole('slider', { name, exact: true });
        await page.goto(list);
        await page.locator('tbody tr').first().waitFor();
        const before = await percentOf(page, 'name');
        await press(page, button(page, text.widths));
        await reach(page, slider(text.name));
        assert.equal(await slider(text.name).inputValue(), String(before));
        for (let step = 0; step < 8; step++) await page.keyboard.press('ArrowRight');
        assert.equal(await percentOf(page, 'name'), before + 8);
        assert.deepEqual(await axeFindings(page), []);
        await page.keyboard.press('Escape');
        assert.equal(await page.evaluate('document.activeElement.ariaLabel'), text.widths);

        await page.reload();
        await page.locator('tbody tr').first().waitFor();
        assert.equal(await percentOf(page, 'name'), before + 8);
        assert.equal(
          await page.evaluate("localStorage.getItem('kontor-column-widths POST /api-keys/search')"),
          JSON.stringify({ name: before + 8 }),
        );
        await page.goto('/portal/settings/users');
        assert.equal(
          await page.evaluate("localStorage.getItem('kontor-column-widths POST /users/search')"),
          null,
        );

        await page.goto(list);
        await press(page, button(page, text.widths));
        await press(page, button(page, text.reset));
        assert.equal(await percentOf(page, 'name'), before);
      }));

  test('never break words or make the page scroll sideways, whatever their widths', () =>
    visit(fixture.service.url, { secret, language: 'de' }, async page => {
      await page.goto(list);
      for (const key of ['End', 'Home']) {
        await press(page, button(page, words.de.widths));
        const sliders = page.getByRole('slider');
        assert.ok((await sliders.count()) >= 6);
        for (const slider of await sliders.all()) await press(page, slider, key);
        await page.keyboard.press('Escape');
        await assertFits(page);
        await page.setViewportSize({ width: 1280, height: 860 });
      }
    }));

  test('are resized by dragging their edge, as far as the words of the others leave room', () =>
    visit(fixture.service.url, { secret }, async page => {
      await page.goto(list);
      const head = page.locator('th[data-column=scope]');
      await head.waitFor();
      const drag = async (distance: number) => {
        const { x, y, width, height } = (await head.boundingBox())!;
        await page.mouse.move(x + width, y + height / 2);
        await page.mouse.down();
        await page.mouse.move(x + width + distance, y + height / 2, { steps: 5 });
        await page.mouse.up();
      };
      const before = await percentOf(page, 'scope');
      await drag(100);
      const after = await percentOf(page, 'scope');
      assert.ok(after > before + 5, `${before} % became ${after} %`);
      assert.equal(new URL(page.url()).search, '', 'the list keeps its order');
      await drag(2000);
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 1280);
    }));
});
