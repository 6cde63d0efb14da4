import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { usePortal } from '../../server/test/portal/support.ts';
import {
  type MailServer,
  rejection,
  startMailServer,
} from '../../server/test/support/servers/mail-server.ts';
import { startService, type TestService } from '../../server/test/support/service/service.ts';
import { signedInUser } from '../../server/test/support/data/users.ts';
import { assertAccessible, button, inBrowser, inLanguages, press, visit } from './support.ts';

let mails: MailServer;
let service: TestService;
const fixture = usePortal(async ({ sql }) => {
  service = await startService(sql, { mail: mails.settings });
});
before(async () => {
  mails = await startMailServer();
});
after(async () => {
  await service?.stop();
  await mails?.close();
});

const words = {
  en: {
    mail: 'Mail',
    kind: 'To the invited user, with a link to choose a password',
    send: 'Send a test message to me',
    accepted: /^The mail server has accepted the message\./,
    rejected: /^The mail server rejected the message\./,
    reply: 'SMTP reply 550',
    unset: 'No mails are sent',
    audit: 'requested a test message to a user',
  },
  de: {
    mail: 'E-Mail',
    kind: 'An den eingeladenen Benutzer, mit einem Link zur Wahl des Passworts',
    send: 'Testnachricht an mich senden',
    accepted: /^Der Mailserver hat die Nachricht angenommen\./,
    rejected: /^Der Mailserver hat die Nachricht abgelehnt\./,
    reply: 'SMTP-Antwort 550',
    unset: 'Es werden keine E-Mails gesendet',
    audit: 'Testnachricht an einen Benutzer angefordert',
  },
} as const;

inBrowser('the mails of an organization', () => {
  for (const language of inLanguages('de')) {
    const labels = words[language];

    test(`${language}: an administrator sees which mails are sent, and sends a test message, by keyboard alone`, async () => {
      const { secret, user } = await signedInUser(fixture.sql, fixture.testData.organization, {
        permissions: ['COMPANY_ADMIN'],
        language,
      });
      await visit(service.url, { language, secret }, async page => {
        await page.goto('/portal/settings/organization');
        await press(page, page.getByRole('link', { name: labels.mail, exact: true }));
        await page.getByText('kontor@example.com').waitFor();
        await page.getByText(labels.kind).waitFor();
        await press(page, button(page, labels.send));
        await page.getByRole('status').getByText(labels.accepted).waitFor();
        assert.equal(mails.mails.at(-1)!.to, user.email);
        // Focusing a button again would not scroll to it in the narrow page.
        await page.getByRole('heading', { level: 1 }).focus();
        mails.decide.recipient = () => {
          throw rejection(550, 'no such mailbox');
        };
        await press(page, button(page, labels.send));
        await page.getByRole('status').getByText(labels.rejected).waitFor();
        await page.getByText(labels.reply).waitFor();
        await page.getByRole('heading', { level: 1 }).focus();
        await assertAccessible(page, 'rejected test message');
        mails.decide.recipient = () => {};
        await page.goto('/portal/settings/audit');
        await page.getByText(labels.audit).first().waitFor();
      });
    });

    test(`${language}: without a mail server the page says what that means`, async () => {
      const { secret } = await signedInUser(fixture.sql, fixture.testData.organization, {
        permissions: ['COMPANY_ADMIN'],
      });
      await visit(fixture.service.url, { language, secret }, async page => {
        await page.goto('/portal/settings/organization?tab=mail');
        await page.getByRole('heading', { name: labels.unset }).waitFor();
        assert.equal(await button(page, labels.send).count(), 0);
      });
    });
  }
});
