import { before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { usePortal } from '../../server/test/portal/support.ts';
import { signedInUser } from '../../server/test/support/users.ts';
import { storeIncident, storeReporter } from '../../server/test/support/incidents.ts';
import { draftPayroll, storeActiveOrder } from '../../server/test/support/payroll-company.ts';
import { storePayrollSettings } from '../../server/test/support/payroll-runs.ts';
import { storeOrderOf } from '../../server/test/support/orders.ts';
import { assertAccessible, noBrowser, useBrowser, visit } from './support.ts';

const fixture = usePortal();

/** A page as it is looked at: where it is, and what shows that it is there. */
interface Inspect {
  readonly name: string;
  readonly path: string;
  readonly signedIn?: false;
  readonly open: (page: Page) => Promise<void>;
}

/** A company with a draft of payroll, and one of its employees. */
let payroll: { tenant: string; employeeId: string };

const heading = (name: string | RegExp) => (page: Page) =>
  page.getByRole('heading', { name, level: 1 }).waitFor();

const inspections: readonly Inspect[] = [
  { name: 'sign-in', path: '/portal/sign-in', signedIn: false, open: heading('Sign in') },
  { name: 'invitation', path: '/portal/invitation#x', signedIn: false, open: heading('Set your password') },
  { name: 'home', path: '/portal', open: heading(/^Hello,/) },
  {
    name: 'menu of the user',
    path: '/portal',
    async open(page) {
      await page.getByRole('button', { name: /: menu$/ }).click();
      await page.getByRole('link', { name: 'My sessions' }).waitFor();
    },
  },
  {
    name: 'choice of the company',
    path: '/portal',
    async open(page) {
      await page.getByRole('button', { name: /^Company: / }).click();
      await page.getByRole('link', { name: 'Muster Logistik GmbH' }).waitFor();
    },
  },
  {
    name: 'search over everything',
    path: '/portal',
    async open(page) {
      await page.getByRole('button', { name: 'Search Ctrl K' }).click();
      await page.getByRole('dialog').getByRole('combobox').fill('muster');
      await page.getByRole('option', { name: 'Muster Logistik GmbH' }).waitFor();
    },
  },
  { name: 'sessions', path: '/portal/sessions', open: page => page.getByText('This one').waitFor() },
  { name: 'keys', path: '/portal/settings/api-keys', open: page => page.getByText(/^\d+ keys$/).waitFor() },
  {
    name: 'no match',
    path: '/portal/settings/api-keys',
    async open(page) {
      await page.getByRole('searchbox').fill('nothing');
      await page.getByText('No matching keys').waitFor();
    },
  },
  {
    name: 'filter',
    path: `/portal/settings/api-keys?filter=${encodeURIComponent('name = test AND (createdAt > 2026-01-01T00:00:00Z OR status IN (active))')}`,
    async open(page) {
      await page.getByRole('button', { name: /^Filter/ }).click();
      await page.getByRole('group', { name: 'Group of conditions' }).waitFor();
    },
  },
  {
    name: 'wrong filter',
    path: '/portal/settings/api-keys?filter=name',
    open: page => page.getByText('The filter is invalid at character 5.').waitFor(),
  },
  {
    name: 'new key',
    path: '/portal/settings/api-keys/new',
    async open(page) {
      await page.getByRole('group', { name: 'Companies' }).getByRole('checkbox').first().check();
      await page.getByText('Some divisions').click();
      await page.getByRole('treeitem').first().click();
      await page.getByRole('status').getByText('1 company').waitFor();
    },
  },
  {
    name: 'order',
    path: '/portal/orders',
    async open(page) {
      await page.getByRole('link', { name: 'Jana Adler' }).click();
      await page.getByRole('button', { name: 'Approve' }).waitFor();
    },
  },
  {
    name: 'incident',
    path: '/portal/incidents',
    async open(page) {
      await page.getByRole('link', { name: 'Ida Falk' }).click();
      await page.getByRole('link', { name: 'a.pdf' }).waitFor();
    },
  },
  {
    name: 'report of an incident',
    path: '/portal/incidents/new',
    async open(page) {
      await page
        .getByLabel(/^Person/)
        .first()
        .fill('Falk');
      await page.getByRole('option', { name: /Ida Falk/ }).click();
      await page.getByLabel(/^Kind of incident/).selectOption('theft');
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByLabel('Day it happened').fill('2026-09-02');
    },
  },
  {
    name: 'incident that lacks something',
    path: '/portal/incidents',
    async open(page) {
      await page.getByRole('link', { name: 'Uwe Falk' }).click();
      await page.getByRole('button', { name: 'Add what is missing' }).waitFor();
    },
  },
  {
    name: 'payroll',
    path: '/portal/companies',
    async open(page) {
      await page.goto(`/portal/payroll?company=${payroll.tenant}&month=2026-10`);
      await page.getByRole('link', { name: 'Ali Fischer' }).first().waitFor();
    },
  },
  {
    name: 'explanation of amounts',
    path: '/portal/companies',
    async open(page) {
      await page.goto(
        `/portal/payroll?company=${payroll.tenant}&month=2026-10&employee=${payroll.employeeId}`,
      );
      await page.getByText('A full month: the whole rate').first().waitFor();
    },
  },
  {
    name: 'release of payroll',
    path: '/portal/companies',
    async open(page) {
      await page.goto(`/portal/payroll?company=${payroll.tenant}&month=2026-10`);
      await page.getByRole('button', { name: 'Release' }).click();
      await page.getByRole('dialog').getByText('These sums go').waitFor();
    },
  },
  { name: 'companies', path: '/portal/companies', open: page => page.getByText('2 companies').waitFor() },
  {
    name: 'company',
    path: '/portal/companies',
    async open(page) {
      await page.getByRole('link', { name: 'Muster GmbH' }).click();
      await page.getByRole('treeitem').first().click();
      await page.getByRole('group', { name: /^About/ }).waitFor();
    },
  },
  { name: 'users', path: '/portal/settings/users', open: page => page.getByText(/^\d+ users?$/).waitFor() },
  {
    name: 'invite',
    path: '/portal/settings/users/new',
    async open(page) {
      await page.getByRole('checkbox', { name: 'HR', exact: true }).check();
      await page.getByRole('checkbox', { name: 'Muster GmbH' }).waitFor();
    },
  },
  {
    name: 'user',
    path: '/portal/settings/users',
    async open(page) {
      await page.getByRole('main').locator('a[href*="/users/"]:not([href$="/new"])').first().click();
      await page.getByText('About this user').waitFor();
    },
  },
  {
    name: 'audit log',
    path: '/portal/settings/audit',
    open: page => page.getByText(/^[\d,]+ entries$/).waitFor(),
  },
  {
    name: 'settings of the organization',
    path: '/portal/settings/organization',
    open: page => page.getByLabel('Minimum length').waitFor(),
  },
  {
    name: 'key',
    path: '/portal/settings/api-keys',
    async open(page) {
      await page.getByRole('main').locator('a[href*="/api-keys/"]:not([href$="/new"])').first().click();
      await page.getByText('Requests in 30 days').waitFor();
    },
  },
  {
    name: 'deletion',
    path: '/portal/settings/api-keys',
    async open(page) {
      await page.getByRole('main').locator('a[href*="/api-keys/"]:not([href$="/new"])').first().click();
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByLabel('Name of the key').waitFor();
    },
  },
  { name: 'missing', path: '/portal/nowhere', open: heading('Page not found') },
];

describe('every page', { skip: noBrowser }, () => {
  useBrowser();
  let secret: string;
  before(async () => {
    const { sql, testData } = fixture;
    const permissions = ['IT', 'HR', 'COMPANY_ADMIN', 'PAYROLL_RUN', 'PAYROLL_RELEASE'] as const;
    const allowed = { permissions: [...permissions], hrTenants: null };
    ({ secret } = await signedInUser(sql, testData.organization, allowed));
    await storeOrderOf(sql, testData, { firstName: 'Jana', lastName: 'Adler' });
    const place = { organization: testData.organization, tenant: testData.tenantA };
    const employeeId = await storeReporter(sql, place, { firstName: 'Ida', lastName: 'Falk' });
    await storeIncident(sql, place, { employeeId });
    const other = await storeReporter(sql, place, { firstName: 'Uwe', lastName: 'Falk' });
    await storeIncident(sql, place, { employeeId: other, status: 'draft', description: null });
    const { organization, tenantB: tenant } = testData;
    await storePayrollSettings(sql, organization, tenant);
    await storeActiveOrder(sql, { organization, tenant });
    const person = { firstName: 'Ali', employeeNumber: null };
    const ofTenant = { organization, tenant };
    payroll = { tenant, ...(await storeActiveOrder(sql, ofTenant, { employee: person })) };
    await draftPayroll(fixture.portal, { tenant, key: secret });
  });

  // One visit for many pages: a new browser context for each would be half of the cost.
  for (const isSignedIn of [false, true])
    test(`has no finding of axe in light and dark, and fits 320 pixels, ${isSignedIn ? 'signed in' : 'signed out'}`, t =>
      visit(fixture.service.url, isSignedIn ? { secret } : {}, async page => {
        for (const { name, path, open } of inspections.filter(
          ({ signedIn = true }) => signedIn === isSignedIn,
        ))
          await t.test(name, async () => {
            await page.goto(path);
            await open(page);
            await assertAccessible(page);
          });
      }));
});
