import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { usePortal } from '../../server/test/portal/support.ts';
import { activeUser, sessionOfUser, signedInUser } from '../../server/test/support/data/users.ts';
import { button, inBrowser, press, reach, visit } from './support.ts';

const fixture = usePortal();

/** Waits until the focus has come to rest on something with these words. */
const assertFocused = (page: Page, words: string) =>
  page
    .locator(':focus')
    .filter({ hasText: new RegExp(`^\\s*${words}\\s*$`) })
    .waitFor({ timeout: 5000 });

inBrowser('the focus is not lost', () => {
  test('when what was asked for fails: it is on the button again', async () => {
    const { secret } = await fixture.user();
    await visit(fixture.service.url, { secret }, async page => {
      await page.goto('/portal/account/password');
      await page.locator('input[name=currentPassword]').fill('correct horse battery');
      await page.locator('input[name=password]').fill('correct horse battery');
      await page.route('**/portal/api/password', route => route.abort());
      await press(page, button(page, 'Set password'));
      await page.getByRole('alert').waitFor();
      await assertFocused(page, 'Set password');
    });
  });

  test('when Escape closes the menu of a phone: it is on its button again', async () => {
    const { secret } = await fixture.user();
    await visit(fixture.service.url, { secret, width: 320 }, async page => {
      await page.goto('/portal');
      const opener = button(page, 'Navigation');
      await press(page, opener);
      const entry = page.getByRole('navigation').getByRole('link', { name: 'API keys' });
      await reach(page, entry);
      await page.keyboard.press('Escape');
      await entry.waitFor({ state: 'hidden' });
      assert.equal(await opener.getAttribute('aria-expanded'), 'false');
      assert.ok(await opener.evaluate(element => element === element.ownerDocument.activeElement));
    });
  });

  test('when what had it is gone: it is on the heading of the page', async () => {
    const { sql, testData } = fixture;
    const { secret, user } = await signedInUser(sql, testData.organization, {
      permissions: ['COMPANY_ADMIN'],
    });
    await sessionOfUser(sql, testData.organization, user.id);
    const other = await activeUser(sql, testData.organization, { name: 'Otto Other' });
    await visit(fixture.service.url, { secret }, async page => {
      await page.goto('/portal/sessions');
      const end = page.getByRole('button', { name: /^End the session/ });
      await press(page, end);
      await end.waitFor({ state: 'detached' });
      await assertFocused(page, 'My sessions');
      await page.goto(`/portal/settings/users/${other.id}`);
      await press(page, button(page, 'Deactivate'));
      await press(page, page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }));
      await button(page, 'Reactivate').waitFor();
      await assertFocused(page, 'Otto Other');
      await press(page, button(page, 'Reactivate'));
      await button(page, 'Deactivate').waitFor();
      await assertFocused(page, 'Otto Other');
      assert.equal(await page.getByRole('dialog').count(), 0);
    });
  });
});

inBrowser('the focus', () => {
  for (const appearance of ['light', 'dark'] as const)
    test(`looks the same on every link, button and field, in ${appearance}`, async () => {
      const { secret } = await fixture.user();
      await visit(fixture.service.url, { secret, appearance }, async page => {
        const seen = new Map<string, string>();
        for (const path of ['/portal/settings/api-keys', '/portal/settings/api-keys/new']) {
          await page.goto(path);
          await page.locator('h1').waitFor();
          await page.waitForLoadState('networkidle');
          for (let step = 0; step < 30; step++) {
            await page.keyboard.press('Tab');
            const [style, element] = (await page.evaluate(`(() => {
              const element = document.activeElement;
              const shown = element.matches('[role=radiogroup] [data-focus-ring]') ? element.nextElementSibling : element;
              const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(shown);
              return [[outlineStyle, outlineWidth, outlineColor].join(' '), element.outerHTML.slice(0, 120)];
            })()`)) as [string, string];
            if (!element.startsWith('<body')) seen.set(style, element);
          }
        }
        assert.equal(seen.size, 1, JSON.stringify([...seen], null, 2));
        assert.match([...seen.keys()][0]!, /^solid 2px/);
      });
    });
});
