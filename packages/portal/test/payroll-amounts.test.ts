import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { usePortal } from '../../server/test/portal/support.ts';
import {
  draftPayroll,
  payrollCompany,
  payrollUser,
  releasePayroll,
  storeActiveOrder,
} from '../../server/test/support/data/payroll-company.ts';
import { assertAccessible, button, inBrowser, inLanguages, press, reach, type, visit } from './support.ts';

const fixture = usePortal();

const words = {
  en: {
    open: 'Salary conversion by person',
    search: 'Search by name or employee number',
    amounts: (count: number) => (count === 1 ? '1 amount' : `${count} amounts`),
    none: 'No amounts match',
    costCenter: 'Cost centre',
    save: 'Save as CSV',
    head: /^\uFEFFPerson;Personnel number;Kind;/,
    why: 'A full month: the whole rate',
    second: 'Page 2',
    toDo: 'To do',
    release: 'Release',
    company: 'Company',
    persons: 'People',
    files: 'Files for',
    formats: 'CSV file, DATEV LODAS',
    months: 'Twelve months',
    asTable: 'The sums as a table',
    october: /^October 2026 \(open\)-€83\.10€8\.00$/,
    september: 'September 2026',
    page: 'Payroll September 2026',
    released: 'Release of September 2026',
    blocked: 'October 2026 is not released yet',
  },
  de: {
    open: 'Entgeltumwandlung nach Personen',
    search: 'Name oder Personalnummer suchen',
    amounts: (count: number) => (count === 1 ? '1 Betrag' : `${count} Beträge`),
    none: 'Keine Beträge gefunden',
    costCenter: 'Kostenstelle',
    save: 'Als CSV speichern',
    head: /^\uFEFFPerson;Personalnummer;Art;/,
    why: 'Voller Monat: die ganze Rate',
    second: 'Seite 2',
    toDo: 'Offene Punkte',
    release: 'Freigeben',
    company: 'Unternehmen',
    persons: 'Personen',
    files: 'Dateien für',
    formats: 'CSV-Datei, DATEV LODAS',
    months: 'Zwölf Monate',
    asTable: 'Die Summen als Tabelle',
    october: /^Oktober 2026 \(offen\)-83,10\s€8,00\s€$/,
    september: 'September 2026',
    page: 'Lohnabrechnung September 2026',
    released: 'Freigabe September 2026',
    blocked: 'Oktober 2026 ist noch nicht freigegeben',
  },
} as const;

/** A company with payroll settings, and the session of a user who does its payroll. */
async function company(name: string) {
  const { sql, testData } = fixture;
  const { organization } = testData;
  const tenant = await payrollCompany(sql, organization, name, {});
  const { key } = await payrollUser(sql, organization, {
    permissions: ['HR', 'PAYROLL_RUN', 'PAYROLL_RELEASE', 'COMPANY_ADMIN'],
  });
  return { tenant, key, path: `/portal/payroll?company=${tenant}&month=2026-10` };
}

const activeOrder = (tenant: string, employee: object, contract: object = {}) =>
  storeActiveOrder(
    fixture.sql,
    { organization: fixture.testData.organization, tenant },
    { employee, contract },
  );

inBrowser('the amounts of a payroll run', () => {
  for (const language of inLanguages('de')) {
    const labels = words[language];

    test(`${language}: a sum opens into its persons, who are searched, explained and saved as CSV, by keyboard alone`, async () => {
      const { tenant, key, path } = await company(`Muster ${language}`);
      const { body: division } = await fixture.portal.post(
        '/divisions',
        { name: 'Werk', costCenter: '4711' },
        { key, tenant },
      );
      await activeOrder(tenant, { firstName: 'Ali', employeeNumber: '77', divisionId: division.id });
      const contract = { endDate: '2026-09-30', termMonths: 1 };
      await activeOrder(tenant, { firstName: 'Bea', employeeNumber: '78' }, contract);
      await releasePayroll(fixture.portal, { tenant, key, period: '2026-09' });
      await activeOrder(tenant, { firstName: 'Cem', employeeNumber: '79' });
      await draftPayroll(fixture.portal, { tenant, key });
      await visit(fixture.service.url, { language, secret: key }, async page => {
        await page.goto(path);
        const rows = page.getByRole('row').filter({ has: page.getByRole('cell', { name: '3010' }) });
        await press(page, button(page, labels.open));
        await page.getByText(labels.amounts(3), { exact: true }).waitFor();
        const texts = (await rows.allTextContents()).map(text => text.replaceAll(/[^\d,.–\-A-Za-z]/g, ''));
        assert.match(texts[0]!, /^AliFischer7730104711-83[.,]10-83[.,]100[.,]00$/);
        // Bea had an amount in September alone, and September of Cem is late.
        assert.match(texts[1]!, /^BeaFischer783010–0[.,]00-83[.,]1083[.,]10$/);
        assert.match(texts[2]!, /^CemFischer.*793010–-166[.,]200[.,]00-166[.,]20$/);
        await assertAccessible(page, 'the persons of a sum');
        await reach(page, page.getByLabel(labels.costCenter, { exact: true }));
        await page.keyboard.press('ArrowDown');
        await page.getByText(labels.amounts(1), { exact: true }).waitFor();
        await page.keyboard.press('ArrowUp');
        await page.getByText(labels.amounts(3), { exact: true }).waitFor();
        const search = page.getByLabel(labels.search, { exact: true }).first();
        await type(page, search, 'niemand');
        await page.getByText(labels.none).waitFor();
        await type(page, search, 'cem');
        await page.getByText(labels.amounts(1), { exact: true }).waitFor();
        const file = page.waitForEvent('download');
        await press(page, button(page, labels.save));
        const csv = await readFile(await (await file).path(), 'utf8');
        assert.match(csv, labels.head);
        assert.match(csv, /\r\nCem Fischer;79;.*;2026-09 2026-10;3010;;-166,20;-166,20;0,00;-166,20\r\n$/);
        await press(page, rows.getByRole('link', { name: 'Cem Fischer' }));
        await page.getByRole('dialog').getByText(labels.why).first().waitFor();
        await page.keyboard.press('Escape');
        // The list is as it was.
        await page.getByText(labels.amounts(1), { exact: true }).waitFor();
        // A released month begins with its amounts and files, not with the month that blocks another check.
        await page.goto(path.replace('2026-10', '2026-09'));
        await page.getByText(labels.blocked).waitFor();
        await page.getByText(labels.released).waitFor();
        const text = await page.getByRole('main').innerText();
        assert.ok(text.indexOf(labels.released) < text.indexOf(labels.blocked), text);
      });
    });

    test(`${language}: persons are on pages of fifty, by keyboard alone`, async () => {
      const { tenant, key, path } = await company(`Viele ${language}`);
      for (let number = 1; number <= 51; number++)
        await activeOrder(tenant, { employeeNumber: String(number) }, { startDate: '2026-10-01' });
      await draftPayroll(fixture.portal, { tenant, key });
      await visit(fixture.service.url, { language, secret: key }, async page => {
        await page.goto(path);
        const rows = page.getByRole('cell', { name: '3010' });
        await press(page, button(page, labels.open));
        await page.getByText(labels.amounts(51), { exact: true }).waitFor();
        assert.equal(await rows.count(), 50);
        await press(page, button(page, labels.second));
        await page.getByRole('cell', { name: '51', exact: true }).waitFor();
        assert.equal(await rows.count(), 1);
      });
    });

    test(`${language}: a release stands below what is to do, and its dialog names company, persons and formats`, async () => {
      const name = `Muster Freigabe ${language}`;
      const { tenant, key, path } = await company(name);
      await activeOrder(tenant, { firstName: 'Ali', employeeNumber: '77' });
      await activeOrder(tenant, { firstName: 'Bea', employeeNumber: '78', blocked: true });
      await draftPayroll(fixture.portal, { tenant, key, formats: ['csv', 'datev_lodas'] });
      await visit(fixture.service.url, { language, secret: key }, async page => {
        await page.goto(path);
        const release = button(page, labels.release);
        const toDo = page.getByRole('heading', { name: labels.toDo });
        await toDo.waitFor();
        assert.ok((await release.boundingBox())!.y > (await toDo.boundingBox())!.y);
        await press(page, release);
        const fact = (label: string) =>
          page.getByRole('dialog').locator('dt', { hasText: label }).locator('+ dd');
        await fact(labels.persons).getByText('2', { exact: true }).waitFor();
        assert.equal(await fact(labels.company).textContent(), name);
        assert.equal(await fact(labels.files).textContent(), labels.formats);
      });
    });

    test(`${language}: twelve months are a chart and a table that leads to each month, by keyboard alone`, async () => {
      const { tenant, key, path } = await company(`Jahr ${language}`);
      await visit(fixture.service.url, { language, secret: key }, async page => {
        await page.goto(path);
        await page.getByLabel(labels.search).waitFor();
        assert.equal(await page.getByRole('heading', { name: labels.months }).count(), 0);
        await activeOrder(tenant, { employeeNumber: '77' });
        await releasePayroll(fixture.portal, { tenant, key, period: '2026-09' });
        await draftPayroll(fixture.portal, { tenant, key });
        await page.reload();
        await page.getByRole('heading', { name: labels.months }).waitFor();
        await press(page, page.locator('summary', { hasText: labels.asTable }));
        await page.getByRole('row').filter({ hasText: labels.october }).waitFor();
        await assertAccessible(page, 'twelve months');
        await press(page, page.getByRole('row').getByRole('link', { name: labels.september }));
        await page.getByRole('heading', { name: labels.page }).waitFor();
      });
    });
  }
});
