import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { databaseStore } from '../../src/files/database-store.ts';
import { type ConfiguredFiles, openFiles } from '../../src/files/open.ts';
import { beginMove } from '../../src/files/place.ts';
import type { Retention } from '../../src/privacy/retention.ts';
import { readRetention, storeRetention } from '../../src/privacy/store.ts';
import { findErasability, eraseDataSubject } from '../../src/privacy/erase.ts';
import { endContractOf } from '../../src/features/orders/contract-changes.ts';
import { countOrders } from '../../src/features/payroll/read.ts';
import { checks } from '../../src/consistency/finding.ts';
import { verify } from '../../src/consistency/verify.ts';
import { callOf, operator, Writes } from '../../src/write/writes.ts';
import { useFixture } from '../support/service/fixture.ts';
import { overtaken } from '../support/database/locks.ts';
import { contractInput, historyInput, productInput } from '../support/data/orders.ts';
import { storeDataSubject, type GivenFields } from '../support/data/person.ts';
import { storeAnswer, storePayrollEntry, storePayrollProposal } from '../support/data/payroll-runs.ts';
import { startS3, type TestS3 } from '../support/servers/s3.ts';
import { findTablesWith } from '../support/database/whole-database.ts';
import { stateOf } from '../support/data/test-data.ts';

const fixture = useFixture();
const organizationId = () => fixture.testData.organization;
const today = () => new Date().toISOString().slice(0, 10);
const owner = (employeeId: string) => ({ organizationId: organizationId(), employeeId });

async function erase(employeeId: string, store = databaseStore(fixture.sql)) {
  const { erasedAt: _at, ...counts } = await eraseDataSubject(
    { db: fixture.sql, store },
    owner(employeeId),
    operator,
  );
  return counts;
}

/** Text of a person in every place that takes text, but for numbers that others refer to. */
function marked(mark: string): GivenFields {
  return {
    mark,
    employee: {
      email: `${mark}@example.com`,
      privateEmail: `${mark}@example.org`,
      employeeNumber: mark,
      firstName: `${mark} Ä`,
      lastName: mark,
      phoneNumber: mark,
      street: mark,
      postalCode: mark.slice(0, 20),
      city: mark,
      countryCode: 'XQ',
      additionalInfo: mark,
    },
    order: {
      products: [
        productInput({ model: mark, manufacturerName: mark, articleGroupName: mark, service: mark }),
      ],
      hrHistory: historyInput('approved', { comment: mark }),
    },
    contractEnd: { lastDay: '2018-09-30', reason: 'death', comment: mark },
    incident: { description: mark, policeReference: mark, type: 'theft' },
  };
}

describe('erasing a person', () => {
  test('leaves no text of theirs in any table, files included', async () => {
    const dataSubject = await storeDataSubject(fixture, marked('Zebrafink'));
    const other = await storeDataSubject(fixture, marked('Kolibri'));
    for (const [mark, { id, incidentId }] of Object.entries({ Zebrafink: dataSubject, Kolibri: other })) {
      await fixture.sql`
        UPDATE incident SET leave_comment = ${mark} WHERE organization_id = ${organizationId()} AND id = ${incidentId}`;
      await storeAnswer(fixture.sql, organizationId(), id, mark);
      const proposed = { tenant: fixture.testData.tenantA, employeeId: id, reason: mark };
      await storePayrollProposal(fixture.sql, organizationId(), proposed);
    }
    const before = [
      'employee',
      'employee_order',
      'file_slice',
      'incident',
      'payroll_acknowledgement',
      'payroll_proposal',
    ];
    assert.deepEqual(await findTablesWith(fixture.sql, 'Zebrafink'), before);
    assert.deepEqual(await erase(dataSubject.id), {
      orders: 1,
      incidents: 1,
      files: 2,
      payrollEntries: 0,
      payrollKeptUntil: null,
    });
    assert.deepEqual(await findTablesWith(fixture.sql, 'Zebrafink'), []);
    assert.deepEqual(await findTablesWith(fixture.sql, 'Kolibri'), before, 'others keep theirs');
    assert.equal((await fixture.client.get(`/employees/${other.id}`)).body.lastName, 'Kolibri');
  });

  test('removes the idempotency keys of requests about any of their resources', async () => {
    const { sql, client } = fixture;
    const { id: employeeId, orderId, incidentId } = await storeDataSubject(fixture, marked('Amsel'));
    const { attachments } = (await client.get(`/incidents/${incidentId}`)).body;
    const another = 'f'.repeat(24);
    const theirs = [employeeId, orderId, incidentId, ...attachments.map(({ id }: { id: string }) => id)];
    assert.ok(theirs.length > 3);
    for (const id of [...theirs, another])
      await sql`
        INSERT INTO idempotency_key (organization_id, key_digest, request_digest, resource_id, stored_at)
        VALUES (${organizationId()}, ${`key of ${id}`}, 'x', ${id}, now())`;
    await erase(employeeId);
    const kept = await sql<{ resource_id: string }[]>`SELECT resource_id FROM idempotency_key`;
    assert.deepEqual(
      kept.map(row => row.resource_id),
      [another],
    );
  });

  test('keeps references and sums', async () => {
    const dataSubject = await storeDataSubject(fixture, marked('Eisvogel'));
    const order = (await fixture.client.get(`/orders/${dataSubject.orderId}`)).body;
    const incident = (await fixture.client.get(`/incidents/${dataSubject.incidentId}`)).body;
    await erase(dataSubject.id);
    const { updatedAt: _order, ...after } = (await fixture.client.get(`/orders/${dataSubject.orderId}`)).body;
    const { updatedAt: _before, ...kept } = order;
    const gone = { model: null, manufacturerName: null, articleGroupName: null, service: null };
    assert.deepEqual(after, {
      ...kept,
      products: [{ ...order.products[0], ...gone }],
      hrHistory: { ...order.hrHistory, comment: null },
      attachments: [],
    });
    const { incidentNumber, type, employeeId, orderId, status, editable, occurredOn } = (
      await fixture.client.get(`/incidents/${dataSubject.incidentId}`)
    ).body;
    assert.deepEqual(
      [incidentNumber, type, employeeId, orderId],
      [incident.incidentNumber, 'theft', dataSubject.id, dataSubject.orderId],
    );
    assert.deepEqual([status, editable, occurredOn], ['cancelled', false, null]);
  });

  test('keeps the amounts that payroll exported, and payroll corrects none of them', async () => {
    const { sql } = fixture;
    const { id, orderId } = await storeDataSubject(fixture, marked('Rotkehlchen'));
    const { tenantA: tenantId, organization } = fixture.testData;
    const selection = { organizationId: organization, tenantId, divisionId: null, orderIds: [orderId] };
    assert.equal(await countOrders(sql, selection), 1);
    await storePayrollEntry(sql, { organization, tenantId, employeeId: id, orderId, month: '2019-09' });
    assert.deepEqual(await erase(id), {
      orders: 1,
      incidents: 1,
      files: 2,
      payrollEntries: 1,
      payrollKeptUntil: '2026-01-01',
    });
    const entries =
      await sql`SELECT cents FROM payroll_entry WHERE organization_id = ${organization} AND order_id = ${orderId}`;
    assert.equal(entries.length, 1);
    assert.equal(await countOrders(sql, selection), 0);
    assert.deepEqual((await findErasability(sql, owner(id), today())).holds, [], 'it can be erased again');
  });

  test('waits until the vouchers of all amounts that payroll exported may go', async () => {
    const { id, orderId } = await storeDataSubject(fixture, marked('Blaumeise'));
    const { tenantA: tenantId, organization } = fixture.testData;
    await storePayrollEntry(fixture.sql, {
      organization,
      tenantId,
      employeeId: id,
      orderId,
      month: '2025-02',
    });
    const { holds, from } = await findErasability(fixture.sql, owner(id), today());
    assert.deepEqual(
      [from, holds.map(({ reason }) => reason)],
      ['2032-01-01', ['payroll exported amounts up to 2025-02, whose vouchers are kept until 2032-01-01']],
    );
  });

  test('moves updatedAt of all, so that pollers get it', async () => {
    const dataSubject = await storeDataSubject(fixture);
    const since = (await fixture.client.get(`/incidents/${dataSubject.incidentId}`)).body.updatedAt;
    await erase(dataSubject.id);
    for (const [path, id] of [
      ['/employees', dataSubject.id],
      ['/orders', dataSubject.orderId],
      ['/incidents', dataSubject.incidentId],
    ] as const) {
      const query = { filter: `updatedAt > ${since}`, sort: 'updatedAt' };
      const { body } = await fixture.client.get(path, { query });
      assert.equal(body.items.at(-1).id, id, path);
    }
    const { body } = await fixture.client.get(`/employees/${dataSubject.id}`);
    assert.deepEqual(
      [body.email, body.firstName, body.blocked, body.tenant, body.divisionId],
      [`${dataSubject.id}@erased.invalid`, null, true, fixture.testData.tenantA, fixture.testData.north],
    );
  });

  test('takes the person out of every search, and the files out of reach', async () => {
    const dataSubject = await storeDataSubject(fixture, marked('Uhu-und-Eule'));
    await erase(dataSubject.id);
    for (const filter of [
      "lastName = 'uhu-und-eule'",
      "city CONTAINS 'und-eule'",
      "email STARTS_WITH 'uhu-und'",
    ])
      assert.equal((await fixture.client.get('/employees', { query: { filter } })).body.totalElements, 0);
    const gone = await fixture.client.get(
      `/orders/${dataSubject.orderId}/attachments/${dataSubject.orderFile.id}`,
    );
    assert.equal(gone.status, 404);
  });

  test('is audited with names of fields, and what is stored agrees', async () => {
    const dataSubject = await storeDataSubject(fixture, marked('Pirol'));
    await erase(dataSubject.id);
    const entries = await fixture.sql<{ action: string; fields: string[] }[]>`
      SELECT action, fields FROM audit WHERE action LIKE '%.erase'
        AND target_id IN (${dataSubject.id}, ${dataSubject.orderId}, ${dataSubject.incidentId}) ORDER BY action`;
    assert.deepEqual(
      entries.map(({ action }) => action),
      ['employee.erase', 'incident.erase', 'order.erase'],
    );
    assert.deepEqual(entries[2]!.fields, ['products', 'attachments', 'hrHistory', 'contractRecord']);
    const files = { store: databaseStore(fixture.sql), timeout: 1000 };
    const what = { db: fixture.sql, organizationId: organizationId(), checks: new Set(checks), files };
    for await (const finding of verify({ ...what, repair: false, advance() {} }))
      assert.fail(JSON.stringify(finding));
  });

  test('empties the record of a contract, with the reason of its end, and no end can be recorded afterwards', async () => {
    const contractEnd = { lastDay: '2018-09-30', reason: 'death' } as const;
    const { id, orderId } = await storeDataSubject(fixture, { contractEnd });
    await erase(id);
    const [row] = await fixture.sql`SELECT contract_record FROM employee_order WHERE id = ${orderId}`;
    assert.equal(row!['contract_record'], null);
    await assert.rejects(
      endContractOf(fixture.sql, { organizationId: organizationId(), orderId }, contractEnd),
      { code: 'INVALID_STATE_TRANSITION' },
    );
  });

  test('a second time changes nothing, unless something was written since', async () => {
    const dataSubject = await storeDataSubject(fixture);
    await erase(dataSubject.id);
    const updatedAt = async () => (await fixture.client.get(`/employees/${dataSubject.id}`)).body.updatedAt;
    const once = await updatedAt();
    await erase(dataSubject.id);
    assert.equal(await updatedAt(), once);
    await fixture.client.patch(`/employees/${dataSubject.id}`, { firstName: 'Wieder' });
    await erase(dataSubject.id);
    assert.deepEqual(await findTablesWith(fixture.sql, 'Wieder'), []);
  });

  test('of an unknown employee is NOT_FOUND', async () => {
    await assert.rejects(erase('0123456789abcdef01234567'), { code: 'NOT_FOUND' });
  });
});

describe('erasing a data subject is rejected, and changes nothing,', () => {
  const contract = (endDate: string | null) => contractInput({ startDate: '2016-10-01', endDate });
  const rejections: readonly [why: string, given: GivenFields, reason: RegExp, from: string | null][] = [
    [
      'while an order is under review',
      { order: { status: 'under_review', hrHistory: null } },
      /is under_review/,
      null,
    ],
    ['while an order is approved', { order: { status: 'approved' } }, /is approved/, null],
    [
      'while a contract without an end runs',
      { order: { status: 'active', contract: contract(null) } },
      /is active/,
      null,
    ],
    [
      'while a contract runs, and until its vouchers need not be kept',
      { order: { status: 'active', contract: contract('2031-09-30') } },
      /is active/,
      '2038-01-01',
    ],
    [
      'until the end of the sixth year after that of a contract',
      { order: { contract: contract('2025-01-31') } },
      /vouchers of the payroll, which are kept until 2032-01-01/,
      '2032-01-01',
    ],
  ];
  for (const [why, given, reason, from] of rejections)
    test(why, async () => {
      const dataSubject = await storeDataSubject(fixture, given);
      const before = await stateOf(fixture.sql);
      await assert.rejects(erase(dataSubject.id), (error: Error & { code: string }) => {
        assert.equal(error.code, 'INVALID_STATE_TRANSITION');
        assert.match(error.message, reason);
        assert.match(
          error.message,
          from === null ? /the first possible day is not known yet/ : new RegExp(`it can be from ${from}`),
        );
        return true;
      });
      assert.equal(await stateOf(fixture.sql), before);
      const { holds, from: foretold } = await findErasability(
        fixture.sql,
        owner(dataSubject.id),
        new Date().toISOString().slice(0, 10),
      );
      assert.deepEqual([holds.length, foretold], [1, from]);
    });

  test('when an order becomes active while it waits for its write', async () => {
    const dataSubject = await storeDataSubject(fixture, marked('Specht'));
    const [outcome] = await overtaken(
      fixture.sql,
      organizationId(),
      () => [erase(dataSubject.id).catch((error: Error) => error.message)],
      transaction => transaction`
        UPDATE employee_order SET status = 'active', doc = replace(doc, '"completed"', '"active"')
        WHERE organization_id = ${organizationId()} AND id = ${dataSubject.orderId}`,
    );
    assert.match(outcome as string, /is active/);
    assert.equal((await findTablesWith(fixture.sql, 'Specht')).length, 4);
  });

  test('as long as the retention of a tenant requires', async () => {
    const dataSubject = await storeDataSubject(fixture);
    const { tenantA } = fixture.testData;
    const set = (retention: Retention) =>
      new Writes(fixture.sql).runWithoutClock(callOf(organizationId(), operator), async (write, db) =>
        storeRetention(write, tenantA, await readRetention(db, organizationId(), tenantA), retention),
      );
    await set({ voucherYears: 10, otherDays: 0 });
    await assert.rejects(erase(dataSubject.id), /it can be from 2030-01-01/);
    await set({ voucherYears: 6, otherDays: 30 });
    await assert.rejects(erase(dataSubject.id), /incident .* is kept for 30 days/);
    await set({ voucherYears: 6, otherDays: 0 });
    await erase(dataSubject.id);
  });
});

describe('with files in S3', () => {
  let s3: TestS3;
  let files: ConfiguredFiles;
  before(async () => {
    s3 = await startS3();
    await beginMove(fixture.sql, 'store');
    files = await openFiles({ filesUrl: s3.url, fileTimeout: 5 }, fixture.sql);
  });
  after(async () => {
    files[Symbol.dispose]();
    await s3.close();
  });

  test('the objects are commented with the erasure, and go with the next sweep of any process', async () => {
    const dataSubject = await storeDataSubject(fixture, { store: files.store });
    assert.equal((await s3.objects()).length, 1);
    await erase(dataSubject.id, files.store);
    assert.equal((await s3.objects()).length, 1, 'this process might have died here');
    await files.sweep();
    assert.deepEqual(await s3.objects(), []);
    assert.deepEqual([...(await fixture.sql`SELECT FROM file_pending`)], []);
  });

  test('an erasure that is rejected removes nothing', async () => {
    const dataSubject = await storeDataSubject(fixture, { store: files.store, order: { status: 'active' } });
    await assert.rejects(erase(dataSubject.id, files.store), /is active/);
    await files.sweep();
    assert.equal((await s3.objects()).length, 1);
  });
});
