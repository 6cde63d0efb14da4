import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usePortal } from '../../server/test/portal/support.ts';
import { storeEmployees } from '../../server/test/support/data/employees.ts';
import { contractInput, orderInput, storeOrders } from '../../server/test/support/data/orders.ts';
import { storePayrollSettings } from '../../server/test/support/data/payroll-runs.ts';
import { invitedUser, signedInUser } from '../../server/test/support/data/users.ts';
import { inBrowser, inLanguages, visit } from './support.ts';

const fixture = usePortal();

const words = {
  en: {
    payroll: /^1 company, 1 open, cut-off day: /,
    cutOff: /cut-off day/i,
    amount: '€83.10 a month',
    waiting: 'waiting for 2 days · expires in 8 days',
    employees: 'Import your employees',
    system: 'Connect your first system',
    keys: 'API keys in the last 90 days',
    none: 'No requests',
    settings: 'Set up payroll',
  },
  de: {
    payroll: /^1 Unternehmen, 1 offen, Stichtag: /,
    cutOff: /Stichtag/,
    amount: '83,10 € im Monat',
    waiting: 'wartet seit 2 Tagen · läuft in 8 Tagen ab',
    employees: 'Mitarbeiter importieren',
    system: 'Ihr erstes System anbinden',
    keys: 'API-Schlüssel in den letzten 90 Tagen',
    none: 'Keine Anfragen',
    settings: 'Lohnabrechnung einrichten',
  },
} as const;

inBrowser('the home page', () => {
  for (const language of inLanguages('de')) {
    const text = words[language];

    test(`shows first what an empty organization lacks, and then the work of HR (${language})`, async () => {
      const { sql, testData } = fixture;
      const { organization, tenantA } = testData;
      await sql`DELETE FROM payroll_settings WHERE organization_id = ${organization}`;
      const { secret } = await signedInUser(sql, organization, {
        permissions: ['HR', 'COMPANY_ADMIN'],
        hrTenants: [tenantA],
      });
      await sql`UPDATE tenant SET decision_days = 10 WHERE organization_id = ${organization}`;
      await visit(fixture.service.url, { secret, language }, async page => {
        await page.goto('/portal');
        await page.getByRole('link', { name: text.settings }).waitFor();
        const steps = await page.getByRole('link', { name: text.employees }).count();
        const { id } = await orderOf(`Lea-${language}`, tenantA);
        const firstPeriod = new Date().toISOString().slice(0, 7);
        await storePayrollSettings(sql, organization, tenantA, { firstPeriod, cutOffDay: 20 });
        await page.reload();
        await page.getByText(text.payroll).waitFor();
        // Month and cut-off day stand above the companies, and beside those that have others.
        assert.equal(await page.getByText(text.cutOff).count(), 1);
        // The other language has stored an employee before.
        assert.equal(steps, language === inLanguages('de')[0] ? 1 : 0);
        await page.getByText(text.waiting).first().waitFor();
        await page.getByText(text.amount).first().waitFor();
        await page.getByRole('link', { name: `Lea-${language} Winter` }).click();
        await page.waitForURL(`**/orders?order=${id}`);
      });
    });

    test(`shows the use of keys to IT, and no orders (${language})`, async () => {
      const { sql, testData } = fixture;
      const { secret } = await signedInUser(sql, testData.organization, { permissions: ['IT'] });
      await orderOf(`Mia-${language}`, testData.tenantA);
      await visit(fixture.service.url, { secret, language }, async page => {
        await page.goto('/portal');
        await page.getByRole('heading', { name: text.keys }).waitFor();
        await page.getByText(text.none, { exact: true }).first().waitFor();
        assert.equal(await page.getByText(text.amount).count(), 0);
      });
    });

    test(`shows no keys to HR (${language})`, async () => {
      const { sql, testData } = fixture;
      const { secret } = await signedInUser(sql, testData.organization, {
        permissions: ['HR'],
        hrTenants: null,
      });
      await orderOf(`Ida-${language}`, testData.tenantA);
      await visit(fixture.service.url, { secret, language }, async page => {
        await page.goto('/portal');
        await page.getByText(text.amount).first().waitFor();
        assert.equal(await page.getByRole('heading', { name: text.keys }).count(), 0);
      });
    });
  }

  test('names an invitation that has run out, also where there is no key yet', async () => {
    const { sql, testData } = fixture;
    const { secret } = await signedInUser(sql, testData.organization, {
      permissions: ['IT', 'COMPANY_ADMIN'],
    });
    const late = await invitedUser(sql, testData.organization, { name: 'Laura Late' });
    await sql`
      UPDATE portal_user SET link_expires_at = now()
      WHERE organization_id = ${testData.organization} AND id = ${late.id}`;
    const search = { filter: 'status = active' };
    const { body } = await fixture.portal.post('/api-keys/search', search, { key: secret });
    for (const { id } of body.items)
      await fixture.portal.request('POST', `/api-keys/${id}/deactivation`, { key: secret });
    await visit(fixture.service.url, { secret }, async page => {
      await page.goto('/portal');
      await page.getByRole('link', { name: words.en.system }).waitFor();
      await page.getByRole('link', { name: 'Laura Late' }).waitFor();
    });
  });
});

/** Stores an order that was submitted two days ago. */
async function orderOf(firstName: string, tenant: string): Promise<{ id: string }> {
  const { sql, testData } = fixture;
  const { organization } = testData;
  const [employee] = await storeEmployees(sql, organization, [
    { firstName, lastName: 'Winter', email: `${firstName.toLowerCase()}@example.com`, tenant },
  ]);
  const submittedAt = new Date(Date.now() - 2.25 * 86_400_000).toISOString();
  const [order] = await storeOrders(sql, { organizationId: organization, tenantId: tenant }, [
    orderInput({ employeeId: employee!.id, contract: contractInput(), submittedAt }),
  ]);
  return order!;
}
