import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { usePortal } from '../../server/test/portal/support.ts';
import { startIssuer, type TestIssuer } from '../../server/test/support/servers/issuer.ts';
import { startService, type TestService } from '../../server/test/support/service/service.ts';
import { invitedUser } from '../../server/test/support/data/users.ts';
import { assertAccessible, button, inBrowser, inLanguages, press, reach, type, visit } from './support.ts';

const fixture = usePortal();

const words = {
  en: {
    signIn: 'Sign in with Muster-Login',
    greeting: /^Hello,/,
    account: 'You can sign in with your account there.',
    keyName: /^Name/,
    create: 'Create key',
    confirm: /^Confirm with Muster-Login/,
    rejected: /No user of Kontor is linked/,
    aborted: /was cancelled or denied there/,
    away: /does not respond/,
    disconnect: 'Disconnect',
    disconnected: 'Connect your account there to sign in with it.',
    connect: 'Connect account',
  },
  de: {
    signIn: 'Mit Muster-Login anmelden',
    greeting: /^Guten Tag/,
    account: 'Sie können sich mit Ihrem dortigen Konto anmelden.',
    keyName: /^Name/,
    create: 'Schlüssel anlegen',
    confirm: /^In einem anderen Tab mit Muster-Login bestätigen/,
    rejected: /ist kein Benutzer von Kontor verbunden/,
    aborted: /wurde dort abgebrochen/,
    away: /antwortet nicht/,
    disconnect: 'Trennen',
    disconnected: 'Verbinden Sie Ihr dortiges Konto, um sich damit anzumelden.',
    connect: 'Konto verbinden',
  },
} as const;

/** A free port: issuer and service need each other's address before they start. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise(resolve => server.close(resolve));
  return port;
}

/** Fills in the forms of the issuer, which is another site than the portal. */
async function signInThere(page: Page, name: string): Promise<void> {
  await page.locator('input[name=login]').fill(name);
  await page.locator('input[name=password]').fill('any');
  await page.keyboard.press('Enter');
}

/** Goes on where the issuer asks whether the portal may know who it is. */
const consent = (page: Page) => page.locator('form button[type=submit]').click();

inBrowser('sign-in at an issuer of another site', () => {
  let issuer: TestIssuer;
  let service: TestService;
  let origin: string;
  before(async () => {
    const port = await freePort();
    origin = `http://localhost:${port}`;
    issuer = await startIssuer([`${origin}/portal/sign-in/openid`]);
    service = await startService(fixture.sql, { publicUrl: origin, port, openId: issuer.settings });
  });
  after(async () => {
    await service?.stop();
    await issuer?.close();
  });

  for (const language of inLanguages('de')) {
    const labels = words[language];

    test(`${language}: an invited user signs in, confirms a sensitive action in another tab, disconnects and connects again`, async () => {
      const { email } = await invitedUser(fixture.sql, fixture.testData.organization);
      issuer.staff.set(email, { email, email_verified: true });
      await visit(origin, { language }, async (page: Page, context: BrowserContext) => {
        await page.goto('/portal/account');
        await press(page, button(page, labels.signIn));
        await signInThere(page, email);
        await consent(page);
        await page.getByText(labels.account).waitFor();
        assert.equal(page.url(), `${origin}/portal/account`);
        const pages = await page.evaluate('navigation.entries().map(({ url }) => new URL(url).pathname)');
        assert.ok(
          !(pages as string[]).includes('/portal/sign-in/openid'),
          'the way back does not lead into a circle',
        );

        await page.goto('/portal/settings/api-keys/new');
        const name = page.getByRole('textbox', { name: labels.keyName });
        await type(page, name, `Issuer ${language}`);
        await reach(page, page.getByRole('radiogroup').nth(1).getByRole('radio', { checked: true }));
        await page.keyboard.press('ArrowDown');
        await press(page, button(page, labels.create));
        const opened = context.waitForEvent('page');
        await press(page, page.getByRole('dialog').getByRole('link', { name: labels.confirm }));
        const other = await opened;
        await signInThere(other, email);
        await consent(other);
        await page.getByTestId('key').waitFor();

        await page.goto('/portal/account');
        await press(page, button(page, labels.disconnect));
        await page.getByText(labels.disconnected).waitFor();
        await assertAccessible(page);
        await press(page, button(page, labels.connect));
        await consent(page);
        await page.getByText(labels.account).waitFor();
        assert.equal(page.url(), `${origin}/portal/account`);
      });
    });

    test(`${language}: an unknown user, an aborted sign-in and an unreachable issuer each show an error`, async () => {
      issuer.staff.set('stranger', { email: 'stranger@example.com', email_verified: true });
      await visit(origin, { language }, async page => {
        await page.goto('/portal/sign-in');
        await press(page, button(page, labels.signIn));
        await signInThere(page, 'stranger');
        await consent(page);
        await page.getByRole('alert').filter({ hasText: labels.rejected }).waitFor();
        assert.equal(page.url(), `${origin}/portal/sign-in/openid`, 'the code leaves the address');
        await assertAccessible(page);
        await page.goto('/portal/sign-in/openid?error=access_denied&state=x');
        await page.getByText(labels.aborted).waitFor();
      });
      const own = await startService(fixture.sql, { publicUrl: null, openId: issuer.settings });
      issuer.answer = request => request.destroy();
      try {
        await visit(own.url, { language }, async page => {
          await page.goto('/portal/sign-in');
          await press(page, button(page, labels.signIn));
          await page.getByRole('alert').filter({ hasText: labels.away }).waitFor();
        });
      } finally {
        issuer.answer = null;
        await own.stop();
      }
    });
  }
});
