import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { usePortal } from '../../server/test/portal/support.ts';
import { activeUser, sessionOfUser, signedInUser } from '../../server/test/support/users.ts';
import { button, noBrowser, press, useBrowser, visit } from './support.ts';

const fixture = usePortal();

/** Waits until the focus has come to rest on something with these words. */
const assertFocused = (page: Page, words: string) =>
  page
    .locator(':focus')
    .filter({ hasText: new RegExp(`^\\s*${words}\\s*$`) })
    .waitFor({ timeout: 5000 });

describe('the focus is not lost', { skip: noBrowser }, () => {
  useBrowser();

  test('when what was asked for fails: it is on the button again', async () => {
    const { secret } = await fixture.user();
    await visit(fixture.service.url, { secret }, async page => {
      await page.goto('/portal/account/password');
      await page.locator('input[name=currentPassword]').fill('correct horse battery');
      await page.locator('input[name=password]').fill('correct horse battery');
      await page.route('**/portal/api/password', route => route.abort());
      await press(page, button(page, 'Set the password'));
      await page.getByRole('alert').waitFor();
      await assertFocused(page, 'Set the password');
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
