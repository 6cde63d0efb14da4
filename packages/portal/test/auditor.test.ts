import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { usePortal } from '../../server/test/portal/support.ts';
import { storeIncident, storeReporter } from '../../server/test/support/data/incidents.ts';
import { storeOrderOf } from '../../server/test/support/data/orders.ts';
import { storeActiveOrder } from '../../server/test/support/data/payroll-company.ts';
import { signedInUser } from '../../server/test/support/data/users.ts';
import { inBrowser, visit } from './support.ts';
import { settle } from './views/view.ts';

const fixture = usePortal();

/** Buttons that only show, search, download or copy. */
const reading = [
  /^(Filter|Export|Column widths|Show numbers by day|Close|Next|Previous|Search|Print)/,
  /^(Copy|Download|Save|Show|Open|Zoom)/,
];

/** Everything on a page, and in its dialog, that can be pressed to change something. The heads of columns sort. */
async function actionsOn(page: Page): Promise<string[]> {
  const found = page
    .locator('main, [role=dialog]')
    .locator('button:not(th button), input, a[href$="/new"], a[href*="/departure"]');
  const names = await found.evaluateAll(elements =>
    elements.map(element => {
      const type = element.getAttribute('type');
      if (element.tagName === 'INPUT') return type === 'file' || type === 'checkbox' ? `input ${type}` : '';
      return (element.getAttribute('aria-label') ?? element.textContent ?? '').trim();
    }),
  );
  return names.filter(name => name !== '' && !reading.some(words => words.test(name)));
}

inBrowser('an auditor', () => {
  let secret: string;
  let hr: string;
  let paths: string[];
  before(async () => {
    const { sql, testData } = fixture;
    const { organization } = testData;
    const place = { organization, tenant: testData.tenantA };
    const permissions = ['AUDIT'] as const;
    const ofA = { hrTenants: [testData.tenantA] };
    ({ secret } = await signedInUser(sql, organization, { permissions: [...permissions], ...ofA }));
    ({ secret: hr } = await signedInUser(sql, organization, { permissions: ['HR', 'PAYROLL_RUN'], ...ofA }));
    const employeeId = await storeReporter(sql, place);
    const incident = await storeIncident(sql, place, { employeeId });
    const leave = await storeIncident(sql, place, {
      employeeId,
      type: 'parental_leave',
      effectiveFrom: '2026-09-01',
    });
    const left = await storeIncident(sql, place, { employeeId, type: 'termination' });
    const order = await storeOrderOf(sql, testData, { lastName: 'Sommer' });
    const running = await storeActiveOrder(sql, place, { employee: { lastName: 'Herbst' } });
    const made = await fixture.portal.post(
      '/api-keys',
      { name: 'Payroll', grants: [{ tenant: testData.tenantA, divisions: null }] },
      { key: hr },
    );
    assert.equal(made.status, 201);
    const key = `/settings/api-keys/${made.body.id}`;
    paths = [
      '/',
      '/orders',
      `/orders?order=${order.id}`,
      `/orders?all=true&order=${running.orderId}`,
      '/employees',
      `/employees/${employeeId}`,
      `/employees/${employeeId}?tab=personal-data`,
      '/incidents',
      `/incidents?incident=${incident.id}`,
      `/incidents?incident=${leave.id}`,
      `/incidents?incident=${left.id}`,
      '/payroll',
      '/imports',
      '/companies',
      `/companies/${testData.tenantA}`,
      '/settings/api-keys',
      key,
      ...['connect', 'errors', 'access', 'history'].map(tab => `${key}?tab=${tab}`),
    ];
  });

  test('reads each page of HR and of API keys, and none offers a change', () =>
    visit(fixture.service.url, { secret }, async page => {
      const found: Record<string, string[]> = {};
      for (const path of paths) {
        await page.goto(`/portal${path}`);
        await settle(page);
        assert.equal(await page.getByText('You do not have permission').count(), 0, path);
        const actions = [
          ...(await page.getByRole('alert').filter({ hasNotText: 'Approved by a rule' }).allInnerTexts()),
          ...(await actionsOn(page)),
        ];
        if (actions.length > 0) found[path] = actions;
      }
      assert.deepEqual(found, {});
    }));

  test('reads below each heading what the page shows, and is not told to change anything', () =>
    visit(fixture.service.url, { secret }, async page => {
      const leads = [
        ['/orders', 'The orders of employees, and how they were decided.'],
        ['/employees', 'Find people, and see their data.'],
        ['/incidents', 'Follow what disturbs running orders.'],
        ['/payroll', 'The amounts of the month, and the files for the payroll system.'],
        ['/imports', 'The files that HR has imported, and what they have changed.'],
        ['/imports', 'Imports of HR appear here.'],
      ] as const;
      for (const [path, lead] of leads) {
        await page.goto(`/portal${path}`);
        await page.getByText(lead, { exact: true }).waitFor();
      }
    }));

  test('is not asked to connect or replace a key, and no page of the menu needs attention', () =>
    visit(fixture.service.url, { secret }, async page => {
      await page.goto(`/portal${paths.find(path => path.startsWith('/settings/api-keys/'))}`);
      await page.getByText('Its first request appears here.').waitFor();
      await page.getByText('It is determined from two weeks of use.').waitFor();
      assert.equal(await page.getByRole('main').getByRole('link', { name: 'Connect its system' }).count(), 0);
      await page.goto('/portal/orders');
      await settle(page);
      assert.equal(await page.getByRole('navigation').getByRole('img').count(), 0);
    }));

  test('does not get to the forms of HR by their addresses', () =>
    visit(fixture.service.url, { secret }, async page => {
      for (const path of ['/employees/new', '/incidents/new', '/settings/api-keys/new']) {
        await page.goto(`/portal${path}`);
        await settle(page);
        assert.deepEqual(await actionsOn(page), [], path);
        assert.equal(await page.getByRole('textbox').count(), 0, path);
      }
    }));

  test('is the only one: HR finds actions on these pages', () =>
    visit(fixture.service.url, { secret: hr }, async page => {
      for (const path of ['/orders', '/employees', '/incidents', '/settings/api-keys']) {
        await page.goto(`/portal${path}`);
        await settle(page);
        assert.ok((await actionsOn(page)).length > 0, path);
      }
    }));
});
