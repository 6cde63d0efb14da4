import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { parseKey } from '../../server/src/auth/api-keys.ts';
import { password, usePortal } from '../../server/test/portal/support.ts';
import { testKey } from '../../server/test/support/data/test-data.ts';
import { signedInUser } from '../../server/test/support/data/users.ts';
import { button, inBrowser, press, type, visit } from './support.ts';

const fixture = usePortal();

/** Ends all sessions, as another browser does. */
const endSessions = () =>
  fixture.sql`DELETE FROM portal_session WHERE organization_id = ${fixture.testData.organization}`;

async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.locator('input[name=password]').fill(password);
  await button(page, 'Sign in').click();
}

inBrowser('a session that ends', () => {
  test('while a page is open leads to the sign-in, and that back to the page', async () => {
    const { secret, email } = await fixture.user();
    await visit(fixture.service.url, { secret }, async page => {
      await page.goto('/portal/settings/api-keys');
      await page.getByText(/^\d+ keys$/).waitFor();
      await endSessions();
      await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
      await signIn(page, email);
      await page.getByText(/^\d+ keys$/).waitFor();
    });
  });

  test('while a key is shown once leaves it there until it was kept', async () => {
    const { secret } = await fixture.user();
    const { id } = parseKey(await testKey(fixture.sql, fixture.testData.organization, 'all'))!;
    await visit(fixture.service.url, { secret }, async page => {
      await page.goto(`/portal/settings/api-keys/${id}`);
      await press(page, button(page, 'Replace'));
      await press(page, button(page, 'Create new key'));
      const key = page.getByTestId('key');
      const text = await key.textContent();
      const noticed = page.waitForResponse(answer => answer.url().endsWith('/portal/api/session'));
      await endSessions();
      await (await noticed).finished();
      await press(page, page.getByRole('checkbox'), 'Space');
      assert.equal(await key.textContent(), text);
      await press(page, button(page, 'Done'));
      await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
    });
  });

  test('before a form is sent loses nothing of it: who signs in in another tab sends it again', async () => {
    const { secret, email } = await fixture.user();
    await visit(fixture.service.url, { secret }, async (page, context) => {
      await page.goto('/portal/settings/api-keys/new');
      await type(page, page.getByRole('textbox', { name: 'Name' }), `Typed by ${email}`);
      await page.getByRole('radio', { name: 'The whole organization' }).check();
      await endSessions();
      await button(page, 'Create key').click();
      const link = page.getByRole('alert').getByRole('link', { name: 'Sign in in another tab' }).last();
      await link.waitFor();
      const [other] = await Promise.all([context.waitForEvent('page'), press(page, link)]);
      await signIn(other, email);
      await other.getByRole('heading', { name: /^Hello,/ }).waitFor();
      await button(page, 'Create key').click();
      await page.getByTestId('key').waitFor();
    });
  });

  test('leaves nothing to the next user of the browser of what the one before saw', async () => {
    const { testData, sql } = fixture;
    const { secret, user } = await signedInUser(sql, testData.organization, {
      name: 'Anna Admin',
      permissions: ['COMPANY_ADMIN'],
    });
    const next = await fixture.user();
    await visit(fixture.service.url, { secret }, async page => {
      await page.goto('/portal/settings/users');
      await page.getByText(user.email).waitFor();
      await endSessions();
      await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
      await signIn(page, next.email);
      await page.getByRole('alert').filter({ hasText: 'You do not have the permission' }).waitFor();
      assert.equal(await page.getByText(user.email).count(), 0);
    });
  });
});

inBrowser('the way out', () => {
  test('that failed shows an error: the user is not shown as signed out', async () => {
    const { secret } = await fixture.user();
    await visit(fixture.service.url, { secret }, async page => {
      await page.goto('/portal/account');
      await page.route('**/portal/api/session', route =>
        route.request().method() === 'DELETE' ? route.abort() : route.continue(),
      );
      await press(page, button(page, 'Petra Lang: menu'));
      await press(page, button(page, 'Sign out'));
      await page.getByRole('alert').filter({ hasText: 'did not respond' }).waitFor();
      await page.unroute('**/portal/api/session');
      await button(page, 'Sign out').click();
      await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
    });
  });

  test('leads to the sign-in, too, where the session has ended already', async () => {
    const { secret } = await fixture.user();
    await visit(fixture.service.url, { secret }, async page => {
      // A request of the page itself would lead to the sign-in before.
      await page.route('**/portal/api/summary*', () => {});
      await page.goto('/portal/account/password');
      await page.getByRole('heading', { name: 'Change password' }).waitFor();
      await endSessions();
      await press(page, button(page, 'Petra Lang: menu'));
      await press(page, button(page, 'Sign out'));
      await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
    });
  });
});
