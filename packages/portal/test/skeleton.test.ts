import { test } from 'node:test';
import { usePortal } from '../../server/test/portal/support.ts';
import { holdBack, inBrowser, visit } from './support.ts';

const fixture = usePortal();

inBrowser('a page whose script and style sheet are still loading', () => {
  for (const width of [320, 1280])
    test(`shows the outline of a page at ${width} pixels, which the page replaces`, async () => {
      const { secret } = await fixture.user();
      await visit(fixture.service.url, { secret, width }, async page => {
        const { letGo } = await holdBack(page, '**/assets/*');
        await page.goto('/portal/settings/api-keys', { waitUntil: 'commit' });
        await page.locator('.skeleton-header').waitFor();
        letGo();
        await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
        await page.locator('.skeleton').waitFor({ state: 'hidden' });
      });
    });
});
