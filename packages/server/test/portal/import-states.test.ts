import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  endWork,
  type ImportEvent,
  type ImportState,
  type ImportStatus,
  transitions,
} from '../../src/features/employees/portal-import/states.ts';
import { createTenant } from '../../src/features/organizations/store.ts';
import { importSteps } from '../support/data/employee-imports.ts';
import { signedInUser } from '../support/data/users.ts';
import { outcome, usePortal } from './support.ts';

let key: string;
let steps: ReturnType<typeof importSteps>;
const fixture = usePortal(async ({ sql, portal, testData }) => {
  const hr = { permissions: ['HR' as const], hrTenants: null };
  key = (await signedInUser(sql, testData.organization, hr)).secret;
  steps = importSteps(portal, key);
});

/** A planned import of a company of its own, put into a state. No job works on it. */
async function importIn(state: ImportState): Promise<string> {
  const { sql, testData } = fixture;
  const tenant = await createTenant(sql.database.writes, testData.organization, 'Muster GmbH');
  const { id } = await steps.plan(tenant, 'email;firstName;lastName\nmia@example.com;Mia;Lang\n');
  const [status, reason] =
    state === 'stopped' ? ['failed', 'permission'] : [state, state === 'failed' ? 'internal' : null];
  const failure = reason && JSON.stringify({ reason, line: null, column: null });
  await sql`
    UPDATE employee_import SET status = ${status}, failure = ${failure}::jsonb
    WHERE organization_id = ${testData.organization} AND id = ${id}`;
  return id;
}

async function statusOf(id: string): Promise<string> {
  const [row] = await fixture.sql<{ status: string }[]>`
    SELECT status FROM employee_import WHERE organization_id = ${fixture.testData.organization} AND id = ${id}`;
  return row!.status;
}

const requests = {
  plan: async (id: string) => steps.post(id, 'plan', (await steps.details(id)).mapping),
  answer: (id: string) =>
    fixture.portal.post(`/employee-imports/${id}/answers`, { answer: 'import' }, { key }),
  apply: (id: string) => steps.post(id, 'apply'),
  discard: (id: string) => steps.post(id, 'discard'),
};
const works = ['planned', 'applied', 'fail'] as const;

for (const [state, events] of Object.entries(transitions) as [
  ImportState,
  Record<ImportEvent, ImportStatus | null>,
][])
  describe(`an import that is ${state}`, () => {
    const stored = state === 'stopped' ? 'failed' : state;

    for (const [event, send] of Object.entries(requests) as [keyof typeof requests, typeof requests.plan][]) {
      const expected = events[event] === null ? '409 INVALID_STATE_TRANSITION' : `200 ${events[event]}`;
      test(`${event} ${expected}`, async () => {
        const id = await importIn(state);
        const answer = await send(id);
        assert.equal(answer.status === 200 ? `200 ${answer.body.status}` : outcome(answer), expected);
        if (events[event] === null) assert.equal(await statusOf(id), stored);
      });
    }

    for (const event of works)
      test(`a job that ends with ${event} leaves it ${events[event] ?? stored}`, async () => {
        const id = await importIn(state);
        const changed = await fixture.sql.run(
          endWork(event, { organizationId: fixture.testData.organization, id }, {}),
        );
        assert.deepEqual(
          [changed, await statusOf(id)],
          [events[event] === null ? 0 : 1, events[event] ?? stored],
        );
      });
  });
