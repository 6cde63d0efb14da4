import { createDivision } from '../features/divisions/store.ts';
import { createOrganization, createTenant, organizationOfTenant } from '../features/organizations/store.ts';
import { writeOrdered, operator } from '../write/writes.ts';
import { CommandError, databaseSettings, defineCommand, parseId } from './command.ts';

const nameOption = { flags: '--name <name>', description: 'Its name', required: true };

export const organizationCreate = defineCommand({
  name: 'organization create',
  summary: 'Create an organization, which is a customer',
  options: [nameOption],
  settings: databaseSettings,
  async run(context, { options }) {
    const { writes } = await context.openDatabase();
    const id = await createOrganization(writes, options.name as string);
    return { json: { id }, text: `Created organization ${id}` };
  },
});

export const tenantCreate = defineCommand({
  name: 'tenant create',
  summary: 'Create a tenant, which is a company of an organization',
  options: [
    {
      flags: '--organization <id>',
      description: 'The organization it belongs to',
      required: true,
      parse: parseId,
    },
    nameOption,
  ],
  settings: databaseSettings,
  async run(context, { options }) {
    const { writes } = await context.openDatabase();
    const id = await createTenant(writes, options.organization as string, options.name as string);
    return { json: { id }, text: `Created tenant ${id}` };
  },
});

export const divisionCreate = defineCommand({
  name: 'division create',
  summary: 'Create a division of a tenant',
  options: [
    { flags: '--tenant <id>', description: 'The tenant it belongs to', required: true, parse: parseId },
    nameOption,
    { flags: '--parent <id>', description: 'The division above it; absent: it is a root', parse: parseId },
  ],
  settings: databaseSettings,
  async run(context, { options }) {
    const { writes } = await context.openDatabase();
    const tenantId = options.tenant as string;
    const organizationId = await organizationOfTenant(writes, tenantId);
    if (organizationId === null) throw new CommandError(`there is no tenant ${tenantId}`);
    const parentId = (options.parent as string | undefined) ?? null;
    const id = await writeOrdered(writes, organizationId, operator, (turn, session) =>
      createDivision(turn, session, { tenantId, parentId, name: options.name as string }),
    );
    return { json: { id }, text: `Created division ${id}` };
  },
});
