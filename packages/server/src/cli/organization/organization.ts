import { createOrganization } from '../../features/organizations/store.ts';
import { argument, defineDatabaseCommand } from '../program/command.ts';
import { listTable, sheet } from '../program/output.ts';
import { nameOption, parseId } from '../program/values.ts';
import { findOrganization, type ListedOrganization, readOrganizations, readTenants } from './store.ts';

export const organizationCreate = defineDatabaseCommand({
  summary: 'Create an organization, which is a customer',
  example: 'organization create --name "Muster Group"',
  input: { name: nameOption },
  createsDatabase: true,
  async run({ db }, { name }) {
    const id = await createOrganization(db, name);
    return { json: { id }, text: `Created organization ${id}` };
  },
});

export const organizationList = defineDatabaseCommand({
  summary: 'List organizations with their numbers of tenants, employees, orders, incidents and keys',
  example: 'organization list --json',
  async run({ db }) {
    const organizations = await readOrganizations(db, null);
    const text = listTable<ListedOrganization>(organizations, 'No organizations', {
      id: ({ id }) => id,
      name: ({ name }) => name,
      tenants: ({ tenants }) => tenants,
      employees: ({ employees }) => employees,
      orders: ({ orders }) => orders,
      incidents: ({ incidents }) => incidents,
      keys: ({ keys }) => keys,
      created: ({ createdAt }) => createdAt.slice(0, 10),
      closed: ({ closedAt }) => closedAt?.slice(0, 10) ?? '',
    });
    return { json: { organizations }, text };
  },
});

export const organizationShow = defineDatabaseCommand({
  summary: 'Show an organization with its tenants',
  example: 'organization show 64b7e3f0a1c2d3e4f5a6b7c8',
  input: { id: argument('<id>', 'The organization', parseId) },
  async run({ db }, { id }) {
    const { tenants: _count, ...found } = await findOrganization(db, id);
    const tenants = await readTenants(db, { organizationId: id });
    const organization = { ...found, tenants: tenants.map(({ id, name }) => ({ id, name })) };
    return { json: organization, text: sheet(organization) };
  },
});
