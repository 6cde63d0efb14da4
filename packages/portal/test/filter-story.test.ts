import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { usePortal } from '../../server/test/portal/support.ts';
import { storeEmployees } from '../../server/test/support/data/employees.ts';
import { testKey } from '../../server/test/support/data/test-data.ts';
import { signedInUser } from '../../server/test/support/data/users.ts';
import { button, holdBack, inBrowser, inLanguages, press, reach, type, visit } from './support.ts';

const fixture = usePortal(async ({ sql, testData }) => {
  for (let made = 0; made < 30; made++) await testKey(sql, testData.organization, 'all');
});

const words = {
  en: {
    filter: /^Filter( \(\d\))?$/,
    value: 'Value for Name',
    add: 'Condition',
    field: 'Field',
    status: 'Status',
    statusValue: 'Value for Status',
    inactive: 'Inactive',
    comparison: 'Comparison',
    apply: 'Apply',
    approved: 'Approved',
    from: 'Submitted, from',
    to: 'Submitted, to',
    first: '01/10/2026',
    last: '31/10/2026',
    more: 'More conditions',
    asText: 'Filter as text',
    unreadable: 'The filter is invalid at character 14.',
    noField: 'The list has no field with this name.',
    noOperator: 'A field cannot be compared in this way.',
    noValue: 'A value is invalid for its field.',
    none: 'No matching keys',
    active: 'Active filter',
    person: 'Person',
    personValue: 'Value for Person',
    chosen: 'Person is Zoe Zirkel',
    actor: 'User or key',
    actorValue: 'Value for User or key',
    chosenActor: 'User or key is Hanna Herz',
    remove: 'Remove condition 1',
  },
  de: {
    filter: /^Filter( \(\d\))?$/,
    value: 'Wert für Name',
    add: 'Bedingung',
    field: 'Feld',
    status: 'Status',
    statusValue: 'Wert für Status',
    inactive: 'Inaktiv',
    comparison: 'Vergleich',
    apply: 'Anwenden',
    approved: 'Genehmigt',
    from: 'Eingereicht, von',
    to: 'Eingereicht, bis',
    first: '01.10.2026',
    last: '31.10.2026',
    more: 'Weitere Bedingungen',
    asText: 'Filter als Text',
    unreadable: 'Der Filter ist ab Zeichen 14 ungültig.',
    noField: 'Die Liste hat kein Feld mit diesem Namen.',
    noOperator: 'Ein Feld kann so nicht verglichen werden.',
    noValue: 'Ein Wert ist für sein Feld ungültig.',
    none: 'Keine passenden Schlüssel',
    active: 'Aktiver Filter',
    person: 'Person',
    personValue: 'Wert für Person',
    chosen: 'Person ist Zoe Zirkel',
    actor: 'Benutzer oder Schlüssel',
    actorValue: 'Wert für Benutzer oder Schlüssel',
    chosenActor: 'Benutzer oder Schlüssel ist Hanna Herz',
    remove: 'Bedingung 1 entfernen',
  },
} as const;

const list = '/portal/settings/api-keys';
const filterIn = (page: Page) => new URL(page.url()).searchParams.get('filter');
/** Waits until the history of the tab has this filter, and the address has none: a name is not for logs. */
async function typedFilter(page: Page, filter: string): Promise<void> {
  await page.waitForFunction(`history.state.typed?.filter === ${JSON.stringify(filter)}`);
  assert.equal(filterIn(page), null);
}
const count = (page: Page, number: number) =>
  page.getByText(new RegExp(`^${number} \\p{L}+$`, 'u')).waitFor();

inBrowser('the filter of a list, by keyboard alone', () => {
  let secret: string;
  let user: { id: string };
  let employee: { id: string };
  before(async () => {
    const { organization, tenantA } = fixture.testData;
    const name = { firstName: 'Zoe', lastName: 'Zirkel', email: 'zoe@example.com', tenant: tenantA };
    employee = (await storeEmployees(fixture.sql, organization, [name]))[0]!;
    ({ secret, user } = await signedInUser(fixture.sql, organization, {
      name: 'Hanna Herz',
      permissions: ['IT', 'COMPANY_ADMIN', 'HR'],
      hrTenants: null,
    }));
  });

  for (const language of inLanguages('de')) {
    const labels = words[language];

    test(`${language}: is built as a form, keeps names out of the address, and goes with the back button`, () =>
      visit(fixture.service.url, { language, secret }, async page => {
        await page.goto(list);
        await count(page, 34);
        await press(page, button(page, labels.filter));
        await press(page, button(page, labels.more));
        await type(page, page.getByLabel(labels.value), 'no such key');
        await press(page, button(page, labels.apply));
        await page.getByText(labels.none).waitFor();
        await typedFilter(page, "name CONTAINS 'no such key'");
        await type(page, page.getByLabel(labels.value), 'TES');
        await press(page, button(page, labels.add));
        await reach(page, page.getByLabel(labels.field, { exact: true }).nth(1));
        await page.keyboard.type(labels.status);
        await reach(page, page.getByLabel(labels.statusValue));
        await page.keyboard.type(labels.inactive);
        await page.keyboard.press('Enter');
        await press(page, button(page, labels.apply));
        await typedFilter(page, 'name CONTAINS TES AND status = inactive');
        await page.reload();
        await typedFilter(page, 'name CONTAINS TES AND status = inactive');
        await page.goBack();
        await typedFilter(page, "name CONTAINS 'no such key'");
        // The page may still be loading after the reload.
        await page.getByText(labels.none).waitFor();
        await press(page, button(page, labels.filter));
        // The form follows the history with the next picture.
        await page.getByLabel(labels.value).and(page.locator('[value="no such key"]')).waitFor();
        await page.goBack();
        await count(page, 34);
        assert.equal(filterIn(page), null);
      }));

    test(`${language}: stands in the address where it is of enumerations`, () =>
      visit(fixture.service.url, { language, secret }, async page => {
        await page.goto(list);
        await press(page, button(page, labels.filter));
        await press(page, button(page, labels.more));
        await reach(page, page.getByLabel(labels.field, { exact: true }));
        await page.keyboard.type(labels.status);
        await reach(page, page.getByLabel(labels.statusValue));
        await page.keyboard.type(labels.inactive);
        await page.keyboard.press('Enter');
        await press(page, button(page, labels.apply));
        await page.waitForURL(url => url.searchParams.get('filter') === 'status = inactive');
      }));

    test(`${language}: names each field in words`, () =>
      visit(fixture.service.url, { language, secret }, async page => {
        const lists = ['settings/users', 'companies', 'orders', 'incidents', 'settings/audit'];
        for (const path of [list, ...lists.map(name => `/portal/${name}`)]) {
          await page.goto(path);
          await press(page, button(page, labels.filter));
          await press(page, button(page, labels.more));
          const options = page.getByLabel(labels.field, { exact: true }).locator('option');
          await options.first().waitFor({ state: 'attached' });
          const raw = await options.evaluateAll(all =>
            all.flatMap(option =>
              option.textContent === option.getAttribute('value') ? [option.textContent] : [],
            ),
          );
          assert.deepEqual(raw, [], path);
        }
      }));

    test(`${language}: picks persons and users by name, names them, and keeps only identifiers in the address`, () =>
      visit(fixture.service.url, { language, secret }, async page => {
        const pick = async (path: string, field: string, value: string, typed: string, id: string) => {
          await page.goto(path);
          await press(page, button(page, labels.filter));
          await press(page, button(page, labels.more));
          await reach(page, page.getByLabel(labels.field, { exact: true }));
          await page.keyboard.type(field.split(' ')[0]!);
          await type(page, page.getByRole('combobox', { name: value }), typed);
          await page.getByRole('option', { name: typed, disabled: false }).waitFor();
          await page.keyboard.press('ArrowDown');
          await page.keyboard.press('Enter');
          await press(page, button(page, labels.apply));
          await page.waitForURL(url => url.searchParams.get('filter')?.endsWith(`= ${id}`) ?? false);
          await press(page, button(page, labels.filter));
        };
        const active = page.getByRole('group', { name: labels.active });
        await pick('/portal/incidents', labels.person, labels.personValue, 'Zirkel', employee.id);
        await active.getByText(labels.chosen).waitFor();
        await pick('/portal/settings/audit', labels.actor, labels.actorValue, 'Hanna', user.id);
        await active.getByText(labels.chosenActor).waitFor();
        await press(page, button(page, labels.remove));
        await active.waitFor({ state: 'detached' });
        assert.equal(filterIn(page), null);
      }));

    test(`${language}: does not pick what the text before has found while the service searches`, () =>
      visit(fixture.service.url, { language, secret }, async page => {
        await page.goto('/portal/settings/audit');
        await press(page, button(page, labels.filter));
        await press(page, button(page, labels.more));
        await reach(page, page.getByLabel(labels.field, { exact: true }));
        await page.keyboard.type(labels.actor.split(' ')[0]!);
        const field = page.getByRole('combobox', { name: labels.actorValue });
        await reach(page, field);
        await page.getByRole('listbox').getByRole('option', { disabled: false }).first().waitFor();
        const { arrived, letGo } = await holdBack(page, '**/portal/api/search');
        await page.keyboard.type('Hanna');
        await arrived;
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Enter');
        assert.equal(await field.inputValue(), 'Hanna');
        letGo();
        await page.getByRole('option', { name: 'Hanna Herz', disabled: false }).waitFor();
      }));

    test(`${language}: is written as text, and its error is shown beside it`, () =>
      visit(fixture.service.url, { language, secret }, async page => {
        await page.goto(list);
        await press(page, button(page, labels.filter));
        await press(page, button(page, labels.more));
        await press(page, button(page, labels.asText));
        const text = page.getByLabel(labels.asText);
        const wrong = async (filter: string, expected: string) => {
          await type(page, text, filter);
          await press(page, button(page, labels.apply));
          await page.getByText(expected).waitFor();
          assert.equal(await text.getAttribute('aria-invalid'), 'true');
        };
        await wrong('name CONTAINS', labels.unreadable);
        assert.equal(await text.evaluate(field => field === field.ownerDocument.activeElement), true);
        await wrong('city = Bonn', labels.noField);
        await wrong('createdAt CONTAINS 2026', labels.noOperator);
        await wrong('createdAt > yesterday', labels.noValue);
        await type(page, text, 'name = test AND (expiresAt IS NULL OR lastUsedAt IS NOT NULL)');
        await press(page, button(page, labels.apply));
        await count(page, 34);
        assert.equal(await text.getAttribute('aria-invalid'), null);
      }));

    test(`${language}: begins with status and period, which the address keeps`, () =>
      visit(fixture.service.url, { language, secret, timeZone: 'Europe/Berlin' }, async page => {
        await page.goto('/portal/orders');
        await press(page, button(page, labels.filter));
        const form = page.getByRole('form', { name: 'Filter' });
        await form.getByLabel(labels.approved).waitFor();
        assert.equal(await form.getByLabel(labels.field, { exact: true }).count(), 0);
        assert.equal(await button(page, labels.asText).count(), 0);
        await press(page, form.getByLabel(labels.approved), 'Space');
        await type(page, form.getByLabel(labels.from), labels.first);
        await type(page, form.getByLabel(labels.to), labels.last);
        await press(page, button(page, labels.apply));
        await page.waitForURL(
          url =>
            url.searchParams.get('filter') ===
            'status = approved AND submittedAt >= 2026-09-30T22:00:00Z AND submittedAt < 2026-10-31T23:00:00Z',
        );
        await page.reload();
        await press(page, button(page, labels.filter));
        assert.equal(await form.getByLabel(labels.approved).isChecked(), true);
        assert.equal(await form.getByLabel(labels.to).inputValue(), labels.last);
      }));
  }

  test('a link with a filter, an order and a page leads to just that', () =>
    visit(fixture.service.url, { secret }, async page => {
      await page.goto(`${list}?page=2&sort=-name&filter=${encodeURIComponent("name = 'test'")}`);
      await count(page, 34);
      await page.getByRole('button', { name: 'Page 2' }).and(page.locator('[aria-current=page]')).waitFor();
      assert.equal(await page.locator('tbody tr').count(), 9);
      assert.equal(await page.locator('th[aria-sort=descending]').textContent(), 'Name');
    }));

  test('a link with an invalid filter shows the error, and sends nothing', () =>
    visit(fixture.service.url, { secret }, async page => {
      const asked: string[] = [];
      page.on('request', request => asked.push(new URL(request.url()).pathname));
      await page.goto(`${list}?filter=${encodeURIComponent('name = a) OR (name = b')}`);
      await page.getByText('The filter is invalid at character 9.').waitFor();
      assert.equal(asked.includes('/portal/api/api-keys/search'), false);
    }));
});
