import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { usePortal } from '../../server/test/portal/support.ts';
import { signedInUser } from '../../server/test/support/data/users.ts';
import { namedUser, signIn, signInHeading, signOut, userMenu } from './session-steps.ts';
import { inBrowser, visit } from './support.ts';

const fixture = usePortal();

/** Opens the list of users for an administrator. Their email is on no page that others see. */
async function onUsers(
  act: (page: Page, context: BrowserContext, seen: string) => Promise<void>,
): Promise<void> {
  const { user, secret } = await signedInUser(fixture.sql, fixture.testData.organization, {
    name: 'Anna Admin',
    permissions: ['COMPANY_ADMIN'],
  });
  await visit(fixture.service.url, { secret }, async (page, context) => {
    await page.goto('/portal/settings/users');
    await page.getByText(user.email).waitFor();
    await act(page, context, user.email);
  });
}

/** Leaves the portal for another document, which the back/forward cache may keep the page for. */
async function leave(page: Page): Promise<void> {
  await page.evaluate("location.assign('/docs')");
  await page.waitForURL('**/docs');
}

/** Has the page note in the storage of the tab when the browser restores it from its memory, and whether anything of it is visible then. */
async function recordRestoring(page: Page): Promise<void> {
  await page.evaluate(`window.addEventListener('pageshow', ({ persisted }) => {
    const shows = document.body.checkVisibility();
    sessionStorage.setItem('restored', JSON.stringify({ persisted, shows }));
  }, { capture: true })`);
}

async function signOutInAnotherTab(context: BrowserContext): Promise<void> {
  const other = await context.newPage();
  await other.goto('/portal/account');
  await signOut(other, 'Anna Admin');
}

inBrowser(
  'the back button after a sign-out',
  () => {
    test('shows the sign-in, and nothing of the session', () =>
      onUsers(async (page, _context, seen) => {
        await signOut(page, 'Anna Admin');
        await page.goBack({ waitUntil: 'commit' });
        await signInHeading(page).waitFor();
        assert.equal(await page.getByText(seen).count(), 0);
      }));

    test('shows the next user of the browser nothing of the one before', () =>
      onUsers(async (page, _context, seen) => {
        const next = await namedUser(fixture, 'Bert Busch');
        await page.goto('/portal/settings/users?sort=email');
        await signOut(page, 'Anna Admin');
        await signIn(page, next.email);
        await userMenu(page, 'Bert Busch').waitFor();
        // Past the sign-in to the same document, then to the one before.
        for (const steps of [2, 1]) {
          await page.evaluate(`history.go(-${steps})`);
          await page.waitForURL(steps === 2 ? '**/users?sort=email' : '**/users');
          await page.getByRole('alert').filter({ hasText: 'You do not have the permission' }).waitFor();
          assert.equal(await page.getByText(seen).count(), 0);
          await userMenu(page, 'Bert Busch').waitFor();
        }
      }));

    test('asks the service: browsers do not keep the page, since it is sent with no-store', () =>
      onUsers(async (page, context, seen) => {
        await recordRestoring(page);
        await leave(page);
        await signOutInAnotherTab(context);
        await page.goBack({ waitUntil: 'commit' });
        await signInHeading(page).waitFor();
        assert.equal(await page.evaluate("sessionStorage.getItem('restored')"), null);
        assert.equal(await page.getByText(seen).count(), 0);
      }));

    test('of a browser that keeps the page all the same shows nothing until it is loaded again', () =>
      onUsers(async (page, context, seen) => {
        // As if the service had not forbidden it.
        await page.route('**/*', async route => {
          // Sent from elsewhere, so without what the browser says of its page.
          const sent = { ...route.request().headers(), 'sec-fetch-site': 'same-origin' };
          const response = await route.fetch({ headers: sent });
          const { 'cache-control': _, ...headers } = response.headers();
          await route.fulfill({ response, headers });
        });
        await page.reload();
        await page.getByText(seen).waitFor();
        await recordRestoring(page);
        await leave(page);
        await signOutInAnotherTab(context);
        await page.goBack({ waitUntil: 'commit' });
        await signInHeading(page).waitFor();
        const restored = (await page.evaluate("sessionStorage.getItem('restored')")) as string;
        assert.deepEqual(JSON.parse(restored), { persisted: true, shows: false });
        assert.equal(await page.getByText(seen).count(), 0);
      }));
  },
  { backForwardCache: true },
);
