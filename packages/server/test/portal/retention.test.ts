import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setAuditDays } from '../../src/features/audit/retention.ts';
import { callOf, operator, Writes } from '../../src/write/writes.ts';
import { signedInUser } from '../support/data/users.ts';
import { outcome, usePortal } from './support.ts';

let key: string;
const fixture = usePortal(async ({ sql, testData }) => {
  ({ secret: key } = await signedInUser(sql, testData.organization, { permissions: ['COMPANY_ADMIN'] }));
});

const get = async (path: string) => (await fixture.portal.get(path, { key })).body;
const patch = (path: string, body: object) => fixture.portal.patch(path, body, { key });
const audited = async (action: string) => {
  const rows = await fixture.sql<{ target_id: string; fields: string[] }[]>`
    SELECT target_id, fields FROM audit
    WHERE organization_id = ${fixture.testData.organization} AND action = ${action} ORDER BY at`;
  return rows.map(({ target_id: id, fields }) => ({ id, fields }));
};

describe('the retention of the audit', () => {
  const path = '/retention';
  const initial = { auditDays: null, auditDaysMinimum: 90, removesAudit: true };

  test('200: is for ever at first, and a change is stored and audited once', async () => {
    assert.deepEqual(await get(path), initial);
    for (const _again of [1, 2])
      assert.deepEqual((await patch(path, { auditDays: 400 })).body, { ...initial, auditDays: 400 });
    assert.deepEqual(await get(path), { ...initial, auditDays: 400 });
    const { organization } = fixture.testData;
    assert.deepEqual(await audited('audit.keep'), [{ id: organization, fields: ['days'] }]);
    assert.equal((await patch(path, { auditDays: null })).body.auditDays, null);
  });

  test('400 VALIDATION_ERROR: no administrator removes recent entries, and what the operator set is shown', async () => {
    assert.equal(outcome(await patch(path, { auditDays: 89 })), '400 VALIDATION_ERROR');
    assert.equal(outcome(await patch(path, { auditDays: 90 })), '200');
    await new Writes(fixture.sql).runWithoutClock(
      callOf(fixture.testData.organization, operator),
      (write, db) => setAuditDays(write, db, 30),
    );
    assert.equal((await get(path)).auditDays, 30);
  });
});

describe('the retention of a tenant', () => {
  test('200: is what the law requires at first, and a change of a field leaves the other one', async () => {
    const { tenantA, tenantB } = fixture.testData;
    const path = `/tenants/${tenantA}/retention`;
    const initial = { tenantId: tenantA, voucherYears: 6, otherDays: 0, voucherYearsMinimum: 6 };
    assert.deepEqual(await get(path), initial);
    assert.deepEqual((await patch(path, { otherDays: 180 })).body, { ...initial, otherDays: 180 });
    assert.deepEqual((await patch(path, { voucherYears: 8 })).body, {
      ...initial,
      voucherYears: 8,
      otherDays: 180,
    });
    await patch(path, { voucherYears: 8 });
    assert.deepEqual(await audited('tenant.retention'), [
      { id: tenantA, fields: ['otherDays'] },
      { id: tenantA, fields: ['voucherYears'] },
    ]);
    assert.equal((await get(`/tenants/${tenantB}/retention`)).voucherYears, 6);
  });

  test('400 VALIDATION_ERROR: fewer years than the law requires', async () => {
    const answer = await patch(`/tenants/${fixture.testData.tenantA}/retention`, { voucherYears: 5 });
    assert.equal(outcome(answer), '400 VALIDATION_ERROR');
  });
});
