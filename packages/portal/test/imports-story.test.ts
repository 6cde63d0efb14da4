import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { usePortal } from '../../server/test/portal/support.ts';
import { importSteps } from '../../server/test/support/data/employee-imports.ts';
import { atScale } from '../../server/test/support/service/scale.ts';
import { chooseFile, clerk, companyWith, downloadedText } from './import-steps.ts';
import { assertAccessible, button, inBrowser, inLanguages, press, reach, type, visit } from './support.ts';

const fixture = usePortal();

const words = {
  en: {
    menu: 'CSV import',
    choose: 'Choose a file',
    noRows: 'The file has no rows below the names of its columns.',
    field: 'Field for Merkmal',
    none: 'Do not import',
    city: 'Town',
    clears: 'An empty cell of Merkmal clears the field',
    check: 'Check the file',
    errors: 'Errors (10)',
    invalid: 'Enter an email address.',
    next: 'Next page',
    apply: 'Import',
    begun: 'The import has begun.',
    imported: 'Imported',
    report: 'Download the report',
    confirm: /^Type \d+ to confirm/,
    oneError: 'Errors (1)',
    noName: 'Without a name',
    header: 'The names are in row 1',
    noHeader: 'No row contains names',
    fieldOfFirst: 'Field for Column 1',
    fieldOfMerkmal: 'Field for Konto',
    late: 'Petra Lang has already begun the import.',
    open: 'Continue this import',
    discard: 'Discard',
    discarded: 'The import is discarded.',
    failed: 'Failed',
    stopped: /^The import stopped: its user no longer has the permission HR/,
    left: '2 rows are not imported yet.',
  },
  de: {
    menu: 'CSV-Import',
    choose: 'Datei wählen',
    noRows: 'Die Datei hat keine Zeilen unter den Spaltennamen.',
    field: 'Feld für Merkmal',
    none: 'Nicht importieren',
    city: 'Ort',
    clears: 'Eine leere Zelle von Merkmal leert das Feld',
    check: 'Datei prüfen',
    errors: 'Fehler (10)',
    invalid: 'Geben Sie eine E-Mail-Adresse ein.',
    next: 'Nächste Seite',
    apply: 'Importieren',
    begun: 'Der Import hat begonnen.',
    imported: 'Importiert',
    report: 'Bericht herunterladen',
    confirm: /^Geben Sie zur Bestätigung \d+ ein/,
    oneError: 'Fehler (1)',
    noName: 'Ohne Namen',
    header: 'Die Namen stehen in Zeile 1',
    noHeader: 'Keine Zeile enthält Namen',
    fieldOfFirst: 'Feld für Spalte 1',
    fieldOfMerkmal: 'Feld für Konto',
    late: 'Petra Lang hat den Import bereits begonnen.',
    open: 'Diesen Import fortsetzen',
    discard: 'Verwerfen',
    discarded: 'Der Import ist verworfen.',
    failed: 'Fehlgeschlagen',
    stopped: /^Der Import wurde angehalten: Wer ihn begonnen hat, hat/,
    left: '2 Zeilen sind noch nicht importiert.',
  },
} as const;

/** Rows of the story; ten of them have an address that is none. */
const rowCount = atScale(400, 10_000);

const dialog = (page: Page) => page.getByRole('dialog');

inBrowser('a CSV import of HR', () => {
  test('asks before a link loses the columns that were chosen', async () => {
    const tenant = await companyWith(fixture);
    await visit(fixture.service.url, { secret: await clerk(fixture, 'Petra Lang') }, async page => {
      await page.goto(`/portal/imports?company=${tenant}`);
      await chooseFile(page, words.en.choose, Buffer.from('E-Mail;Merkmal\r\nneu@example.com;Nord\r\n'));
      const field = page.getByLabel(words.en.field);
      await field.selectOption({ label: words.en.city });
      await press(page, page.getByRole('link', { name: 'Home' }));
      await press(page, button(page, 'Keep editing'));
      assert.equal(await field.evaluate((element: any) => element.selectedOptions[0].label), words.en.city);
      await field.selectOption({ label: words.en.none });
      await press(page, page.getByRole('link', { name: 'Home' }));
      await page.getByRole('heading', { name: /^Hello,/ }).waitFor();
    });
  });

  for (const language of inLanguages('de')) {
    const labels = words[language];

    test(`${language}: a file with ten bad rows is checked, imported and reported, by keyboard alone`, async () => {
      const known = Array.from({ length: rowCount / 20 }, (_, n) => ({
        employeeNumber: `K${n}`,
        city: 'Ulm',
      }));
      const tenant = await companyWith(fixture, known);
      const secret = await clerk(fixture, 'Petra Lang');
      const rows = Array.from({ length: rowCount }, (_, n) => {
        if (n < known.length) return `K${n};;;;${n < known.length / 20 ? 'Jülich' : 'Ulm'}`;
        const mail = n % (rowCount / 10) === rowCount / 10 - 1 ? 'keine' : `neu.${language}.${n}@example.com`;
        return `N${n};${mail};Neu;Neuer;`;
      });
      const file = Buffer.from(
        ['Personalnummer;E-Mail;Vorname;Nachname;Merkmal', ...rows].join('\r\n'),
        'latin1',
      );
      await visit(fixture.service.url, { language, secret }, async page => {
        await page.goto(`/portal/?company=${tenant}`);
        await press(page, page.getByRole('link', { name: labels.menu }));
        await chooseFile(page, labels.choose, Buffer.from('E-Mail;Ort\r\n'));
        await page.getByText(labels.noRows).waitFor();
        await chooseFile(page, labels.choose, file);
        const field = page.getByLabel(labels.field);
        await field.waitFor();
        assert.ok(!page.url().includes('personal'));
        assert.equal(await field.inputValue(), '');
        await reach(page, field);
        await field.selectOption({ label: labels.city });
        await reach(page, page.getByLabel(labels.clears));
        await press(page, button(page, labels.check));
        await page.getByRole('link', { name: labels.errors }).waitFor({ timeout: 120_000 });
        await page.getByText('Jülich').first().waitFor();
        await press(page, page.getByRole('link', { name: labels.errors }));
        await page.getByText(labels.invalid).first().waitFor();
        assert.equal(await page.getByText(labels.invalid).count(), 10);
        await press(page, button(page, labels.apply));
        await press(page, dialog(page).getByRole('button', { name: labels.apply }));
        await page.getByText(labels.begun).waitFor();
        const report = button(page, labels.report);
        await page.getByText(labels.imported, { exact: true }).first().waitFor({ timeout: 240_000 });
        const text = await downloadedText(page, () => press(page, report));
        const lines = text.trim().split('\r\n');
        assert.equal(lines.filter(line => line.includes(';invalid;')).length, 10);
        assert.equal(lines.filter(line => line.includes(';applied;')).length > rowCount / 2, true);
        const [{ n }] = (await fixture.sql`
          SELECT count(*)::int AS n FROM employee WHERE tenant_id = ${tenant}`) as [any];
        assert.equal(n, rowCount - 10);
      });
    });

    test(`${language}: many changes are imported once their number is typed, and the second user reads who was faster`, async () => {
      const tenant = await companyWith(
        fixture,
        Array.from({ length: 3 }, (_, n) => ({ employeeNumber: `${n}` })),
      );
      const petra = await clerk(fixture, 'Petra Lang');
      const planned = await importSteps(fixture.portal, petra).plan(
        tenant,
        'Personalnummer;Ort\n0;Köln\n1;Köln\n2;Köln\n',
      );
      const address = `/portal/imports?company=${tenant}`;
      await visit(
        fixture.service.url,
        { language, secret: await clerk(fixture, 'Jonas Meier') },
        async page => {
          await page.goto(address);
          await press(page, page.getByRole('link', { name: labels.open }));
          await press(page, button(page, labels.apply));
          const submit = dialog(page).getByRole('button', { name: labels.apply });
          assert.ok(await submit.isDisabled());
          await type(page, dialog(page).getByLabel(labels.confirm), '2');
          assert.ok(await submit.isDisabled());
          await type(page, dialog(page).getByLabel(labels.confirm), '3');
          await importSteps(fixture.portal, petra).post(planned.id, 'apply', { confirmedChanges: 3 });
          await press(page, submit);
          await page.getByText(labels.late).waitFor();
          await page.getByText(labels.imported, { exact: true }).first().waitFor();
        },
      );
    });

    test(`${language}: an import whose user lost the permission says so, and another user imports the rest`, async () => {
      const tenant = await companyWith(
        fixture,
        Array.from({ length: 20 }, (_, n) => ({ employeeNumber: `${n}` })),
      );
      const petra = await clerk(fixture, 'Petra Lang');
      const { id } = await importSteps(fixture.portal, petra).plan(
        tenant,
        'Personalnummer;Ort\n0;Köln\n1;Köln\n',
      );
      await fixture.sql`
        UPDATE employee_import SET status = 'failed', failure = ${'{"reason":"permission","line":null,"column":null,"found":null,"format":null}'}::jsonb,
          ended_at = now()
        WHERE id = ${id}`;
      await visit(
        fixture.service.url,
        { language, secret: await clerk(fixture, 'Jonas Meier') },
        async page => {
          await page.goto(`/portal/imports?company=${tenant}&import=${id}`);
          await page.getByText(labels.stopped).waitFor();
          await page.getByText(labels.left).waitFor();
          await assertAccessible(page, 'a stopped import');
          await press(page, button(page, labels.apply));
          await press(page, dialog(page).getByRole('button', { name: labels.apply }));
          await page.getByText(labels.begun).waitFor();
          await page.getByText(labels.imported, { exact: true }).first().waitFor();
        },
      );
    });

    test(`${language}: the user says whether the first row has column names, and a person in it is imported`, async () => {
      const tenant = await companyWith(fixture);
      const secret = await clerk(fixture, 'Petra Lang');
      await visit(fixture.service.url, { language, secret }, async page => {
        await page.goto(`/portal/imports?company=${tenant}`);
        // The user must say that unknown names are names.
        await chooseFile(page, labels.choose, Buffer.from('Konto;Merkmal\r\nx;y\r\n'));
        await page.getByLabel(labels.fieldOfFirst).waitFor();
        await page.getByText('Konto · x').waitFor();
        const noHeader = page.getByRole('radio', { name: labels.noHeader });
        assert.ok(await noHeader.isChecked());
        await reach(page, noHeader);
        const header = page.getByRole('radio', { name: labels.header });
        await page.keyboard.press('ArrowDown');
        await page.getByLabel(labels.fieldOfMerkmal).waitFor();
        assert.ok(await header.isChecked());
        await page.keyboard.press('ArrowUp');
        await page.getByLabel(labels.fieldOfFirst).waitFor();
        await press(page, button(page, labels.discard));
        await press(page, dialog(page).getByRole('button', { name: labels.discard }));
        await page.getByText(labels.discarded).waitFor();
        await page.goto(`/portal/imports?company=${tenant}`);
        const email = `first.${language}@example.com`;
        await chooseFile(page, labels.choose, Buffer.from(`${email};Mia;Fischer\r\nBen;We"ber;A\r\n`));
        await noHeader.waitFor();
        assert.equal(await header.count(), 0);
        for (const [column, field] of ['email', 'firstName', 'lastName'].entries())
          await page.getByRole('combobox').nth(column).selectOption(field);
        await page.locator('input[type=radio][value=email]').check();
        await press(page, button(page, labels.check));
        await button(page, labels.apply).waitFor({ timeout: 120_000 });
        // A row with a quotation mark inside a value is not read, so it has no person. That is not an erasure.
        await press(page, page.getByRole('link', { name: labels.oneError }));
        await page.getByText(labels.noName, { exact: true }).waitFor();
        await press(page, button(page, labels.apply));
        await press(page, dialog(page).getByRole('button', { name: labels.apply }));
        await page.getByText(labels.imported, { exact: true }).first().waitFor({ timeout: 240_000 });
        const [person, ...others] = await fixture.sql`SELECT doc FROM employee WHERE tenant_id = ${tenant}`;
        assert.deepEqual([JSON.parse(person!.doc).email, others], [email, []]);
      });
    });

    test(`${language}: an import is discarded, and another one can be uploaded`, async () => {
      const tenant = await companyWith(fixture);
      const secret = await clerk(fixture, 'Petra Lang');
      await visit(fixture.service.url, { language, secret }, async page => {
        await page.goto(`/portal/imports?company=${tenant}`);
        await chooseFile(page, labels.choose, Buffer.from('email,firstName,lastName\na@example.com,A,B\n'));
        await press(page, button(page, labels.discard));
        await press(page, dialog(page).getByRole('button', { name: labels.discard }));
        await page.getByText(labels.discarded).waitFor();
        await page.goto(`/portal/imports?company=${tenant}`);
        await button(page, labels.choose).waitFor();
      });
    });
  }
});
