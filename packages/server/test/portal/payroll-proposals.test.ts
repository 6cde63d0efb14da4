import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PortalPermission } from '@kontor/contract';
import { settingsInput } from '../features/payroll/support.ts';
import {
  draftPayroll,
  payrollCompany,
  payrollUser,
  releasePayroll,
  storeActiveOrder,
} from '../support/data/payroll-company.ts';
import { outcome, usePortal } from './support.ts';

/* The rules of proposals and open amounts are tested with the platform; here is that users with the right permissions meet them. */

interface Person {
  readonly id: string;
  readonly key: string;
}

let petra: Person;
let jonas: Person;
let admin: Person;
const fixture = usePortal(async ({ sql, testData }) => {
  const person = (name: string, permissions: PortalPermission[]) =>
    payrollUser(sql, testData.organization, { name, permissions });
  petra = await person('Petra Lang', ['HR', 'PAYROLL_RUN', 'PAYROLL_RELEASE']);
  jonas = await person('Jonas Meier', ['HR', 'PAYROLL_RELEASE']);
  admin = await person('Anna Admin', ['COMPANY_ADMIN']);
});

const post = (path: string, body: object, who: Person) => fixture.portal.post(path, body, who);

async function company(settings: object = { changesBySecondActor: true }) {
  const { sql, testData } = fixture;
  const { organization } = testData;
  const tenant = await payrollCompany(sql, organization, `Muster ${Math.random()}`);
  const wanted = { ...settingsInput, ...settings };
  assert.equal((await post(`/tenants/${tenant}/payroll-settings`, wanted, admin)).status, 200);
  const { orderId } = await storeActiveOrder(sql, { organization, tenant });
  return { tenant, orderId };
}

const settlement = {
  month: '2026-09',
  kind: 'salary_conversion',
  meaning: 'paid_elsewhere',
  reason: 'Nachberechnet',
};

const propose = (orderId: string, more: object = {}) =>
  post('/payroll-settlements/proposals', { orderId, ...settlement, ...more }, petra);

const proposeSettings = (tenant: string, more: object) =>
  post(
    `/tenants/${tenant}/payroll-settings/proposals`,
    { ...settingsInput, changesBySecondActor: true, ...more },
    admin,
  );

const decide = (id: string, decision: string, who: Person) =>
  post(`/payroll-proposals/${id}/decision`, { decision }, who);

async function setStatus(run: string, status: string): Promise<void> {
  await fixture.sql`
    UPDATE payroll_run SET status = ${status}
    WHERE organization_id = ${fixture.testData.organization} AND id = ${run}`;
}

describe('a company where a second user confirms', () => {
  test('one user proposes and another one confirms a settlement; both have their names in the list', async () => {
    const { tenant, orderId } = await company();
    assert.equal(
      outcome(await post('/payroll-settlements', { orderId, ...settlement }, petra)),
      '403 PERMISSION_DENIED',
    );
    const { id } = (await propose(orderId)).body;
    assert.equal(outcome(await decide(id, 'confirmed', petra)), '403 PERMISSION_DENIED');
    assert.equal((await decide(id, 'confirmed', jonas)).status, 200);
    const { body } = await fixture.portal.get(`/tenants/${tenant}/payroll-proposals`, petra);
    const [listed] = body.items;
    assert.deepEqual(
      [listed.employeeName, listed.proposedBy.name, listed.decidedBy.name],
      ['Mia Fischer', 'Petra Lang', 'Jonas Meier'],
    );
  });

  test('an admin proposes settings, and a user who may release confirms them', async () => {
    const { tenant } = await company();
    const path = `/tenants/${tenant}/payroll-settings`;
    const changed = { ...settingsInput, changesBySecondActor: true, cutOffDay: 7 };
    assert.equal(outcome(await post(path, changed, admin)), '403 PERMISSION_DENIED');
    const { id } = (await proposeSettings(tenant, { cutOffDay: 7 })).body;
    assert.equal((await decide(id, 'confirmed', jonas)).status, 200);
    assert.equal((await fixture.portal.get(path, admin)).body.cutOffDay, 7);
  });

  test('422 VALIDATION_ERROR: nothing is open, settings that are in force, and what was settled since', async () => {
    const { tenant, orderId } = await company();
    const [one, other] = [(await propose(orderId)).body.id, (await propose(orderId)).body.id];
    assert.equal((await decide(one, 'confirmed', jonas)).status, 200);
    assert.equal(outcome(await propose(orderId)), '422 VALIDATION_ERROR');
    assert.equal(outcome(await decide(other, 'confirmed', jonas)), '422 VALIDATION_ERROR');
    assert.equal(outcome(await proposeSettings(tenant, {})), '422 VALIDATION_ERROR');
  });

  test('422 INVALID_REFERENCE: an unknown order, and one that left its company', async () => {
    const { orderId } = await company();
    assert.equal(outcome(await propose('f'.repeat(24))), '422 INVALID_REFERENCE');
    const { id } = (await propose(orderId)).body;
    const { sql, testData } = fixture;
    await sql`
      UPDATE employee_order SET tenant_id = NULL, division_id = NULL
      WHERE organization_id = ${testData.organization} AND id = ${orderId}`;
    assert.equal(outcome(await decide(id, 'confirmed', jonas)), '422 INVALID_REFERENCE');
  });

  test('409 INVALID_STATE_TRANSITION: during a release, and a proposal that is decided', async () => {
    const { tenant, orderId } = await company();
    const { id } = (await propose(orderId)).body;
    const run = await draftPayroll(fixture.portal, { tenant, key: petra.key });
    await setStatus(run, 'releasing');
    assert.equal(outcome(await propose(orderId)), '409 INVALID_STATE_TRANSITION');
    await setStatus(run, 'discarded');
    assert.equal((await decide(id, 'rejected', petra)).body.status, 'rejected');
    assert.equal(outcome(await decide(id, 'rejected', jonas)), '409 INVALID_STATE_TRANSITION');
  });
});

describe('open amounts that no file contains', () => {
  test('are listed with names, exported as CSV in the language of the user, and the export is audited', async () => {
    const { sql, testData } = fixture;
    const { organization } = testData;
    const { tenant } = await company({ firstPeriod: '2024-12' });
    await storeActiveOrder(
      sql,
      { organization, tenant },
      {
        employee: { firstName: '=cmd', lastName: 'Lang', employeeNumber: '7' },
        contract: { startDate: '2024-12-01', endDate: '2027-11-30' },
      },
    );
    const month = { tenant, key: petra.key, formats: ['datev_lodas'], period: '2026-09' };
    await releasePayroll(fixture.portal, month);
    const path = `/tenants/${tenant}/payroll-receivables`;
    const { body } = await fixture.portal.get(path, petra);
    assert.deepEqual(
      body.items.map(({ employeeName, month, amount }: Record<string, string>) => [
        employeeName,
        month,
        amount,
      ]),
      [
        ['=cmd Lang', '2024-12', '83.10'],
        ['=cmd Lang', '2024-12', '8.00'],
      ],
    );
    const exported = async (language: string) =>
      (await post(`${path}/export`, { language }, petra)).bytes.toString().split('\r\n');
    assert.deepEqual(await exported('de'), [
      '\uFEFFPerson;Personalnummer;Monat;Art;Betrag;Warum er in keiner Datei steht',
      "'=cmd Lang;7;2024-12;Entgeltumwandlung;83,10;Das Format nimmt keine Korrektur dieses Monats, dieser Lohnart oder Kostenstelle an",
      "'=cmd Lang;7;2024-12;Geldwerter Vorteil;8,00;Das Format nimmt keine Korrektur dieses Monats, dieser Lohnart oder Kostenstelle an",
      '',
    ]);
    assert.match((await exported('en'))[0]!, /^\uFEFFPerson;Personnel number;Month;/);
    const entries = await sql`
      SELECT actor FROM audit WHERE organization_id = ${organization} AND target_id = ${tenant}
        AND action = 'tenant.export_payroll_receivables' LIMIT 1`;
    assert.deepEqual(entries, [{ actor: petra.id }]);
  });
});

describe('the recipe of a run', () => {
  test('names the wage types of its files, what kind each must be, sign, sum and rules, in German and English', async () => {
    const { tenant } = await company({});
    const id = await releasePayroll(fixture.portal, { tenant, key: petra.key, period: '2026-09' });
    const recipe = async (query: Record<string, string>) =>
      (await fixture.portal.get(`/payroll-runs/${id}/recipe`, { ...petra, query })).bytes.toString();
    const german = await recipe({ format: 'datev_lodas' });
    assert.match(german, /^\uFEFFMuster 0\.\d+, 09\/2026: DATEV LODAS\r\n/);
    assert.match(
      german,
      /\r\n- 3010 Entgeltumwandlung, Summe -83,10 EUR \(1 Beträge\), gebucht als Minus, Bearbeitungsschlüssel 2\r\n {2}Eine Lohnart, die das Bruttoentgelt/,
    );
    assert.match(
      german,
      /\r\n- 3020 Geldwerter Vorteil, Summe 8,00 EUR .+\r\n {2}Eine Lohnart für Sachbezüge/,
    );
    const english = await recipe({ format: 'datev_lug', language: 'en' });
    assert.match(english, /8000 to 9999/);
    assert.match(english, /tax law accepts only conversions that were agreed before the pay was due/);
  });

  test('409 INVALID_STATE_TRANSITION: a draft has no files', async () => {
    const { tenant } = await company({});
    const id = await draftPayroll(fixture.portal, { tenant, key: petra.key });
    const query = { format: 'csv' };
    const answer = await fixture.portal.get(`/payroll-runs/${id}/recipe`, { ...petra, query });
    assert.equal(outcome(answer), '409 INVALID_STATE_TRANSITION');
  });
});
