import {
  draftPayroll,
  releasePayroll,
  storeActiveOrder,
} from '../../../server/test/support/data/payroll-company.ts';
import { storePayrollSettings } from '../../../server/test/support/data/payroll-runs.ts';
import { type Area, dialogOf, longName } from './view.ts';

export const payrollViews: Area = async ({ sql, testData, portal, secret, tenant }) => {
  const { organization } = testData;
  const ofTenant = { organization, tenant };
  const employee = { firstName: longName, lastName: `A ${longName}`, employeeNumber: null };
  const { employeeId } = await storeActiveOrder(sql, ofTenant, { employee });
  await storeActiveOrder(sql, ofTenant);
  await storeActiveOrder(sql, ofTenant, { employee: { ...employee, blocked: true } });
  await storePayrollSettings(sql, organization, tenant);
  await releasePayroll(portal, { tenant, key: secret, period: '2026-09' });
  await draftPayroll(portal, { tenant, key: secret });
  const month = `/payroll?company=${tenant}&month=2026-10`;
  const person = `${month}&employee=${employeeId}`;
  const link = { name: `${longName} A ${longName}` };
  return [
    { name: 'payroll of no company', path: '/payroll' },
    { name: 'payroll that is not set up', path: `/payroll?company=${testData.tenantA}` },
    { name: 'payroll out of reach', path: `/payroll?company=${'f'.repeat(24)}` },
    { name: 'payroll', path: month, open: page => page.getByRole('link', link).first().waitFor() },
    {
      name: 'persons of a sum of payroll',
      path: month,
      async open(page, words) {
        await words.button('{name} by person', { name: words.text('Salary conversion') }).click();
        await page.getByRole('cell', { name: '3010' }).first().waitFor();
      },
    },
    { name: 'payroll of a released month', path: `/payroll?company=${tenant}&month=2026-09` },
    {
      name: 'reversal of a released month',
      path: `/payroll?company=${tenant}&month=2026-09`,
      open: dialogOf('Reverse the amounts'),
    },
    { name: 'payroll of another month', path: `/payroll?company=${tenant}&month=2026-08` },
    { name: 'answer to a question of payroll', path: month, open: dialogOf('Answer the question') },
    { name: 'release of payroll', path: month, open: dialogOf('Release') },
    { name: 'discarding a check', path: month, open: dialogOf('Discard the check') },
    {
      name: 'explanation of amounts',
      path: person,
      open: (_page, words) => words.shows('A full month: the whole rate'),
    },
    {
      name: 'settlement of an amount',
      path: person,
      async open(page, words) {
        await page
          .getByRole('dialog')
          .getByRole('button', { name: words.text('Settle outside') })
          .first()
          .click();
        await words.shows('Settle an amount outside of Kontor');
      },
    },
  ];
};
