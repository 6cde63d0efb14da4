import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { usePortal } from '../../server/test/portal/support.ts';
import { storeEmployees } from '../../server/test/support/data/employees.ts';
import { signedInUser } from '../../server/test/support/data/users.ts';
import { button, inBrowser, visit } from './support.ts';

const fixture = usePortal();

/** Whether the middle of each control that is in sight belongs to it, and not to a toast. */
const coveredControls = `(() => {
  const toast = document.querySelector('.mantine-Notification-root');
  const controls = [...document.querySelectorAll('a, button, input, select, textarea')];
  return controls.filter(control => !toast.contains(control)).flatMap(control => {
    const { left, top, right, bottom } = control.getBoundingClientRect();
    const own = toast.getBoundingClientRect();
    const touches = left < own.right && right > own.left && top < own.bottom && bottom > own.top;
    const found = touches && document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return found && toast.contains(found) ? [control.outerHTML.slice(0, 120)] : [];
  });
})()`;

inBrowser('the rows of a list', () => {
  let secret: string;
  let employee: { id: string };
  before(async () => {
    const { organization, tenantA } = fixture.testData;
    const person = { firstName: 'Rita', lastName: 'Reihe', email: 'rita@example.com', tenant: tenantA };
    employee = (await storeEmployees(fixture.sql, organization, [person]))[0]!;
    ({ secret } = await signedInUser(fixture.sql, organization, {
      permissions: ['IT', 'COMPANY_ADMIN', 'HR'],
      hrTenants: null,
    }));
  });

  const rowOf = (page: Page) => page.getByRole('row').filter({ hasText: 'Reihe' });

  test('open what they name wherever they are clicked', () =>
    visit(fixture.service.url, { secret }, async page => {
      await page.goto('/portal/employees');
      await rowOf(page).getByRole('cell').nth(3).click();
      await page.waitForURL(url => url.pathname === `/portal/employees/${employee.id}`);
    }));

  test('leave checkbox, menu and a selected text to themselves', () =>
    visit(fixture.service.url, { secret }, async page => {
      await page.goto('/portal/employees');
      const row = rowOf(page);
      await row.getByRole('checkbox').click();
      assert.equal(await row.getByRole('checkbox').isChecked(), true);
      await row.getByRole('button').click();
      await page.keyboard.press('Escape');
      const { x, y, width, height } = (await row.getByText('rita@example.com').boundingBox())!;
      await page.mouse.move(x + 2, y + height / 2);
      await page.mouse.down();
      await page.mouse.move(x + width - 2, y + height / 2);
      await page.mouse.up();
      assert.match(await page.evaluate<string>('getSelection().toString()'), /\w/);
      assert.equal(new URL(page.url()).pathname, '/portal/employees');
    }));

  test('say which company narrows them, and show all again with one click', () =>
    visit(fixture.service.url, { secret, width: 360 }, async page => {
      await page.goto(`/portal/employees?company=${fixture.testData.tenantB}`);
      await page.getByText(/^Only /).waitFor();
      assert.equal(await rowOf(page).count(), 0);
      await page.getByRole('link', { name: 'Show all companies' }).click();
      await rowOf(page).waitFor();
    }));

  for (const width of [1280, 800, 360])
    test(`have no toast above a control, nor a dialog, at ${width} pixels`, () =>
      visit(fixture.service.url, { secret, width }, async page => {
        await page.goto('/portal/employees');
        const act = async (label: string) => {
          await rowOf(page).getByRole('button').click();
          await button(page, label).click();
          await page.getByRole('dialog').getByRole('button', { name: label }).click();
          await page
            .getByRole('status')
            .filter({ hasText: `${label}: 1 done` })
            .waitFor();
          assert.deepEqual(await page.evaluate(coveredControls), []);
        };
        await act('Block');
        await page.evaluate('scrollTo(0, document.body.scrollHeight)');
        assert.deepEqual(await page.evaluate(coveredControls), []);
        await rowOf(page).getByRole('button').click();
        await button(page, 'Unblock').click();
        await page.getByRole('dialog').waitFor();
        assert.deepEqual(await page.evaluate(coveredControls), []);
        await page.getByRole('dialog').getByRole('button', { name: 'Unblock' }).click();
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      }));
});
