import { type ApiKeyPermission, apiKeyPermissions } from '@kontor/contract';
import type { Pool } from '../../db/connect.ts';
import type { Pepper } from '../../auth/secrets.ts';
import { type Config, parseQuota, quotaLimits, type SettingName } from '../../config.ts';
import {
  changeStatus,
  type CreatedKey,
  defaultGrace,
  replaceKey,
  storeKey,
  type WantedKey,
} from '../../features/keys/lifecycle.ts';
import type { Rejections } from '../../features/keys/usage/key-use.ts';
import { openPepper } from '../../features/keys/pepper.ts';
import { type GrantRow, grantRows, type KeyAction, limitsOf } from '../../features/keys/rules.ts';
import { findOrganizationOfKey } from '../../auth/api-key-store.ts';
import { findListedKey, type ListedKey, listKeys } from '../../features/keys/store.ts';
import { type DayOfUse, readUsage } from '../../features/keys/usage/read.ts';
import { divisionsAmong, tenantsAmong } from '../../features/organizations/store.ts';
import { writeAsOperator } from '../../write/writes.ts';
import { checkOrganization } from '../organization/store.ts';
import { CommandError, defineDatabaseCommand, flag, option, repeatedOption } from '../program/command.ts';
import { confirm, yesOption } from '../program/confirm.ts';
import { count, listTable, minute, sheet } from '../program/output.ts';
import {
  expiresOption,
  keyArgument,
  nameOption,
  organizationOption,
  ownOrganizationOption,
  parseDuration,
  parseId,
} from '../program/values.ts';

/** The settings of a command that makes keys, or sessions. */
export const pepperSettings = ['pepper', 'previousPepper'] as const satisfies readonly SettingName[];
type PepperSetting = (typeof pepperSettings)[number];

/** Opens the pepper of the configuration. */
export function configuredPepper(
  db: Pool,
  { pepper: secret, previousPepper: previous, dataDirectory }: Pick<Config, 'dataDirectory' | PepperSetting>,
): Promise<Pepper> {
  return openPepper(db, { secret, previous, dataDirectory });
}

type Wanted = Omit<WantedKey, 'expiresAt' | 'permissions'> &
  Partial<Pick<WantedKey, 'expiresAt' | 'permissions'>>;

/** Creates a key and returns it. @throws CommandError; ApiError on the name and the expiry. */
export function createKey(
  db: Pool,
  pepper: Buffer,
  { organizationId, ...key }: Wanted & { readonly organizationId: string },
): Promise<CreatedKey> {
  return writeAsOperator(db, organizationId, (write, session) =>
    storeKey(write, session, pepper, { expiresAt: undefined, permissions: null, ...key }),
  );
}

/** Renders a created secret, which is shown only once. */
export function createdText(noun: string, id: string, secret: string): string {
  return `Created ${noun} ${id}. Keep it now, it is not shown again:\n${secret}`;
}

export const keyCreate = defineDatabaseCommand({
  summary: 'Create an API key and show it once',
  example: 'key create --organization 64b7e3f0a1c2d3e4f5a6b7c8 --name "HR system" --all --expires 365d',
  input: {
    organization: ownOrganizationOption,
    name: nameOption,
    all: flag('--all', 'Grant the whole organization, including later tenants'),
    tenants: repeatedOption('--tenant <id...>', 'Grant this tenant; may be repeated', parseId),
    divisions: repeatedOption(
      '--division <id...>',
      'Grant only this division of its tenant, with its subtree; may be repeated',
      parseId,
    ),
    permissions: repeatedOption(
      '--permission <permission...>',
      `Limit it to this, e.g. read, or employees:read orders:write; absent: everything. One of: ${apiKeyPermissions.join(', ')}`,
      parsePermission,
    ),
    quota: option(
      '--quota <requests/seconds>',
      `Its quota, e.g. 600/60: ${quotaLimits}; absent: the default one`,
      parseQuota,
    ),
    expires: expiresOption('When it stops working', '90d', 'the default of the organization'),
  },
  settings: pepperSettings,
  check({ all, tenants, divisions }) {
    if (all === tenants.length + divisions.length > 0)
      throw new CommandError('the key needs a scope: either --all, or --tenant and --division');
  },
  async run({ db, config }, { organization, name, permissions, quota = null, expires, ...choice }) {
    await checkOrganization(db, organization);
    const grants = await chosenGrants(db, organization, choice);
    const pepper = await configuredPepper(db, config);
    const limits = limitsOf(permissions.length === 0 ? null : permissions);
    const key = { name, quota, grants, permissions: limits, expiresAt: expires };
    const wanted = { organizationId: organization, ...key };
    const created = await createKey(db, pepper, wanted);
    return { json: { ...created }, text: createdText('key', created.id, created.key) };
  },
});

/** @throws CommandError */
function parsePermission(text: string): ApiKeyPermission {
  const permission = apiKeyPermissions.find(name => name === text);
  if (permission) return permission;
  throw new CommandError(`"${text}" is not a permission of a key; use ${apiKeyPermissions.join(', ')}`);
}

interface Choice {
  readonly all: boolean;
  readonly tenants: readonly string[];
  readonly divisions: readonly string[];
}

/** Returns the grants of the options, all of them existing in the organization. */
async function chosenGrants(db: Pool, organizationId: string, choice: Choice): Promise<'all' | GrantRow[]> {
  const { all, tenants, divisions } = choice;
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

export const keyRotate = defineDatabaseCommand({
  summary: 'Replace a key by one with the same scope; the old one works for a grace period',
  example: 'key rotate 7RAbTPvl7zdd --grace 7d',
  input: {
    id: keyArgument,
    grace: option(
      '--grace <duration>',
      'How long both work: 24h, 7d, 0 for not at all (default 24h)',
      parseDuration,
    ),
    name: option('--name <name>', 'The name of the new key; absent: the name of the old one'),
    expires: expiresOption('When the new key expires', '90d', 'the lifetime of the old one'),
  },
  settings: pepperSettings,
  async run({ db, config }, { id, grace = defaultGrace, name, expires }) {
    const old = await findKey(db, id);
    if (old.status !== 'active') throw new CommandError(`key ${id} is ${old.status}: create a new key`);
    const pepper = await configuredPepper(db, config);
    const { oldExpiresAt, ...created } = await writeAsOperator(db, old.organizationId, (write, session) =>
      replaceKey(write, session, pepper, old, { name: name ?? old.name, grace, expiresAt: expires }),
    );
    const replaces = { id, expiresAt: oldExpiresAt.toISOString() };
    return {
      json: { ...created, replaces },
      text: `${createdText('key', created.id, created.key)}\nKey ${id} works until ${replaces.expiresAt}`,
    };
  },
});

const changed: Record<KeyAction, string> = {
  deactivate: 'Deactivated',
  reactivate: 'Reactivated',
  delete: 'Deleted',
};

function keyChange(action: KeyAction, summary: string) {
  return defineDatabaseCommand({
    summary,
    example: `key ${action} 7RAbTPvl7zdd`,
    input: action === 'delete' ? { id: keyArgument, yes: yesOption } : { id: keyArgument },
    async run(context, { id, yes = true }: { id: string; yes?: boolean }) {
      const { db } = context;
      const organizationId = await findOrganizationOfKey(db, id);
      if (organizationId === null) throw new CommandError(`there is no key ${id}`);
      const question = `Delete key ${id}? It never works again.`;
      await confirm(context, yes, { action: 'a deletion', question });
      const status = await writeAsOperator(db, organizationId, (write, session) =>
        changeStatus(write, session, id, action),
      );
      if (status === null) throw new CommandError(`key ${id} is deleted; create a new key instead`);
      return { json: { id, status }, text: `${changed[action]} key ${id}` };
    },
  });
}

export const keyDeactivate = keyChange('deactivate', 'Deactivate a key; it can be reactivated');
export const keyReactivate = keyChange('reactivate', 'Reactivate a deactivated key');
export const keyDelete = keyChange('delete', 'Permanently delete a key');

export const keyList = defineDatabaseCommand({
  summary: 'List API keys, without their secrets',
  example: 'key list --organization 64b7e3f0a1c2d3e4f5a6b7c8',
  input: { organization: organizationOption },
  async run({ db }, { organization = null }) {
    const keys = await listKeys(db, organization);
    const text = listTable<ListedKey>(keys, 'No keys', {
      id: ({ id }) => id,
      status: ({ status }) => status,
      name: ({ name }) => name,
      organization: ({ organizationId }) => organizationId,
      scope: scopeInWords,
      permissions: ({ permissions }) => permissions?.join(', ') ?? 'everything',
      quota: ({ quota }) => quota && `${quota.requests}/${quota.seconds}`,
      'last used': ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : minute(lastUsedAt)),
      expires: ({ expiresAt }) => expiresAt && minute(expiresAt),
    });
    return { json: { keys }, text };
  },
});

function scopeInWords({ wholeOrganization, grants }: ListedKey): string {
  if (wholeOrganization) return 'whole organization';
  const divisions = grants.reduce((n, { divisions }) => n + (divisions?.length ?? 0), 0);
  const tenants = grants.filter(grant => grant.divisions === null).length;
  const parts = [tenants > 0 && count(tenants, 'tenant'), divisions > 0 && count(divisions, 'division')];
  return parts.filter(part => part !== false).join(', ');
}

export const keyShow = defineDatabaseCommand({
  summary: 'Show scope, permissions, quota, expiry and last use of an API key, without its secret',
  example: 'key show 7RAbTPvl7zdd',
  input: { id: keyArgument },
  async run({ db }, { id }) {
    const key = { ...(await findKey(db, id)) };
    return { json: key, text: sheet(key) };
  },
});

async function findKey(db: Pool, id: string): Promise<ListedKey> {
  const key = await findListedKey(db, id);
  if (key === null) throw new CommandError(`there is no key ${id}`);
  return key;
}

/** Days that the usage of a key is shown for. */
const usageDays = 30;

export const usage = defineDatabaseCommand({
  summary: `Show the requests and rejections of an API key for the last ${usageDays} days (UTC)`,
  example: 'usage 7RAbTPvl7zdd',
  input: { id: keyArgument },
  async run({ db }, { id }) {
    const { organizationId, lastUsedAt } = await findKey(db, id);
    const days = await readUsage(db, { organizationId, id }, usageDays);
    const sum = (name: 'requests' | keyof Rejections) => days.reduce((total, day) => total + day[name], 0);
    const requests = sum('requests');
    const [rejected, denied] = [sum('rejected'), sum('denied')];
    const [limited, failed] = [sum('limited'), sum('failed')];
    const total = `${requests} requests in ${usageDays} days, ${rejected} rejected (4xx), ${denied} outside of its permissions (401), ${limited} over the quota (429), ${failed} failed (5xx)`;
    const last = lastUsedAt === null ? 'never used' : `last used ${minute(lastUsedAt)} UTC`;
    return {
      json: { id, lastUsedAt, requests, rejected, denied, limited, failed, days },
      text: [...(days.length === 0 ? [] : [usageTable(days)]), `${total}; ${last}`].join('\n'),
    };
  },
});

function usageTable(days: readonly DayOfUse[]): string {
  return listTable(days, '', {
    day: ({ day }) => day,
    requests: ({ requests }) => requests,
    rejected: ({ rejected }) => rejected,
    denied: ({ denied }) => denied,
    'over quota': ({ limited }) => limited,
    failed: ({ failed }) => failed,
    last: ({ lastUsedAt }) => lastUsedAt.slice(11, 16),
  });
}
