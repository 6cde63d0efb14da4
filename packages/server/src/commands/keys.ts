import type { Pool } from '../database/connect.ts';
import { parseQuota, type QuotaSetting } from '../config.ts';
import { openPepper } from '../features/keys/pepper.ts';
import {
  type GrantRow,
  grantRows,
  hashKey,
  type KeyAction,
  newKey,
  statusAfter,
} from '../features/keys/rules.ts';
import {
  insertKey,
  type ListedKey,
  listKeys,
  lockKey,
  organizationOfKey,
  updateStatus,
} from '../features/keys/store.ts';
import { checkName } from '../names.ts';
import { divisionsAmong, organizationExists, tenantsAmong } from '../features/organizations/store.ts';
import { besideClock, operator } from '../writes/writes.ts';
import { type CommandDefinition, CommandError, databaseSettings, parseId } from './command.ts';

/** Creates a key and returns it; its text cannot be had again. @throws CommandError; ApiError on the name. */
export async function createKey(
  db: Pool,
  pepper: Buffer,
  key: {
    organizationId: string;
    name: string;
    quota: QuotaSetting | null;
    grants: 'all' | readonly GrantRow[];
  },
): Promise<{ id: string; key: string }> {
  checkName('name', key.name);
  const made = newKey();
  await besideClock(db, key.organizationId, operator, turn =>
    insertKey(turn, { ...key, id: made.id, secretHash: hashKey(made, pepper) }),
  );
  return { id: made.id, key: made.text };
}

export const keyCreate: CommandDefinition = {
  name: 'key create',
  summary: 'Create an API key; it is shown only here',
  options: [
    {
      flags: '--organization <id>',
      description: 'The organization it belongs to',
      required: true,
      parse: parseId,
    },
    { flags: '--name <name>', description: 'Its name', required: true },
    { flags: '--all', description: 'Grant the whole organization, tenants created later included' },
    { flags: '--tenant <id...>', description: 'Grant this tenant; may be repeated', parse: parseId },
    {
      flags: '--division <id...>',
      description: 'Grant only this division of its tenant, with its subtree; may be repeated',
      parse: parseId,
    },
    {
      flags: '--quota <requests/seconds>',
      description: 'Its quota; absent: the default one',
      parse: parseQuota,
    },
  ],
  settings: [...databaseSettings, 'pepper'],
  async run(context, { options }) {
    const { writes: db } = await context.openDatabase();
    const organizationId = options.organization as string;
    if (!(await organizationExists(db, organizationId)))
      throw new CommandError(`there is no organization ${organizationId}`);
    const grants = await chosenGrants(db, organizationId, {
      all: options.all === true,
      tenants: (options.tenant as string[] | undefined) ?? [],
      divisions: (options.division as string[] | undefined) ?? [],
    });
    const { pepper: secret, dataDirectory } = context.config;
    const pepper = await openPepper(db, { secret, dataDirectory });
    const quota = (options.quota as QuotaSetting | undefined) ?? null;
    const created = await createKey(db, pepper, {
      organizationId,
      name: options.name as string,
      quota,
      grants,
    });
    return {
      json: created,
      text: `Created key ${created.id}. Keep it now, it is not shown again:\n${created.key}`,
    };
  },
};

interface Choice {
  readonly all: boolean;
  readonly tenants: readonly string[];
  readonly divisions: readonly string[];
}

/** The grants of the options, all of them existing in the organization. */
async function chosenGrants(db: Pool, organizationId: string, choice: Choice): Promise<'all' | GrantRow[]> {
  const { all, tenants, divisions } = choice;
  if (all === tenants.length + divisions.length > 0)
    throw new CommandError('say what the key may see: either --all, or --tenant and --division');
  if (all) return 'all';
  const knownTenants = await tenantsAmong(db, organizationId, tenants);
  const noTenant = tenants.find(id => !knownTenants.has(id));
  if (noTenant) throw new CommandError(`there is no tenant ${noTenant} in the organization`);
  const knownDivisions = await divisionsAmong(db, organizationId, divisions);
  const noDivision = divisions.find(id => !knownDivisions.has(id));
  if (noDivision) throw new CommandError(`there is no division ${noDivision} in the organization`);
  const grants = grantRows(tenants, knownDivisions);
  if ('stray' in grants)
    throw new CommandError(`division ${grants.stray} belongs to a tenant that --tenant does not name`);
  return grants.rows;
}

export const keyList: CommandDefinition = {
  name: 'key list',
  summary: 'List API keys, without their secrets',
  options: [{ flags: '--organization <id>', description: 'Only those of this organization', parse: parseId }],
  settings: databaseSettings,
  async run(context, { options }) {
    const { writes: db } = await context.openDatabase();
    const keys = await listKeys(db, (options.organization as string | undefined) ?? null);
    return { json: { keys }, text: keys.length === 0 ? 'No keys' : keys.map(keyLine).join('\n') };
  },
};

function keyLine(key: ListedKey): string {
  const scope =
    key.grants === 'all'
      ? 'whole organization'
      : key.grants
          .map(grant =>
            grant.divisions === 'all' ? grant.tenantId : `${grant.tenantId} (${grant.divisions.join(' ')})`,
          )
          .join(', ');
  const used = key.lastUsedAt === null ? 'never used' : `last used ${key.lastUsedAt}`;
  return `${key.id}  ${key.status.padEnd(8)}  ${key.name}  ${scope}  ${used}`;
}

const done: Record<KeyAction, string> = {
  deactivate: 'Deactivated',
  reactivate: 'Reactivated',
  delete: 'Deleted',
};

function keyChange(action: KeyAction, summary: string): CommandDefinition {
  return {
    name: `key ${action}`,
    summary,
    arguments: [
      { name: '<id>', description: 'The identifier of the key, 12 letters and digits', parse: parseKeyId },
    ],
    settings: databaseSettings,
    async run(context, input) {
      const { writes: db } = await context.openDatabase();
      const id = input.arguments[0] as string;
      const organizationId = await organizationOfKey(db, id);
      if (organizationId === null) throw new CommandError(`there is no key ${id}`);
      const status = await besideClock(db, organizationId, operator, async (turn, session) => {
        const present = await lockKey(session, organizationId, id);
        const next = statusAfter(present, action);
        if (next === null)
          throw new CommandError(`key ${id} is deleted and stays so; create a new key instead`);
        if (next !== present) updateStatus(turn, id, { status: next, action });
        return next;
      });
      return { json: { id, status }, text: `${done[action]} key ${id}` };
    },
  };
}

function parseKeyId(text: string): string {
  if (!/^[0-9A-Za-z]{12}$/.test(text))
    throw new CommandError('expected the 12 letters and digits of a key identifier');
  return text;
}

export const keyDeactivate = keyChange('deactivate', 'Stop a key from working; it can be reactivated');
export const keyReactivate = keyChange('reactivate', 'Let a deactivated key work again');
export const keyDelete = keyChange('delete', 'Retire a key for ever');
