import assert from 'node:assert/strict';
import { importSteps } from '../../../server/test/support/data/employee-imports.ts';
import { storeEmployees } from '../../../server/test/support/data/employees.ts';
import { storeIncident, storeReporter } from '../../../server/test/support/data/incidents.ts';
import { type Area, dialogOf, longName } from './view.ts';

/** Employees, and their import from CSV files. */
export const employeeViews: Area = async ({ sql, testData, portal, secret, tenant }) => {
  const { organization, tenantA, tenantB } = testData;
  const place = { organization, tenant: tenantA };
  const person = { firstName: longName, lastName: `Z ${longName}`, city: longName };
  // An active person with a history, an order and an incident.
  const active = await storeReporter(sql, place, { ...person, divisionId: testData.sales });
  await storeIncident(sql, place, { employeeId: active, description: longName });
  const changed = await portal.patch(`/employees/${active}`, { street: longName }, { key: secret });
  assert.equal(changed.status, 200);
  const [blocked, erased, known] = await storeEmployees(sql, organization, [
    { ...person, tenant: tenantA, blocked: true },
    { ...person, tenant: tenantA },
    { ...person, tenant: tenantB, employeeNumber: 'B1' },
  ]);
  const erasure = await portal.request('POST', `/employees/${erased!.id}/erasure`, { key: secret });
  assert.equal(erasure.status, 200);

  // A company has one open import.
  const steps = importSteps(portal, secret);
  const file = (rows: readonly string[]) =>
    ['Personalnummer;E-Mail;Vorname;Nachname;Ort;PLZ', ...rows].join('\r\n');
  const added = (n: number) => `${n};import-${n}@example.com;${longName};Z ${longName};${longName}`;
  const { body: uploaded } = await steps.upload(tenantA, file([added(1)]), `${longName}.csv`);
  const asked = `4;question@example.com;${longName};Z ${longName};;1067`;
  const planned = await steps.plan(tenantB, file([added(2), `B1;;;;Ulm`, `3;${longName};A;B;`, asked]));
  const applied = await steps.plan(tenant, file([added(4), `5;${longName};A;B;`]));
  await steps.apply(applied.id);

  const { body: other } = await steps.upload(tenant, '%PDF-1.7\n');

  const ofPerson = `/employees/${active}`;
  const plan = `/imports?company=${tenantB}&import=${planned.id}`;
  return [
    { name: 'employees', path: '/employees' },
    {
      name: 'filter panel of employees',
      path: '/employees',
      async open(page, words) {
        await words.button('Filter').click();
        await page.getByRole('form', { name: words.text('Filter') }).waitFor();
      },
    },
    {
      name: 'employees of one company',
      path: `/employees?company=${tenant}`,
      open: (_page, words) => words.shows('Show all companies'),
    },
    { name: 'blocked employees', path: '/employees?state=blocked' },
    {
      name: 'block of selected employees',
      path: '/employees',
      async open(page, words) {
        await page.getByRole('checkbox', { name: words.text('Select all rows') }).check();
        await dialogOf('Block')(page, words);
      },
    },
    { name: 'new employee', path: '/employees/new' },
    {
      name: 'new employee that lacks something',
      path: '/employees/new',
      async open(_page, words) {
        await words.button('Create employee').click();
        await words.shows('Enter the last name');
      },
    },
    { name: 'employee', path: ofPerson },
    {
      name: 'form of an employee',
      path: ofPerson,
      async open(_page, words) {
        await words.button('Edit').click();
        await words.button('Save').waitFor();
      },
    },
    ...['history', 'orders', 'incidents', 'payroll', 'personal-data'].map(tab => ({
      name: `employee, ${tab}`,
      path: `${ofPerson}?tab=${tab}`,
    })),
    { name: 'block of an employee', path: ofPerson, open: dialogOf('Block') },
    { name: 'unblock of an employee', path: `/employees/${blocked!.id}`, open: dialogOf('Unblock') },
    { name: 'new email of an employee', path: ofPerson, open: dialogOf('Change work email') },
    { name: 'activation of an employee', path: `/employees/${known!.id}`, open: dialogOf('Activate') },
    {
      name: 'erasure of an employee',
      path: `/employees/${known!.id}?tab=personal-data`,
      open: dialogOf('Erase personal data'),
    },
    { name: 'erased employee', path: `/employees/${erased!.id}` },
    {
      name: 'erased employee, erased again',
      path: `/employees/${erased!.id}?tab=personal-data`,
      open: dialogOf('Erase again'),
    },
    { name: 'import into no company', path: '/imports' },
    { name: 'upload of an import', path: `/imports?company=${tenant}` },
    { name: 'company with an open import', path: `/imports?company=${tenantA}` },
    { name: 'columns of an import', path: `/imports?company=${tenantA}&import=${uploaded.id}` },
    { name: 'import', path: plan },
    { name: 'questions of an import', path: `${plan}&tab=question` },
    { name: 'errors of an import', path: `${plan}&tab=error` },
    { name: 'columns of a checked import', path: `${plan}&step=columns` },
    { name: 'import of a file that is not CSV', path: `/imports?company=${tenant}&import=${other.id}` },
    { name: 'confirmation of an import', path: plan, open: dialogOf('Import') },
    { name: 'discarding an import', path: plan, open: dialogOf('Discard') },
    { name: 'report of an import', path: `/imports?company=${tenant}&import=${applied.id}` },
  ];
};
