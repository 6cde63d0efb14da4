import { storeIncident, storeReporter } from '../../../server/test/support/data/incidents.ts';
import { storeContractChanges, storeOrderOf } from '../../../server/test/support/data/orders.ts';
import { storeActiveOrder } from '../../../server/test/support/data/payroll-company.ts';
import { type Area, dialogOf, longName, type View } from './view.ts';

/** Orders and incidents. */
export const hrViews: Area = async ({ sql, testData }) => {
  const person = { firstName: longName, lastName: longName };
  const place = { organization: testData.organization, tenant: testData.tenantA };
  // Only those who have an account can report.
  const order = await storeOrderOf(sql, testData, { ...person, lastName: `A ${longName}` });
  const employeeId = await storeReporter(sql, place, person);
  const complete = await storeIncident(sql, place, { employeeId, description: longName });
  const other = await storeReporter(sql, place, person);
  const leave = await storeIncident(sql, place, {
    employeeId,
    type: 'parental_leave',
    effectiveFrom: '2026-09-01',
  });
  const running = await storeActiveOrder(sql, place, { employee: person });
  const changed = await storeActiveOrder(sql, place, { employee: { ...person, employeeNumber: '4714' } });
  await storeContractChanges(sql, testData.organization, changed.orderId);
  const draft = await storeIncident(sql, place, { employeeId: other, status: 'draft', description: null });
  return [
    { name: 'orders', path: '/orders' },
    { name: 'all orders', path: '/orders?all=true' },
    ...['Approve', 'Reject'].map((action): View => ({
      name: `selected orders: ${action}`,
      path: '/orders',
      async open(page, words) {
        await page.getByRole('checkbox', { name: words.text('Select all rows') }).check();
        await dialogOf(action)(page, words);
      },
    })),
    {
      name: 'order',
      path: `/orders?order=${order.id}`,
      open: (_page, words) => words.button('Approve').waitFor(),
    },
    { name: 'incidents', path: '/incidents' },
    {
      name: 'incident',
      path: `/incidents?incident=${complete.id}`,
      async open(page) {
        await page.getByRole('link', { name: 'a.pdf' }).waitFor();
        const file = { name: `${longName}.heic`, mimeType: 'image/heic', buffer: Buffer.from('x') };
        await page.getByRole('dialog').locator('input[type=file]').first().setInputFiles(file);
        await page.getByRole('alert').waitFor();
      },
    },
    {
      name: 'end of a leave',
      path: `/incidents?incident=${leave.id}`,
      async open(page, words) {
        await words.button('Record end, bike or payer').click();
        await page
          .getByRole('heading', { name: words.text('Leave and payroll') })
          .last()
          .waitFor();
      },
    },
    {
      name: 'contract of an order',
      path: `/orders?all=true&order=${running.orderId}`,
      open: (_page, words) => words.button('End early').waitFor(),
    },
    ...['End early', 'Change the amounts'].map((action): View => ({
      name: `contract of an order: ${action}`,
      path: `/orders?all=true&order=${running.orderId}`,
      async open(_page, words) {
        await words.button(action).click();
        if (action === 'End early') await words.field('Last day of the contract').fill('2028-02-29');
        else await words.field('Leasing rate').fill('200');
        await words.shows('Payroll is not set up for this company, so nothing is deducted.');
      },
    })),
    {
      name: 'withdrawal of an early end',
      path: `/orders?all=true&order=${changed.orderId}`,
      async open(_page, words) {
        await words.button('Withdraw the end').click();
        await words.shows('Withdraw the early end?');
      },
    },
    {
      name: 'withdrawal of changed amounts',
      path: `/orders?all=true&order=${changed.orderId}`,
      async open(_page, words) {
        await words.button('Withdraw').first().click();
        await words.shows('Withdraw the change of amounts?');
      },
    },
    {
      name: 'removal of a file',
      path: `/incidents?incident=${complete.id}`,
      async open(page, words) {
        const remove = words.text('Remove {0}', { '0': 'a.pdf' });
        await page.getByRole('button', { name: remove }).click();
        await page.getByRole('heading', { name: remove }).waitFor();
      },
    },
    {
      name: 'withdrawal of a report',
      path: `/incidents?incident=${complete.id}`,
      async open(page, words) {
        await words.button('Withdraw the report').click();
        await page.getByRole('heading', { name: words.text('Withdraw the report') }).waitFor();
      },
    },
    {
      name: 'departure',
      path: `/employees/${running.employeeId}/departure`,
      open: (_page, words) => words.field('Last day at the company').waitFor(),
    },
    {
      name: 'bikes of a departure',
      path: `/employees/${running.employeeId}/departure`,
      async open(_page, words) {
        await words.field('Last day at the company').fill('2028-02-29');
        await words.button('Continue').click();
        await words.field('What happens to the bike').selectOption('purchase');
        await words.shows('Payroll is not set up for this company, so nothing is deducted.');
      },
    },
    {
      name: 'check of a departure',
      path: `/employees/${running.employeeId}/departure`,
      async open(_page, words) {
        await words.field('Last day at the company').fill('2028-02-29');
        await words.button('Continue').click();
        await words.field('What happens to the bike').selectOption('purchase');
        await words.button('Continue').click();
        await words.button('Record the departure').click();
        await words.shows('Confirm this, or go back and change it.');
      },
    },
    {
      name: 'incident that lacks something',
      path: `/incidents?incident=${draft.id}`,
      async open(page, words) {
        await words.button('Add what is missing').click();
        await words.button('Save').waitFor();
      },
    },
    {
      name: 'report of an incident',
      path: '/incidents/new',
      async open(page, words) {
        await words.field('Person').fill(longName.slice(0, 9));
        await page
          .getByRole('option', { name: `${longName} ${longName}` })
          .first()
          .click();
        await words.field('Kind of incident').selectOption('theft');
        await words.button('Continue').click();
        await words.field('Day it happened').fill('2026-09-02');
      },
    },
  ];
};
