import assert from 'node:assert/strict';
import { parseKey } from '../../../server/src/auth/api-keys.ts';
import { testDivision, testKey } from '../../../server/test/support/data/test-data.ts';
import { type Area, dialogOf, longName } from './view.ts';

const filter = encodeURIComponent('name = test AND (createdAt > 2026-01-01T00:00:00Z OR status IN (active))');

export const keyViews: Area = async ({ sql, testData, portal, secret, tenant }) => {
  const { organization: organizationId } = testData;
  const division = await testDivision(sql, { organizationId, tenantId: tenant }, longName);
  const grants = [
    { tenant, divisions: [division] },
    { tenant: testData.tenantA, divisions: [testData.sales] },
  ];
  const made = await portal.post('/api-keys', { name: longName, grants }, { key: secret });
  assert.equal(made.status, 201);
  const replaced = await portal.post('/api-keys', { name: longName, grants }, { key: secret });
  await portal.post(`/api-keys/${replaced.body.id}/replacement`, {}, { key: secret });
  // A failing key.
  const { id } = parseKey(await testKey(sql, organizationId, 'all'))!;
  await portal.patch(`/api-keys/${id}`, { expectedIntervalSeconds: 300 }, { key: secret });
  await sql`
    UPDATE api_key SET recent_failures = B'1111111111', last_success_at = ${new Date(Date.now() - 7_200_000)}
    WHERE organization_id = ${organizationId} AND id = ${id}`;
  const list = '/settings/api-keys';
  const key = `${list}/${made.body.id}`;
  return [
    { name: 'keys', path: list },
    {
      name: 'no match',
      path: list,
      async open(page, words) {
        await page.getByRole('searchbox').fill('nothing');
        await words.shows('No matching keys');
      },
    },
    {
      name: 'filter',
      path: `${list}?filter=${filter}`,
      async open(page, words) {
        await words.button('Filter ({count})', { count: '3' }).click();
        await page.getByRole('group', { name: words.text('Group of conditions') }).waitFor();
      },
    },
    { name: 'wrong filter', path: `${list}?filter=name` },
    {
      name: 'actions on a row',
      path: list,
      async open(page, words) {
        await words.button('Actions for {name}', { name: longName }).first().click();
        await words.button('Deactivate').waitFor();
      },
    },
    {
      name: 'column widths',
      path: list,
      async open(page, words) {
        await words.button('Column widths').click();
        await page.getByRole('slider').first().waitFor();
      },
    },
    {
      name: 'deactivation of selected keys',
      path: list,
      async open(page, words) {
        await page.getByRole('checkbox', { name: words.text('Select all rows') }).check();
        await dialogOf('Deactivate')(page, words);
      },
    },
    {
      name: 'new key for some types of data',
      path: `${list}/new`,
      async open(page, words) {
        await page.getByText(words.text('Some types of data')).click();
        await page.getByRole('group', { name: words.text('Types of data') }).waitFor();
      },
    },
    {
      name: 'new key',
      path: `${list}/new`,
      async open(page, words) {
        await page.getByRole('checkbox', { name: longName }).first().check();
        await page.getByText(words.text('Some divisions')).click();
        await page.getByRole('treeitem').first().click();
        await page.getByRole('status').first().waitFor();
      },
    },
    {
      name: 'created key',
      path: `${list}/new`,
      async open(page, words) {
        await words.field('Name').fill(longName);
        await page.getByRole('checkbox', { name: longName }).first().check();
        await words.button('Create key').click();
        await page.getByTestId('key').waitFor();
      },
    },
    { name: 'key', path: key },
    { name: 'failing key', path: `${list}/${id}` },
    { name: 'replaced key', path: `${list}/${replaced.body.id}` },
    ...['connect', 'errors', 'access', 'history'].map(tab => ({
      name: `key, ${tab}`,
      path: `${key}?tab=${tab}`,
    })),
    { name: 'expected interval', path: key, open: dialogOf('Change interval') },
    { name: 'replacement', path: key, open: dialogOf('Replace') },
    { name: 'deactivation', path: key, open: dialogOf('Deactivate') },
    { name: 'deletion', path: key, open: dialogOf('Delete') },
    { name: 'unknown key', path: `${list}/000000000000000000000000` },
  ];
};
