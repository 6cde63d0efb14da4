import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { parseKey } from '../../server/src/auth/api-keys.ts';
import { createTenant } from '../../server/src/features/organizations/store.ts';
import { usePortal } from '../../server/test/portal/support.ts';
import { storeIncident, storeReporter } from '../../server/test/support/incidents.ts';
import { draftPayroll, storeActiveOrder } from '../../server/test/support/payroll-company.ts';
import { storePayrollSettings } from '../../server/test/support/payroll-runs.ts';
import { storeOrderOf } from '../../server/test/support/orders.ts';
import { testKey } from '../../server/test/support/test-data.ts';
import { signedInUser } from '../../server/test/support/users.ts';
import { axeFindings, noBrowser, useBrowser, visit } from './support.ts';

const fixture = usePortal();

const widths = [320, 1024, 1280, 1920];

/** Sixty letters, in words that fit a phone. */
const longName = 'Gemeinnützige Wohngesellschaft für Mecklenburg und Vorpommern';

/** Elements that leave the viewport sideways, and words that are broken although a line has room for them. */
const faults = `(() => {
  const isClipped = element => {
    for (let parent = element.parentElement; parent; parent = parent.parentElement)
      if (getComputedStyle(parent).overflowX !== 'visible') return parent !== document.documentElement && parent !== document.body;
    return false;
  };
  const outside = [...document.body.querySelectorAll('*')].filter(element => {
    const { left, right, width, height } = element.getBoundingClientRect();
    if (width < 2 || height < 2 || !element.checkVisibility() || isClipped(element)) return false;
    return left < -0.5 || right > innerWidth + 0.5;
  });
  const broken = [];
  const texts = document.createTreeWalker(document.querySelector('#portal'), NodeFilter.SHOW_TEXT);
  for (let text; (text = texts.nextNode()); ) {
    if (!text.parentElement.checkVisibility() || text.parentElement.closest('.mono')) continue;
    for (const { 0: word, index } of text.data.matchAll(/[\\p{L}\\d]{2,20}/gu)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word);
    }
  }
  const scrolls = [...document.querySelectorAll('main *')].filter(
    element => element.scrollWidth > element.clientWidth + 1 && ['auto', 'scroll'].includes(getComputedStyle(element).overflowX),
  );
  const html = elements => elements.map(({ outerHTML }) => outerHTML.slice(0, 160));
  return { outside: html(outside), broken, scrolls: html(scrolls) };
})()`;

describe('every page with names of sixty letters', { skip: noBrowser }, () => {
  useBrowser();
  let secret: string;
  const paths = [
    '',
    'settings/api-keys',
    'settings/api-keys/new',
    'settings/users',
    'settings/organization',
    'settings/audit',
    'companies',
    'nowhere',
  ];

  before(async () => {
    const { sql, testData, portal } = fixture;
    const signedIn = await signedInUser(sql, testData.organization, {
      name: longName,
      permissions: ['IT', 'HR', 'COMPANY_ADMIN', 'PAYROLL_RUN', 'PAYROLL_RELEASE'],
      hrTenants: null,
    });
    ({ secret } = signedIn);
    const tenant = await createTenant(sql, testData.organization, longName);
    const grants = [
      { tenant, divisions: null },
      { tenant: testData.tenantA, divisions: [testData.sales] },
    ];
    const made = await portal.post('/api-keys', { name: longName, grants }, { key: secret });
    assert.equal(made.status, 201);
    const { id } = parseKey(await testKey(sql, testData.organization, 'all'))!;
    await portal.patch(`/api-keys/${id}`, { expectedIntervalSeconds: 300 }, { key: secret });
    await sql`
      UPDATE api_key SET recent_failures = B'1111111111', last_success_at = ${new Date(Date.now() - 7_200_000)}
      WHERE organization_id = ${testData.organization} AND id = ${id}`;
    const order = await storeOrderOf(sql, testData, { firstName: longName, lastName: longName });
    const place = { organization: testData.organization, tenant: testData.tenantA };
    const employeeId = await storeReporter(sql, place, { firstName: longName, lastName: longName });
    const incident = await storeIncident(sql, place, { employeeId, description: longName });
    const employee = { firstName: longName, lastName: longName, employeeNumber: null };
    const ofTenant = { organization: testData.organization, tenant };
    const payroll = await storeActiveOrder(sql, ofTenant, { employee });
    await storeActiveOrder(sql, ofTenant);
    await storePayrollSettings(sql, testData.organization, tenant);
    await draftPayroll(portal, { tenant, key: secret });
    paths.push(
      'employees',
      'employees/new',
      'incidents',
      'incidents/new',
      `incidents?incident=${incident.id}`,
      'payroll',
      `payroll?company=${tenant}&month=2026-10`,
      `payroll?company=${tenant}&month=2026-10&employee=${payroll.employeeId}`,
      'orders',
      `orders?order=${order.id}`,
      `settings/api-keys/${id}`,
      ...['errors', 'access', 'history'].map(tab => `settings/api-keys/${id}?tab=${tab}`),
      `settings/users/${signedIn.user.id}`,
    );
  });

  async function assertFits(page: Page, path: string): Promise<void> {
    for (const width of widths) {
      await page.setViewportSize({ width, height: 860 });
      assert.deepEqual(
        await page.evaluate(faults),
        { outside: [], broken: [], scrolls: [] },
        `/${path} at ${width}`,
      );
    }
  }

  // Each page is loaded once for all widths.
  for (const language of ['en', 'de'] as const)
    test(`leaves no viewport from 320 to 1920 pixels, breaks no word, and has no finding of axe, in ${language}`, () =>
      visit(fixture.service.url, { secret, language }, async page => {
        for (const path of paths) {
          await page.goto(`/portal/${path}`);
          await page.locator('h1').waitFor();
          await page.waitForLoadState('networkidle');
          await assertFits(page, path);
          // English has been tried by the test of every page.
          if (language === 'de') assert.deepEqual(await axeFindings(page), [], path);
        }
      }));

  test('shows the whole text of a chip that is cut off when it has the focus', () =>
    visit(fixture.service.url, { secret }, async page => {
      await page.goto('/portal/settings/api-keys');
      const chip = page.locator('span[tabindex="0"][title]').first();
      const isCut = () => chip.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
      await chip.waitFor();
      assert.ok(await isCut());
      await chip.focus();
      assert.ok(!(await isCut()));
      assert.equal(await page.locator('span[title]:focus').count(), 1);
    }));
});
