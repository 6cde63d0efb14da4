import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { usePortal } from '../../server/test/portal/support.ts';
import { assertAccessible, button, inBrowser, press, visit } from './support.ts';

const fixture = usePortal();
const breaks = /Failed to fetch dynamically imported module/;

inBrowser('a page whose script cannot be loaded', () => {
  async function mend(page: Page, script: string, heading: string): Promise<void> {
    await page.unroute(script);
    await press(page, button(page, 'Try again'));
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
  }

  test('shows an error in the frame, which stays, and loads on the next attempt', async () => {
    const { secret } = await fixture.user();
    await visit(fixture.service.url, { secret, breaks }, async page => {
      await page.goto('/portal/settings/api-keys');
      const script = '**/assets/list-page*.js';
      await page.route(script, route => route.abort());
      await press(page, page.getByRole('link', { name: 'Companies' }));
      await page.getByRole('alert').waitFor();
      await page.getByRole('heading', { name: 'This page cannot be shown', level: 1 }).waitFor();
      await assertAccessible(page);
      await mend(page, script, 'Companies');
    });
  });

  test('shows an error where there is no frame', () =>
    visit(fixture.service.url, { breaks }, async page => {
      const script = '**/assets/forgotten*.js';
      await page.route(script, route => route.abort());
      await page.goto('/portal/forgotten-password');
      await page.getByRole('alert').waitFor();
      await assertAccessible(page);
      await mend(page, script, 'Forgot your password?');
    }));
});
