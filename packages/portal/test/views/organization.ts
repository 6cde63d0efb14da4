import assert from 'node:assert/strict';
import { testDivision } from '../../../server/test/support/data/test-data.ts';
import { invitedUser } from '../../../server/test/support/data/users.ts';
import { type Area, dialogOf, longName } from './view.ts';

/** Companies, users, settings and the audit log. */
export const organizationViews: Area = async ({ sql, testData, portal, secret, tenant, userId }) => {
  const { organization } = testData;
  const parentId = await testDivision(
    sql,
    { organizationId: organization, tenantId: tenant },
    `A ${longName}`,
  );
  const place = { organizationId: organization, tenantId: tenant, parentId };
  const division = await testDivision(sql, place, longName);
  const onDivision = `/companies/${tenant}?division=${division}`;
  const other = await invitedUser(sql, organization, { name: longName });
  const rule = { approveUpTo: '100.00', rejectAbove: '900.00', withinDays: 30, expectedVersion: 0 };
  const ruled = await portal.post(`/tenants/${tenant}/decision-rule`, rule, { key: secret });
  assert.equal(ruled.status, 200);
  const approval = `/companies/${tenant}?tab=approval`;
  const users = '/settings/users';
  return [
    { name: 'companies', path: '/companies' },
    {
      name: 'company',
      path: `/companies/${tenant}`,
      async open(page) {
        await page.getByRole('treeitem').first().click();
        await page.keyboard.press('ArrowRight');
        await page.getByRole('group').first().waitFor();
      },
    },
    { name: 'new name of a company', path: `/companies/${tenant}`, open: dialogOf('Rename') },
    { name: 'new division', path: `/companies/${tenant}`, open: dialogOf('New division') },
    { name: 'change of a division', path: onDivision, open: dialogOf('Edit') },
    {
      name: 'move of a division',
      path: onDivision,
      async open(page, words) {
        await dialogOf('Move to …')(page, words);
        await page.getByRole('dialog').getByRole('checkbox').first().check();
      },
    },
    { name: 'payroll settings of a company', path: `/companies/${tenant}?tab=payroll` },
    { name: 'payroll settings that are empty', path: `/companies/${testData.tenantB}?tab=payroll` },
    { name: 'approval rule of a company', path: approval },
    {
      name: 'sample of an approval rule',
      path: approval,
      async open(page, words) {
        await words.button('Try on the last orders').click();
        await page.getByRole('row').nth(1).waitFor();
      },
    },
    { name: 'deactivation of an approval rule', path: approval, open: dialogOf('Deactivate') },
    { name: 'company without an approval rule', path: `/companies/${testData.tenantB}?tab=approval` },
    { name: 'retention of a company', path: `/companies/${tenant}?tab=retention` },
    { name: 'users', path: users },
    {
      name: 'invitation of a user',
      path: `${users}/new`,
      async open(page) {
        await page.getByRole('checkbox', { name: 'HR', exact: true }).check();
        await page.getByRole('checkbox', { name: longName }).waitFor();
      },
    },
    {
      name: 'unsaved changes',
      path: `${users}/new`,
      async open(page, words) {
        await words.field('Name').fill(longName);
        await page
          .getByRole('main')
          .getByRole('link', { name: words.text('Cancel') })
          .click();
        await page.getByRole('dialog').waitFor();
      },
    },
    { name: 'own user', path: `${users}/${userId}` },
    { name: 'end of all sessions', path: `${users}/${userId}`, open: dialogOf('End all sessions') },
    { name: 'user', path: `${users}/${other.id}` },
    { name: 'new link', path: `${users}/${other.id}`, open: dialogOf('Invite again') },
    {
      name: 'link of a user',
      path: `${users}/${other.id}`,
      async open(page, words) {
        await dialogOf('Invite again')(page, words);
        await words.button('Create link').click();
        await page.getByTestId('link').waitFor();
      },
    },
    { name: 'deactivation of a user', path: `${users}/${other.id}`, open: dialogOf('Deactivate') },
    {
      name: 'withdrawal of an invitation',
      path: `${users}/${other.id}`,
      open: dialogOf('Withdraw the invitation'),
    },
    {
      name: 'fresh sign-in',
      path: `${users}/${other.id}`,
      as: 'stale',
      async open(page, words) {
        await words.field('Name').fill(`${longName} B`);
        await words.button('Save').click();
        await page.getByRole('dialog').waitFor();
      },
    },
    { name: 'settings of the organization', path: '/settings/organization' },
    { name: 'retention of the organization', path: '/settings/organization?tab=retention' },
    { name: 'mail of the organization', path: '/settings/organization?tab=mail' },
    { name: 'sheet for the works council', path: '/settings/organization/works-council' },
    { name: 'audit log', path: '/settings/audit' },
  ];
};
