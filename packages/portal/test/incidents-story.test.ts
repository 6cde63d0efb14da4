import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { usePortal } from '../../server/test/portal/support.ts';
import { advance } from '../../server/test/features/incidents/support.ts';
import { storeIncident, storeReporter } from '../../server/test/support/data/incidents.ts';
import { running } from '../../server/test/jobs/support.ts';
import { historyInput, orderInput, storeOrders } from '../../server/test/support/data/orders.ts';
import { signedInUser } from '../../server/test/support/data/users.ts';
import { button, holdBack, inBrowser, inLanguages, press, reach, type, visit } from './support.ts';

const fixture = usePortal();

const words = {
  en: {
    incidents: 'Incidents',
    report: 'Report an incident',
    person: /^Person/,
    kind: /^Kind of incident/,
    theft: 'Theft',
    parental: 'Parental leave',
    proceed: 'Continue',
    back: 'Back',
    details: 'Details',
    check: 'Check',
    order: /^Affected order/,
    day: /^Day it happened/,
    from: /^First day of absence/,
    police: /^Reference of the police report/,
    description: /^Description/,
    missing: 'Missing to be complete',
    send: 'Report the incident',
    reported: 'The incident is reported.',
    add: 'Add what is missing',
    save: 'Save',
    state: 'State',
    complete: 'Complete',
    progress: 'In progress',
    files: 'Add files',
    next: 'Next: add what is missing. The leasing provider works on a report only when it is complete.',
    goesOn: 'Deduction: it goes on until the contract ends. This report does not stop it.',
    asterisk: 'A complete report needs the fields with an asterisk.',
    remove: 'Remove',
    removed: 'The file is removed.',
    evidenceRemoved: 'Evidence removed',
    withdraw: 'Withdraw the report',
    withdrawn: 'The report is withdrawn.',
    wrongType: 'Only PNG, JPEG, WebP and PDF files can be uploaded. Save the file in one of these formats.',
    tooLarge: /^The file has 5\.5 MB; at most 5\.2 MB are possible\. Choose a smaller one\.$/,
    again: 'Try again',
    cancel: 'Cancel large.pdf',
    blocked: 'This person is blocked. Unblock the person first.',
    choose: 'Choose the person of the incident.',
    notADay: 'Enter a day, such as 01/11/2026.',
    outOfBounds: /^Enter a day from 01\/01\/2000 to \d\d\/\d\d\/\d{4}\.$/,
    denied: 'You do not have the permission for this page.',
  },
  de: {
    incidents: 'Störfälle',
    report: 'Störfall melden',
    person: /^Person/,
    kind: /^Art des Störfalls/,
    theft: 'Diebstahl',
    parental: 'Elternzeit',
    proceed: 'Weiter',
    back: 'Zurück',
    details: 'Angaben',
    check: 'Prüfen',
    order: /^Betroffene Bestellung/,
    day: /^Tag des Ereignisses/,
    from: /^Erster Tag der Abwesenheit/,
    police: /^Aktenzeichen der Polizei/,
    description: /^Beschreibung/,
    missing: 'Es fehlen noch',
    send: 'Störfall melden',
    reported: 'Der Störfall ist gemeldet.',
    add: 'Fehlendes ergänzen',
    save: 'Speichern',
    state: 'Stand',
    complete: 'Vollständig',
    progress: 'In Bearbeitung',
    files: 'Dateien hinzufügen',
    next: 'Nächster Schritt: Ergänzen Sie, was fehlt. Der Leasinganbieter bearbeitet nur vollständige Meldungen.',
    goesOn: 'Einbehalt: läuft bis zum Vertragsende weiter. Diese Meldung stoppt ihn nicht.',
    asterisk: 'Eine vollständige Meldung braucht die Felder mit Sternchen.',
    remove: 'Entfernen',
    removed: 'Die Datei ist entfernt.',
    evidenceRemoved: 'Nachweis entfernt',
    withdraw: 'Meldung zurückziehen',
    withdrawn: 'Die Meldung ist zurückgezogen.',
    wrongType:
      'Nur Dateien der Formate PNG, JPEG, WebP und PDF können hochgeladen werden. Speichern Sie die Datei in einem dieser Formate.',
    tooLarge: /^Die Datei hat 5,5 MB; möglich sind höchstens 5,2 MB\. Wählen Sie eine kleinere\.$/,
    again: 'Erneut versuchen',
    cancel: 'large.pdf abbrechen',
    blocked: 'Diese Person ist gesperrt. Heben Sie zuerst die Sperre auf.',
    choose: 'Wählen Sie die Person.',
    notADay: 'Geben Sie einen Tag ein, zum Beispiel 01.11.2026.',
    outOfBounds: /^Geben Sie einen Tag vom 01\.01\.2000 bis zum \d\d\.\d\d\.\d{4} ein\.$/,
    denied: 'Sie haben keine Berechtigung für diese Seite.',
  },
} as const;

const place = () => ({ organization: fixture.testData.organization, tenant: fixture.testData.tenantA });

/** A person with a bike, and with a rejected order. */
async function person(
  lastName: string,
  more: object = {},
): Promise<{ employeeId: string; orderNumber: string }> {
  const { organization: organizationId, tenant: tenantId } = place();
  const employeeId = await storeReporter(fixture.sql, place(), { firstName: 'Jana', lastName, ...more });
  const rejected = { status: 'rejected', hrHistory: historyInput('rejected') };
  const [order] = await storeOrders(fixture.sql, { organizationId, tenantId }, [
    { ...running(null), employeeId },
    orderInput({ ...rejected, employeeId }),
  ]);
  return { employeeId, orderNumber: order!.orderNumber };
}

async function user(permission: 'HR' | 'IT' = 'HR'): Promise<string> {
  const { organization, tenant } = place();
  const hrTenants = permission === 'HR' ? [tenant] : null;
  return (await signedInUser(fixture.sql, organization, { permissions: [permission], hrTenants })).secret;
}

const dialog = (page: Page) => page.getByRole('dialog');
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 2 });

async function assertFocused(target: Locator): Promise<void> {
  await target.waitFor();
  assert.ok(await target.evaluate(element => element === element.ownerDocument.activeElement));
}

/** The browser has decoded the image. */
const assertShown = (image: Locator) => image.evaluate((element: any) => element.decode());

/** Chooses a person by a part of the name, and the kind, by keyboard. */
async function choose(
  page: Page,
  labels: (typeof words)['en' | 'de'],
  name: string,
  kind: string,
): Promise<void> {
  await type(page, page.getByLabel(labels.person).first(), name);
  const offered = page.getByRole('listbox').getByRole('option');
  await offered.and(page.getByRole('option', { name, disabled: false })).waitFor();
  // A person who was chosen before is not among the matches.
  assert.equal(await offered.count(), 1);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await reach(page, page.getByLabel(labels.kind));
  await page.keyboard.type(kind);
  await press(page, button(page, labels.proceed));
}

/** One pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const photo = { name: 'Foto.png', mimeType: 'image/png', buffer: png };
const chooser = (page: Page) => dialog(page).locator('input[type=file]').first();

inBrowser('incidents of HR', () => {
  // The order of day and month is that of the language.
  for (const language of ['en', 'de'] as const) {
    const labels = words[language];

    test(`${language}: days typed with two digits of the year are of this century, and none is sent that is not a day`, async () => {
      const { employeeId } = await person(`Ulm-${language}`);
      const shown = language === 'de' ? '01.11.2026' : '01/11/2026';
      await visit(fixture.service.url, { language, secret: await user() }, async page => {
        await page.goto(`/portal/incidents/new?employee=${employeeId}`);
        await reach(page, page.getByLabel(labels.kind));
        await page.keyboard.type(labels.parental);
        await press(page, button(page, labels.proceed));
        const day = page.getByLabel(labels.from);
        for (const text of ['1.11.26', '01/11/2026', '1-11-2026', '011126', '01 11 26']) {
          await day.fill('');
          await day.focus();
          await page.keyboard.type(text);
          await page.keyboard.press('Tab');
          assert.equal(await day.inputValue(), shown, text);
        }
        await type(page, page.getByLabel(labels.description), 'Elternzeit ab November');
        await day.fill('31.2.26');
        await press(page, button(page, labels.proceed));
        await page.getByText(labels.notADay).waitFor();
        assert.equal(await day.inputValue(), '31.2.26');
        await day.fill('1.11.1926');
        await press(page, button(page, labels.proceed));
        await page.getByText(labels.outOfBounds).waitFor();
        // The calendar of the browser is not part of the page.
        await page.locator('input[type=date]').first().fill('2026-11-03', { force: true });
        await press(page, button(page, labels.proceed));
        await assertFocused(heading(page, labels.check));
        await press(page, button(page, labels.send));
        await page.getByText(labels.reported).waitFor();
        const [incident] = await fixture.sql<{ occurred: string; from: string }[]>`
          SELECT occurred_on::text AS occurred, effective_from::text AS from
          FROM incident WHERE employee_id = ${employeeId}`;
        assert.deepEqual(incident, { occurred: '2026-11-03', from: '2026-11-03' });
      });
    });
  }

  for (const language of inLanguages('en')) {
    const labels = words[language];

    test(`${language}: a theft is reported in steps by keyboard, with only the fields that it needs, and what is missing`, async () => {
      const { orderNumber } = await person(`Adler-${language}`);
      await visit(fixture.service.url, { language, secret: await user() }, async page => {
        await page.goto('/portal');
        await press(page, page.getByRole('link', { name: labels.incidents }));
        await press(page, page.getByRole('link', { name: labels.report }).first());
        await press(page, button(page, labels.proceed));
        await page.getByText(labels.choose).waitFor();
        await choose(page, labels, `Adler-${language}`, labels.theft);
        await assertFocused(heading(page, labels.details));
        assert.equal(await page.getByLabel(labels.from).count(), 0);
        await type(page, page.getByLabel(labels.police), 'ST/1/2026');
        // The values are there again after the way back.
        await press(page, button(page, labels.back));
        assert.equal(await page.getByLabel(labels.kind).inputValue(), 'theft');
        await press(page, button(page, labels.proceed));
        assert.equal(await page.getByLabel(labels.police).inputValue(), 'ST/1/2026');
        await page.getByText(labels.asterisk).waitFor();
        // The rejected order is not offered, and the only bike of the person is chosen.
        const offered = page.getByLabel(labels.order).getByRole('option');
        assert.equal(await offered.count(), 2);
        assert.match((await offered.nth(1).textContent())!, new RegExp(orderNumber));
        await page.getByLabel(labels.order).selectOption({ index: 1 });
        await press(page, button(page, labels.proceed));
        await assertFocused(heading(page, labels.check));
        await page.getByText(orderNumber).waitFor();
        const missing = page.getByRole('alert').filter({ hasText: labels.missing }).getByRole('listitem');
        assert.deepEqual(await missing.allTextContents(), [
          language === 'de' ? 'Tag des Ereignisses' : 'Day it happened',
          language === 'de' ? 'Beschreibung' : 'Description',
        ]);
        await press(page, button(page, labels.send));
        await page.getByText(labels.reported).waitFor();
        await dialog(page).getByText(labels.missing).waitFor();
        await dialog(page).getByText(labels.next).waitFor();
        await dialog(page).getByText(labels.goesOn).waitFor();
        await button(page, labels.files).waitFor();
        assert.ok(!page.url().includes('Adler'));
      });
    });

    test(`${language}: a search finds the incidents of a person by name`, async () => {
      const named = await person(`Winter-${language}`);
      const other = await person(`Sommer-${language}`);
      for (const { employeeId } of [named, other])
        await storeIncident(fixture.sql, place(), { employeeId, status: 'draft' });
      await visit(fixture.service.url, { language, secret: await user() }, async page => {
        await page.goto('/portal/incidents');
        const row = (name: string) => page.getByRole('link', { name });
        await row(`Sommer-${language}`).waitFor();
        await type(page, page.getByRole('searchbox'), `winter-${language}`);
        await row(`Sommer-${language}`).waitFor({ state: 'detached' });
        await row(`Winter-${language}`).waitFor();
        assert.ok(!page.url().toLowerCase().includes('winter'));
      });
    });

    test(`${language}: what is missing is added beside the list, and then evidence, with preview and progress`, async () => {
      const { employeeId } = await person('Brandt');
      const { id } = await storeIncident(fixture.sql, place(), {
        employeeId,
        status: 'draft',
        description: null,
        attachments: [],
      });
      await visit(fixture.service.url, { language, secret: await user() }, async page => {
        await page.goto(`/portal/incidents?incident=${id}`);
        const reporter = dialog(page).getByRole('link', { name: 'Jana Brandt', exact: true });
        assert.equal(await reporter.getAttribute('href'), `/portal/employees/${employeeId}`);
        await press(page, button(page, labels.add));
        await type(page, dialog(page).getByLabel(labels.description), 'Rahmen gebrochen');
        await press(page, dialog(page).getByRole('button', { name: labels.save }));
        const present = dialog(page).getByRole('list', { name: labels.state }).locator('[aria-current]');
        await present.filter({ hasText: labels.complete }).waitFor();
        const held = await holdBack(page, '**/attachments');
        await reach(page, button(page, labels.files));
        await chooser(page).setInputFiles(photo);
        await dialog(page).getByRole('progressbar').waitFor({ state: 'attached' });
        await assertShown(dialog(page).locator('img[src^="data:"]'));
        held.letGo();
        await dialog(page).getByRole('link', { name: photo.name }).waitFor();
        await assertShown(dialog(page).locator('img[src*=attachments]'));
        // The state is followed while the panel is open.
        await advance(fixture.sql, id, 'in_progress');
        await present.filter({ hasText: labels.progress }).waitFor();
        assert.equal(await button(page, labels.files).count(), 0);
      });
    });

    test(`${language}: a file of a wrong type or size is not sent, a failed upload is tried again, one in progress is cancelled`, async () => {
      const { id } = await storeIncident(fixture.sql, place(), { attachments: [] });
      await visit(fixture.service.url, { language, secret: await user() }, async page => {
        await page.goto(`/portal/incidents?incident=${id}`);
        let sent = 0;
        page.on('request', request => (sent += Number(request.url().endsWith('/attachments'))));
        await chooser(page).setInputFiles([
          { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('x') },
          { name: 'huge.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(5_500_000) },
        ]);
        await dialog(page).getByText(labels.wrongType).waitFor();
        await dialog(page).getByText(labels.tooLarge).waitFor();
        assert.equal(sent, 0);
        await page.route('**/attachments', route => route.abort(), { times: 1 });
        await chooser(page).setInputFiles(photo);
        await press(page, button(page, labels.again));
        await dialog(page).getByRole('link', { name: photo.name }).waitFor();
        const held = await holdBack(page, '**/attachments');
        await chooser(page).setInputFiles({ ...photo, name: 'large.pdf', mimeType: 'application/pdf' });
        await held.arrived;
        await press(page, button(page, labels.cancel));
        await dialog(page).getByRole('progressbar').waitFor({ state: 'detached' });
        held.letGo();
      });
    });

    test(`${language}: a leave needs its first day and no police report; a blocked person has no incident`, async () => {
      await person(`Clausen-${language}`);
      await person(`Dorn-${language}`, { blocked: true });
      await visit(fixture.service.url, { language, secret: await user() }, async page => {
        await page.goto('/portal/incidents/new');
        await choose(page, labels, `Dorn-${language}`, labels.parental);
        await page.getByText(labels.blocked).waitFor();
        await choose(page, labels, `Clausen-${language}`, labels.parental);
        await page.getByLabel(labels.from).waitFor();
        assert.equal(await page.getByLabel(labels.day).count(), 0);
        assert.equal(await page.getByLabel(labels.police).count(), 0);
      });
    });

    test(`${language}: a photo of a report is removed, and then the report is withdrawn`, async () => {
      const { id } = await storeIncident(fixture.sql, place(), {});
      await visit(fixture.service.url, { language, secret: await user() }, async page => {
        await page.goto(`/portal/incidents?incident=${id}`);
        const confirm = (name: string) =>
          press(page, dialog(page).last().getByRole('button', { name, exact: true }));
        await press(
          page,
          button(page, `a.pdf ${labels.remove}`)
            .or(button(page, `${labels.remove} a.pdf`))
            .or(button(page, 'a.pdf entfernen')),
        );
        await confirm(labels.remove);
        await page.getByText(labels.removed).waitFor();
        await dialog(page).getByText(labels.evidenceRemoved).waitFor();
        assert.equal(await dialog(page).getByRole('link', { name: 'a.pdf' }).count(), 0);
        await press(page, button(page, labels.withdraw));
        await confirm(labels.withdraw);
        await page.getByText(labels.withdrawn).waitFor();
        await button(page, labels.withdraw).waitFor({ state: 'detached' });
        const [row] =
          await fixture.sql`SELECT status, attachment_sha256 AS digests FROM incident WHERE id = ${id}`;
        assert.deepEqual(row, { status: 'cancelled', digests: {} });
      });
    });

    test(`${language}: a user without the permission HR has no incidents`, async () => {
      await visit(fixture.service.url, { language, secret: await user('IT') }, async page => {
        await page.goto('/portal/incidents');
        await page.getByText(labels.denied).waitFor();
        assert.equal(await page.getByRole('link', { name: labels.incidents, exact: true }).count(), 0);
      });
    });
  }
});
