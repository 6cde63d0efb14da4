import { platformPermissions } from '@kontor/contract';
import type { Pool } from '../db/connect.ts';
import { noOrganization } from '../auth/caller.ts';
import { openPepper } from '../features/keys/pepper.ts';
import { organizationExists } from '../features/organizations/store.ts';
import { type ListedToken, listTokens, revokeToken, storeToken } from '../auth/platform-tokens.ts';
import { besideClock, operator } from '../write/writes.ts';
import { CommandError, databaseSettings, defineCommand, keyArgument, parseId } from './command.ts';
import { type End, endOf, parseEnd } from './durations.ts';
import { table } from './table.ts';

/** How long a token works unless said, in milliseconds. */
const defaultLife = 90 * 24 * 3600 * 1000;

const permissions = Object.keys(platformPermissions);

function parsePermission(text: string): string {
  if (!permissions.includes(text)) throw new CommandError(`expected one of ${permissions.join(', ')}`);
  return text;
}

export const platformTokenCreate = defineCommand({
  name: 'platform-token create',
  summary: "Create a token of the platform API, for the operator's own systems; it is shown only here",
  options: [
    { flags: '--name <name>', description: 'Its name, which the audit shows', required: true },
    { flags: '--all', description: 'Let it work for all organizations, those founded later included' },
    {
      flags: '--organization <id...>',
      description: 'Let it work for this organization; may be repeated',
      parse: parseId,
    },
    {
      flags: '--permission <permission...>',
      description: `What it may do; may be repeated: ${permissions.join(', ')}`,
      required: true,
      parse: parsePermission,
    },
    {
      flags: '--expires <when>',
      description:
        'When it stops working: a day (2027-01-31, its end in UTC), or how long from now (30d, 12h); absent: in 90 days',
      parse: parseEnd,
    },
  ],
  settings: [...databaseSettings, 'pepper'],
  async run(context, { options }) {
    const { writes: db } = await context.openDatabase();
    const organizations = await chosenOrganizations(db, {
      all: options.all === true,
      named: (options.organization as string[] | undefined) ?? [],
    });
    const { pepper: secret, dataDirectory } = context.config;
    const pepper = await openPepper(db, { secret, dataDirectory });
    const expiresAt = endOf((options.expires as End | undefined) ?? defaultLife);
    const wanted = { name: options.name as string, organizations, expiresAt };
    const created = await besideClock(db, noOrganization, operator, turn =>
      storeToken(turn, pepper, { ...wanted, permissions: [...new Set(options.permission as string[])] }),
    );
    return {
      json: { ...created, expiresAt: expiresAt.toISOString() },
      text: `Created token ${created.id}. Keep it now, it is not shown again:\n${created.token}\nIt works until ${expiresAt.toISOString()}`,
    };
  },
});

async function chosenOrganizations(
  db: Pool,
  { all, named }: { all: boolean; named: readonly string[] },
): Promise<'all' | readonly string[]> {
  if (all === named.length > 0)
    throw new CommandError('say what the token works for: either --all, or --organization');
  for (const id of named)
    if (!(await organizationExists(db, id))) throw new CommandError(`there is no organization ${id}`);
  return all ? 'all' : [...new Set(named)];
}

export const platformTokenList = defineCommand({
  name: 'platform-token list',
  summary: 'List tokens of the platform API, without their secrets',
  settings: databaseSettings,
  async run(context) {
    const { writes: db } = await context.openDatabase();
    const tokens = await listTokens(db);
    return { json: { tokens }, text: tokens.length === 0 ? 'No tokens' : tokenTable(tokens) };
  },
});

const columns = ['id', 'status', 'name', 'works for', 'permissions', 'last used', 'expires'];

function tokenTable(tokens: readonly ListedToken[]): string {
  const minute = (at: string) => at.slice(0, 16).replace('T', ' ');
  return table(
    columns,
    tokens.map(({ id, status, name, organizations, permissions, lastUsedAt, expiresAt }) => [
      id,
      status,
      name,
      organizations === 'all' ? 'all organizations' : organizations.join(' '),
      permissions.join(' '),
      lastUsedAt === null ? 'never' : minute(lastUsedAt),
      minute(expiresAt),
    ]),
  );
}

export const platformTokenRevoke = defineCommand({
  name: 'platform-token revoke',
  summary: 'Retire a token of the platform API for ever; it is refused from the next request on',
  arguments: [keyArgument],
  settings: databaseSettings,
  async run(context, { arguments: [argument] }) {
    const { writes: db } = await context.openDatabase();
    const id = argument as string;
    const isThere = await besideClock(db, noOrganization, operator, (turn, session) =>
      revokeToken(turn, session, id),
    );
    if (!isThere) throw new CommandError(`there is no token ${id}`);
    return { json: { id, status: 'revoked' }, text: `Revoked token ${id}` };
  },
});
