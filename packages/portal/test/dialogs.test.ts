import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { parseKey } from '../../server/src/auth/api-keys.ts';
import { usePortal } from '../../server/test/portal/support.ts';
import { deactivateKey } from '../../server/test/support/data/keys.ts';
import { testKey } from '../../server/test/support/data/test-data.ts';
import { button, holdBack, inBrowser, press, type, visit } from './support.ts';

const fixture = usePortal();

inBrowser('a dialog', () => {
  /** Opens the page of a new key. */
  async function onKey(isActive: boolean, act: (page: Page) => Promise<void>): Promise<void> {
    const { sql, testData } = fixture;
    const key = await testKey(sql, testData.organization, 'all');
    if (!isActive) await deactivateKey(sql, testData.organization, key);
    const { secret } = await fixture.user();
    await visit(fixture.service.url, { secret }, async page => {
      await page.goto('/portal/settings/api-keys');
      await page.locator(`a[href$="${parseKey(key)!.id}"]`).click();
      await act(page);
    });
  }

  test('is not left while what it asked for is under way, so that a key that is shown once is seen', () =>
    onKey(true, async page => {
      const { arrived, letGo } = await holdBack(page, '**/replacement');
      await press(page, button(page, 'Replace'));
      await press(page, button(page, 'Create new key'));
      await arrived;
      await page.keyboard.press('Escape');
      await page.mouse.click(5, 400);
      await page.getByRole('button', { name: 'Cancel', disabled: true }).waitFor();
      await page.getByRole('button', { name: 'Close', disabled: true }).waitFor();
      await page.evaluate('history.back()');
      letGo();
      await page.getByTestId('key').waitFor();
    }));

  test('that replaces a key offers its lifetime for the new one, and names it', () =>
    onKey(true, async page => {
      const id = new URL(page.url()).pathname.split('/').at(-1)!;
      await fixture.sql`
        UPDATE api_key SET expires_at = created_at + interval '365 days'
        WHERE organization_id = ${fixture.testData.organization} AND id = ${id}`;
      await page.reload();
      await press(page, button(page, 'Replace'));
      const dialog = page.getByRole('dialog');
      assert.equal(
        await dialog.getByLabel('New key expires').inputValue(),
        'In 365 days, as the old one was to',
      );
      assert.equal(await dialog.getByLabel('Old key expires').inputValue(), 'in 7 days');
      await dialog.getByText('The old key was never used.').waitFor();
      await press(page, button(page, 'Create new key'));
      const made = parseKey((await page.getByTestId('key').textContent())!)!.id;
      const [row] = await fixture.sql<{ days: number }[]>`
        SELECT round(extract(epoch FROM expires_at - created_at) / 86400)::int AS days FROM api_key
        WHERE organization_id = ${fixture.testData.organization} AND id = ${made}`;
      assert.equal(row!.days, 365);
    }));

  test('with a new key stays when another user deletes the old one meanwhile', () =>
    onKey(true, async page => {
      await press(page, button(page, 'Replace'));
      await press(page, button(page, 'Create new key'));
      await page.getByTestId('key').waitFor();
      const id = new URL(page.url()).pathname.split('/').at(-1)!;
      const { secret } = await fixture.user();
      await fixture.portal.request('DELETE', `/api-keys/${id}`, { key: secret });
      await page.getByText('Deleted', { exact: true }).waitFor();
      await page.getByTestId('key').waitFor();
      await press(page, page.getByRole('checkbox'), 'Space');
      await press(page, button(page, 'Done'));
      await page.waitForURL(url => !url.pathname.endsWith(id));
    }));

  test('with a new key stays until the key was kept: not Escape, a click beside it or the way back close it', () =>
    onKey(true, async page => {
      await press(page, button(page, 'Replace'));
      await press(page, button(page, 'Create new key'));
      const key = page.getByTestId('key');
      const text = await key.textContent();
      await page.keyboard.press('Escape');
      await page.mouse.click(5, 400);
      await page.evaluate('history.back()');
      await press(page, page.getByRole('checkbox'), 'Space');
      assert.equal(await key.textContent(), text);
      await press(page, button(page, 'Done'));
      await page.waitForURL(url => url.pathname.endsWith(parseKey(text!)!.id));
      await key.waitFor({ state: 'detached' });
    }));

  test('that a double click opens stays open, and a second click sends nothing', () =>
    onKey(true, async page => {
      await button(page, 'Delete').dblclick();
      const name = page.getByLabel('Name of the key');
      await type(page, name, 'test');
      assert.equal(await name.inputValue(), 'test');
      const remove = button(page, 'Delete permanently');
      await remove.hover();
      await page.mouse.down({ clickCount: 2 });
      await page.mouse.up({ clickCount: 2 });
      assert.ok(await remove.isEnabled());
      await remove.click();
      await page.getByText('API key deleted').waitFor();
    }));

  test('keeps typed text after a click outside, the back button and the end of the session', () =>
    onKey(true, async page => {
      await press(page, button(page, 'Replace'));
      const name = page.getByRole('dialog').getByRole('textbox', { name: 'Name', exact: true });
      // Without typed text, a click outside closes it.
      await name.waitFor();
      await page.mouse.click(5, 400);
      await name.waitFor({ state: 'detached' });
      await press(page, button(page, 'Replace'));
      await type(page, name, 'Payroll of the north');
      await page.mouse.click(5, 400);
      await page.evaluate('history.back()');
      await fixture.sql`DELETE FROM portal_session WHERE organization_id = ${fixture.testData.organization}`;
      await press(page, button(page, 'Create new key'));
      await page.getByRole('dialog').getByRole('link', { name: 'Sign in in another tab' }).waitFor();
      assert.equal(await name.inputValue(), 'Payroll of the north');
      await press(page, page.getByRole('dialog').getByRole('button', { name: 'Cancel' }));
      await page.getByRole('main').getByRole('link', { name: 'Sign in in another tab' }).waitFor();
    }));

  test('that is opened while something else ends stays open', () =>
    onKey(false, async page => {
      const reactivate = button(page, 'Reactivate');
      await reactivate.waitFor();
      const { arrived, letGo } = await holdBack(page, '**/usage');
      await press(page, reactivate);
      await arrived;
      await press(page, button(page, 'Delete'));
      await type(page, page.getByLabel('Name of the key'), 'some');
      const refreshed = page.waitForResponse('**/usage');
      letGo();
      await (await refreshed).finished();
      await type(page, page.getByLabel('Name of the key'), 'another');
      await page.keyboard.press('Escape');
      await button(page, 'Deactivate').waitFor();
    }));

  test('of a form that was sent reports an unknown outcome', () =>
    onKey(true, async page => {
      await page.route('**/deactivation', route => route.abort());
      await press(page, button(page, 'Deactivate'));
      await press(page, page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }));
      await page.getByRole('alert').filter({ hasText: 'may have been completed' }).waitFor();
    }));

  test('reports it also when the connection is lost after sending, and when a proxy gives up', () =>
    onKey(true, async page => {
      const alert = page.getByRole('alert').filter({ hasText: 'may have been completed' });
      const again = page.getByRole('dialog').getByRole('button', { name: 'Deactivate' });
      await page.route('**/deactivation', route => route.fulfill({ status: 504, body: '<h1>Time-out</h1>' }));
      await press(page, button(page, 'Deactivate'));
      await press(page, again);
      await alert.waitFor();
      await page.unroute('**/deactivation');
      // The connection is lost when the test has seen that the request is in progress.
      const { promise: isSeen, resolve: seen } = Promise.withResolvers<void>();
      await page.route('**/deactivation', async route => {
        await route.fetch();
        await isSeen;
        await page.context().setOffline(true);
        await route.abort();
      });
      await again.click();
      await page.getByRole('button', { name: 'Cancel', disabled: true }).waitFor();
      seen();
      await page.getByRole('button', { name: 'Cancel', disabled: false }).waitFor();
      await alert.waitFor();
    }));
});
