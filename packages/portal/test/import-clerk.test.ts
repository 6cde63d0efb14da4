// cspell:ignore Personalnr pruef Pers
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { usePortal } from '../../server/test/portal/support.ts';
import { testDivision } from '../../server/test/support/data/test-data.ts';
import { chooseFile, clerk, companyWith, downloadedText } from './import-steps.ts';
import { assertAccessible, button, inBrowser, press, reach, visit } from './support.ts';

const fixture = usePortal();

const words = {
  de: {
    menu: 'CSV-Import',
    choose: 'Datei wählen',
    headerRow: (row: number) => `Die Namen stehen in Zeile ${row}`,
    noHeader: 'Keine Zeile enthält Namen',
    leftOut: 'Die 2 Zeilen über den Namen werden ausgelassen.',
    guess: 'Vorschlag – bitte prüfen',
    field: (column: string) => `Feld für ${column}`,
    missing: 'Es ist keine Spalte gewählt für:',
    blocked: 'Wählen Sie zuerst die Spalten, oder geben Sie an, dass die Datei keine neuen Personen enthält.',
    onlyChanges: 'Diese Datei enthält keine neuen Personen',
    check: 'Datei prüfen',
    changeColumns: 'Spalten ändern',
    tab: { changes: 'Änderungen', added: 'Neu', questions: 'Fragen', errors: 'Fehler' },
    sameNumber: (email: string) =>
      `Nummer 10002 gehört Berta Lang (${email.replace('bernd', 'berta')}), in der Datei steht Bernd Kurz (${email}). Ist das dieselbe Person?`,
    postcode: 'PLZ „1067“ – meinen Sie „01067“? Eine deutsche Postleitzahl hat fünf Ziffern.',
    division: 'Abteilung „Nord“ – meinen Sie die Abteilung „Vertrieb / Nord“?',
    notEmail: 'E-Mail geschäftlich „keine“: Geben Sie eine E-Mail-Adresse ein.',
    damaged: '„4,9E+11“ wird nicht importiert.',
    emailStays: 'Dienstliche E-Mail-Adresse ändern?',
    answer: (answer: 'import' | 'leaveOut', row: number) =>
      `${answer === 'import' ? 'Importieren' : 'Auslassen'} Zeile ${row}`,
    leaveOutAll: 'Alle auslassen',
    apply: 'Importieren',
    oneLeftOut:
      'Eine Frage haben Sie nicht mit „Importieren“ beantwortet. Die fraglichen Angaben werden ausgelassen.',
    imported: 'Importiert',
    download: 'Zeilen mit Fehlern herunterladen',
    errorColumn: 'Fehler',
  },
  en: {
    menu: 'CSV import',
    choose: 'Choose a file',
    headerRow: (row: number) => `The names are in row ${row}`,
    noHeader: 'No row contains names',
    leftOut: 'The 2 rows above the names are left out.',
    guess: 'Proposed – please check',
    field: (column: string) => `Field for ${column}`,
    missing: 'No column is chosen for:',
    blocked: 'Choose the columns first, or say that the file has no new people.',
    onlyChanges: 'This file has no new people',
    check: 'Check the file',
    changeColumns: 'Change columns',
    tab: { changes: 'Changes', added: 'New', questions: 'Questions', errors: 'Errors' },
    sameNumber: (email: string) =>
      `Number 10002 belongs to Berta Lang (${email.replace('bernd', 'berta')}), but the file says Bernd Kurz (${email}). Is it the same person?`,
    postcode: 'PLZ “1067” – did you mean “01067”? A German postcode has five digits.',
    division: 'Abteilung “Nord” – did you mean the division “Vertrieb / Nord”?',
    notEmail: 'E-Mail geschäftlich “keine”: Enter an email address.',
    damaged: '“4,9E+11” is not imported.',
    emailStays: 'Change the work email?',
    answer: (answer: 'import' | 'leaveOut', row: number) =>
      `${answer === 'import' ? 'Import' : 'Leave out'} row ${row}`,
    leaveOutAll: 'Leave out all',
    apply: 'Import',
    oneLeftOut: 'You did not answer 1 question with “Import”. What it asks about is left out.',
    imported: 'Imported',
    download: 'Download the rows with errors',
    errorColumn: 'Errors',
  },
} as const;

type Words = (typeof words)['de' | 'en'];

/** A list as Excel saves it in Germany: two titles, a name twice, a row of separators at the end, and a row without its empty cells. */
const list = (mail: string) =>
  [
    'Mitarbeiterliste Stand 01.11.2026;;;;;;;;;;;',
    'Standort: alle;;;;;;;;;;;',
    'Personalnr.;Vorname;Nachname;E-Mail geschäftlich;Telefon;Telefon;Straße;PLZ;Ort;Land;Gesperrt ja/nein;Abteilung',
    `10001;Anna;Berg;anna${mail};;;Ring 1;10115;Köln;Deutschland;nein;Vertrieb`,
    `10002;Bernd;Kurz;bernd${mail};;;Ring 2;10115;Berlin;Deutschland;nein;Vertrieb`,
    `7001;Jürgen;Groß;juergen${mail};+49 351 1;0170 1;Am Ring 1;1067;Dresden;Deutschland;nein;Vertrieb`,
    `7002;Käthe;Weiß;kaethe${mail};4,9E+11;;Allee 2;80331;München;Deutschland;ja;Vertrieb / Nord`,
    `7003;Özlem;Sahin;oezlem${mail};;;Weg 3;10117;Berlin;D;nein;Nord`,
    '7004;Ole;Olsen;keine;;;Weg 4;20095;Hamburg;de;0;',
    `7005;Ida;Sommer;ida${mail}`,
    ';;;;;;;;;;;',
  ].join('\r\n');

/** A company with divisions, in which a change of three people needs no further confirmation. */
async function companyOfList(mail: string): Promise<string> {
  const others = Array.from({ length: 40 }, (_, n) => ({ employeeNumber: `X${n}` }));
  const tenant = await companyWith(fixture, [
    { employeeNumber: '10001', email: `anna${mail}`, firstName: 'Anna', lastName: 'Berg', city: 'Bonn' },
    { employeeNumber: '10002', email: `berta${mail}`, firstName: 'Berta', lastName: 'Lang' },
    ...others,
  ]);
  const { sql, testData } = fixture;
  const place = { organizationId: testData.organization, tenantId: tenant };
  const sales = await testDivision(sql, place, 'Vertrieb');
  await testDivision(sql, { ...place, parentId: sales }, 'Nord');
  return tenant;
}

const dialog = (page: Page) => page.getByRole('dialog');
const tab = (page: Page, name: string, count: number) =>
  page.getByRole('link', { name: `${name} (${count})`, exact: true });

async function fieldOf(page: Page, labels: Words, column: string): Promise<string> {
  return page.getByLabel(labels.field(column), { exact: true }).inputValue();
}

/** The documents of the employees whose numbers begin with 10 or 7, by number. */
async function stored(tenant: string): Promise<Record<string, any>> {
  const rows = await fixture.sql`
    SELECT employee_number, doc FROM employee WHERE tenant_id = ${tenant} AND employee_number ~ '^(10|7)'`;
  return Object.fromEntries(rows.map(({ employee_number, doc }) => [employee_number, JSON.parse(doc)]));
}

async function importPlanned(page: Page, labels: Words): Promise<void> {
  await press(page, button(page, labels.apply));
  await press(page, dialog(page).getByRole('button', { name: labels.apply, exact: true }));
  await page.getByText(labels.imported, { exact: true }).first().waitFor();
}

inBrowser('an import of an HR clerk', () => {
  for (const [language, encoding] of [
    ['de', 'latin1'],
    ['en', 'utf8'],
  ] as const)
    test(`${language}: a German list from Excel is imported in one pass by keyboard, and its bad row in a second`, async () => {
      const labels = words[language];
      const mail = `.${language}@pruef.example`;
      const tenant = await companyOfList(mail);
      const secret = await clerk(fixture);
      const mark = encoding === 'utf8' ? '\uFEFF' : '';
      await visit(fixture.service.url, { language, secret }, async page => {
        await page.goto(`/portal/?company=${tenant}`);
        await press(page, page.getByRole('link', { name: labels.menu }));
        await chooseFile(page, labels.choose, Buffer.from(mark + list(mail), encoding));

        assert.ok(await page.getByRole('radio', { name: labels.headerRow(3) }).isChecked());
        await page.getByText(labels.leftOut).waitFor();
        const columns = list('').split('\r\n')[2]!.split(';').with(5, 'Telefon (2)');
        const fields = await Promise.all(columns.map(column => fieldOf(page, labels, column)));
        const expected =
          'employeeNumber firstName lastName email phoneNumber - street postalCode city countryCode blocked divisionId';
        assert.equal(fields.map(field => field || '-').join(' '), expected);
        assert.equal(await page.getByText(labels.guess).count(), 2);
        assert.equal(await page.getByText(labels.missing).count(), 0);
        await press(page, button(page, labels.check));

        await press(page, tab(page, labels.tab.questions, 3));
        await page.getByText(labels.sameNumber(`bernd${mail}`)).waitFor();
        await page.getByText(labels.postcode).waitFor();
        await page.getByText(labels.division).waitFor();
        await page.getByText(labels.emailStays).waitFor();
        await press(page, button(page, labels.answer('import', 6)));
        await press(page, button(page, labels.answer('import', 8)));
        await page.getByRole('button', { name: labels.answer('import', 8), pressed: true }).waitFor();
        await tab(page, labels.tab.added, 4).waitFor();
        await press(page, tab(page, labels.tab.added, 4));
        await page.getByText(labels.damaged).waitFor();
        await press(page, tab(page, labels.tab.errors, 1));
        await page.getByText(labels.notEmail).waitFor();
        await press(page, button(page, labels.apply));
        await dialog(page).getByText(labels.oneLeftOut).waitFor();
        await page.keyboard.press('Escape');
        await importPlanned(page, labels);

        const first = await stored(tenant);
        assert.equal(first['10001'].city, 'Köln');
        assert.equal(first['10002'].lastName, 'Lang');
        assert.deepEqual([first['7001'].postalCode, first['7001'].lastName], ['01067', 'Groß']);
        assert.deepEqual([first['7002'].phoneNumber, first['7002'].blocked], [null, true]);
        assert.ok(first['7003'].divisionId);
        assert.equal(first['7005'].email, `ida${mail}`);
        assert.equal(first['7004'], undefined);

        // The clerk corrects the downloaded rows in Excel, which saves them with the mark of UTF-8.
        await press(page, tab(page, labels.tab.errors, 1));
        const rows = await downloadedText(page, () => press(page, button(page, labels.download)));
        const lines = rows.trim().split('\r\n');
        assert.equal(lines[0]!.split(';').at(-1), labels.errorColumn);
        assert.match(rows, /^\uFEFFPersonalnr/);
        assert.equal(lines.length, 3);
        const corrected = rows.replace('keine', `ole${mail}`);
        await chooseFile(page, labels.choose, Buffer.from(corrected));
        await press(page, button(page, labels.check));
        await press(page, tab(page, labels.tab.questions, 1));
        await press(page, button(page, labels.leaveOutAll));
        await page.getByRole('button', { name: labels.answer('leaveOut', 2), pressed: true }).waitFor();
        await importPlanned(page, labels);
        const second = await stored(tenant);
        assert.deepEqual([second['7004'].email, second['7004'].countryCode], [`ole${mail}`, 'DE']);
        assert.equal(second['10002'].lastName, 'Lang');
      });
    });

  test('an answer can be changed until the import, and a row that is answered with import counts as imported', async () => {
    const labels = words.en;
    const tenant = await companyOfList('.answers@pruef.example');
    await visit(fixture.service.url, { secret: await clerk(fixture) }, async page => {
      await page.goto(`/portal/imports?company=${tenant}`);
      await chooseFile(page, labels.choose, Buffer.from(list('.answers@pruef.example')));
      await press(page, button(page, labels.check));
      await press(page, tab(page, labels.tab.questions, 3));
      const pressed = (name: string) => page.getByRole('button', { name, pressed: true }).waitFor();
      await press(page, button(page, 'Import all'));
      await pressed(labels.answer('import', 5));
      await tab(page, labels.tab.changes, 2).waitFor();
      await press(page, button(page, labels.answer('leaveOut', 5)));
      await pressed(labels.answer('leaveOut', 5));
      await pressed(labels.answer('import', 6));
      await tab(page, labels.tab.changes, 1).waitFor();
      await page.reload();
      await pressed(labels.answer('leaveOut', 5));
    });
  });

  test('a required field without a column is named and blocks the check, until a column fills it', async () => {
    const labels = words.de;
    const tenant = await companyWith(fixture);
    await visit(fixture.service.url, { language: 'de', secret: await clerk(fixture) }, async page => {
      await page.goto(`/portal/imports?company=${tenant}`);
      const file = 'Personalnummer;Vorname;Rufname\r\n1;Mia;Fischer\r\n';
      await chooseFile(page, labels.choose, Buffer.from(file));
      const missing = page.getByRole('group', { name: labels.missing });
      await missing.getByText('Nachname', { exact: true }).waitFor();
      await missing.getByText('Dienstliche E-Mail', { exact: true }).waitFor();
      await press(page, button(page, labels.check));
      await missing.getByText(labels.blocked).waitFor();
      assert.ok(await missing.evaluate(element => element === element.ownerDocument.activeElement));
      await assertAccessible(page, 'a required field without a column');
      await page.getByLabel(labels.field('Vorname')).selectOption('email');
      await missing.getByText('Vorname', { exact: true }).waitFor();
      assert.equal(await missing.getByText('Dienstliche E-Mail', { exact: true }).count(), 0);
      await page.getByLabel(labels.field('Rufname')).selectOption('lastName');
      await page.getByLabel(labels.field('Vorname')).selectOption('firstName');
      await missing.getByText('Dienstliche E-Mail', { exact: true }).waitFor();
    });
  });

  test('a list that only changes people is imported without the fields of new people', async () => {
    const labels = words.de;
    const staff = Array.from({ length: 20 }, (_, n) => ({ employeeNumber: `${n}`, city: 'Ulm' }));
    const tenant = await companyWith(fixture, staff);
    await visit(fixture.service.url, { language: 'de', secret: await clerk(fixture) }, async page => {
      await page.goto(`/portal/imports?company=${tenant}`);
      await chooseFile(page, labels.choose, Buffer.from('Personalnummer;Ort\r\n7;Bonn\r\n'));
      await press(page, page.getByRole('checkbox', { name: labels.onlyChanges }), 'Space');
      await press(page, button(page, labels.check));
      await tab(page, labels.tab.changes, 1).waitFor();
      await press(page, page.getByRole('link', { name: labels.changeColumns }));
      assert.ok(await page.getByRole('checkbox', { name: labels.onlyChanges }).isChecked());
      await page.goBack();
      await importPlanned(page, labels);
      assert.equal((await stored(tenant))['7'].city, 'Bonn');
    });
  });

  test('another header proposes its own columns, and keeps what was chosen for columns of the same name', async () => {
    const labels = words.de;
    const tenant = await companyWith(fixture);
    await visit(fixture.service.url, { language: 'de', secret: await clerk(fixture) }, async page => {
      await page.goto(`/portal/imports?company=${tenant}`);
      const file = 'Pers;Team;Konto\r\nPersonalnummer;Team;E-Mail\r\n1;Nord;a@example.com\r\n';
      await chooseFile(page, labels.choose, Buffer.from(file));
      const radio = (row: number) => page.getByRole('radio', { name: labels.headerRow(row) });
      await radio(2).waitFor();
      assert.ok(await radio(2).isChecked());
      assert.equal(await radio(3).count(), 0, 'a row with an email address is a person');
      await page.getByLabel(labels.field('Team')).selectOption('city');
      await reach(page, radio(2));
      await page.keyboard.press('ArrowUp');
      await page.getByLabel(labels.field('Konto')).waitFor();
      assert.deepEqual(
        await Promise.all(['Pers', 'Team', 'Konto'].map(column => fieldOf(page, labels, column))),
        ['', 'city', ''],
      );
      await page.keyboard.press('ArrowUp');
      await page.getByLabel(labels.field('Spalte 2')).waitFor();
      assert.ok(await page.getByRole('radio', { name: labels.noHeader }).isChecked());
      assert.equal(await fieldOf(page, labels, 'Spalte 2'), '');
      await page.keyboard.press('ArrowUp');
      await page.getByLabel(labels.field('E-Mail')).waitFor();
      assert.deepEqual(
        await Promise.all(['Personalnummer', 'Team', 'E-Mail'].map(column => fieldOf(page, labels, column))),
        ['employeeNumber', 'city', 'email'],
      );
      await press(page, page.getByRole('link', { name: 'Start' }));
      await press(page, button(page, 'Weiter bearbeiten'));
      assert.equal(await fieldOf(page, labels, 'Team'), 'city');
    });
  });

  /** Files that are often uploaded in place of CSV, and words of what the page says about them. */
  const otherFiles = [
    ['liste.xlsx', zip('xl/workbook.xml'), /Excel-Arbeitsmappe.*CSV UTF-8 \(durch Trennzeichen getrennt\)/s],
    ['liste.csv', zip('xl/workbook.xml'), /Excel-Arbeitsmappe/],
    [
      'liste.ods',
      zip('mimetype', 'application/vnd.oasis.opendocument.spreadsheet'),
      /Tabelle von LibreOffice/,
    ],
    ['liste.csv', Buffer.from('%PDF-1.7\n%âãÏÓ\n', 'latin1'), /PDF-Dokument/],
    ['liste.csv', Buffer.from('<html><table><tr><td>Name</td></tr></table></html>'), /Webseite/],
    ['liste.csv', Buffer.from('Vorname;Ort\r\nMia;K\x81ln\r\n', 'latin1'), /Zeile 2, Zeichen 6 enthält 0x81/],
  ] as const;

  test('a file that is not CSV is rejected with its true reason and what to do, and another one can be chosen there', async () => {
    const tenant = await companyWith(fixture);
    await visit(fixture.service.url, { language: 'de', secret: await clerk(fixture) }, async page => {
      await page.goto(`/portal/imports?company=${tenant}`);
      for (const [name, bytes, reason] of otherFiles) {
        const before = page.url();
        await chooseFile(page, words.de.choose, bytes, name);
        await page.waitForURL(url => url.href !== before);
        await page.getByRole('alert').filter({ hasText: reason }).waitFor();
      }
      await chooseFile(
        page,
        words.de.choose,
        Buffer.from('E-Mail;Vorname;Nachname\r\na@example.com;A;B\r\n'),
      );
      await page.getByRole('radio', { name: words.de.headerRow(1) }).waitFor();
    });
  });
});

/** The beginning of an archive whose first file has this name and content, stored without compression. */
function zip(name: string, content = ''): Buffer {
  const header = Buffer.alloc(30);
  header.write('PK\x03\x04', 'latin1');
  header.writeUInt32LE(content.length, 18);
  header.writeUInt32LE(content.length, 22);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, Buffer.from(name + content)]);
}
