import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { createTenant } from '../../server/src/features/organizations/store.ts';
import { usePortal } from '../../server/test/portal/support.ts';
import { inBrowser, visit } from './support.ts';

const fixture = usePortal();

const form = '/portal/settings/api-keys/new';
const make = (page: Page) => page.getByRole('button', { name: 'Create key' });

inBrowser('the form for a new key', () => {
  let secret: string;
  before(async () => {
    ({ secret } = await fixture.user());
  });

  test('leads to what is missing, also where that is out of sight', () =>
    visit(fixture.service.url, { secret, width: 320 }, async page => {
      await page.goto(form);
      await page.getByLabel(/^Name/).fill('Payroll');
      await make(page).click();
      await page.getByText('Choose what the key can access.').waitFor();
      const focused = page.locator(':focus');
      assert.equal(await focused.getAttribute('type'), 'radio');
      await page.getByRole('radio', { name: 'The whole organization' }).check();
      await page.getByRole('radio', { name: 'Separate quota' }).check();
      await page.getByLabel('Period in seconds').fill('');
      await make(page).click();
      await page.getByText('Enter at least 1').waitFor();
      assert.equal(await focused.getAttribute('name'), 'seconds');
    }));

  test('is left out by Back from the key that was made', () =>
    visit(fixture.service.url, { secret }, async page => {
      await page.goto('/portal/settings/api-keys');
      await page.getByRole('main').locator('a[href$="/new"]').first().click();
      await page.getByLabel(/^Name/).fill('Made once');
      await page.getByRole('radio', { name: 'The whole organization' }).check();
      await make(page).click();
      await page.getByRole('checkbox', { name: 'I have stored the key' }).check();
      await page.getByRole('button', { name: 'Done' }).click();
      await page.getByRole('heading', { name: 'Made once' }).waitFor();
      await page.goBack();
      await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
    }));

  test('takes a quota as it is typed', () =>
    visit(fixture.service.url, { secret }, async page => {
      await page.goto(form);
      await page.getByLabel(/^Name/).fill('Payroll');
      await page.getByRole('radio', { name: 'The whole organization' }).check();
      await page.getByRole('radio', { name: 'Separate quota' }).check();
      const requests = page.getByLabel('Requests', { exact: true });
      await requests.focus();
      await page.keyboard.press('Control+A');
      await page.keyboard.press('Delete');
      await page.keyboard.type('50');
      const sent = page.waitForRequest('**/portal/api/api-keys');
      await make(page).click();
      assert.deepEqual((await sent).postDataJSON().quota, { requests: 50, seconds: 60 });
    }));

  test('makes a key for some types of data, whose page offers only their requests', () =>
    visit(fixture.service.url, { secret }, async page => {
      await page.goto(form);
      await page.getByLabel(/^Name/).fill('Only documents');
      await page.getByRole('radio', { name: 'The whole organization' }).check();
      await page.getByRole('radio', { name: 'Some types of data' }).check();
      await make(page).click();
      await page.getByText('Choose at least one type of data.').waitFor();
      await page.getByLabel('Payroll documents').selectOption('Read');
      const right = page.getByLabel('Employees');
      await right.selectOption('Read and change');
      await right.selectOption('No access');
      await make(page).click();
      await page.getByText('/v1/payroll-export-documents').waitFor();
      await page.getByRole('checkbox', { name: 'I have stored the key' }).check();
      await page.getByRole('button', { name: 'Done' }).click();
      // The page begins with what the system needs.
      await page.getByRole('combobox', { name: 'Request' }).click();
      assert.equal(await page.getByRole('option').count(), 3);
      await page.keyboard.press('Escape');
      await page.getByRole('link', { name: 'Overview', exact: true }).click();
      await page.getByText('Payroll documents: read').waitFor();
      await page.getByRole('link', { name: 'Connect its system' }).click();
      await page.getByRole('combobox', { name: 'Request' }).waitFor();
    }));

  test('counts only types of data that the key may read', () =>
    visit(fixture.service.url, { secret }, async page => {
      await page.goto(form);
      const preview = page.getByRole('status').filter({ hasText: 'The key' });
      const reads = (words: RegExp) => preview.filter({ hasText: words }).waitFor();
      await page.getByRole('radio', { name: 'The whole organization' }).check();
      await reads(/2 companies.*divisions.*0 employees.*0 orders$/);
      await page.getByRole('radio', { name: 'Some types of data' }).check();
      await reads(/The key has no access yet\.$/);
      await page.getByLabel('Payroll documents').selectOption('Read');
      await reads(/2 companies$/);
      await page.getByLabel('Orders').selectOption('Read and change');
      await reads(/2 companies0 orders$/);
      await page.getByRole('radio', { name: 'Only reading' }).check();
      await reads(/0 employees0 orders$/);
    }));

  test('keeps companies and divisions while they cannot be asked for, and shows new ones', () =>
    visit(fixture.service.url, { secret }, async page => {
      await page.goto(form);
      await page.getByRole('checkbox', { name: 'Muster GmbH', exact: true }).check();
      await page.getByText('Some divisions').click();
      const search = page.getByRole('searchbox');
      await search.fill('Nor');
      const failing = {
        status: 500,
        json: { error: { code: 'INTERNAL_ERROR', message: 'No', requestId: 'x' } },
      };
      await page.route('**/portal/api/divisions?*', route => route.fulfill(failing));
      await page.getByRole('alert').waitFor();
      assert.equal(await search.inputValue(), 'Nor');
      await page.unroute('**/portal/api/divisions?*');
      await page.getByRole('alert').waitFor({ state: 'detached' });
      assert.equal(await search.inputValue(), 'Nor');
      await createTenant(fixture.sql, fixture.testData.organization, 'Neu GmbH');
      await page.getByRole('checkbox', { name: 'Neu GmbH' }).waitFor();
    }));
});
