import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { password, usePortal } from '../../server/test/portal/support.ts';
import { startService, type TestService } from '../../server/test/support/service/service.ts';
import { button, inBrowser, inLanguages, press, reach, type, visit } from './support.ts';

const fixture = usePortal();

const words = {
  en: {
    menu: /: menu$/,
    account: 'My account',
    register: 'Register a passkey',
    name: /^Name of the passkey/,
    goOn: 'Continue',
    unused: /Not used yet/,
    used: /Last used/,
    signOut: 'Sign out',
    signIn: 'Sign in with a passkey',
    greeting: /^Hello,/,
    create: 'Create key',
    keyName: /^Name/,
    confirm: 'Use a passkey',
    rename: /^Rename the passkey/,
    save: 'Save',
    remove: /^Remove the passkey/,
    removeIt: 'Remove',
    none: /You have no passkeys yet/,
    rejected: /is not registered here/,
    aborted: /No passkey was used/,
    another: 'Change password',
    set: 'Set password',
    changed: /Your password is changed/,
    short: /Use at least 12 characters/,
    missing: 'Enter your current password.',
    requires: 'Company admin',
    settingsSaved: 'Changes saved',
    first: /Sign in with a passkey yourself/,
    must: 'Register a passkey',
    use: 'Use a passkey',
    submit: 'Sign in',
  },
  de: {
    menu: /: Menü$/,
    account: 'Mein Konto',
    register: 'Passkey einrichten',
    name: /^Name des Passkeys/,
    goOn: 'Weiter',
    unused: /Noch nicht verwendet/,
    used: /Zuletzt verwendet/,
    signOut: 'Abmelden',
    signIn: 'Mit Passkey anmelden',
    greeting: /^Guten Tag/,
    create: 'Schlüssel anlegen',
    keyName: /^Name/,
    confirm: 'Passkey verwenden',
    rename: /^Den Passkey .* umbenennen/,
    save: 'Speichern',
    remove: /^Den Passkey .* entfernen/,
    removeIt: 'Entfernen',
    none: /Sie haben noch keine Passkeys/,
    rejected: /ist hier nicht eingerichtet/,
    aborted: /Es wurde kein Passkey verwendet/,
    another: 'Passwort ändern',
    set: 'Passwort festlegen',
    changed: /Ihr Passwort wurde geändert/,
    short: /Verwenden Sie mindestens 12 Zeichen|mindestens 12 Zeichen/i,
    missing: 'Geben Sie Ihr aktuelles Passwort ein.',
    requires: 'Unternehmens-Admin',
    settingsSaved: 'Änderungen gespeichert',
    first: /Melden Sie sich selbst mit einem Passkey an/,
    must: 'Passkey einrichten',
    use: 'Passkey verwenden',
    submit: 'Anmelden',
  },
} as const;
type Words = (typeof words)[keyof typeof words];

const dialog = (page: Page) => page.getByRole('dialog');

/** Gives the browser an authenticator, which verifies its user without asking; returns a function that removes it. */
async function withAuthenticator(page: Page, context: BrowserContext): Promise<() => Promise<unknown>> {
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return () => devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
}

/** Chooses something of the menu of the user by keyboard. */
async function choose(page: Page, labels: Words, item: Locator): Promise<void> {
  await press(page, button(page, labels.menu));
  await press(page, item);
}

async function register(page: Page, labels: Words, name: string): Promise<void> {
  await press(page, button(page, labels.register));
  await type(page, dialog(page).getByRole('textbox', { name: labels.name }), name);
  await press(page, dialog(page).getByRole('button', { name: labels.goOn }));
  await page.getByText(name, { exact: true }).waitFor();
}

inBrowser('passkeys, by keyboard alone', () => {
  let service: TestService;
  let origin: string;
  before(async () => {
    service = await startService(fixture.sql, { publicUrl: null });
    origin = service.url.replace('127.0.0.1', 'localhost');
  });
  after(async () => {
    await service?.stop();
  });

  /** Makes all sign-ins of the organization old. */
  const age = () => fixture.sql`
    UPDATE portal_session SET authenticated_at = ${new Date(Date.now() - 3_600_000)}
    WHERE organization_id = ${fixture.testData.organization}`;

  for (const language of inLanguages('de')) {
    const labels = words[language];

    test(`${language}: one is registered, signs in, confirms what is delicate, is renamed and removed`, async () => {
      const { secret, id } = await fixture.user();
      await visit(origin, { language, secret }, async (page, context) => {
        await withAuthenticator(page, context);
        await page.goto('/portal');
        await choose(page, labels, page.getByRole('link', { name: labels.account }));
        await page.getByText(labels.none).waitFor();
        await register(page, labels, 'Laptop');
        await page.getByText(labels.unused).waitFor();

        await choose(page, labels, button(page, labels.signOut));
        await press(page, button(page, labels.signIn));
        await page.getByRole('heading', { name: labels.greeting }).waitFor();

        await age();
        await page.goto('/portal/settings/api-keys/new');
        await type(page, page.getByRole('textbox', { name: labels.keyName }), `Passkey ${language}`);
        await reach(page, page.getByRole('radiogroup').nth(1).getByRole('radio', { checked: true }));
        await page.keyboard.press('ArrowDown');
        await press(page, button(page, labels.create));
        await press(page, dialog(page).getByRole('button', { name: labels.confirm }));
        await page.getByTestId('key').waitFor();

        await page.goto('/portal/account');
        await page.getByText(labels.used).waitFor();
        await press(page, page.getByRole('button', { name: labels.rename }));
        await type(page, dialog(page).getByRole('textbox', { name: labels.name }), 'Old laptop');
        await press(page, dialog(page).getByRole('button', { name: labels.save }));
        await page.getByText('Old laptop', { exact: true }).waitFor();
        await press(page, page.getByRole('button', { name: labels.remove }));
        await press(page, dialog(page).getByRole('button', { name: labels.removeIt, exact: true }));
        await page.getByText(labels.none).waitFor();

        await choose(page, labels, button(page, labels.signOut));
        await press(page, button(page, labels.signIn));
        await page.getByRole('alert').filter({ hasText: labels.rejected }).waitFor();
      });
      const rows = await fixture.sql`SELECT id FROM portal_passkey WHERE user_id = ${id}`;
      assert.equal(rows.length, 0);
    });

    test(`${language}: an administrator who has one requires it, and is then asked for it after the password`, async () => {
      const { sql, testData } = fixture;
      const { secret, id, email } = await fixture.user();
      await sql`UPDATE portal_user SET permissions = '{COMPANY_ADMIN}' WHERE id = ${id}`;
      const greeting = (page: Page) => page.getByRole('heading', { name: labels.greeting });
      try {
        await visit(origin, { language, secret }, async (page, context) => {
          await withAuthenticator(page, context);
          const require = async () => {
            await page.goto('/portal/settings/organization');
            await press(page, page.getByRole('checkbox', { name: labels.requires }), 'Space');
            await press(page, button(page, labels.save));
          };
          await require();
          await page.getByText(labels.first).waitFor();
          await sql`UPDATE organization SET passkey_permissions = '{COMPANY_ADMIN}' WHERE id = ${testData.organization}`;
          await page.goto('/portal');
          await press(page, button(page, labels.must));
          await greeting(page).waitFor();
          await sql`UPDATE organization SET passkey_permissions = '{}' WHERE id = ${testData.organization}`;
          await require();
          await page.getByText(labels.settingsSaved).waitFor();
          await choose(page, labels, button(page, labels.signOut));
          // The settings have text fields, too, until the sign-in page is shown.
          await button(page, labels.submit).waitFor();
          await page.getByRole('textbox').first().fill(email);
          await page.locator('input[name=password]').fill(password);
          await button(page, labels.submit).click();
          await press(page, button(page, labels.use));
          await greeting(page).waitFor();
        });
      } finally {
        await sql`UPDATE organization SET passkey_permissions = '{}' WHERE id = ${testData.organization}`;
      }
    });

    test(`${language}: another password takes the current one, and ends the other sessions`, async () => {
      const { email, secret } = await fixture.user();
      const other = await fixture.signIn(email);
      assert.equal(other.status, 200);
      await age();
      await visit(origin, { language, secret }, async page => {
        await page.goto('/portal/account');
        await press(page, page.getByRole('link', { name: labels.another }));
        const field = page.getByRole('main').locator('input[name=password]');
        const current = page.getByRole('main').locator('input[name=currentPassword]');
        await type(page, field, 'short');
        await press(page, button(page, labels.set));
        await page.getByText(labels.short).last().waitFor();
        await page.getByText(labels.missing).waitFor();
        await type(page, field, 'another horse, another battery');
        await type(page, current, 'a wrong password');
        await press(page, button(page, labels.set));
        await page.getByRole('alert').waitFor();
        await type(page, current, password);
        await page.keyboard.press('Enter');
        await page.getByRole('status').filter({ hasText: labels.changed }).waitFor();
      });
      const sessions =
        await fixture.sql`SELECT id FROM portal_session s WHERE user_id = ${other.body.user.id}`;
      assert.equal(sessions.length, 1);
      assert.equal((await fixture.signIn(email, 'another horse, another battery')).status, 200);
      assert.equal((await fixture.signIn(email)).status, 401);
    });
  }

  test('a rejection by the browser is shown in words, and the password still works', async () => {
    const { secret, email } = await fixture.user();
    await visit(origin, { secret }, async (page, context) => {
      const reject = await withAuthenticator(page, context);
      await page.goto('/portal/account');
      await register(page, words.en, 'Laptop');
      await press(page, button(page, words.en.register));
      await press(page, dialog(page).getByRole('button', { name: 'Continue' }));
      await page
        .getByRole('alert')
        .filter({ hasText: /already has a passkey/ })
        .waitFor();
      await page.keyboard.press('Escape');
      await choose(page, words.en, button(page, words.en.signOut));
      await reject();
      await press(page, button(page, words.en.signIn));
      await page.getByRole('alert').filter({ hasText: words.en.aborted }).waitFor();
      await type(page, page.getByLabel('Email'), email);
      await type(page, page.locator('input[name=password]'), password);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: words.en.greeting }).waitFor();
    });
  });

  test('no passkeys are offered at an address other than their own, and the page names that address', async () => {
    const { secret } = await fixture.user();
    await visit(service.url, {}, async page => {
      await page.goto('/portal/sign-in');
      await button(page, 'Sign in').waitFor();
      assert.equal(await button(page, words.en.signIn).count(), 0);
    });
    await visit(service.url, { secret }, async page => {
      await page.goto('/portal/account');
      const link = page.getByRole('link', { name: origin });
      assert.equal(await link.getAttribute('href'), `${origin}/portal/account`);
      assert.equal(await button(page, words.en.register).count(), 0);
      const { organization } = fixture.testData;
      await fixture.sql`UPDATE organization SET passkey_permissions = '{IT}' WHERE id = ${organization}`;
      try {
        await page.reload();
        await button(page, words.en.must).waitFor();
        assert.ok(await button(page, words.en.must).isDisabled());
        assert.equal(
          await page.getByRole('alert').getByRole('link', { name: origin }).getAttribute('href'),
          `${origin}/portal/account`,
        );
      } finally {
        await fixture.sql`UPDATE organization SET passkey_permissions = '{}' WHERE id = ${organization}`;
      }
    });
  });
});
