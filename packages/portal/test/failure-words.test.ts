import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usePortal } from '../../server/test/portal/support.ts';
import { storeEmployees } from '../../server/test/support/data/employees.ts';
import { draftPayroll, payrollCompany } from '../../server/test/support/data/payroll-company.ts';
import { signedInUser } from '../../server/test/support/data/users.ts';
import { button, inBrowser, inLanguages, visit } from './support.ts';

const fixture = usePortal();

const words = {
  en: {
    check: 'Check now',
    openRun: 'A month of this company is being checked already. Release or discard that check first.',
    email: 'Email',
    first: 'First name',
    last: 'Last name',
    create: 'Create employee',
    exists: 'Another employee already has this work email or employee number.',
    number: 'Employee number',
    testFile: 'Download test file',
    value: 'The service did not accept a value. Check what you have entered.',
  },
  de: {
    check: 'Jetzt prüfen',
    openRun:
      'Ein Monat dieses Unternehmens ist schon in Prüfung. Geben Sie ihn zuerst frei oder verwerfen Sie den Entwurf.',
    email: 'E-Mail',
    first: 'Vorname',
    last: 'Nachname',
    create: 'Mitarbeiter anlegen',
    exists: 'Diese dienstliche E-Mail-Adresse oder Personalnummer hat schon ein anderer Mitarbeiter.',
    number: 'Personalnummer',
    testFile: 'Testdatei herunterladen',
    value: 'Der Dienst hat einen Wert nicht angenommen. Prüfen Sie Ihre Eingaben.',
  },
} as const;

async function hrUser() {
  const { sql, testData } = fixture;
  return signedInUser(sql, testData.organization, {
    permissions: ['HR', 'PAYROLL_RUN', 'COMPANY_ADMIN'],
    hrTenants: null,
  });
}

const companyWithPayroll = (): Promise<string> =>
  payrollCompany(fixture.sql, fixture.testData.organization, `Muster ${Math.random()}`, {});

inBrowser('rejections of the service, in the language of the page', () => {
  for (const language of inLanguages('de')) {
    const labels = words[language];

    test(`${language}: a month that another user is checking`, async () => {
      const tenant = await companyWithPayroll();
      const { secret } = await hrUser();
      await visit(fixture.service.url, { language, secret }, async page => {
        await page.goto(`/portal/payroll?company=${tenant}&month=2026-10`);
        await button(page, labels.check).waitFor();
        // The page must not hear of it before its own request is sent.
        await page.route('**/payroll-runs*', route =>
          route.request().method() === 'GET' ? route.abort() : route.continue(),
        );
        await draftPayroll(fixture.portal, { tenant, key: secret });
        await button(page, labels.check).click();
        await page.getByRole('alert').getByText(labels.openRun).waitFor();
      });
    });

    test(`${language}: an email that another employee has`, async () => {
      const { sql, testData } = fixture;
      const [present] = await storeEmployees(sql, testData.organization, [{ tenant: testData.tenantA }]);
      const { secret } = await hrUser();
      await visit(fixture.service.url, { language, secret }, async page => {
        await page.goto(`/portal/employees/new?company=${testData.tenantA}`);
        await page.getByLabel(labels.email).first().fill(present!.email);
        await page.getByLabel(labels.first).fill('Lea');
        await page.getByLabel(labels.last).fill('Winter');
        await button(page, labels.create).click();
        await page.getByRole('alert').getByText(labels.exists).waitFor();
        // What the service says about a code with words of its own is not repeated.
        assert.equal(await page.getByRole('alert').locator('[lang=en]').count(), 0);
      });
    });

    test(`${language}: a value that the service does not accept, with its message as detail`, async () => {
      const tenant = await companyWithPayroll();
      const { secret } = await hrUser();
      await visit(fixture.service.url, { language, secret }, async page => {
        await page.goto(`/portal/companies/${tenant}?tab=payroll`);
        await page.getByLabel(labels.number, { exact: true }).fill('no number');
        await button(page, labels.testFile).click();
        const alert = page.getByRole('alert');
        await alert.getByText(labels.value).waitFor();
        assert.match(await alert.locator('[lang=en]').innerText(), /^personnelNumber/);
      });
    });
  }
});
