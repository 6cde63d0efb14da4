import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { createTenant } from '../../server/src/features/organizations/store.ts';
import { daysAgo } from '../../server/test/jobs/support.ts';
import { usePortal } from '../../server/test/portal/support.ts';
import { storeEmployees } from '../../server/test/support/data/employees.ts';
import { backdateOrders, orderInput, storeOrders } from '../../server/test/support/data/orders.ts';
import { type SignedInUser, signedInUser } from '../../server/test/support/data/users.ts';
import { type MailServer, startMailServer } from '../../server/test/support/servers/mail-server.ts';
import { startService, type TestService } from '../../server/test/support/service/service.ts';
import { button, inBrowser, inLanguages, press, visit } from './support.ts';

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
    bell: 'Notifications',
    unread: 'Notifications: 1 unread',
    order: /1 new order Waiting for a decision: 1/,
    none: 'Nothing is new.',
    read: 'Mark all as read',
    settings: 'Settings',
    newOrders: 'New orders',
    byMail: 'Also by mail',
    save: 'Save',
    saved: 'Changes saved',
    noMails: 'This installation sends no mails.',
    account: 'Choose notifications',
    orders: 'Orders',
  },
  de: {
    bell: 'Benachrichtigungen',
    unread: 'Benachrichtigungen: 1 ungelesen',
    order: /1 neue Bestellung Zur Entscheidung: 1/,
    none: 'Nichts Neues.',
    read: 'Alle als gelesen markieren',
    settings: 'Einstellungen',
    newOrders: 'Neue Bestellungen',
    byMail: 'Auch per E-Mail',
    save: 'Speichern',
    saved: 'Änderungen gespeichert',
    noMails: 'Diese Installation sendet keine E-Mails.',
    account: 'Benachrichtigungen wählen',
    orders: 'Bestellungen',
  },
} as const;

let companies = 0;

/** A user of HR of a company of their own, which has an order that waits. */
async function userOfOrder(language: 'de' | 'en'): Promise<SignedInUser> {
  const { sql, testData } = fixture;
  const { organization: organizationId } = testData;
  const tenantId = await createTenant(sql, organizationId, `Glocke ${++companies}-${language}`);
  const [employee] = await storeEmployees(sql, organizationId, [{ tenant: tenantId }]);
  const input = orderInput({ status: 'under_review', submittedAt: daysAgo(0), employeeId: employee!.id });
  const [order] = await storeOrders(sql, { organizationId, tenantId }, [input]);
  await backdateOrders(sql, [order!.id], 5);
  const user = await signedInUser(sql, organizationId, {
    permissions: ['HR'],
    hrTenants: [tenantId],
    language,
  });
  await sql`UPDATE portal_user SET created_at = ${new Date(daysAgo(2))} WHERE id = ${user.user.id}`;
  return user;
}

const bell = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

inBrowser('notifications', () => {
  for (const language of inLanguages('de')) {
    const labels = words[language];

    test(`${language}: the bell counts what is new, leads to it and marks it as read, by keyboard alone`, async () => {
      const { secret } = await userOfOrder(language);
      await visit(fixture.service.url, { language, secret }, async page => {
        await page.goto('/portal');
        await press(page, bell(page, labels.unread));
        const item = page.getByRole('link', { name: labels.order });
        await item.waitFor();
        await press(page, button(page, labels.read));
        await bell(page, labels.bell).waitFor();
        await item.waitFor({ state: 'hidden' });
        // The button keeps the focus, so that Escape closes the panel and gives it back to the bell.
        assert.equal(await page.evaluate('document.activeElement.textContent'), labels.read);
        await page.keyboard.press('Escape');
        await button(page, labels.read).waitFor({ state: 'hidden' });
        await press(page, bell(page, labels.bell));
        await press(page, page.getByRole('link', { name: /1/ }).filter({ hasText: ':' }));
        await page.getByRole('heading', { level: 1, name: labels.orders }).waitFor();
      });
    });

    test(`${language}: a user chooses the kinds and declines mails; the bell then leaves the others out`, async () => {
      const { secret } = await userOfOrder(language);
      await visit(service.url, { language, secret }, async page => {
        await page.goto('/portal/account');
        await press(page, page.getByRole('link', { name: labels.account }));
        await press(page, page.getByLabel(labels.newOrders), 'Space');
        await press(page, page.getByLabel(labels.byMail), 'Space');
        await press(page, button(page, labels.save));
        await page.getByText(labels.saved).waitFor();
        await press(page, bell(page, labels.bell));
        await page.getByText(labels.none).waitFor();
        await page.reload();
        assert.equal(await page.getByLabel(labels.newOrders).isChecked(), false);
        assert.equal(await page.getByLabel(labels.byMail).isChecked(), false);
      });
    });

    test(`${language}: without a mail server the page says so`, async () => {
      const { secret } = await userOfOrder(language);
      await visit(fixture.service.url, { language, secret }, async page => {
        await page.goto('/portal/account/notifications');
        await page.getByText(labels.noMails).waitFor();
      });
    });
  }
});
