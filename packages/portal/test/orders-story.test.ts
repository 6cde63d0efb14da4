import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Order } from '@kontor/contract';
import type { Page } from 'playwright-core';
import { attachToOrder } from '../../server/src/features/orders/attachments.ts';
import { databaseStore } from '../../server/src/files/database-store.ts';
import { usePortal } from '../../server/test/portal/support.ts';
import { storeEmployees } from '../../server/test/support/data/employees.ts';
import {
  contractInput,
  orderInput,
  productInput,
  storeOrders,
} from '../../server/test/support/data/orders.ts';
import { signedInUser } from '../../server/test/support/data/users.ts';
import { button, inBrowser, inLanguages, press, reach, type, visit } from './support.ts';

const fixture = usePortal();

const words = {
  en: {
    orders: 'Orders',
    waiting: 'Show all (2)',
    toDecide: 'To decide',
    monthly: '€83.10 a month',
    comment: /^Comment/,
    why: 'Enter a reason for the rejection.',
    approve: 'Approve',
    reject: 'Reject',
    approved: 'The order of Jana Adler is approved.',
    rejected: 'The order of Jana Brandt is rejected.',
    history: 'Submitted',
    show: 'Show Angebot.png',
    bulkWhy: /^Reason/,
    summary: '1 done, 2 rejected',
    taken: 'Jana Ernst, ',
    takenBy: 'Approved by Jonas Meier',
    isBlocked: 'This person is blocked. Unblock the person first.',
    all: 'Select all rows',
    by: /^Approved by Petra Lang/,
    late: 'Someone else decided first. Your decision was not saved.',
    blocked: 'This person is blocked. The order can only be rejected.',
    next: 'Next',
    none: 'No order is waiting for a decision',
    search: 'Search by name or order number',
    tooMany: 'More than 200 employees match. Type more of the name to see all results.',
    denied: 'You do not have the permission for this page.',
  },
  de: {
    orders: 'Bestellungen',
    waiting: 'Alle anzeigen (2)',
    toDecide: 'Zu entscheiden',
    monthly: '83,10 € im Monat',
    comment: /^Kommentar/,
    why: 'Geben Sie einen Grund für die Ablehnung ein.',
    approve: 'Genehmigen',
    reject: 'Ablehnen',
    approved: 'Die Bestellung von Jana Adler ist genehmigt.',
    rejected: 'Die Bestellung von Jana Brandt ist abgelehnt.',
    history: 'Eingereicht',
    show: 'Angebot.png anzeigen',
    bulkWhy: /^Grund/,
    summary: '1 erledigt, 2 abgelehnt',
    taken: 'Jana Ernst, ',
    takenBy: 'Genehmigt von Jonas Meier',
    isBlocked: 'Diese Person ist gesperrt. Heben Sie zuerst die Sperre auf.',
    all: 'Alle Zeilen auswählen',
    by: /^Genehmigt von Petra Lang/,
    late: 'Jemand anderes hat zuerst entschieden. Ihre Entscheidung wurde nicht gespeichert.',
    blocked: 'Diese Person ist gesperrt. Die Bestellung kann nur abgelehnt werden.',
    next: 'Nächste',
    none: 'Keine Bestellung wartet auf eine Entscheidung',
    search: 'Nach Name oder Bestellnummer suchen',
    tooMany:
      'Mehr als 200 Mitarbeiter passen zur Suche. Geben Sie mehr vom Namen ein, um alle Ergebnisse zu sehen.',
    denied: 'Sie haben keine Berechtigung für diese Seite.',
  },
} as const;

/** A tenant of its own with employees and an order of each, the oldest first. */
async function queue(employees: readonly { lastName: string; blocked?: boolean }[]): Promise<{
  tenant: string;
  orders: Order[];
}> {
  const { sql, testData } = fixture;
  const organizationId = testData.organization;
  const tenant = testData.tenantA;
  await sql`UPDATE employee_order SET status = 'expired', doc = replace(doc, '"under_review"', '"expired"')
    WHERE organization_id = ${organizationId} AND status = 'under_review'`;
  const stored = await storeEmployees(
    sql,
    organizationId,
    employees.map(person => ({ tenant, firstName: 'Jana', ...person })),
  );
  const inputs = stored.map(({ id }, n) =>
    orderInput({
      employeeId: id,
      products: [productInput({ manufacturerName: 'Nox Cycles', model: 'Helium' })],
      contract: contractInput(),
      submittedAt: `2026-09-0${n + 1}T10:00:00Z`,
    }),
  );
  const orders = await storeOrders(sql, { organizationId, tenantId: tenant }, inputs);
  return { tenant, orders };
}

async function user(name: string, permission: 'HR' | 'IT' = 'HR'): Promise<string> {
  const { sql, testData } = fixture;
  const hrTenants = permission === 'HR' ? [testData.tenantA] : null;
  const allowed = { name, permissions: [permission], hrTenants };
  return (await signedInUser(sql, testData.organization, allowed)).secret;
}

function statuses(orders: readonly Order[], key: string): Promise<string[]> {
  return Promise.all(
    orders.map(async ({ id }) => (await fixture.portal.get(`/orders/${id}`, { key })).body.order.status),
  );
}

const row = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
const dialog = (page: Page) => page.getByRole('dialog');

inBrowser('orders of HR', () => {
  for (const language of inLanguages('en')) {
    const labels = words[language];

    test(`${language}: decided in a row by keyboard, the oldest first, without leaving the queue`, async () => {
      const { orders } = await queue([{ lastName: 'Adler' }, { lastName: 'Brandt' }]);
      const secret = await user('Petra Lang');
      await visit(fixture.service.url, { language, secret }, async page => {
        await page.goto('/portal');
        // The home page says what waits.
        await press(page, page.getByRole('link', { name: labels.waiting }));
        await press(page, row(page, 'Jana Adler'));
        const panel = dialog(page);
        await panel.getByText('Jana Adler', { exact: true }).waitFor();
        // The title has the amount, and only the effect on pay says it again.
        assert.equal(await panel.getByText(labels.monthly.replace(/ .*$/, '')).count(), 2);
        await press(page, panel.getByRole('button', { name: labels.reject }));
        await panel.getByText(labels.why).waitFor();
        await reach(page, panel.getByLabel(labels.comment));
        await type(page, panel.getByLabel(labels.comment), 'Budget');
        await press(page, panel.getByRole('button', { name: labels.approve }));
        await page.getByText(labels.approved).waitFor();
        // The panel goes on to the next order, and its title has the focus.
        await panel.getByText('Jana Brandt', { exact: true }).waitFor();
        assert.equal(await page.evaluate('document.activeElement.tagName'), 'H2');
        await type(page, panel.getByLabel(labels.comment), 'Nein');
        await press(page, panel.getByRole('button', { name: labels.reject }));
        await page.getByText(labels.rejected).waitFor();
        // None is left, so the panel closes.
        await panel.waitFor({ state: 'detached' });
        await page.getByText(labels.none).waitFor();
        assert.ok(!page.url().includes('Adler'));
      });
      const { body } = await fixture.portal.get(`/orders/${orders[0]!.id}`, { key: secret });
      assert.deepEqual(
        [body.order.hrHistory.source, body.order.hrHistory.comment, body.decidedBy],
        ['user', 'Budget', 'Petra Lang'],
      );
    });

    test(`${language}: a double click, or a key that is held, decides one order and not the next one`, async () => {
      const { orders } = await queue([{ lastName: 'Adler' }, { lastName: 'Brandt' }, { lastName: 'Conrad' }]);
      const secret = await user('Petra Lang');
      await visit(fixture.service.url, { language, secret }, async page => {
        await page.clock.install();
        await page.goto(`/portal/orders?order=${orders[0]!.id}`);
        const panel = dialog(page);
        const approve = panel.getByRole('button', { name: labels.approve });
        const title = (name: string) => panel.getByRole('heading', { name: `${name} · ${labels.monthly}` });
        await title('Jana Adler').waitFor();
        const { x, y, width, height } = (await approve.boundingBox())!;
        await approve.click();
        // The next order stands under the pointer. This click comes as early as one can.
        await title('Jana Brandt').waitFor();
        await page.mouse.click(x + width / 2, y + height / 2);
        assert.ok(await approve.isDisabled());
        // A pointer that is held down until the buttons would accept a click.
        await page.mouse.down();
        await page.clock.runFor(5000);
        assert.ok(await approve.isDisabled());
        await page.mouse.up();
        await page.clock.runFor(5000);
        assert.ok(await approve.isEnabled());
        assert.deepEqual(await statuses(orders, secret), ['approved', 'under_review', 'under_review']);
        // The second order is decided by a key that stays down.
        await reach(page, approve);
        await page.keyboard.down('Enter');
        await title('Jana Conrad').waitFor();
        await page.clock.runFor(5000);
        await page.keyboard.down('Enter');
        assert.ok(await approve.isDisabled());
        await page.keyboard.up('Enter');
        assert.deepEqual(await statuses(orders, secret), ['approved', 'approved', 'under_review']);
        await press(page, approve);
        await panel.waitFor({ state: 'detached' });
      });
    });

    test(`${language}: many are decided at once, each on its own, with one summary of what was rejected and by whom`, async () => {
      const { orders } = await queue([
        { lastName: 'Ernst' },
        { lastName: 'Frei' },
        { lastName: 'Gast', blocked: true },
      ]);
      const [petra, jonas] = [await user('Petra Lang'), await user('Jonas Meier')];
      await visit(fixture.service.url, { language, secret: petra }, async page => {
        await page.goto('/portal/orders');
        await row(page, 'Jana Gast').waitFor();
        await press(page, page.getByRole('checkbox', { name: labels.all }), 'Space');
        await press(page, button(page, labels.approve));
        const form = dialog(page);
        await form.getByText(labels.taken).waitFor();
        await fixture.portal.post(
          `/orders/${orders[0]!.id}/decision`,
          { decision: 'approved' },
          { key: jonas },
        );
        await press(page, form.getByRole('button', { name: labels.approve }));
        await form.getByText(labels.summary).waitFor();
        await form.getByText(labels.takenBy).waitFor();
        await form.getByText(labels.isBlocked).waitFor();
        await page.keyboard.press('Escape');
        // Only the blocked person waits. A rejection needs a reason.
        await press(page, page.getByRole('checkbox', { name: labels.all }), 'Space');
        await press(page, button(page, labels.reject));
        await press(page, dialog(page).getByRole('button', { name: labels.reject }));
        await dialog(page).getByText(labels.why).waitFor();
        await type(page, dialog(page).getByLabel(labels.bulkWhy), 'Gesperrt');
        await press(page, dialog(page).getByRole('button', { name: labels.reject }));
        await page.getByText(labels.none).waitFor();
      });
      const comments = await Promise.all(
        orders.map(async ({ id }) => {
          const { body } = await fixture.portal.get(`/orders/${id}`, { key: petra });
          return [body.decidedBy, body.order.status, body.order.hrHistory.comment];
        }),
      );
      assert.deepEqual(comments, [
        ['Jonas Meier', 'approved', null],
        ['Petra Lang', 'approved', null],
        ['Petra Lang', 'rejected', 'Gesperrt'],
      ]);
    });

    test(`${language}: of two people at once the second one sees what was decided, and by whom`, async () => {
      const { orders } = await queue([{ lastName: 'Clausen' }]);
      const [first, second] = [await user('Petra Lang'), await user('Jonas Meier')];
      await visit(fixture.service.url, { language, secret: second }, async page => {
        await page.goto(`/portal/orders?order=${orders[0]!.id}`);
        const panel = dialog(page);
        await type(page, panel.getByLabel(labels.comment), 'Nein');
        const body = { decision: 'approved' };
        // The page must not hear of it before its own decision is sent.
        let isSent = false;
        page.on('request', request => (isSent ||= request.url().endsWith('/decision')));
        await page.route('**/portal/api/orders/*', route => (isSent ? route.continue() : route.abort()));
        await fixture.portal.post(`/orders/${orders[0]!.id}/decision`, body, { key: first });
        const sent = page.waitForResponse('**/decision');
        await panel.getByRole('button', { name: labels.reject }).click();
        assert.equal((await sent).status(), 409);
        await panel.getByText(labels.late).waitFor();
        await panel.getByText(labels.by).waitFor();
      });
    });

    test(`${language}: a search finds the orders of a person by name, and says when too many have it`, async () => {
      const { orders } = await queue([{ lastName: 'Winter' }, { lastName: 'Sommer' }]);
      const { sql, testData } = fixture;
      const others = Array.from({ length: 201 }, () => ({ tenant: testData.tenantA, lastName: 'Sommer' }));
      await storeEmployees(sql, testData.organization, others);
      await visit(fixture.service.url, { language, secret: await user('Petra Lang') }, async page => {
        await page.goto('/portal/orders');
        await row(page, 'Jana Sommer').waitFor();
        const search = page.getByRole('searchbox', { name: labels.search });
        await type(page, search, 'jana win');
        await row(page, 'Jana Sommer').waitFor({ state: 'detached' });
        await row(page, 'Jana Winter').waitFor();
        assert.equal(await page.getByText(labels.tooMany).count(), 0);
        await type(page, search, orders[1]!.orderNumber);
        await row(page, 'Jana Winter').waitFor({ state: 'detached' });
        await row(page, 'Jana Sommer').waitFor();
        await type(page, search, 'sommer');
        await page.getByText(labels.tooMany).waitFor();
        assert.ok(!page.url().toLowerCase().includes('sommer'));
      });
    });

    test(`${language}: an order of a blocked person can only be rejected, and its documents are shown`, async () => {
      const { orders } = await queue([{ lastName: 'Dorn', blocked: true }]);
      const { sql, testData } = fixture;
      const target = { organizationId: testData.organization, orderId: orders[0]!.id };
      const document = {
        kind: 'offer',
        fileName: 'Angebot.png',
        mediaType: 'image/png',
        bytes: png,
      } as const;
      await attachToOrder({ db: sql, files: databaseStore(sql) }, target, document);
      await visit(fixture.service.url, { language, secret: await user('Petra Lang') }, async page => {
        await page.goto(`/portal/orders?order=${orders[0]!.id}`);
        const panel = dialog(page);
        await panel.getByText(labels.blocked).waitFor();
        assert.ok(await panel.getByRole('button', { name: labels.approve }).isDisabled());
        assert.ok(await panel.getByRole('link', { name: 'Angebot.png' }).isVisible());
        await press(page, panel.getByRole('button', { name: labels.show }));
        const image = panel.getByRole('img', { name: 'Angebot.png', exact: true });
        await image.evaluate((element: any) => element.decode());
      });
    });

    test(`${language}: a user without the permission HR has no orders, neither in the menu nor by the address`, async () => {
      const secret = await user('Ida Falk', 'IT');
      await visit(fixture.service.url, { language, secret }, async page => {
        await page.goto('/portal/orders');
        await page.getByText(labels.denied).waitFor();
        assert.equal(await page.getByRole('link', { name: labels.orders, exact: true }).count(), 0);
        assert.equal(await button(page, labels.approve).count(), 0);
      });
    });
  }

  test('an order names its company to users of several companies', async () => {
    const { orders } = await queue([{ lastName: 'Ilse' }]);
    const { sql, testData, service } = fixture;
    const { secret } = await signedInUser(sql, testData.organization, {
      permissions: ['HR'],
      hrTenants: null,
    });
    await visit(service.url, { secret }, async page => {
      await page.goto(`/portal/orders?order=${orders[0]!.id}`);
      await dialog(page).getByText('Muster GmbH', { exact: true }).waitFor();
    });
    await visit(service.url, { secret: await user('Petra Lang') }, async page => {
      await page.goto('/portal/orders');
      const { x, y } = (await row(page, 'Jana Ilse').boundingBox())!;
      await page.mouse.click(x, y);
      await dialog(page).getByText('Jana Ilse', { exact: true }).waitFor();
      // The second click of a double click does not close what the first one has opened.
      await page.mouse.down({ clickCount: 2 });
      await page.mouse.up({ clickCount: 2 });
      await type(page, dialog(page).getByLabel(words.en.comment), 'Budget');
      assert.equal(await dialog(page).getByText('Muster GmbH', { exact: true }).count(), 0);
    });
  });

  test('one step back leaves the list after its panel was closed, however it was opened', async () => {
    const { orders } = await queue([{ lastName: 'Zander' }, { lastName: 'Zobel' }]);
    await visit(fixture.service.url, { secret: await user('Petra Lang') }, async page => {
      const pathOf = () => new URL(page.url()).pathname;
      const isClosed = () => dialog(page).waitFor({ state: 'detached' });
      await page.goto('/portal');
      await page.getByRole('navigation').getByRole('link', { name: words.en.orders }).click();
      await press(page, row(page, 'Jana Zander'));
      await button(page, words.en.next).click();
      await dialog(page).getByText('Jana Zobel', { exact: true }).waitFor();
      // The second key comes before the browser has gone back.
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await isClosed();
      assert.equal(pathOf(), '/portal/orders');
      await page.goBack();
      await page.waitForURL('**/portal');
      await page.goto(`/portal/orders?order=${orders[0]!.id}`);
      await dialog(page).getByText('Jana Zander', { exact: true }).waitFor();
      await page.keyboard.press('Escape');
      await isClosed();
      assert.equal(pathOf(), '/portal/orders');
      await page.goBack();
      await page.waitForURL('**/portal');
    });
  });

  test('a typed comment is lost neither by the next order, nor by the way back, nor by the end of the session', async () => {
    const { orders } = await queue([{ lastName: 'Horn' }, { lastName: 'Ernst' }]);
    const { sql, testData, service } = fixture;
    await visit(service.url, { secret: await user('Petra Lang') }, async page => {
      await page.goto('/portal/orders');
      await press(page, row(page, 'Jana Horn'));
      const comment = page.getByLabel(words.en.comment);
      const question = page.getByRole('dialog', { name: 'Leave without saving?' });
      await type(page, comment, 'Budget');
      for (const leave of [
        () => press(page, button(page, words.en.next)),
        () => page.goBack(),
        () => page.keyboard.press('Escape'),
      ]) {
        await leave();
        await question.waitFor();
        // Only what is on top is closed.
        await page.keyboard.press('Escape');
        await question.waitFor({ state: 'detached' });
        assert.equal(await comment.inputValue(), 'Budget');
      }
      await sql`DELETE FROM portal_session WHERE organization_id = ${testData.organization}`;
      await button(page, words.en.reject).click();
      await dialog(page).getByText('Your session has ended. Sign in and try again.').waitFor();
      await dialog(page).getByRole('link', { name: 'Sign in in another tab' }).waitFor();
      assert.equal(await comment.inputValue(), 'Budget');
      assert.ok(page.url().includes(orders[0]!.id));
    });
  });
});

/** One pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
