import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Employee } from '@kontor/contract';
import type { Page } from 'playwright-core';
import { usePortal } from '../../server/test/portal/support.ts';
import { storeEmployees } from '../../server/test/support/data/employees.ts';
import { storeIncident } from '../../server/test/support/data/incidents.ts';
import { orderInput, storeOrders } from '../../server/test/support/data/orders.ts';
import { storePayrollEntry } from '../../server/test/support/data/payroll-runs.ts';
import { storeDataSubject } from '../../server/test/support/data/person.ts';
import { signedInUser } from '../../server/test/support/data/users.ts';
import { button, inBrowser, inLanguages, press, reach, type, visit } from './support.ts';

const fixture = usePortal();

const words = {
  en: {
    employees: 'Employees',
    search: 'Search by name, email or employee number',
    selectAll: 'Select all rows',
    block: 'Block',
    unblock: 'Unblock',
    blockDone: 'Block: 2 done',
    blocked: 'Blocked',
    export: 'Export',
    create: 'Create employee',
    email: /^Email/,
    first: /^First name/,
    last: /^Last name/,
    town: 'Town',
    street: 'Street and house number',
    enterLast: 'Enter the last name',
    created: 'Employee created',
    edit: 'Edit',
    save: 'Save',
    saved: 'Changes saved',
    meanwhile: 'This is no longer possible: it was changed in the meantime.',
    by: /^Changed by Otto Berg/,
    history: 'History',
    change: 'Town: empty → Bonn',
    activate: 'Activate',
    activated: 'Activated since',
    incidents: 'Incidents',
    orders: 'Orders',
    report: 'Report an incident',
    person: 'Person',
    data: 'Personal data',
    download: 'Download the export',
    erase: 'Erase personal data',
    confirm: /^Type the name to confirm/,
    permanently: 'Erase permanently',
    erased: /The data of this person were erased on/,
    again: 'Erase again',
    kept: /keep 1 amount of this person, even after an erasure\. Their retention ended on .* 2019/,
    onlyAdmin: 'A company admin with the permission HR for this company can do this.',
    until: /^Payroll amounts of the person are kept until .*2033/,
  },
  de: {
    employees: 'Mitarbeiter',
    search: 'Nach Name, E-Mail oder Personalnummer suchen',
    selectAll: 'Alle Zeilen auswählen',
    block: 'Sperren',
    unblock: 'Entsperren',
    blockDone: 'Sperren: 2 erledigt',
    blocked: 'Gesperrt',
    export: 'Exportieren',
    create: 'Mitarbeiter anlegen',
    email: /^E-Mail/,
    first: /^Vorname/,
    last: /^Nachname/,
    town: 'Ort',
    street: 'Straße und Hausnummer',
    enterLast: 'Geben Sie den Nachnamen ein',
    created: 'Mitarbeiter angelegt',
    edit: 'Bearbeiten',
    save: 'Speichern',
    saved: 'Änderungen gespeichert',
    meanwhile: 'Das ist nicht mehr möglich: Es wurde inzwischen geändert.',
    by: /Otto Berg/,
    history: 'Verlauf',
    change: 'Ort: leer → Bonn',
    activate: 'Aktivieren',
    activated: 'Aktiviert seit',
    incidents: 'Störfälle',
    orders: 'Bestellungen',
    report: 'Störfall melden',
    person: 'Person',
    data: 'Datenschutz',
    download: 'Export herunterladen',
    erase: 'Personenbezogene Daten löschen',
    confirm: /^Geben Sie zur Bestätigung den Namen ein/,
    permanently: 'Endgültig löschen',
    erased: /Die Daten dieser Person wurden am .* gelöscht/,
    again: 'Erneut löschen',
    kept: /behalten 1 Betrag dieser Person auch nach einer Löschung\. Die Aufbewahrungsfrist endete am .*2019/,
    onlyAdmin: 'Das kann ein Unternehmens-Admin mit der Berechtigung HR für dieses Unternehmen.',
    until: /^Lohnbeträge der Person werden bis zum .*2033/,
  },
} as const;

const place = () => ({ organization: fixture.testData.organization, tenant: fixture.testData.tenantA });

/** As somebody types it whose keyboard has no accents. */
function folded(name: string): string {
  return name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

async function person(lastName: string, more: object = {}): Promise<Employee> {
  const { organization, tenant } = place();
  const [stored] = await storeEmployees(fixture.sql, organization, [
    { tenant, firstName: 'Jana', lastName, ...more },
  ]);
  return stored!;
}

async function user(more: ('COMPANY_ADMIN' | 'IT')[] = [], name?: string): Promise<string> {
  const { organization, tenant } = place();
  const allowed = { permissions: ['HR' as const, ...more], hrTenants: [tenant], ...(name && { name }) };
  return (await signedInUser(fixture.sql, organization, allowed)).secret;
}

const tab = (page: Page, name: string) => page.locator('main nav').getByRole('link', { name, exact: true });

inBrowser('employees of HR', () => {
  for (const language of inLanguages('en')) {
    const labels = words[language];

    test(`${language}: a list is searched by words of the name, blocked at once, and exported`, async () => {
      for (const name of ['Ahorn', 'Ahorn-Beer']) await person(`${name}-${language}`);
      await person(`Zeder-${language}`);
      await visit(fixture.service.url, { language, secret: await user() }, async page => {
        await page.goto('/portal');
        await press(page, page.getByRole('link', { name: labels.employees, exact: true }));
        await type(page, page.getByLabel(labels.search), `ahorn jan -${language}`);
        await page.getByRole('row').nth(2).waitFor();
        await page.getByText(`Zeder-${language}`).waitFor({ state: 'detached' });
        assert.equal(await page.getByRole('row').count(), 3);
        assert.ok(!page.url().toLowerCase().includes('ahorn'));
        await press(page, page.getByLabel(labels.selectAll), 'Space');
        await press(page, button(page, labels.block).first());
        await press(page, page.getByRole('dialog').getByRole('button', { name: labels.block }));
        await page.getByText(labels.blockDone).waitFor();
        const chip = page.getByRole('cell', { name: labels.blocked, exact: true });
        await chip.nth(1).waitFor();
        const saved = page.waitForEvent('download');
        await press(page, button(page, labels.export));
        assert.equal((await saved).suggestedFilename(), 'employees.csv');
      });
    });

    test(`${language}: names are found without accents, with umlauts spelled out, and last name first`, async () => {
      // No other person has these names, in either language.
      const [first, last] = language === 'de' ? ['Željka', 'Kovačević'] : ['Živa', 'Jurčić'];
      const [given, surname] = language === 'de' ? ['Uwe', 'Müller'] : ['Udo', 'Jäger'];
      const named = await person(last, { firstName: first });
      await person(surname, { firstName: given });
      await visit(fixture.service.url, { language, secret: await user() }, async page => {
        await page.goto('/portal/employees');
        const search = page.getByLabel(labels.search);
        for (const [text, name] of [
          [folded(first), `${first} ${last}`],
          [`${last}, ${first}`, `${first} ${last}`],
          [surname.toLowerCase().replace(/ä/, 'ae').replace(/ü/, 'ue'), `${given} ${surname}`],
        ] as const) {
          await search.fill(text);
          await page.getByRole('row').nth(2).waitFor({ state: 'detached' });
          await page.getByRole('link', { name }).waitFor();
        }
        await page.keyboard.press('Control+k');
        await type(page, page.getByRole('dialog').getByRole('combobox'), folded(`${last} ${first}`));
        await page.getByRole('option', { name: `${first} ${last}` }).waitFor();
        await page.keyboard.press('Enter');
        await page.waitForURL(`**/employees/${named.id}`);
      });
    });

    test(`${language}: a new employee is created, activated and changed, and the history has the values`, async () => {
      const email = `neu-${language}@example.com`;
      await visit(fixture.service.url, { language, secret: await user() }, async page => {
        await page.goto('/portal/employees/new');
        await type(page, page.getByLabel(labels.email).first(), email);
        await type(page, page.getByLabel(labels.first), 'Lea');
        await press(page, button(page, labels.create));
        await page.getByText(labels.enterLast).waitFor();
        await type(page, page.getByLabel(labels.last), 'Winter');
        await press(page, button(page, labels.create));
        await page.getByText(labels.created).waitFor();
        await page.getByRole('heading', { name: 'Lea Winter', level: 1 }).waitFor();
        await press(page, button(page, labels.activate));
        await press(page, page.getByRole('dialog').getByRole('button', { name: labels.activate }));
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        assert.equal(await button(page, labels.activate).count(), 0);
        await press(page, button(page, labels.edit));
        await type(page, page.getByLabel(labels.town), 'Bonn');
        await press(page, button(page, labels.save));
        await page.getByText(labels.saved).waitFor();
        await press(page, tab(page, labels.history));
        await page.getByText(labels.change).waitFor();
        await press(page, tab(page, labels.incidents));
        await press(page, page.getByRole('link', { name: labels.report }));
        await page.getByLabel(labels.person).first().waitFor();
        assert.equal(await page.getByLabel(labels.person).first().inputValue(), 'Lea Winter');
      });
    });

    test(`${language}: a change that another user made meanwhile is shown, and stays after the own one`, async () => {
      const { id } = await person(`Linde-${language}`);
      const other = await user([], 'Otto Berg');
      await visit(fixture.service.url, { language, secret: await user() }, async page => {
        await page.goto(`/portal/employees/${id}`);
        await press(page, button(page, labels.edit));
        await type(page, page.getByLabel(labels.street), 'Markt 1');
        await fixture.portal.patch(`/employees/${id}`, { city: 'Trier' }, { key: other });
        await press(page, button(page, labels.save));
        await page.getByText(labels.by).first().waitFor();
        await page.locator('[name=city]').and(page.locator('[value=Trier]')).waitFor();
        await press(page, button(page, labels.save));
        await page.getByText(labels.saved).waitFor();
        const { employee } = (await fixture.portal.get(`/employees/${id}`, { key: other })).body;
        assert.deepEqual([employee.city, employee.street], ['Trier', 'Markt 1']);
      });
    });

    test(`${language}: orders and incidents of a person lead to their panels`, async () => {
      const { organization, tenant } = place();
      const { id } = await person(`Buche-${language}`);
      const target = { organizationId: organization, tenantId: tenant };
      const [order] = await storeOrders(fixture.sql, target, [orderInput({ employeeId: id })]);
      const incident = await storeIncident(fixture.sql, place(), { employeeId: id, orderId: order!.id });
      await visit(fixture.service.url, { language, secret: await user() }, async page => {
        await page.goto(`/portal/employees/${id}?tab=orders`);
        await press(page, page.getByRole('link', { name: order!.orderNumber }));
        await page.getByRole('dialog').getByText(order!.orderNumber).first().waitFor();
        await page.goto(`/portal/employees/${id}?tab=incidents`);
        await press(page, page.getByRole('link', { name: incident.incidentNumber }));
        await page.getByRole('dialog').getByText(incident.incidentNumber).first().waitFor();
      });
    });

    test(`${language}: a person is exported and erased by a company admin, and the page says what payroll keeps`, async () => {
      const { organization, tenant: tenantId } = place();
      const name = `Jana René-Kraft-${language}`;
      // As systems send it: with spaces, an invisible character, and the accent as a character of its own.
      const [firstName, lastName] = ['Jana\u200b ', ` ${name.split(' ')[1]!} `.normalize('NFD')];
      const { id, orderId } = await storeDataSubject(fixture, { employee: { firstName, lastName } });
      const entry = { organization, tenantId, employeeId: id, orderId, month: '2012-03' };
      await storePayrollEntry(fixture.sql, entry);
      await visit(fixture.service.url, { language, secret: await user() }, async page => {
        await page.goto(`/portal/employees/${id}?tab=personal-data`);
        await page.getByText(labels.onlyAdmin).nth(1).waitFor();
        assert.equal(await button(page, labels.erase).count(), 0);
      });
      await visit(fixture.service.url, { language, secret: await user(['COMPANY_ADMIN']) }, async page => {
        await page.goto(`/portal/employees/${id}?tab=personal-data`);
        const saved = page.waitForEvent('download');
        await press(page, button(page, labels.download));
        assert.equal((await saved).suggestedFilename(), `employee-${id}.zip`);
        await press(page, button(page, labels.erase));
        const submit = button(page, labels.permanently);
        await submit.waitFor();
        assert.ok(await submit.isDisabled());
        await type(page, page.getByLabel(labels.confirm), name);
        await press(page, submit);
        await page.getByText(labels.erased).first().waitFor();
        await page.getByText(labels.kept).first().waitFor();
        assert.equal(await page.getByText(`Kraft-${language}`).count(), 0);
        // Another system sends the person again.
        const key = await user();
        const sent = await fixture.portal.patch(`/employees/${id}`, { lastName }, { key });
        assert.equal(sent.status, 200);
        await press(page, button(page, labels.again));
        await press(page, submit);
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        const { body } = await fixture.portal.get(`/employees/${id}`, { key });
        assert.equal(body.employee.lastName, null);
      });
    });

    test(`${language}: the page says which retention prevents an erasure`, async () => {
      const { organization, tenant: tenantId } = place();
      const { id, orderId } = await storeDataSubject(fixture, {});
      const entry = { organization, tenantId, employeeId: id, orderId, month: '2026-03' };
      await storePayrollEntry(fixture.sql, entry);
      await visit(fixture.service.url, { language, secret: await user(['COMPANY_ADMIN']) }, async page => {
        await page.goto(`/portal/employees/${id}?tab=personal-data`);
        await page.getByText(labels.until).waitFor();
        assert.equal(await button(page, labels.erase).count(), 0);
        await reach(page, button(page, labels.download));
      });
    });
  }
});
