import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { loginLimits } from '../../server/src/features/users/sessions/login-throttle.ts';
import { outcome, password, usePortal } from '../../server/test/portal/support.ts';
import { assertAccessible, button, inBrowser, inLanguages, visit } from './support.ts';

const fixture = usePortal();

const words = {
  en: {
    signIn: 'Sign in',
    email: 'Email',
    limited:
      /^Too many failed sign-ins with this email\. Try again in 15 minutes\. Until then, use a browser that you have signed in with before, use a passkey, or reset your password\./,
  },
  de: {
    signIn: 'Anmelden',
    email: 'E-Mail',
    limited:
      /^Zu viele fehlgeschlagene Anmeldungen mit dieser E-Mail-Adresse\. Versuchen Sie es in 15 Minuten erneut\. Verwenden Sie bis dahin einen Browser, mit dem Sie schon angemeldet waren, oder einen Passkey, oder setzen Sie Ihr Passwort zurück\./,
  },
} as const;

inBrowser('after too many failed sign-ins with an email', () => {
  for (const language of inLanguages('en')) {
    const labels = words[language];

    const enter = async (page: Page, email: string) => {
      await page.goto('/portal/sign-in');
      await page.getByLabel(labels.email).fill(email);
      await page.locator('input[name=password]').fill(password);
      await button(page, labels.signIn).click();
    };

    test(`${language}: a new browser shows what to do, and one that has signed in before signs in`, async () => {
      const { email } = await fixture.user();
      await visit(fixture.service.url, { language }, async (known, context) => {
        await enter(known, email);
        await known.waitForURL(address => !address.pathname.endsWith('/sign-in'));
        // As when the browser was closed: the cookie of the session is gone.
        await context.clearCookies({ name: '__Host-kontor' });
        for (let n = 0; n < loginLimits.network.failures; n++)
          assert.equal(outcome(await fixture.signIn(email, 'a wrong password')), '401 SIGN_IN_FAILED');

        await visit(fixture.service.url, { language }, async page => {
          await enter(page, email);
          const alert = page.getByRole('alert');
          await alert.waitFor();
          assert.match((await alert.textContent())!, labels.limited);
          await assertAccessible(page);
        });
        await enter(known, email);
        await known.waitForURL(address => !address.pathname.endsWith('/sign-in'));
      });
    });
  }
});
