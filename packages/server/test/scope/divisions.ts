import assert from 'node:assert/strict';
import type { Division } from '@kontor/contract';
import { newId } from '../../src/db/ids.ts';
import {
  divisionLanding,
  divisionMoveRefusal,
  type ModelDivision,
  seesDivision,
} from '../support/scope-model.ts';
import { askInTurn, assertRefused, type Case, type Mode, placesToTry, targetsOf } from './case.ts';
import { checkTargets, type Family } from './family.ts';
import { pick } from './plan.ts';

export const divisions: Family<ModelDivision> = {
  path: '/divisions',
  of: organization => organization.divisions,
  sees: seesDivision,
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
    const asked = await askInTurn(tested, options =>
      client.post('/divisions', { name: newId(), parentId }, { ...options, query: { dryRun } }),
    );
    if (!asked) continue;
    const { selected, answer } = asked;
    const expected = divisionLanding(key, selected, parentId);
    if (typeof expected === 'string') {
      assertRefused(tested, 'division create', answer, [422, expected]);
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

/** Divisions are sent below others in turn; a dry run, which leaves everything where it is, tries more of them. */
export async function checkUpdates(tested: Case, mode: Mode): Promise<void> {
  for (let left = mode.dryRun ? 3 : 1; left > 0; left--) await checkMoves(tested, mode);
}

async function checkMoves(tested: Case, { dryRun }: Mode): Promise<void> {
  const { client, key } = tested;
  const parents = parentsToName(tested);
  let turn = tested.turn;
  let parentId: string | null = null;
  await checkTargets(tested, divisions, {
    name: 'update',
    ask({ id }, options) {
      parentId = pick(parents, turn++);
      return client.patch(`/divisions/${id}`, { parentId }, { ...options, query: { dryRun } });
    },
    found(division, answer) {
      const refusal = divisionMoveRefusal(key, division, parentId);
      const kind = `division move ${parentId === null ? 'to the top' : 'below another'}`;
      if (refusal)
        return assertRefused(tested, kind, answer, [refusal === 'DIVISION_CYCLE' ? 409 : 422, refusal]);
      assert.deepEqual([answer.status, answer.body.parentId], [200, parentId], kind);
      if (!dryRun) division.parent = parentId;
    },
  });
}
