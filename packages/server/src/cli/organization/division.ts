import { createDivision } from '../../features/divisions/store.ts';
import { runAtClock } from '../../write/run-at-clock.ts';
import { operator } from '../../write/writes.ts';
import { defineDatabaseCommand, option } from '../program/command.ts';
import { nameOption, parseId, tenantOption } from '../program/values.ts';
import { type DivisionNode, findTenant, findOrganizationOfTenant, readDivisionTree } from './store.ts';

export const divisionCreate = defineDatabaseCommand({
  summary: 'Create a division of a tenant',
  example: 'division create --tenant 64b7e3f0a1c2d3e4f5a6b7c8 --name Sales',
  input: {
    tenant: tenantOption,
    name: nameOption,
    parent: option('--parent <id>', 'The division above it; absent: it is a root', parseId),
  },
  async run({ db }, { tenant: tenantId, name, parent: parentId = null }) {
    const organizationId = await findOrganizationOfTenant(db, tenantId);
    const id = await runAtClock(db, organizationId, operator, (write, session) =>
      createDivision(write, session, { tenantId, parentId, name }),
    );
    return { json: { id }, text: `Created division ${id}` };
  },
});

export const divisionList = defineDatabaseCommand({
  summary: 'Show the divisions of a tenant as a tree',
  example: 'division list --tenant 64b7e3f0a1c2d3e4f5a6b7c8',
  input: { tenant: tenantOption },
  async run({ db }, { tenant: tenantId }) {
    const { name, organizationId } = await findTenant(db, tenantId);
    const divisions = await readDivisionTree(db, organizationId, tenantId);
    const text = [`${name}  ${tenantId}`, ...branches(divisions, '')].join('\n');
    return { json: { tenant: tenantId, divisions }, text };
  },
});

/** Renders a line for each division, as a tree. */
function branches(divisions: readonly DivisionNode[], indent: string): string[] {
  return divisions.flatMap(({ id, name, costCenter, employees, divisions: below }, index) => {
    const [fork, trunk] = index === divisions.length - 1 ? ['└─ ', '   '] : ['├─ ', '│  '];
    const facts = [id, costCenter, `${employees} employees`].filter(fact => fact !== null);
    return [`${indent}${fork}${name}  ${facts.join('  ')}`, ...branches(below, `${indent}${trunk}`)];
  });
}
