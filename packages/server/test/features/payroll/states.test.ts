import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { moveRun, type RunEvent, type RunState, transitions } from '../../../src/features/payroll/states.ts';
import { usePlatform } from '../../platform/support.ts';
import { storeDraftRun } from '../../support/data/payroll-runs.ts';
import { type Tenant, Tenants } from './tenants.ts';

const fixture = usePlatform();
const tenants = new Tenants(fixture);

/** A run without orders in a state. No job works on it. */
async function runIn(state: RunState, tenant: Tenant): Promise<string> {
  const { sql, testData } = fixture;
  const id = await storeDraftRun(sql, testData.organization, tenant.id);
  await sql`
    UPDATE payroll_run SET status = ${state} WHERE organization_id = ${testData.organization} AND id = ${id}`;
  return id;
}

async function stateOf(id: string): Promise<string> {
  const [run] = await fixture.sql<{ status: string }[]>`
    SELECT status FROM payroll_run WHERE organization_id = ${fixture.testData.organization} AND id = ${id}`;
  return run!.status;
}

const requests = ['release', 'discard'] as const;

for (const [state, events] of Object.entries(transitions) as [RunState, (typeof transitions)[RunState]][])
  describe(`a run that is ${state}`, () => {
    for (const event of requests) {
      const next = events[event];
      test(`${event} ${next === null ? '409 INVALID_STATE_TRANSITION' : `200: ${next}`}`, async () => {
        const id = await runIn(state, await tenants.create());
        const answer = await fixture.own.request('POST', tenants.at(`/payroll-runs/${id}/${event}`));
        assert.deepEqual(
          [answer.status, answer.body.status ?? answer.body.error.code],
          next === null ? [409, 'INVALID_STATE_TRANSITION'] : [200, next],
        );
        if (next === null) assert.equal(await stateOf(id), state);
      });
    }

    for (const [event, next] of Object.entries(events) as [RunEvent, RunState | null][])
      test(`${event} leaves it ${next ?? state}`, async () => {
        const id = await runIn(state, await tenants.create());
        const key = { organizationId: fixture.testData.organization, id };
        const changed = await fixture.sql.run(moveRun(event, key));
        assert.deepEqual(
          [changed, await stateOf(id)],
          [next === null || next === state ? 0 : 1, next ?? state],
        );
      });
  });
