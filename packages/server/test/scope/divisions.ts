import assert from 'node:assert/strict';
import type { Division } from '@kontor/contract';
import { newId } from '../../src/db/ids.ts';
import {
  divisionLanding,
  divisionMoveRejection,
  type ModelDivision,
  canAccessDivision,
} from '../support/data/scope-model.ts';
import { askInWrite, assertRejected, type Case, type Mode, placesToTry, targetsOf } from './case.ts';
import { checkTargets, type ResourceType } from './resource-type.ts';
import { pick } from './plan.ts';

export const divisions: ResourceType<ModelDivision> = {
  path: '/divisions',
  of: organization => organization.divisions,
  canAccess: canAccessDivision,
  known: ({ tenant, parent }) => ({ tenant, parent }),
  shown: ({ tenant, parentId }: Division) => ({ tenant, parent: parentId }),
};

function parentsToName(tested: Case): (string | null)[] {
  return [null, ...targetsOf(tested, divisions.of).map(({ id }) => id)];
}

export async function checkCreates(tested: Case, mode: Mode): Promise<void> {
  const { client, key } = tested;
  const { dryRun } = mode;
  for (const parentId of placesToTry(tested, parentsToName(tested), mode)) {
    const asked = await askInWrite(tested, options =>
      client.post('/divisions', { name: newId(), parentId }, { ...options, query: { dryRun } }),
    );
    if (!asked) continue;
    const { selected, answer } = asked;
    const expected = divisionLanding(key, selected, parentId);
    if (typeof expected === 'string') {
      assertRejected(tested, 'division create', answer, [422, expected]);
      continue;
    }
    const { id, tenant, parentId: parent } = answer.body;
    assert.deepEqual(
      [answer.status, { tenant, parentId: parent }],
      [dryRun ? 200 : 201, expected],
      'division create',
    );
    if (!dryRun) key.organization.divisions.push({ id, tenant, parent });
  }
}

/** Divisions are sent below others, alternating; a dry run, which leaves everything where it is, tries more of them. */
export async function checkUpdates(tested: Case, mode: Mode): Promise<void> {
  for (let left = mode.dryRun ? 3 : 1; left > 0; left--) await checkMoves(tested, mode);
}

async function checkMoves(tested: Case, { dryRun }: Mode): Promise<void> {
  const { client, key } = tested;
  const parents = parentsToName(tested);
  let write = tested.write;
  let parentId: string | null = null;
  await checkTargets(tested, divisions, {
    name: 'update',
    ask({ id }, options) {
      parentId = pick(parents, write++);
      return client.patch(`/divisions/${id}`, { parentId }, { ...options, query: { dryRun } });
    },
    found(division, answer) {
      const rejection = divisionMoveRejection(key, division, parentId);
      const kind = `division move ${parentId === null ? 'to the top' : 'below another'}`;
      if (rejection)
        return assertRejected(tested, kind, answer, [rejection === 'DIVISION_CYCLE' ? 409 : 422, rejection]);
      assert.deepEqual([answer.status, answer.body.parentId], [200, parentId], kind);
      if (!dryRun) division.parent = parentId;
    },
  });
}
