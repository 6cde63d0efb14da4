import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { backdateSession, type SessionInstants } from '../../server/test/support/data/users.ts';
import { usePortal } from '../../server/test/portal/support.ts';
import { button, inBrowser, press, type, visit } from './support.ts';
import { namedUser, signIn, signInHeading, signOut, userMenu } from './session-steps.ts';

const fixture = usePortal();

/** Lets time go by for the session of a cookie, in minutes. */
const age = (secret: string, minutes: Partial<SessionInstants>) =>
  backdateSession(fixture.sql, secret.split('_')[2]!, minutes);

inBrowser('an open page', () => {
  const address = '/portal/settings/api-keys?sort=name';

  /** Opens the list of keys, lets time go by, and signs in again when the page asks for it. */
  const untilSignIn = async (wait: (page: Page, secret: string) => Promise<void>) => {
    const { secret, email } = await fixture.user();
    await visit(fixture.service.url, { secret }, async page => {
      await page.goto(address);
      await page.getByRole('table').waitFor();
      await wait(page, secret);
      await signInHeading(page).waitFor();
      assert.equal(await page.getByRole('table').count(), 0);
      await signIn(page, email);
      await page.getByRole('table').waitFor();
      const { pathname, search } = new URL(page.url());
      assert.equal(pathname + search, address);
    });
  };

  test('leads to the sign-in after an hour without use, and from there back to the same address', () =>
    untilSignIn(async (page, secret) => {
      await age(secret, { last_seen_at: 58 });
      await page.reload();
      await page.getByRole('table').waitFor();
      await age(secret, { last_seen_at: 61 });
    }));

  test('leads to the sign-in twelve hours after the last one, although it is used all the time', () =>
    untilSignIn(async (page, secret) => {
      await age(secret, { expires_at: 718 });
      await page.reload();
      await page.getByRole('table').waitFor();
      // The session was used just now, and has less than two minutes left.
      await age(secret, { expires_at: 2 });
    }));
});

inBrowser('two tabs of one browser', () => {
  test('end together: after a sign-out in one, the other leads to the sign-in at its next action', async () => {
    const { secret, email } = await namedUser(fixture, 'Anna Adler');
    await visit(fixture.service.url, { secret }, async (page, context) => {
      // A page that asks nothing by itself.
      await page.goto('/portal/account/password');
      const other = await context.newPage();
      await other.goto('/portal/account');
      await signOut(other, 'Anna Adler');
      assert.equal(await page.getByRole('heading', { name: 'Change password' }).count(), 1);
      await press(page, userMenu(page, 'Anna Adler'));
      await press(page, page.getByRole('link', { name: 'My sessions' }));
      await signInHeading(page).waitFor();
      assert.equal(await page.getByText(email).count(), 0);
    });
  });

  test('never write for a user whom the page does not show', async () => {
    const anna = await namedUser(fixture, 'Anna Adler');
    const bert = await namedUser(fixture, 'Bert Busch');
    await visit(fixture.service.url, { secret: anna.secret }, async (page, context) => {
      await page.goto('/portal/settings/api-keys/new');
      await type(page, page.getByRole('textbox', { name: 'Name' }), 'Of Anna');
      await page.getByRole('radio', { name: 'The whole organization' }).check();
      // The page learns nothing by itself of what the other tab does.
      await page.route('**/portal/api/**', route =>
        route.request().method() === 'GET' ? route.abort() : route.continue(),
      );
      const other = await context.newPage();
      await other.goto('/portal/account');
      await signOut(other, 'Anna Adler');
      await signIn(other, bert.email);
      await userMenu(other, 'Bert Busch').waitFor();
      const sent = page.waitForResponse(
        answer => answer.request().method() === 'POST' && answer.url().endsWith('/portal/api/api-keys'),
      );
      await button(page, 'Create key').click();
      assert.equal((await sent).status(), 401);
      await page.unroute('**/portal/api/**');
      // Then it is a page of the user who is signed in, without anything of the one before.
      await userMenu(page, 'Bert Busch').waitFor();
      assert.equal(await page.getByRole('textbox', { name: 'Name' }).inputValue(), '');
    });
    const keys = await fixture.sql`
      SELECT id FROM api_key WHERE organization_id = ${fixture.testData.organization} AND name = 'Of Anna'`;
    assert.equal(keys.length, 0);
  });

  test('show the user who has signed in last, also on an unused page', async () => {
    const anna = await namedUser(fixture, 'Anna Adler');
    const bert = await namedUser(fixture, 'Bert Busch');
    await visit(fixture.service.url, { secret: anna.secret }, async (page, context) => {
      await page.goto('/portal/settings/api-keys');
      await page.getByRole('table').waitFor();
      const other = await context.newPage();
      await other.goto('/portal/account');
      await signOut(other, 'Anna Adler');
      await signIn(other, bert.email);
      await userMenu(other, 'Bert Busch').waitFor();
      await userMenu(page, 'Bert Busch').or(signInHeading(page)).waitFor();
      await page.reload();
      await userMenu(page, 'Bert Busch').waitFor();
      assert.equal(await userMenu(page, 'Anna Adler').count(), 0);
    });
  });
});

inBrowser('a sign-out everywhere else', () => {
  test('ends the sessions in all other browsers, and this one goes on', async () => {
    const { email, secret } = await fixture.user();
    const { url } = fixture.service;
    await visit(url, { secret }, async page => {
      await page.goto('/portal/sessions');
      await visit(url, {}, async second => {
        await second.goto('/portal/sign-in?from=/settings/api-keys');
        await signIn(second, email);
        await second.getByRole('table').waitFor();
        await visit(url, {}, async third => {
          await third.goto('/portal/sign-in?from=/account');
          await signIn(third, email);
          await third.getByRole('heading', { name: 'My account' }).waitFor();
          await page.reload();
          await page
            .getByRole('button', { name: /^End the session of/ })
            .nth(1)
            .waitFor();
          await press(page, button(page, 'Sign out everywhere else'));
          await page.getByRole('status').filter({ hasText: 'signed out everywhere else' }).waitFor();
          assert.equal(await page.getByRole('button', { name: /^End the session of/ }).count(), 0);
          await signInHeading(second).waitFor();
          await third.reload();
          await signInHeading(third).waitFor();
        });
      });
      await page.reload();
      await page.getByText('This one').waitFor();
    });
  });

  test('asks for the password again when it was shown more than ten minutes ago', async () => {
    const { email, secret } = await fixture.user();
    const other = await fixture.signIn(email);
    await age(secret, { authenticated_at: 11 });
    await visit(fixture.service.url, { secret }, async page => {
      await page.goto('/portal/sessions');
      await press(page, button(page, 'Sign out everywhere else'));
      const dialog = page.getByRole('dialog', { name: 'Confirm your identity' });
      await type(page, dialog.locator('input[name=password]'), 'correct horse battery staple');
      const rows = () => fixture.sql`SELECT id FROM portal_session WHERE id = ${other.body.session.id}`;
      assert.equal((await rows()).length, 1);
      await page.keyboard.press('Enter');
      await page.getByRole('status').filter({ hasText: 'signed out everywhere else' }).waitFor();
      assert.equal((await rows()).length, 0);
    });
  });
});
