import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { password, usePortal } from '../../server/test/portal/support.ts';
import { invitedUser, secretOf } from '../../server/test/support/data/users.ts';
import { button, inBrowser, inLanguages, press, reach, type, visit } from './support.ts';

const fixture = usePortal();

/** What the stories look for, in both languages. */
const words = {
  en: {
    set: 'Set password and sign in',
    greeting: /^Hello,/,
    keys: 'API keys',
    create: 'Create',
    name: /^Name/,
    whole: 'The whole organization',
    make: 'Create key',
    kept: 'I have stored the key in a safe place',
    done: 'Done',
    deactivate: 'Deactivate',
    reactivate: 'Reactivate',
    replace: 'Replace',
    makeNew: 'Create new key',
    delete: 'Delete',
    typeName: 'Name of the key',
    deleteForEver: 'Delete permanently',
    menu: /: menu$/,
    signOut: 'Sign out',
    wrong: /password is wrong/,
  },
  de: {
    set: 'Passwort festlegen und anmelden',
    greeting: /^Guten Tag/,
    keys: 'API-Schlüssel',
    create: 'Anlegen',
    name: /^Name/,
    whole: 'Die ganze Organisation',
    make: 'Schlüssel anlegen',
    kept: 'Ich habe den Schlüssel sicher aufbewahrt',
    done: 'Fertig',
    deactivate: 'Deaktivieren',
    reactivate: 'Reaktivieren',
    replace: 'Ersetzen',
    makeNew: 'Neuen Schlüssel anlegen',
    delete: 'Löschen',
    typeName: 'Name des Schlüssels',
    deleteForEver: 'Endgültig löschen',
    menu: /: Menü$/,
    signOut: 'Abmelden',
    wrong: /Passwort ist falsch/,
  },
} as const;

type Words = (typeof words)[keyof typeof words];

/** The key that is shown now, after which the dialog is closed. */
async function keep(page: Page, labels: Words): Promise<string> {
  const key = (await page.getByTestId('key').textContent())!;
  await press(page, page.getByRole('checkbox', { name: labels.kept }), 'Space');
  await press(page, button(page, labels.done));
  return key;
}

async function works(key: string): Promise<boolean> {
  const answer = await fetch(`${fixture.service.url}/v1/employees?pageSize=1`, {
    headers: { 'X-API-Key': key },
  });
  await answer.body?.cancel();
  return answer.status === 200;
}

inBrowser('by keyboard alone', () => {
  for (const language of inLanguages('en')) {
    const labels = words[language];

    test(`${language}: a user is invited, signs out, and in again after a wrong password`, async () => {
      const invited = await invitedUser(fixture.sql, fixture.testData.organization);
      await visit(fixture.service.url, { language }, async page => {
        await page.goto(`/portal/invitation#${secretOf(invited)}`);
        await type(page, page.locator('input[name=password]'), password);
        assert.equal(new URL(page.url()).hash, '', 'the secret leaves the address');
        await press(page, button(page, labels.set));
        await page.getByRole('heading', { name: labels.greeting }).waitFor();
        await press(page, button(page, labels.menu));
        await press(page, button(page, labels.signOut));
        await type(page, page.getByLabel(/^E-?mail/i), invited.email);
        await type(page, page.locator('input[name=password]'), 'not the password');
        await page.keyboard.press('Enter');
        const alert = page.getByRole('alert').filter({ hasText: labels.wrong });
        assert.match(
          (await alert.textContent())!,
          /[0-9a-f]{8}-[0-9a-f]{4}-/,
          'the identifier of the request',
        );
        await type(page, page.locator('input[name=password]'), password);
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { name: labels.greeting }).waitFor();
      });
    });

    test(`${language}: a key is made, deactivated, reactivated, replaced and deleted`, async () => {
      const { secret } = await fixture.user();
      await visit(fixture.service.url, { language, secret }, async page => {
        await page.goto('/portal');
        // A badge with the number of keys that need attention may stand behind the name.
        await press(page, page.getByRole('navigation').getByRole('link', { name: labels.keys }));
        await press(page, page.getByRole('link', { name: labels.create, exact: true }));
        const name = `Payroll ${language}`;
        await type(page, page.getByRole('textbox', { name: labels.name }), name);
        await reach(page, page.getByRole('radiogroup').nth(1).getByRole('radio', { checked: true }));
        await page.keyboard.press('ArrowDown');
        await press(page, button(page, labels.make));
        const key = await keep(page, labels);
        assert.equal(await works(key), true);

        await page.getByRole('heading', { name, level: 1 }).waitFor();
        await press(page, button(page, labels.deactivate));
        await press(page, page.getByRole('dialog').getByRole('button', { name: labels.deactivate }));
        await button(page, labels.reactivate).waitFor();
        assert.equal(await works(key), false);
        await press(page, button(page, labels.reactivate));
        await press(page, button(page, labels.replace));
        await press(page, button(page, labels.makeNew));
        const replacement = await keep(page, labels);
        assert.equal(await works(replacement), true);
        assert.equal(await works(key), true, 'the old one works on for the time of grace');

        await page.waitForURL(url => url.pathname.endsWith(replacement.split('_')[1]!));
        await press(page, button(page, labels.delete));
        await type(page, page.getByRole('dialog').getByLabel(labels.typeName), name);
        await press(page, button(page, labels.deleteForEver));
        await page.waitForURL(url => url.pathname === '/portal/settings/api-keys');
        assert.equal(await works(replacement), false);
      });
    });
  }

  test('what is delicate asks for the password again, and is done then', async () => {
    const { secret, email } = await fixture.user();
    await fixture.sql`
      UPDATE portal_session SET authenticated_at = ${new Date(Date.now() - 3_600_000)}
      WHERE organization_id = ${fixture.testData.organization}`;
    await visit(fixture.service.url, { secret }, async page => {
      await page.goto('/portal/settings/api-keys/new');
      await type(page, page.getByRole('textbox', { name: 'Name' }), `Made by ${email}`);
      await page.getByRole('radio', { name: 'The whole organization' }).check();
      await button(page, 'Create key').click();
      await type(page, page.getByRole('dialog').locator('input[name=password]'), password);
      await page.keyboard.press('Enter');
      assert.equal(await works(await keep(page, words.en)), true);
    });
  });

  test('the menu of the user closes by Escape, with the focus on its button again', async () => {
    const { secret } = await fixture.user();
    await visit(fixture.service.url, { secret }, async page => {
      await page.goto('/portal');
      const menu = button(page, words.en.menu);
      const entry = page.getByRole('link', { name: 'My sessions', exact: true });
      await press(page, menu);
      await reach(page, entry);
      await page.keyboard.press('Escape');
      await entry.waitFor({ state: 'detached' });
      assert.ok(await menu.evaluate(element => element.matches(':focus')));
      await press(page, menu);
      await press(page, entry);
      await page.getByRole('heading', { name: 'My sessions' }).waitFor();
      assert.equal(await entry.count(), 0, 'it closes when a page is chosen');
    });
  });

  test('a link into the portal leads to it after the sign-in, and never elsewhere', async () => {
    const { email } = await fixture.user();
    for (const [from, then] of [
      ['/portal/sessions', '/portal/sessions'],
      ['/portal/sign-in?from=//example.com', '/portal'],
    ] as const)
      await visit(fixture.service.url, {}, async page => {
        await page.goto(from);
        await page.getByLabel('Email').fill(email);
        await page.locator('input[name=password]').fill(password);
        await button(page, 'Sign in').click();
        await page.getByRole('link', { name: 'API keys' }).waitFor();
        assert.equal(new URL(page.url()).pathname.replace(/\/$/, ''), then);
      });
  });
});
