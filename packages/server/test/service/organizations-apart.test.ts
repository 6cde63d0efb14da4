import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../../src/db/ids.ts';
import type { Answer } from '../support/contract/client.ts';
import { storeEmployees } from '../support/data/employees.ts';
import { useFixture } from '../support/service/fixture.ts';
import { lockWaits } from '../support/database/locks.ts';
import { orderInput, storeOrders } from '../support/data/orders.ts';

/** A write that waits for another one must not delay those of other organizations. */
const fixture = useFixture();

/** What the writes of one organization are made with. */
interface Place {
  readonly key: string;
  readonly tenant: string;
  readonly organization: string;
}

const placeA = (): Place => ({
  key: fixture.testData.keys.all,
  tenant: fixture.testData.tenantA,
  organization: fixture.testData.organization,
});
const placeB = (): Place => ({ key: fixture.testData.keys.foreign, ...fixture.testData.foreign });

/** One write of each kind, ready to be sent. */
async function oneOfEach({ key, tenant, organization }: Place): Promise<(() => Promise<Answer<any>>)[]> {
  const { sql, client } = fixture;
  const [person] = await storeEmployees(sql, organization, [{ tenant }]);
  const employeeId = person!.id;
  await sql`UPDATE employee SET activated_at = now() WHERE id = ${employeeId}`;
  const target = { organizationId: organization, tenantId: tenant };
  const [order] = await storeOrders(sql, target, [orderInput({ employeeId })]);
  const options = { key, tenant };
  const name = newId();
  return [
    () => client.post('/divisions', { name }, options),
    () => client.post('/employees', { email: `${name}@example.com`, firstName: 'A', lastName: 'B' }, options),
    () => client.patch(`/employees/${employeeId}`, { city: 'Köln' }, options),
    () => client.post('/incidents', { employeeId, type: 'damage' }, options),
    () => client.post(`/orders/${order!.id}/decision`, { decision: 'approved' }, options),
  ];
}

async function requestsInFlight(): Promise<number> {
  const metrics = await (await fetch(`${fixture.service.managementUrl}/metrics`)).text();
  return Number(/^kontor_requests_in_flight (\d+)$/m.exec(metrics)![1]);
}

/** The sessions that wait for a lock. */
function waitingSessions(): Promise<number> {
  return lockWaits(fixture.sql);
}

test('30 writes of all kinds that wait for one organization leave those of another one alone, and then succeed', async () => {
  const { sql, testData } = fixture;
  const sets = await Promise.all(Array.from({ length: 6 }, () => oneOfEach(placeA())));
  const others = await oneOfEach(placeB());
  const answered: number[] = [];
  const waiting = await sql.begin(async holder => {
    await holder`SELECT FROM organization WHERE id = ${testData.organization} FOR UPDATE`;
    const asked = sets.flat().map(async send => {
      const answer = await send();
      answered.push(answer.status);
      return answer;
    });
    while ((await requestsInFlight()) < 30);
    while ((await waitingSessions()) === 0);
    const statuses = (await Promise.all(others.map(send => send()))).map(answer => answer.status);
    assert.deepEqual(statuses, [201, 201, 200, 201, 200]);
    assert.deepEqual(answered, []);
    assert.equal(await waitingSessions(), 1);
    return { asked };
  });
  const statuses = (await Promise.all(waiting.asked)).map(answer => answer.status);
  assert.deepEqual(
    statuses,
    sets.flatMap(() => [201, 201, 200, 201, 200]),
  );
});
