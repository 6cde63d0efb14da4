import assert from 'node:assert/strict';
import { lineOf } from '../support/data/scope-model.ts';
import { placeOf, type Real, type TestedOrganization } from './organization.ts';
import { type OrganizationPlan, pick } from './plan.ts';

/** Moves divisions as planned, but for moves below themselves. */
export async function moveDivisions(
  { client }: Real,
  organization: TestedOrganization,
  moves: OrganizationPlan['divisionMoves'],
): Promise<void> {
  for (const move of moves) {
    const division = pick(organization.divisions, move.division);
    const { division: parent } = placeOf(organization, division.tenant, { division: move.parent });
    if (parent !== null && lineOf(organization, parent).includes(division.id)) continue;
    const path = `/divisions/${division.id}`;
    const { status } = await client.patch(path, { parentId: parent }, { key: organization.admin });
    assert.equal(status, 200);
    division.parent = parent;
  }
}

/** Moves employees to other divisions of their tenants. */
export async function moveEmployees(
  { client }: Real,
  organization: TestedOrganization,
  moves: OrganizationPlan['employeeMoves'],
): Promise<void> {
  for (const move of moves) {
    const employee = pick(organization.employees, move.employee);
    const { division } = placeOf(organization, employee.tenant, move);
    const path = `/employees/${employee.id}`;
    const { status } = await client.patch(path, { divisionId: division }, { key: organization.admin });
    assert.equal(status, 200);
    employee.division = division;
  }
}
