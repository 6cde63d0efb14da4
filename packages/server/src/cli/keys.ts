import type { Pool } from '../db/connect.ts';
import { parseQuota, quotaLimits, type QuotaSetting } from '../config.ts';
import { openPepper } from '../features/keys/pepper.ts';
import {
  changeStatus,
  type CreatedKey,
  defaultGrace,
  replaceKey,
  storeKey,
  type WantedKey,
} from '../features/keys/lifecycle.ts';
import { type GrantRow, grantRows, type KeyAction } from '../features/keys/rules.ts';
import { organizationOfKey } from '../auth/api-key-store.ts';
import { findListedKey } from '../features/keys/store.ts';
import { divisionsAmong, organizationExists, tenantsAmong } from '../features/organizations/store.ts';
import { writeUnordered, operator } from '../write/writes.ts';
import {
  type CommandDefinition,
  CommandError,
  databaseSettings,
  defineCommand,
  keyArgument,
  parseId,
} from './command.ts';
import { type End, endOf, parseDuration, parseEnd } from './durations.ts';

/** Creates a key and returns it. @throws CommandError; ApiError on the name. */
export function createKey(
  db: Pool,
  pepper: Buffer,
  { organizationId, ...key }: WantedKey & { readonly organizationId: string },
): Promise<CreatedKey> {
  return writeUnordered(db, organizationId, operator, turn => storeKey(turn, pepper, key));
}

export const keyCreate = defineCommand({
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
      description: `Its quota, e.g. 600/60: ${quotaLimits}; absent: the default one`,
      parse: parseQuota,
    },
    {
      flags: '--expires <when>',
      description:
        'When it stops working: a day (2027-01-31, its end in UTC), or how long from now (90d, 12h)',
      parse: parseEnd,
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
      expiresAt: options.expires === undefined ? null : endOf(options.expires as End),
    });
    return {
      json: { ...created },
      text: `Created key ${created.id}. Keep it now, it is not shown again:\n${created.key}`,
    };
  },
});

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

export const keyRotate = defineCommand({
  name: 'key rotate',
  summary: 'Create a key that sees the same as this one, which stops working after a time of grace',
  arguments: [keyArgument],
  options: [
    {
      flags: '--grace <duration>',
      description: 'How long both work: 24h, 7d, 0 for not at all (default 24h)',
      parse: parseDuration,
    },
    { flags: '--name <name>', description: 'The name of the new key; absent: that of the old one' },
  ],
  settings: [...databaseSettings, 'pepper'],
  async run(context, { arguments: [id], options }) {
    const { writes: db } = await context.openDatabase();
    const old = await findListedKey(db, id as string);
    if (old === null) throw new CommandError(`there is no key ${id as string}`);
    if (old.status !== 'active') throw new CommandError(`key ${old.id} is ${old.status}: create a new key`);
    const { pepper: secret, dataDirectory } = context.config;
    const pepper = await openPepper(db, { secret, dataDirectory });
    const grace = (options.grace as number | undefined) ?? defaultGrace;
    const name = (options.name as string | undefined) ?? old.name;
    const { ends, ...created } = await writeUnordered(db, old.organizationId, operator, turn =>
      replaceKey(turn, pepper, old, { name, grace }),
    );
    const replaced = { id: old.id, expiresAt: ends.toISOString() };
    return {
      json: { ...created, replaces: replaced },
      text: `Created key ${created.id}. Keep it now, it is not shown again:\n${created.key}\nKey ${old.id} works until ${replaced.expiresAt}`,
    };
  },
});

const done: Record<KeyAction, string> = {
  deactivate: 'Deactivated',
  reactivate: 'Reactivated',
  delete: 'Deleted',
};

function keyChange(action: KeyAction, summary: string): CommandDefinition {
  return defineCommand({
    name: `key ${action}`,
    summary,
    arguments: [keyArgument],
    settings: databaseSettings,
    async run(context, input) {
      const { writes: db } = await context.openDatabase();
      const id = input.arguments[0] as string;
      const organizationId = await organizationOfKey(db, id);
      if (organizationId === null) throw new CommandError(`there is no key ${id}`);
      const status = await writeUnordered(db, organizationId, operator, (turn, session) =>
        changeStatus(turn, session, id, action),
      );
      if (status === null)
        throw new CommandError(`key ${id} is deleted and stays so; create a new key instead`);
      return { json: { id, status }, text: `${done[action]} key ${id}` };
    },
  });
}

export const keyDeactivate = keyChange('deactivate', 'Stop a key from working; it can be reactivated');
export const keyReactivate = keyChange('reactivate', 'Let a deactivated key work again');
export const keyDelete = keyChange('delete', 'Retire a key for ever');
