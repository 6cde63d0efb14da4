import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { createTenant } from '../../server/src/features/organizations/store.ts';
import { usePortal } from '../../server/test/portal/support.ts';
import { storeEmployees } from '../../server/test/support/data/employees.ts';
import { contractInput, orderInput, storeOrders } from '../../server/test/support/data/orders.ts';
import { signedInUser } from '../../server/test/support/data/users.ts';
import { button, inBrowser, inLanguages, press, reach, type, visit } from './support.ts';

const fixture = usePortal();

const words = {
  en: {
    setUp: 'Set up payroll',
    first: /^First month/,
    export: 'Amounts of this kind',
    isExported: 'Is exported',
    wageType: 'Wage type',
    cutOff: 'Cut-off day',
    tooLong: 'At most 4 characters are possible. You have entered 8.',
    noDay: 'Enter a whole number from 1 to 31.',
    save: 'Save',
    saved: 'Changes saved',
    file: 'Download test file',
    format: 'Format',
    description: 'Download field description',
    approval: 'Approval rule',
    approve: 'Approve up to a month',
    attempt: 'Try on the last orders',
    found: 'This rule would have decided 3 of the last 3 orders.',
    create: 'Create rule',
    applies: 'The rule applies to new orders.',
    deactivate: 'Deactivate',
    none: 'All new orders are decided manually.',
    retention: 'Retention',
    due: 'Blocked employees who can be erased',
    persons: 'Employees who can be erased',
    stay: /an erasure keeps the amounts and files of released payroll months\. The amounts of \d+ are kept until the end of \d+\./,
    erase: 'Erase personal data',
    confirm: /^Type the name to confirm/,
    permanently: 'Erase permanently',
    rename: 'Rename',
    name: 'Name',
    admin: 'A company admin with the permission HR for this company erases these persons.',
  },
  de: {
    setUp: 'Lohnabrechnung einrichten',
    first: /^Erster Monat/,
    export: 'Beträge dieser Art',
    isExported: 'Wird exportiert',
    wageType: 'Lohnart',
    cutOff: 'Stichtag',
    tooLong: 'Höchstens 4 Zeichen sind möglich. Sie haben 8 eingegeben.',
    noDay: 'Geben Sie eine ganze Zahl von 1 bis 31 ein.',
    save: 'Speichern',
    saved: 'Änderungen gespeichert',
    file: 'Testdatei herunterladen',
    format: 'Format',
    description: 'Importbeschreibung (INI) herunterladen',
    approval: 'Genehmigungsregel',
    approve: 'Genehmigen bis (monatlich)',
    attempt: 'An den letzten Bestellungen ausprobieren',
    found: 'Diese Regel hätte 3 von den letzten 3 Bestellungen entschieden.',
    create: 'Regel anlegen',
    applies: 'Die Regel gilt für neue Bestellungen.',
    deactivate: 'Deaktivieren',
    none: 'Alle neuen Bestellungen werden manuell entschieden.',
    retention: 'Aufbewahrung',
    due: 'Gesperrte Mitarbeiter, die gelöscht werden können',
    persons: 'Mitarbeiter, die gelöscht werden können',
    stay: /Beträge und Dateien freigegebener Lohnmonate bleiben bei einer Löschung erhalten: die aus \d+ bis Ende \d+\./,
    erase: 'Personenbezogene Daten löschen',
    confirm: /^Geben Sie zur Bestätigung den Namen ein/,
    permanently: 'Endgültig löschen',
    rename: 'Umbenennen',
    name: 'Name',
    admin: 'Unternehmens-Admins mit der Berechtigung HR für dieses Unternehmen löschen diese Personen.',
  },
} as const;

/** A company with three orders, the last one of a blocked person; its admin, who does the work of HR too, is signed in. */
async function company() {
  const { sql, testData } = fixture;
  const organizationId = testData.organization;
  const tenantId = await createTenant(sql, organizationId, 'Regel GmbH');
  const employees = await storeEmployees(sql, organizationId, [
    { tenant: tenantId },
    { tenant: tenantId, blocked: true },
  ]);
  const order = (contract: Record<string, unknown>) =>
    orderInput({ employeeId: employees[0]!.id, contract: contractInput(contract) });
  await storeOrders(sql, { organizationId, tenantId }, [order({}), order({}), order({})]);
  const allowed = { permissions: ['HR' as const, 'COMPANY_ADMIN' as const], hrTenants: null };
  const { secret } = await signedInUser(sql, organizationId, allowed);
  return { tenantId, secret };
}

const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });

inBrowser('payroll settings, approval rule and retention of a company, by keyboard alone', () => {
  for (const language of inLanguages('de')) {
    const labels = words[language];

    test(`${language}: a company gets another name, by which the list has it at once`, async () => {
      const { tenantId, secret } = await company();
      const name = `Umbenannt ${language} GmbH`;
      await visit(fixture.service.url, { language, secret }, async page => {
        await page.goto(`/portal/companies/${tenantId}`);
        await press(page, button(page, labels.rename));
        const field = page.getByRole('dialog').getByRole('textbox', { name: labels.name });
        assert.ok(await button(page, labels.save).isDisabled(), 'the name is the old one');
        await field.fill(name);
        await press(page, button(page, labels.save));
        await page.getByText(labels.saved).waitFor();
        await page.getByRole('heading', { level: 1, name }).waitFor();
        await page.goto('/portal/companies');
        await link(page, name).waitFor();
      });
    });

    test(`${language}: payroll is set up from its empty page, and a test file is saved`, async () => {
      const { tenantId, secret } = await company();
      await visit(fixture.service.url, { language, secret }, async page => {
        await page.goto(`/portal/payroll?company=${tenantId}`);
        await press(page, link(page, labels.setUp));
        await reach(page, page.getByLabel(labels.first));
        await page.getByLabel(labels.first).fill('2026-10');
        const kind = page.getByRole('combobox', { name: labels.export, exact: true }).first();
        await reach(page, kind);
        await kind.selectOption({ label: labels.isExported });
        assert.ok(await button(page, labels.save).isDisabled(), 'a wage type is missing');
        const wageType = page.getByRole('textbox', { name: labels.wageType }).first();
        const cutOff = page.getByRole('textbox', { name: labels.cutOff });
        // What is not possible stays as it was typed, with a message, and is not sent.
        await type(page, wageType, '30100000');
        await type(page, cutOff, '45');
        await press(page, button(page, labels.save));
        await page.getByText(labels.tooLong).waitFor();
        await page.getByText(labels.noDay).waitFor();
        assert.deepEqual([await wageType.inputValue(), await cutOff.inputValue()], ['30100000', '45']);
        await wageType.fill('3010');
        await cutOff.fill('4.5');
        await press(page, button(page, labels.save));
        await page.getByText(labels.noDay).waitFor();
        assert.equal(
          (await fixture.portal.get(`/tenants/${tenantId}/payroll-settings`, { key: secret })).status,
          404,
        );
        await cutOff.fill('');
        const file = page.waitForEvent('download');
        await press(page, button(page, labels.file));
        const saved = await file;
        assert.equal(saved.suggestedFilename(), 'TEST-lohn-2026-10.csv');
        assert.match(String(await readFile(await saved.path())), /;TEST;TEST;salary_conversion;3010;-83,10;/);
        const format = page.getByRole('combobox', { name: labels.format, exact: true });
        await reach(page, format);
        await format.selectOption('datev_lug');
        const description = page.waitForEvent('download');
        await press(page, button(page, labels.description));
        assert.equal((await description).suggestedFilename(), 'kontor-lug.ini');
        await press(page, button(page, labels.save));
        await page.getByText(labels.saved).waitFor();
        await page.getByRole('heading', { level: 1 }).focus();
      });
      const path = `/tenants/${tenantId}/payroll-settings`;
      const { kinds, version } = (await fixture.portal.get(path, { key: secret })).body;
      assert.deepEqual([kinds.salaryConversion.wageType, kinds.employerSubsidy, version], ['3010', null, 1]);
    });

    test(`${language}: an approval rule is tried on the last orders, created and deactivated; retention is shown`, async () => {
      const { tenantId, secret } = await company();
      await visit(fixture.service.url, { language, secret }, async page => {
        await page.goto(`/portal/companies/${tenantId}`);
        await press(page, link(page, labels.approval));
        await type(page, page.getByLabel(labels.approve), '500');
        await press(page, button(page, labels.attempt));
        await page.getByText(labels.found).waitFor();
        assert.equal(await page.getByRole('row').count(), 4);
        // Focusing a button again would not scroll to it in the narrow page.
        await page.getByRole('heading', { level: 1 }).focus();
        await press(page, button(page, labels.create));
        await page.getByText(labels.applies).waitFor();
        let saves = 0;
        page.on('request', request => (saves += Number(request.method() === 'POST')));
        await press(page, button(page, labels.deactivate));
        await press(page, page.getByRole('dialog').getByRole('button', { name: labels.deactivate }));
        await page.getByText(labels.none).waitFor();
        assert.equal(saves, 0, 'the confirmation sends the form around it');
        await button(page, labels.create).waitFor();
        await press(page, link(page, labels.retention));
        await page.getByText(labels.due).waitFor();
      });
    });

    test(`${language}: retention that is due leads to the erasure of the person, and says what payroll keeps until when`, async () => {
      const { sql, testData } = fixture;
      const { tenantId, secret } = await company();
      const { secret: admin } = await signedInUser(sql, testData.organization, {
        permissions: ['COMPANY_ADMIN'],
      });
      const path = `/portal/companies/${tenantId}?tab=retention`;
      await visit(fixture.service.url, { language, secret: admin }, async page => {
        await page.goto(path);
        await page.getByText(labels.admin).waitFor();
        assert.equal(await page.getByRole('list', { name: labels.persons }).getByRole('link').count(), 0);
      });
      await visit(fixture.service.url, { language, secret }, async page => {
        await page.goto(path);
        await page.getByText(labels.stay).waitFor();
        const persons = page.getByRole('list', { name: labels.persons });
        await press(page, persons.getByRole('link'));
        await press(page, button(page, labels.erase));
        const name = await page.getByRole('heading', { level: 1 }).innerText();
        await type(page, page.getByLabel(labels.confirm), name);
        await press(page, button(page, labels.permanently));
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        await page.goBack();
        await page.getByText(labels.due).waitFor();
        await persons.waitFor({ state: 'detached' });
      });
    });
  }
});
