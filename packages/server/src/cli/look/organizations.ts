import { CommandError, databaseSettings, defineCommand, parseId } from '../command.ts';
import { sheet, table } from '../table.ts';
import { type DivisionNode, readDivisionTree, readOrganizations, readTenants } from './store.ts';

const day = (instant: string) => instant.slice(0, 10);

export const organizationList = defineCommand({
  name: 'organization list',
  summary: 'List organizations, with the numbers of what they have',
  settings: databaseSettings,
  async run(context) {
    const { writes: db } = await context.openDatabase();
    const organizations = await readOrganizations(db, null);
    const columns = ['id', 'name', 'tenants', 'employees', 'orders', 'incidents', 'keys', 'created'];
    const rows = organizations.map(({ createdAt, ...rest }) => [...Object.values(rest), day(createdAt)]);
    const text = rows.length === 0 ? 'No organizations' : table(columns, rows);
    return { json: { organizations }, text };
  },
});

export const organizationShow = defineCommand({
  name: 'organization show',
  summary: 'Show an organization with its tenants',
  arguments: [{ name: '<id>', description: 'The organization', parse: parseId }],
  settings: databaseSettings,
  async run(context, { arguments: [id] }) {
    const { writes: db } = await context.openDatabase();
    const [found] = await readOrganizations(db, id as string);
    if (!found) throw new CommandError(`there is no organization ${id as string}`);
    const tenants = await readTenants(db, { organizationId: found.id });
    const { tenants: _count, ...counts } = found;
    const organization = { ...counts, tenants: tenants.map(({ id, name }) => ({ id, name })) };
    return { json: organization, text: sheet(organization) };
  },
});

export const tenantList = defineCommand({
  name: 'tenant list',
  summary: 'List tenants, of all organizations or of one',
  options: [{ flags: '--organization <id>', description: 'Only those of this organization', parse: parseId }],
  settings: databaseSettings,
  async run(context, { options }) {
    const { writes: db } = await context.openDatabase();
    const organizationId = (options.organization as string | undefined) ?? null;
    const tenants = await readTenants(db, { organizationId });
    const columns = ['id', 'name', 'divisions', 'employees', 'created', 'organization', 'its name'];
    const rows = tenants.map(tenant => [
      tenant.id,
      tenant.name,
      tenant.divisions,
      tenant.employees,
      day(tenant.createdAt),
      tenant.organizationId,
      tenant.organizationName,
    ]);
    return { json: { tenants }, text: rows.length === 0 ? 'No tenants' : table(columns, rows) };
  },
});

export const tenantShow = defineCommand({
  name: 'tenant show',
  summary: 'Show a tenant',
  arguments: [{ name: '<id>', description: 'The tenant', parse: parseId }],
  settings: databaseSettings,
  async run(context, { arguments: [id] }) {
    const { writes: db } = await context.openDatabase();
    const [tenant] = await readTenants(db, { id: id as string });
    if (!tenant) throw new CommandError(`there is no tenant ${id as string}`);
    return { json: { ...tenant }, text: sheet({ ...tenant }) };
  },
});

export const divisionList = defineCommand({
  name: 'division list',
  summary: 'Show the divisions of a tenant as a tree',
  options: [{ flags: '--tenant <id>', description: 'The tenant', required: true, parse: parseId }],
  settings: databaseSettings,
  async run(context, { options }) {
    const { writes: db } = await context.openDatabase();
    const [tenant] = await readTenants(db, { id: options.tenant as string });
    if (!tenant) throw new CommandError(`there is no tenant ${options.tenant as string}`);
    const divisions = await readDivisionTree(db, tenant.organizationId, tenant.id);
    const text = [`${tenant.name}  ${tenant.id}`, ...branches(divisions, '')].join('\n');
    return { json: { tenant: tenant.id, divisions }, text };
  },
});

/** A line for each division, drawn as a tree. */
function branches(divisions: readonly DivisionNode[], indent: string): string[] {
  return divisions.flatMap(({ id, name, costCenter, employees, divisions: below }, index) => {
    const [fork, trunk] = index === divisions.length - 1 ? ['└─ ', '   '] : ['├─ ', '│  '];
    const facts = [id, costCenter, `${employees} employees`].filter(fact => fact !== null);
    return [`${indent}${fork}${name}  ${facts.join('  ')}`, ...branches(below, `${indent}${trunk}`)];
  });
}
