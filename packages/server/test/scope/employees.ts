import assert from 'node:assert/strict';
import type { Employee } from '@kontor/contract';
import { newId } from '../../src/db/ids.ts';
import { landing, moved, canAccessEmployee } from '../support/data/scope-model.ts';
import { askInWrite, assertRejected, type Case, type Mode, placesToTry, targetsOf } from './case.ts';
import { checkTargets, type ResourceType } from './resource-type.ts';
import type { TestedEmployee } from './organization.ts';
import { pick } from './plan.ts';

export const employees: ResourceType<TestedEmployee> = {
  path: '/employees',
  of: organization => organization.employees,
  canAccess: canAccessEmployee,
  known: ({ tenant, division }) => ({ tenant, division }),
  shown: ({ tenant, divisionId }: Employee) => ({ tenant, division: divisionId }),
};

function divisionsToName(tested: Case): (string | null)[] {
  return [null, ...targetsOf(tested, organization => organization.divisions).map(({ id }) => id)];
}

export async function checkCreates(tested: Case, mode: Mode): Promise<void> {
  const { client, key } = tested;
  const { dryRun } = mode;
  for (const divisionId of placesToTry(tested, [null, ...divisionsToName(tested)], mode)) {
    const body = { email: `${newId()}@example.com`, firstName: 'A', lastName: 'B', divisionId };
    const asked = await askInWrite(tested, options =>
      client.post('/employees', body, { ...options, query: { dryRun } }),
    );
    if (!asked) continue;
    const { selected, answer } = asked;
    const expected = landing(key, selected, divisionId);
    if (typeof expected === 'string') {
      assertRejected(tested, 'employee create', answer, [422, expected]);
      continue;
    }
    const { id, tenant, divisionId: division } = answer.body;
    assert.deepEqual(
      [answer.status, { tenant, divisionId: division }],
      [dryRun ? 200 : 201, expected],
      'employee create',
    );
    if (!dryRun) key.organization.employees.push({ id, tenant, division, account: 'not activated' });
  }
}

/** Employees are sent to alternating divisions. */
export async function checkUpdates(tested: Case, { dryRun }: Mode): Promise<void> {
  const { client, key } = tested;
  const divisions = divisionsToName(tested);
  let write = tested.write;
  let divisionId: string | null = null;
  await checkTargets(tested, employees, {
    name: 'update',
    ask({ id }, options) {
      divisionId = pick(divisions, write++);
      return client.patch(`/employees/${id}`, { divisionId }, { ...options, query: { dryRun } });
    },
    found(employee, answer) {
      const expected = moved(key, employee, divisionId);
      const kind = `employee ${divisionId === null ? 'clear division' : 'move'}`;
      if (typeof expected === 'string') return assertRejected(tested, kind, answer, [422, expected]);
      assert.deepEqual([answer.status, answer.body.divisionId], [200, divisionId], kind);
      if (!dryRun) employee.division = divisionId;
    },
  });
}
