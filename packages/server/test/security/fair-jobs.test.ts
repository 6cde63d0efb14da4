import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOrganization, createTenant } from '../../src/features/organizations/store.ts';
import { usePortal } from '../portal/support.ts';
import { importSteps } from '../support/data/employee-imports.ts';
import { waitForLocks } from '../support/database/locks.ts';
import { draftPayroll, payrollCompany, storeActiveOrder } from '../support/data/payroll-company.ts';
import { signedInUser } from '../support/data/users.ts';

const fixture = usePortal();

/** An organization with a company and a user. */
async function customer(name: string) {
  const { sql } = fixture;
  const organization = await createOrganization(sql, name);
  const permissions = ['HR', 'PAYROLL_RUN'] as const;
  const user = { permissions: [...permissions], hrTenants: null };
  const { secret: key } = await signedInUser(sql, organization, user);
  return { organization, key, tenant: await createTenant(sql.database.writes, organization, name) };
}

test(
  'imports of other organizations that last keep no payroll run waiting',
  { timeout: 60_000 },
  async () => {
    const { sql, portal } = fixture;
    const importing = await Promise.all(['First', 'Second', 'Third'].map(customer));
    const uploads = await Promise.all(
      importing.map(async ({ tenant, key }) => {
        const steps = importSteps(portal, key);
        const { id } = (await steps.upload(tenant, 'email;lastName\nmia@example.com;Lang\n')).body;
        return { steps, id, mapping: (await steps.details(id)).mapping };
      }),
    );
    const { organization, key } = await customer('Paid');
    const tenant = await payrollCompany(sql, organization, 'Paid', {});
    await storeActiveOrder(sql, { organization, tenant });
    await sql.begin(async holder => {
      for (const [index, { id }] of uploads.entries())
        // The plan waits for this row, whether there will be one.
        await holder`
        INSERT INTO employee_import_row (organization_id, import_id, line, kind, changes, problems)
        VALUES (${importing[index]!.organization}, ${id}, 2, 'error', '[]', '[]')`;
      for (const { steps, id, mapping } of uploads)
        assert.equal((await steps.post(id, 'plan', mapping)).status, 200);
      await waitForLocks(sql, [new Promise(() => {})]);
      const run = await draftPayroll(portal, { tenant, key });
      assert.equal((await portal.get(`/payroll-runs/${run}`, { key })).body.run.status, 'draft');
      await holder`DELETE FROM employee_import_row`;
    });
    for (const { steps, id } of uploads) assert.equal((await steps.settled(id)).status, 'planned');
  },
);
