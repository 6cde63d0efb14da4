import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usePortal } from '../../server/test/portal/support.ts';
import { inBrowser, visit } from './support.ts';

const fixture = usePortal();

inBrowser('the appearance of the portal', () => {
  test('has its font from the service, and nothing from elsewhere', async () => {
    const { secret } = await fixture.user();
    await visit(fixture.service.url, { secret }, async page => {
      const hosts = new Set<string>();
      page.on('request', request => hosts.add(new URL(request.url()).origin));
      const font = page.waitForResponse(answer => answer.url().endsWith('.woff2'));
      await page.goto('/portal/settings/api-keys');
      assert.equal((await font).headers()['content-type'], 'font/woff2');
      await page.evaluate('document.fonts.ready');
      assert.ok(
        await page.evaluate(
          "[...document.fonts].some(({ family, status }) => family === 'Inter' && status === 'loaded')",
        ),
      );
      assert.deepEqual([...hosts], [new URL(fixture.service.url).origin]);
    });
  });

  test('on paper is the content alone: whole tables in light colours, without frame and buttons', async () => {
    const { secret } = await fixture.user();
    await visit(fixture.service.url, { secret, appearance: 'dark', width: 700 }, async page => {
      await page.goto('/portal/settings/api-keys');
      await page.getByRole('row').nth(1).waitFor();
      const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
      const dark = await background();
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      for (const hidden of ['header', 'nav', 'main button:not(th > *)', 'main input'])
        for (const element of await page.locator(hidden).all()) assert.ok(await element.isHidden(), hidden);
      for (const name of ['Name', 'Status', 'Created'])
        assert.ok(await page.getByRole('columnheader', { name }).isVisible(), name);
      assert.equal(await background(), 'rgb(247, 249, 250)');
      await page.emulateMedia({ media: 'screen', colorScheme: 'dark' });
      // The page learns that the print is over by an event, after the sheet of the screen applies.
      await page.waitForFunction(`getComputedStyle(document.body).backgroundColor === '${dark}'`);
    });
  });
});
