import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { PortalPermission } from '@kontor/contract';
import type { Locator, Page } from 'playwright-core';
import { settingsInput } from '../../server/test/features/payroll/support.ts';
import { usePortal } from '../../server/test/portal/support.ts';
import { storeIncident } from '../../server/test/support/data/incidents.ts';
import {
  draftPayroll,
  payrollCompany,
  payrollUser,
  storeActiveOrder,
} from '../../server/test/support/data/payroll-company.ts';
import { signedInUser } from '../../server/test/support/data/users.ts';
import { button, inBrowser, inLanguages, press, reach, type, visit } from './support.ts';

const fixture = usePortal();

const words = {
  en: {
    check: 'Check now',
    again: 'Check October 2026 again',
    difference: '-€83.10',
    leftOut: 'The person has no number that the payroll system accepts. Enter the employee number.',
    nothing: 'Nothing to do',
    contract: 'LV-1',
    rule: 'A full month: the whole rate',
    release: 'Release',
    sums: 'These sums go to the payroll system. A release cannot be taken back.',
    released: 'The month is released.',
    exported: /amounts exported$/,
    download: /^Download lohn-\S+-10001-2026-10\.csv$/,
    downloaded: /Petra Lang has downloaded this file/,
    settle: 'Settle outside',
    paidElsewhere: /^Paid elsewhere/,
    reverse: 'Reverse the amounts',
    computeReversal: 'Compute the reversal',
    reversal: 'Reversal in October 2026',
    copy: 'Copy: DATEV LODAS',
    reason: /^Reason/,
    settled: 'The amount is settled.',
    discard: 'Discard the check',
    byAnother: /^Another user has changed this in the meantime\./,
    changed: 'Amounts have changed since this check, so nothing was released. Check the month again.',
    checkAgain: 'Check again',
    toWorkOff: '5 findings about 2 people',
    left: 'Checked again: 1 finding about 1 person (5 before)',
    noneLeft: 'Checked again: 0 findings (2 before)',
    noAccess: 'No access to the payroll of this company',
    notSetUp: 'Payroll is not set up for this company',
    computing: 'Being checked',
    notComputed: 'The service could not do this, and nothing was released. Try again, or tell the operator.',
    lateCheck: 'Petra Lang has already checked the month again.',
    checkedBy: /^Checked by Petra Lang/,
    late: 'Petra Lang has already released the month.',
    correction: 'Corrections of earlier months (1 person)',
    close: 'Close',
    answer: 'Answer the question',
    answered: '1 answered question',
    openEmployee: 'Open the employee',
    openDivision: 'Open the division',
    openIncidents: 'Open the incidents',
    openOrder: 'Open the order',
    openSettings: 'Open the payroll settings',
    adminOnly: 'A company admin changes the payroll settings.',
    mayNotRun: 'You do not have the permission to check payroll. Ask someone who has it, or a company admin.',
    mayNotRelease:
      'You do not have the permission to release payroll. Ask someone who has it, or a company admin.',
    progress: 'Checked, not released',
    second: 'You have checked this month, so another person must release it.',
  },
  de: {
    check: 'Jetzt prüfen',
    again: 'Oktober 2026 noch einmal prüfen',
    difference: '-83,10 €',
    leftOut: 'Die Person hat keine Nummer, die das Lohnprogramm annimmt. Tragen Sie die Personalnummer ein.',
    nothing: 'Keine offenen Punkte',
    contract: 'LV-1',
    rule: 'Voller Monat: die ganze Rate',
    release: 'Freigeben',
    sums: 'Diese Summen gehen an das Lohnprogramm. Eine Freigabe lässt sich nicht zurücknehmen.',
    released: 'Der Monat ist freigegeben.',
    exported: /Beträge exportiert$/,
    download: /^lohn-\S+-10001-2026-10\.csv herunterladen$/,
    downloaded: /Petra Lang hat diese Datei/,
    settle: 'Anderweitig abrechnen',
    paidElsewhere: /^Anderweitig abgerechnet/,
    reverse: 'Beträge umbuchen',
    computeReversal: 'Umbuchung berechnen',
    reversal: 'Umbuchung Oktober 2026',
    copy: 'Kopie: DATEV LODAS',
    reason: /^Grund/,
    settled: 'Der Betrag ist als anderweitig abgerechnet vermerkt.',
    discard: 'Entwurf verwerfen',
    byAnother: /^Inzwischen hat ein anderer Benutzer dies geändert\./,
    changed:
      'Seit dieser Prüfung haben sich Beträge geändert. Es wurde nichts freigegeben. Prüfen Sie den Monat erneut.',
    checkAgain: 'Erneut prüfen',
    toWorkOff: '5 Hinweise zu 2 Personen',
    left: 'Erneut geprüft: 1 Hinweis zu 1 Person (vorher 5)',
    noneLeft: 'Erneut geprüft: 0 Hinweise (vorher 2)',
    noAccess: 'Kein Zugriff auf die Lohnabrechnung dieses Unternehmens',
    notSetUp: 'Für dieses Unternehmen ist die Lohnabrechnung nicht eingerichtet',
    computing: 'Wird geprüft',
    notComputed:
      'Der Dienst konnte das nicht ausführen. Es wurde nichts freigegeben. Versuchen Sie es noch einmal oder wenden Sie sich an den Betreiber.',
    lateCheck: 'Petra Lang hat den Monat bereits erneut geprüft.',
    checkedBy: /^Geprüft durch Petra Lang/,
    late: 'Petra Lang hat den Monat bereits freigegeben.',
    correction: 'Korrekturen früherer Monate (1 Person)',
    close: 'Schließen',
    answer: 'Frage beantworten',
    answered: '1 beantwortete Frage',
    openEmployee: 'Mitarbeiter öffnen',
    openDivision: 'Abteilung öffnen',
    openIncidents: 'Störfälle öffnen',
    openOrder: 'Bestellung öffnen',
    openSettings: 'Abrechnungseinstellungen öffnen',
    adminOnly: 'Die Abrechnungseinstellungen ändert ein Unternehmens-Admin.',
    mayNotRun:
      'Sie haben keine Berechtigung, die Lohnabrechnung zu prüfen. Wenden Sie sich an jemanden mit dieser Berechtigung oder an die Unternehmens-Admins.',
    mayNotRelease:
      'Sie haben keine Berechtigung, die Lohnabrechnung freizugeben. Wenden Sie sich an jemanden mit dieser Berechtigung oder an die Unternehmens-Admins.',
    progress: 'Geprüft, nicht freigegeben',
    second: 'Sie haben diesen Monat geprüft. Freigeben muss ihn eine andere Person.',
  },
} as const;

/** A company with payroll settings from September on. */
async function company(settings: object = {}): Promise<string> {
  const { sql, testData } = fixture;
  return payrollCompany(sql, testData.organization, `Muster ${Math.random()}`, settings);
}

const activeOrder = (tenant: string, employee: object = {}, contract: object = {}) =>
  storeActiveOrder(
    fixture.sql,
    { organization: fixture.testData.organization, tenant },
    { employee, contract },
  );

async function user(name: string, permissions?: PortalPermission[]): Promise<string> {
  const allowed = { name, ...(permissions && { permissions }) };
  return (await payrollUser(fixture.sql, fixture.testData.organization, allowed)).key;
}

const dialog = (page: Page) => page.getByRole('dialog');
const pathOf = (tenant: string, more = '') => `/portal/payroll?company=${tenant}&month=2026-10${more}`;

const hasFocus = (target: Locator) =>
  target.evaluate(element => element === element.ownerDocument.activeElement);

const draft = (tenant: string, key: string) => draftPayroll(fixture.portal, { tenant, key });

/** Lets a page hear nothing of runs until it sends its own POST of this path: by then another user was first. */
async function keepUnaware(page: Page, own: string): Promise<void> {
  let isSent = false;
  page.on('request', request => (isSent ||= request.method() === 'POST' && request.url().endsWith(own)));
  await page.route(/\/portal\/api\/(tenants\/\w+\/)?payroll-runs/, route =>
    isSent ? route.continue() : route.abort(),
  );
}

inBrowser('payroll of HR', () => {
  for (const language of inLanguages('en')) {
    const labels = words[language];

    test(`${language}: a month from the check to the download, and its correction, by keyboard alone`, async () => {
      const tenant = await company();
      const { orderId } = await activeOrder(tenant);
      const { employeeId } = await activeOrder(tenant, { firstName: 'Ali', employeeNumber: null });
      const { sql, testData } = fixture;
      const secret = await user('Petra Lang');
      await visit(fixture.service.url, { language, secret }, async page => {
        await page.goto(pathOf(tenant));
        await press(page, button(page, labels.check));
        await page.getByText(labels.leftOut).first().waitFor();
        // Why, down to contract, month and rule.
        await press(page, page.getByRole('link', { name: 'Ali Fischer' }).first());
        const panel = dialog(page);
        await panel.getByText(labels.rule).first().waitFor();
        assert.ok((await panel.getByText(labels.contract).count()) > 0);
        await page.keyboard.press('Escape');
        await panel.waitFor({ state: 'detached' });
        assert.ok(!page.url().includes('Ali'));
        await press(page, button(page, labels.release));
        await dialog(page).getByText(labels.sums).waitFor();
        await press(page, dialog(page).getByRole('button', { name: labels.release }));
        await page.getByText(labels.released).waitFor();
        await page.getByText(labels.exported).waitFor();
        const file = page.waitForEvent('download');
        await press(page, page.getByRole('button', { name: labels.download }));
        const bytes = await readFile(await (await file).path());
        const sha256 = createHash('sha256').update(bytes).digest('hex');
        await page.getByText(sha256).waitFor();
        await page.getByText(labels.downloaded).waitFor();
        // The number is entered, and the contract ends earlier: late amounts and a correction.
        await fixture.portal.patch(`/employees/${employeeId}`, { employeeNumber: '77' }, { key: secret });
        await sql`
          UPDATE employee_order SET doc = replace(doc, '"endDate":"2029-08-31"', '"endDate":"2026-09-30"')
          WHERE organization_id = ${testData.organization} AND id = ${orderId}`;
        await page.reload();
        await page.getByRole('heading', { name: labels.again }).waitFor();
        await press(page, button(page, labels.check));
        await page.getByText(labels.nothing).waitFor();
        await press(page, page.locator('summary', { hasText: labels.correction }));
        await page.getByRole('link', { name: 'Mia Fischer' }).first().waitFor();
        await press(page, button(page, labels.release));
        await press(page, dialog(page).getByRole('button', { name: labels.release }));
        await page.getByText(/^lohn-\S+-10001-2026-10-2\.csv$/).waitFor();
      });
    });

    test(`${language}: a wrong client number is reversed, and a copy is saved, by keyboard alone`, async () => {
      const tenant = await company();
      await activeOrder(tenant);
      const secret = await user('Petra Lang');
      const { sql, testData, portal } = fixture;
      const id = await draftPayroll(portal, { tenant, key: secret, formats: ['datev_lodas'] });
      let { body: run } = await portal.request('POST', `/payroll-runs/${id}/release`, { key: secret });
      while (run.status === 'releasing')
        ({ run } = (await portal.get(`/payroll-runs/${id}`, { key: secret })).body);
      await sql`
        UPDATE payroll_settings SET settings = settings || '{"clientNumber":"10002"}'
        WHERE organization_id = ${testData.organization} AND tenant_id = ${tenant}`;
      await visit(fixture.service.url, { language, secret }, async page => {
        await page.goto(pathOf(tenant));
        await button(page, labels.copy).waitFor();
        const copy = page.waitForEvent('download');
        await press(page, button(page, labels.copy));
        assert.match((await copy).suggestedFilename(), /-10001-2026-10-kopie\.txt$/);
        await press(page, button(page, labels.reverse));
        await press(page, dialog(page).getByRole('button', { name: labels.computeReversal }));
        await page.getByRole('heading', { name: labels.reversal }).waitFor();
        await press(page, button(page, labels.release));
        await press(page, dialog(page).getByRole('button', { name: labels.release }));
        await page.getByText(labels.released).waitFor();
        await page.getByText(/-1234567-10001-2026-10-umbuchung\.txt$/).waitFor();
        await page.getByText(/-10002-2026-10-umbuchung\.txt$/).waitFor();
      });
    });

    test(`${language}: each finding leads to where it is fixed, by keyboard alone`, async () => {
      const kinds = { ...settingsInput.kinds, taxableBenefit: null };
      const tenant = await company({ kinds });
      const secret = await user('Petra Lang', ['HR', 'PAYROLL_RUN', 'COMPANY_ADMIN']);
      const costCenter = { name: 'Werk', costCenter: 'zu lang für DATEV' };
      const { id: divisionId } = (
        await fixture.portal.post('/divisions', costCenter, { key: secret, tenant })
      ).body;
      await activeOrder(tenant, { firstName: 'Dora', employeeNumber: '1', divisionId });
      const { employeeId } = await activeOrder(tenant, { firstName: 'Ali', employeeNumber: null });
      const { employeeId: away, orderId } = await activeOrder(tenant, {
        firstName: 'Elif',
        employeeNumber: '2',
      });
      await storeIncident(
        fixture.sql,
        { organization: fixture.testData.organization, tenant },
        { employeeId: away, orderId, type: 'parental_leave', effectiveFrom: '2026-09-01' },
      );
      await activeOrder(
        tenant,
        { firstName: 'Olaf', employeeNumber: '3' },
        { startDate: null, endDate: null },
      );
      await draftPayroll(fixture.portal, { tenant, key: secret, formats: ['datev_lodas'] });
      await visit(fixture.service.url, { language, secret }, async page => {
        /** The link in the row of a person. */
        const ofRow = (person: string, name: string) =>
          page.getByRole('listitem').filter({ hasText: person }).getByRole('link', { name }).first();
        const remedies = [
          [ofRow('Ali', labels.openEmployee), `/portal/employees/${employeeId}`],
          [ofRow('Dora', labels.openDivision), `division=${divisionId}`],
          [ofRow('Elif', labels.openIncidents), `/portal/employees/${away}?tab=incidents`],
          [ofRow('Olaf', labels.openOrder), '/portal/orders?'],
          [page.getByRole('link', { name: labels.openSettings }).first(), 'tab=payroll'],
        ] as const;
        await page.goto(pathOf(tenant));
        // September and October are left out for one reason.
        const ofAli = page.getByRole('listitem').filter({ hasText: 'Ali' });
        await ofAli.first().waitFor();
        assert.equal(await ofAli.count(), 1);
        assert.equal((await ofAli.textContent())!.match(/2026/g)!.length, 2);
        for (const [link, address] of remedies) {
          await page.goto(pathOf(tenant));
          await press(page, link);
          await page.waitForURL(url => url.href.includes(address));
        }
      });
      const clerk = await user('Clara Klein', ['HR']);
      await visit(fixture.service.url, { language, secret: clerk }, async page => {
        await page.goto(pathOf(tenant));
        await page.getByText(labels.adminOnly).first().waitFor();
        assert.equal(await page.getByRole('link', { name: labels.openSettings }).count(), 0);
      });
    });

    test(`${language}: a question about a person is answered with a reason, which stays readable, by keyboard alone`, async () => {
      const tenant = await company();
      await activeOrder(tenant, { firstName: 'Bea', blocked: true });
      const secret = await user('Petra Lang');
      await draftPayroll(fixture.portal, { tenant, key: secret });
      await visit(fixture.service.url, { language, secret }, async page => {
        await page.goto(pathOf(tenant));
        await press(page, button(page, labels.answer));
        const dialog = page.getByRole('dialog');
        await type(page, dialog.getByLabel(labels.reason), 'Rückgabe im Januar');
        await press(page, dialog.getByRole('button', { name: labels.answer }));
        await press(page, page.getByText(labels.answered));
        await page.getByText('Rückgabe im Januar').waitFor();
        await page.getByText(labels.nothing).waitFor();
        assert.equal(await button(page, labels.answer).count(), 0);
      });
    });

    test(`${language}: after a fix one button checks again with the same choices, and the page stays where it is, by keyboard alone`, async () => {
      const tenant = await company();
      await activeOrder(tenant);
      const { employeeId } = await activeOrder(tenant, { firstName: 'Ali', employeeNumber: null });
      await activeOrder(
        tenant,
        { firstName: 'Olaf', employeeNumber: '2' },
        { startDate: null, endDate: null },
      );
      const secret = await user('Petra Lang');
      const formats = ['datev_lug', 'csv'];
      const first = await draftPayroll(fixture.portal, { tenant, key: secret, formats });
      const runs = async () =>
        (await fixture.portal.get(`/tenants/${tenant}/payroll-runs`, { key: secret })).body.items;
      await visit(fixture.service.url, { language, secret }, async page => {
        await page.setViewportSize({ width: 1280, height: 500 });
        await page.goto(pathOf(tenant));
        const ali = page.getByRole('link', { name: 'Ali Fischer' });
        await ali.first().waitFor();
        await page.getByText(labels.toWorkOff, { exact: true }).waitFor();
        await fixture.portal.patch(`/employees/${employeeId}`, { employeeNumber: '77' }, { key: secret });
        const again = button(page, labels.checkAgain);
        await reach(page, again);
        const place = async () => (await again.boundingBox())!.y;
        const before = await place();
        await fixture.sql.begin(async transaction => {
          await transaction.unsafe('LOCK TABLE payroll_finding IN SHARE ROW EXCLUSIVE MODE');
          await page.keyboard.press('Enter');
          await page.getByText(labels.computing).waitFor();
          // The report of the check before stays, and a second press changes nothing.
          assert.ok(await ali.first().isVisible());
          // A button that loads cannot have the focus. It gets it back when the check was begun.
          await page.locator('button:focus').and(again).waitFor();
          await page.keyboard.press('Enter');
          assert.equal(await hasFocus(again), true);
        });
        await page.getByText(labels.left, { exact: true }).waitFor();
        assert.equal(await ali.count(), 0);
        assert.ok(await page.getByRole('link', { name: 'Olaf Fischer' }).first().isVisible());
        assert.equal(await hasFocus(again), true);
        assert.equal(await place(), before);
        const [second, ...others] = await runs();
        assert.deepEqual([second.status, second.formats, second.period], ['draft', formats, '2026-10']);
        assert.deepEqual(
          others.map(({ id, status }: { id: string; status: string }) => [id, status]),
          [[first, 'discarded']],
        );
      });
    });

    test(`${language}: a check that the service could not compute says so, and the month can be checked`, async () => {
      const tenant = await company();
      const secret = await user('Petra Lang');
      const failure = { reason: 'internal', message: 'Create a new run', differences: [] };
      const id = await draft(tenant, secret);
      await fixture.sql`
        UPDATE payroll_run SET status = 'discarded', summary = NULL, failure = ${JSON.stringify(failure)}::jsonb
        WHERE organization_id = ${fixture.testData.organization} AND id = ${id}`;
      await visit(fixture.service.url, { language, secret }, async page => {
        await page.goto(pathOf(tenant));
        await page.getByRole('alert').getByText(labels.notComputed).waitFor();
        await press(page, button(page, labels.check));
        await page.getByText(labels.progress).waitFor();
        assert.equal(await page.getByText(labels.notComputed).count(), 0);
      });
    });

    test(`${language}: of two who check again at once the second one sees what happened, and by whom`, async () => {
      const tenant = await company();
      const { employeeId } = await activeOrder(
        tenant,
        { firstName: 'Ali', employeeNumber: null },
        { startDate: '2026-10-01' },
      );
      const [secret, other] = [await user('Petra Lang'), await user('Jonas Meier')];
      await draft(tenant, other);
      await visit(fixture.service.url, { language, secret: other }, async late => {
        await late.goto(pathOf(tenant));
        await reach(late, button(late, labels.checkAgain));
        await keepUnaware(late, '/payroll-runs');
        await fixture.portal.patch(`/employees/${employeeId}`, { employeeNumber: '77' }, { key: secret });
        await visit(fixture.service.url, { language, secret }, async page => {
          await page.goto(pathOf(tenant));
          await press(page, button(page, labels.checkAgain));
          await page.getByText(labels.noneLeft).waitFor();
        });
        await late.keyboard.press('Enter');
        await late.getByText(labels.lateCheck).waitFor();
        await late.getByText(labels.checkedBy).waitFor();
        await late.getByText(labels.noneLeft).waitFor();
        assert.equal(await hasFocus(button(late, labels.checkAgain)), true);
      });
      const { items } = (await fixture.portal.get(`/tenants/${tenant}/payroll-runs`, { key: secret })).body;
      assert.deepEqual(
        items.map(({ status }: { status: string }) => status),
        ['draft', 'discarded'],
      );
    });

    test(`${language}: of two who release at once the second one sees what happened, and by whom`, async () => {
      const tenant = await company();
      await activeOrder(tenant);
      const [first, second] = [await user('Petra Lang'), await user('Jonas Meier')];
      const id = await draft(tenant, first);
      await visit(fixture.service.url, { language, secret: second }, async page => {
        await page.goto(pathOf(tenant));
        await button(page, labels.release).click();
        await dialog(page).getByText(labels.sums).waitFor();
        await keepUnaware(page, '/release');
        await fixture.portal.request('POST', `/payroll-runs/${id}/release`, { key: first });
        await dialog(page).getByRole('button', { name: labels.release }).click();
        await page.getByText(labels.late).waitFor();
        await page
          .getByText(/Petra Lang/)
          .first()
          .waitFor();
      });
    });

    test(`${language}: a check that another user has discarded is not released, and the dialog says so`, async () => {
      const tenant = await company();
      await activeOrder(tenant);
      const [first, second] = [await user('Petra Lang'), await user('Jonas Meier')];
      const id = await draft(tenant, first);
      await visit(fixture.service.url, { language, secret: second }, async page => {
        await page.goto(pathOf(tenant));
        await button(page, labels.release).click();
        await dialog(page).getByText(labels.sums).waitFor();
        await keepUnaware(page, '/release');
        await fixture.portal.request('POST', `/payroll-runs/${id}/discard`, { key: first });
        await dialog(page).getByRole('button', { name: labels.release }).click();
        await dialog(page).getByText(labels.byAnother).waitFor();
        await page.keyboard.press('Escape');
        await button(page, labels.check).waitFor();
      });
    });

    test(`${language}: amounts that changed since the check are not released, and the page shows them`, async () => {
      const tenant = await company();
      await activeOrder(tenant);
      const secret = await user('Petra Lang');
      await draft(tenant, secret);
      await visit(fixture.service.url, { language, secret }, async page => {
        await page.goto(pathOf(tenant));
        await page.getByText(labels.progress).waitFor();
        await activeOrder(tenant, { employeeNumber: '5' });
        await button(page, labels.release).click();
        await dialog(page).getByRole('button', { name: labels.release }).click();
        await page.getByText(labels.changed).waitFor();
        assert.equal(await button(page, labels.release).count(), 0);
        await press(page, page.getByRole('alert').getByRole('button', { name: labels.checkAgain }));
        await button(page, labels.release).waitFor();
        assert.equal(await page.getByText(labels.changed).count(), 0);
        await activeOrder(tenant, { employeeNumber: '6' });
        await button(page, labels.release).click();
        await dialog(page).getByRole('button', { name: labels.release }).click();
        await page.getByText(labels.changed).waitFor();
        await button(page, labels.discard).click();
        await dialog(page).getByRole('button', { name: labels.discard }).click();
        await button(page, labels.check).waitFor();
        assert.equal(await page.getByText(labels.changed).count(), 0);
      });
    });

    test(`${language}: an amount that was corrected in the payroll system is settled with a reason, and is not exported`, async () => {
      const tenant = await company();
      const { employeeId } = await activeOrder(tenant, {}, { startDate: '2026-10-01' });
      const secret = await user('Petra Lang');
      await visit(fixture.service.url, { language, secret }, async page => {
        await page.goto(pathOf(tenant, `&employee=${employeeId}`));
        const panel = dialog(page);
        const settle = panel.getByRole('button', { name: labels.settle }).first();
        const reason = page.getByLabel(labels.reason);
        await press(page, settle);
        await reason.waitFor();
        // The panel behind the dialog stays open.
        await page.keyboard.press('Escape');
        await reason.waitFor({ state: 'detached' });
        await press(page, settle);
        const form = dialog(page).last();
        await reach(page, form.getByRole('radio').first());
        await page.keyboard.press('Space');
        assert.ok(await form.getByLabel(labels.paidElsewhere).isChecked());
        await type(page, form.getByLabel(labels.reason), 'Nachberechnet');
        await reach(page, form.getByLabel(labels.reason));
        await page.keyboard.press('Enter');
        await page.getByText(labels.settled).waitFor();
        await panel.getByText('Nachberechnet').waitFor();
      });
    });

    test(`${language}: HR alone reads a month, and is told which permission is missing`, async () => {
      const tenant = await company();
      await activeOrder(tenant);
      const clerk = await user('Clara Klein', ['HR']);
      await visit(fixture.service.url, { language, secret: clerk }, async page => {
        await page.goto(pathOf(tenant));
        await page.getByText(labels.mayNotRun).waitFor();
        assert.equal(await button(page, labels.check).count(), 0);
        await draft(tenant, await user('Petra Lang'));
        await page.getByText(labels.mayNotRelease).waitFor();
        assert.equal(await button(page, labels.release).count(), 0);
      });
    });

    test(`${language}: a company out of reach is not taken for one that is not set up`, async () => {
      const { sql, testData } = fixture;
      const own = await payrollCompany(sql, testData.organization, `Muster ${Math.random()}`);
      const allowed = { name: 'Clara Klein', permissions: ['HR' as const], hrTenants: [own] };
      const { secret } = await signedInUser(sql, testData.organization, allowed);
      const others = [await company(), await payrollCompany(sql, testData.organization, 'Ohne Lohn')];
      await visit(fixture.service.url, { language, secret }, async page => {
        for (const tenant of others) {
          await page.goto(pathOf(tenant));
          await page.getByRole('alert').getByText(labels.noAccess).waitFor();
          assert.equal(await page.getByText(labels.notSetUp).count(), 0);
        }
        await page.goto(pathOf(own));
        await page.getByText(labels.notSetUp).waitFor();
        assert.equal(await page.getByText(labels.noAccess).count(), 0);
      });
    });

    test(`${language}: the one who has checked the month cannot release it where a second person must`, async () => {
      const tenant = await company({ releaseBySecondActor: true });
      await activeOrder(tenant);
      const [first, second] = [await user('Petra Lang'), await user('Jonas Meier')];
      await draft(tenant, first);
      await visit(fixture.service.url, { language, secret: first }, async page => {
        await page.goto(pathOf(tenant));
        await page.getByText(labels.second).waitFor();
        assert.equal(await button(page, labels.release).count(), 0);
      });
      await visit(fixture.service.url, { language, secret: second }, async page => {
        await page.goto(pathOf(tenant));
        await button(page, labels.release).click();
        await dialog(page).getByRole('button', { name: labels.release }).click();
        await page.getByText(labels.released).waitFor();
      });
    });
  }
});
