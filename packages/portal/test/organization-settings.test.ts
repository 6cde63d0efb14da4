import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usePortal } from '../../server/test/portal/support.ts';
import { signedInUser } from '../../server/test/support/data/users.ts';
import { button, inBrowser, inLanguages, press, reach, type, visit } from './support.ts';

const fixture = usePortal();

const words = {
  en: {
    settings: 'Settings',
    heading: 'Organization settings',
    initial: 'Default lifetime in days',
    max: 'Maximum lifetime in days',
    length: /^Minimum length/,
    tooLong: 'Enter at most 90 days',
    save: 'Save',
    saved: 'Changes saved',
    expires: 'Expires',
    choices: ['In 30 days', 'In 60 days', 'In 90 days'],
    tooShort: 'Use at least 20 characters.',
    set: 'Set password',
    retention: 'Retention',
    audit: 'Keep the audit log (days)',
    auditMinimum: 'Enter at least 90 days',
    auditGone: 'Entries older than 400 days are deleted permanently within a day.',
    vouchers: /^Keep payroll vouchers/,
    vouchersMinimum: 'Enter at least 6 years',
  },
  de: {
    settings: 'Einstellungen',
    heading: 'Einstellungen der Organisation',
    initial: 'Übliche Gültigkeit in Tagen',
    max: 'Längste Gültigkeit in Tagen',
    length: /^Mindestlänge/,
    tooLong: 'Höchstens 90 Tage eingeben',
    save: 'Speichern',
    saved: 'Änderungen gespeichert',
    expires: 'Läuft ab',
    choices: ['In 30 Tagen', 'In 60 Tagen', 'In 90 Tagen'],
    tooShort: 'Verwenden Sie mindestens 20 Zeichen.',
    set: 'Passwort festlegen',
    retention: 'Aufbewahrung',
    audit: 'Audit-Protokoll aufbewahren (Tage)',
    auditMinimum: 'Mindestens 90 Tage eingeben',
    auditGone: 'Einträge, die älter als 400 Tage sind, werden innerhalb eines Tages endgültig gelöscht.',
    vouchers: /^Lohnunterlagen aufbewahren/,
    vouchersMinimum: 'Mindestens 6 Jahre eingeben',
  },
} as const;

inBrowser('the settings of the organization, by keyboard alone', () => {
  for (const language of inLanguages('de'))
    test(`${language}: an administrator limits the lifetime of keys and the length of passwords, and the forms keep to it`, async () => {
      const { sql, testData, service } = fixture;
      const labels = words[language];
      await sql`
        UPDATE organization SET max_key_days = NULL, default_key_days = NULL, min_password_length = 12
        WHERE id = ${testData.organization}`;
      const permissions = ['IT', 'COMPANY_ADMIN'] as const;
      const { secret } = await signedInUser(sql, testData.organization, { permissions: [...permissions] });
      await visit(service.url, { language, secret }, async page => {
        const link = (name: string) => page.getByRole('link', { name, exact: true });
        const field = (name: string | RegExp) => page.getByRole('textbox', { name });
        await page.goto('/portal');
        await press(page, link(labels.settings));
        await page.getByRole('heading', { name: labels.heading, level: 1 }).waitFor();
        await type(page, field(labels.initial), '91');
        await type(page, field(labels.max), '90');
        await type(page, field(labels.length), '20');
        await press(page, button(page, labels.save));
        await page.getByText(labels.tooLong).waitFor();
        await type(page, field(labels.initial), '60');
        await press(page, button(page, labels.save));
        await page.getByText(labels.saved).waitFor();
        await page.goto('/portal/settings/api-keys/new');
        const expires = page.getByRole('combobox', { name: labels.expires });
        await reach(page, expires);
        await page.keyboard.press('ArrowDown');
        const options = page.getByRole('option');
        await options.first().waitFor();
        assert.deepEqual(await options.allTextContents(), labels.choices);
        assert.equal(await expires.inputValue(), labels.choices[1]);
        await page.keyboard.press('Escape');
        await page.goto('/portal/account/password');
        await type(page, page.locator('input[name=password]'), 'tacker brille neun');
        await press(page, button(page, labels.set));
        await page.getByText(labels.tooShort).waitFor();
      });
    });

  test('two administrators who change different settings keep the changes of each other', async () => {
    const { sql, testData, service } = fixture;
    const { organization, tenantA } = testData;
    const labels = words.en;
    const permissions = ['COMPANY_ADMIN'] as const;
    const first = await signedInUser(sql, organization, { permissions: [...permissions] });
    const second = await signedInUser(sql, organization, { permissions: [...permissions] });
    await visit(service.url, { secret: first.secret }, async page => {
      await page.goto('/portal/settings/organization');
      const length = page.getByRole('textbox', { name: labels.length });
      await length.waitFor();
      const changed = { defaultKeyDays: 40, name: 'Muster Gruppe' };
      await fixture.portal.patch('/organization', changed, { key: second.secret });
      await type(page, length, '17');
      await press(page, button(page, labels.save));
      await page.getByText(labels.saved).waitFor();
      const { body } = await fixture.portal.get('/organization', { key: second.secret });
      assert.deepEqual([body.name, body.defaultKeyDays, body.minPasswordLength], ['Muster Gruppe', 40, 17]);

      await page.goto(`/portal/companies/${tenantA}?tab=retention`);
      const vouchers = page.getByRole('textbox', { name: labels.vouchers });
      await vouchers.waitFor();
      await fixture.portal.patch(`/tenants/${tenantA}/retention`, { otherDays: 77 }, { key: second.secret });
      await type(page, vouchers, '12');
      await press(page, button(page, labels.save));
      await page.getByText(labels.saved).waitFor();
      const retention = await fixture.portal.get(`/tenants/${tenantA}/retention`, { key: second.secret });
      assert.deepEqual([retention.body.voucherYears, retention.body.otherDays], [12, 77]);
    });
  });

  for (const language of inLanguages('en'))
    test(`${language}: an administrator sets for how long the audit and the vouchers of a company are kept`, async () => {
      const { sql, testData, service } = fixture;
      const labels = words[language];
      for (const table of ['audit_retention', 'tenant_retention'])
        await sql.unsafe(`DELETE FROM ${table} WHERE organization_id = '${testData.organization}'`);
      const { secret } = await signedInUser(sql, testData.organization, { permissions: ['COMPANY_ADMIN'] });
      await visit(service.url, { language, secret }, async page => {
        const field = (name: string | RegExp) => page.getByRole('textbox', { name });
        const save = () => button(page, labels.save);
        await page.goto('/portal/settings/organization');
        await press(page, page.getByRole('link', { name: labels.retention, exact: true }));
        await type(page, field(labels.audit), '89');
        await press(page, save());
        await page.getByText(labels.auditMinimum).waitFor();
        await type(page, field(labels.audit), '400');
        await page.getByText(labels.auditGone).waitFor();
        await press(page, save());
        await page.getByText(labels.saved).waitFor();
        await page.goto(`/portal/companies/${testData.tenantA}?tab=retention`);
        await type(page, field(labels.vouchers), '5');
        await press(page, save());
        await page.getByText(labels.vouchersMinimum).waitFor();
        await type(page, field(labels.vouchers), '10');
        await press(page, save());
        await page.getByText(labels.saved).waitFor();
      });
      const [stored] = await sql<{ days: number; years: number }[]>`
        SELECT days, voucher_years AS years FROM audit_retention JOIN tenant_retention USING (organization_id)
        WHERE organization_id = ${testData.organization} AND tenant_id = ${testData.tenantA}`;
      assert.deepEqual({ ...stored }, { days: 400, years: 10 });
    });
});
