import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { usePortal } from '../../server/test/portal/support.ts';
import { backdateSession, invitedUser, secretOf } from '../../server/test/support/data/users.ts';
import { button, inBrowser, visit } from './support.ts';

const fixture = usePortal();

/** Puts a text into the clipboard, as a password manager beside the browser does, and pastes it into a field. */
async function paste(page: Page, name: string, text: string): Promise<string> {
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
  const field = page.locator(`input[name=${name}]`);
  await field.focus();
  await page.keyboard.press('ControlOrMeta+V');
  return field.inputValue();
}

/** What browsers and password managers go by. */
async function kindOf(page: Page, name: string): Promise<string> {
  const field = page.locator(`input[name=${name}]`);
  const [type, autocomplete] = await Promise.all([
    field.getAttribute('type'),
    field.getAttribute('autocomplete'),
  ]);
  return `${type} ${autocomplete}`;
}

inBrowser(
  'a password field hides its text, accepts pasting, and declares its purpose to password managers',
  () => {
    // Longer than most fields, with a space at its end.
    const word = `${'Wolke Brille Zitrone Tacker '.repeat(3)}ä🌵 `;

    /** Opens a page and pastes into each of its fields. */
    async function check(
      address: () => Promise<string>,
      fields: Record<string, string>,
      { secret, open }: { secret?: string; open?: (page: Page) => Promise<void> } = {},
    ): Promise<void> {
      await visit(fixture.service.url, secret === undefined ? {} : { secret }, async (page, context) => {
        await context.grantPermissions(['clipboard-read', 'clipboard-write']);
        await page.goto(await address());
        await open?.(page);
        for (const [name, kind] of Object.entries(fields)) {
          assert.equal(await kindOf(page, name), kind, name);
          assert.equal(await paste(page, name, word), word, name);
          const field = page.locator(`input[name=${name}]`);
          assert.equal(await field.getAttribute('maxlength'), null);
          await field
            .locator('xpath=../..')
            .getByRole('button', { name: 'Show or hide the password' })
            .click();
          assert.match(await kindOf(page, name), /^text /);
        }
      });
    }

    test('at the sign-in', () =>
      check(async () => '/portal/sign-in', { password: 'password current-password' }));

    test('of an invitation', () =>
      check(
        async () => {
          const user = await invitedUser(fixture.sql, fixture.testData.organization);
          return `/portal/invitation#${secretOf(user)}`;
        },
        { password: 'password new-password' },
      ));

    test('of another password', async () => {
      const { secret } = await fixture.user();
      const fields = { currentPassword: 'password current-password', password: 'password new-password' };
      await check(async () => '/portal/account/password', fields, { secret });
    });

    test('of a confirmation', async () => {
      const { secret } = await fixture.user();
      await backdateSession(fixture.sql, secret.split('_')[2]!, { authenticated_at: 11 });
      await check(
        async () => '/portal/sessions',
        { password: 'password current-password' },
        {
          secret,
          open: async page => {
            await button(page, 'Sign out everywhere else').click();
            await page.getByRole('dialog').locator('input[name=password]').waitFor();
          },
        },
      );
    });
  },
);
