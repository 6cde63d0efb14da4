import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { password, usePortal } from '../../server/test/portal/support.ts';
import { parseKey } from '../../server/src/auth/api-keys.ts';
import { activeUser } from '../../server/test/support/users.ts';
import { testKey } from '../../server/test/support/test-data.ts';
import { button, holdBack, inBrowser, press, type, visit } from './support.ts';

const fixture = usePortal();

/** The session of a user with COMPANY_ADMIN who signed in an hour ago. */
async function staleSession(): Promise<string> {
  const { sql, testData } = fixture;
  const { id, secret } = await fixture.user();
  await sql`
    UPDATE portal_user SET permissions = ${['COMPANY_ADMIN']} WHERE organization_id = ${testData.organization} AND id = ${id}`;
  await sql`
    UPDATE portal_session SET authenticated_at = ${new Date(Date.now() - 3_600_000)}
    WHERE organization_id = ${testData.organization} AND user_id = ${id}`;
  return secret;
}

inBrowser('a fresh sign-in', () => {
  /** Opens the page of an inactive user as a user who signed in an hour ago. */
  async function onUser(act: (page: Page) => Promise<void>): Promise<void> {
    const { sql, testData } = fixture;
    const secret = await staleSession();
    const other = await activeUser(sql, testData.organization, { name: 'Otto Other' });
    await sql`
      UPDATE portal_user SET deactivated_at = now() WHERE organization_id = ${testData.organization} AND id = ${other.id}`;
    await visit(fixture.service.url, { secret }, async page => {
      await page.goto(`/portal/settings/users/${other.id}`);
      await button(page, 'Reactivate').waitFor();
      await act(page);
    });
  }

  test('is asked for once by two actions that wait for it, and both are done then', () =>
    onUser(async page => {
      const { arrived, letGo } = await holdBack(page, '**/reactivation');
      await button(page, 'Reactivate').click();
      await arrived;
      await type(page, page.getByRole('textbox', { name: 'Name' }), 'Olga Other');
      await button(page, 'Save').click();
      const field = page.getByRole('dialog').locator('input[name=password]');
      await field.waitFor();
      const rejected = page.waitForResponse('**/reactivation');
      letGo();
      await (await rejected).finished();
      await type(page, field, password);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Olga Other', level: 1 }).waitFor();
      await button(page, 'Deactivate').waitFor();
    }));

  test('is asked for before a key is reactivated, and not before it is deactivated', async () => {
    const { sql, testData, service } = fixture;
    const { id } = parseKey(await testKey(sql, testData.organization, 'all'))!;
    const status = async () => {
      const rows = await sql<{ status: string }[]>`
        SELECT status FROM api_key WHERE organization_id = ${testData.organization} AND id = ${id}`;
      return rows[0]!.status;
    };
    await visit(service.url, { secret: await staleSession() }, async page => {
      await page.goto(`/portal/settings/api-keys/${id}`);
      await button(page, 'Deactivate').click();
      await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
      await button(page, 'Reactivate').click();
      const field = page.getByRole('dialog').locator('input[name=password]');
      await field.waitFor();
      assert.equal(await status(), 'inactive');
      await type(page, field, password);
      await page.keyboard.press('Enter');
      await button(page, 'Deactivate').waitFor();
      assert.equal(await status(), 'active');
    });
  });

  test('that cannot be loaded is a failure of the action, and is asked for at the next attempt', () =>
    onUser(async page => {
      await page.route('**/confirmation-dialog*.js', route => route.abort());
      await press(page, button(page, 'Reactivate'));
      await page.getByRole('alert').waitFor();
      await page.unroute('**/confirmation-dialog*.js');
      await button(page, 'Reactivate').click();
      await type(page, page.getByRole('dialog').locator('input[name=password]'), password);
      await page.keyboard.press('Enter');
      await button(page, 'Deactivate').waitFor();
    }));
});
