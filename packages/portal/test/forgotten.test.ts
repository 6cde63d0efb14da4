import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { outcome, usePortal } from '../../server/test/portal/support.ts';
import { type MailServer, secretIn, startMailServer } from '../../server/test/support/servers/mail-server.ts';
import { startService, type TestService } from '../../server/test/support/service/service.ts';
import { assertAccessible, inBrowser, inLanguages, press, type, visit } from './support.ts';

const fixture = usePortal();

const words = {
  en: {
    forgotten: 'No password yet, or forgotten it?',
    heading: 'Forgot your password?',
    send: 'Send me a link',
    linkSent: /a message with a link is on its way/,
    subject: 'Your new password for Kontor',
    set: 'Set password and sign in',
    greeting: /^Hello,/,
    noMails: /does not send email/,
  },
  de: {
    forgotten: 'Noch kein Passwort, oder vergessen?',
    heading: 'Passwort vergessen?',
    send: 'Link zusenden',
    linkSent: /eine Nachricht mit einem Link unterwegs/,
    subject: 'Ihr neues Passwort für Kontor',
    set: 'Passwort festlegen und anmelden',
    greeting: /^Guten Tag/,
    noMails: /versendet keine E-Mails/,
  },
} as const;

inBrowser('a forgotten password, by keyboard alone', () => {
  let mailServer: MailServer;
  let service: TestService;
  before(async () => {
    mailServer = await startMailServer();
    service = await startService(fixture.sql, { mail: mailServer.settings, jobInterval: 1 });
  });
  after(async () => {
    await service?.stop();
    await mailServer?.close();
  });

  for (const language of inLanguages('de')) {
    const labels = words[language];

    test(`${language}: a user asks for a link, gets it by mail, and sets a new password`, async () => {
      const { email, secret: session } = await fixture.user();
      await fixture.sql`
        UPDATE portal_user SET language = ${language}
        WHERE organization_id = ${fixture.testData.organization} AND email = ${email}`;
      await visit(service.url, { language }, async page => {
        await page.goto('/portal/sign-in');
        await press(page, page.getByRole('link', { name: labels.forgotten }));
        await page.getByRole('heading', { name: labels.heading, level: 1 }).waitFor();
        await type(page, page.getByLabel(/^E-?mail/i), email);
        const at = mailServer.mails.length;
        await press(page, page.getByRole('button', { name: labels.send }));
        const status = page.getByRole('status').filter({ hasText: labels.linkSent });
        await status.waitFor();
        assert.ok(await status.evaluate(element => element === element.ownerDocument.activeElement));
        await assertAccessible(page);
        const mail = (await mailServer.received(at + 1))[at]!;
        assert.deepEqual([mail.to, mail.headers['subject']], [email, labels.subject]);
        await page.goto(`/portal/invitation#${secretIn(mail)}`);
        await type(page, page.locator('input[name=password]'), 'tacker brille zitrone wolke');
        await press(page, page.getByRole('button', { name: labels.set }));
        await page.getByRole('heading', { name: labels.greeting }).waitFor();
      });
      assert.equal(outcome(await fixture.portal.get('/session', { key: session })), '401 INVALID_SESSION');
    });

    test(`${language}: the page shows the same for an unknown email`, () =>
      visit(service.url, { language }, async page => {
        await page.goto('/portal/forgotten-password');
        await type(page, page.getByLabel(/^E-?mail/i), 'nobody@example.com');
        await page.keyboard.press('Enter');
        await page.getByRole('status').filter({ hasText: labels.linkSent }).waitFor();
      }));

    test(`${language}: without a mail server the page names a contact`, () =>
      visit(fixture.service.url, { language }, async page => {
        await page.goto('/portal/forgotten-password');
        await page.getByText(labels.noMails).waitFor();
        await assertAccessible(page);
      }));
  }
});
