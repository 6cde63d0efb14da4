import { oneOf } from '../../config.ts';
import { platformPermissions } from '@kontor/contract';
import { noOrganization } from '../../auth/caller.ts';
import { type ListedToken, listTokens, revokeToken, storeToken } from '../../auth/platform-tokens.ts';
import { writeAsOperator } from '../../write/writes.ts';
import { checkOrganization } from '../organization/store.ts';
import {
  CommandError,
  defineDatabaseCommand,
  flag,
  repeatedOption,
  requiredOption,
} from '../program/command.ts';
import { confirm, yesOption } from '../program/confirm.ts';
import { listTable, minute } from '../program/output.ts';
import { expiresOption, parseEnd, parseId, tokenArgument } from '../program/values.ts';
import { configuredPepper, createdText, pepperSettings } from './key.ts';

/** How long a token works unless an end is given. */
const defaultLife = '90d';

const permissions = Object.keys(platformPermissions);

export const platformTokenCreate = defineDatabaseCommand({
  summary: 'Create a token of the platform API and show it once',
  example: 'platform-token create --name deployment --all --permission organizations:read',
  input: {
    name: requiredOption('--name <name>', 'Its name, which the audit log shows'),
    all: flag('--all', 'For all organizations, including later ones'),
    organizations: repeatedOption(
      '--organization <id...>',
      'For this organization; may be repeated',
      parseId,
    ),
    permissions: {
      ...repeatedOption(
        '--permission <permission...>',
        `Permission; can be repeated: ${permissions.join(', ')}`,
        oneOf(permissions),
      ),
      required: true,
    },
    expires: expiresOption('When it stops working', '30d', 'in 90 days'),
  },
  settings: pepperSettings,
  check({ all, organizations }) {
    if (all === organizations.length > 0)
      throw new CommandError('the token needs a scope: either --all, or --organization');
  },
  async run({ db, config }, { name, all, organizations, permissions, expires = parseEnd(defaultLife) }) {
    for (const id of organizations) await checkOrganization(db, id);
    const wanted = {
      name,
      organizations: all ? ('all' as const) : [...new Set(organizations)],
      permissions: [...new Set(permissions)],
      expiresAt: expires,
    };
    const pepper = await configuredPepper(db, config);
    const created = await writeAsOperator(db, noOrganization, write => storeToken(write, pepper, wanted));
    const expiresAt = expires.toISOString();
    return {
      json: { ...created, expiresAt },
      text: `${createdText('token', created.id, created.token)}\nIt works until ${expiresAt}`,
    };
  },
});

export const platformTokenList = defineDatabaseCommand({
  summary: 'List tokens of the platform API, without their secrets',
  example: 'platform-token list',
  async run({ db }) {
    const tokens = await listTokens(db);
    const text = listTable<ListedToken>(tokens, 'No tokens', {
      id: ({ id }) => id,
      status: ({ status }) => status,
      name: ({ name }) => name,
      'works for': ({ organizations }) =>
        organizations === 'all' ? 'all organizations' : organizations.join(' '),
      permissions: ({ permissions }) => permissions.join(' '),
      'last used': ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : minute(lastUsedAt)),
      expires: ({ expiresAt }) => minute(expiresAt),
    });
    return { json: { tokens }, text };
  },
});

export const platformTokenRevoke = defineDatabaseCommand({
  summary: 'Permanently revoke a token of the platform API, from the next request on',
  example: 'platform-token revoke 7RAbTPvl7zdd',
  input: { id: tokenArgument, yes: yesOption },
  async run(context, { id, yes }) {
    const { db } = context;
    const question = `Revoke token ${id}? It never works again.`;
    await confirm(context, yes, { action: 'a revocation', question });
    const isThere = await writeAsOperator(db, noOrganization, (write, session) =>
      revokeToken(write, session, id),
    );
    if (!isThere) throw new CommandError(`there is no token ${id}`);
    return { json: { id, status: 'revoked' }, text: `Revoked token ${id}` };
  },
});
