import {
  type InvitedUser,
  languages,
  type PortalPermission,
  portalPermissionNames,
  type User,
  type UserCreate,
} from '@kontor/contract';
import { publicUrlOf } from '../config.ts';
import type { Pool } from '../db/connect.ts';
import { openPepper } from '../features/keys/pepper.ts';
import { organizationExists, tenantsAmong } from '../features/organizations/store.ts';
import { checkTenants, createUser, inviteUser, type Linking } from '../features/users/invitations.ts';
import { allowedAfter } from '../features/users/rules.ts';
import { listUsers, lockUser, ownerOfEmail } from '../features/users/store.ts';
import { mailSettingNames, mailSettings } from '../mail/settings.ts';
import { besideClock, operator } from '../write/writes.ts';
import { CommandError, databaseSettings, defineCommand, parseEmail, parseId } from './command.ts';
import { table } from './table.ts';

function oneOf<Value extends string>(values: readonly Value[]): (text: string) => Value {
  return text => {
    const value = values.find(known => known === text);
    if (value === undefined) throw new CommandError(`expected one of ${values.join(', ')}`);
    return value;
  };
}

export const userInvite = defineCommand({
  name: 'user invite',
  summary:
    'Invite somebody to the portal, or let a user set a new password: mails a link that works once, for three days, or prints it',
  options: [
    {
      flags: '--organization <id>',
      description: 'The organization of the user',
      required: true,
      parse: parseId,
    },
    { flags: '--email <address>', description: 'The e-mail of the user', required: true, parse: parseEmail },
    { flags: '--name <name>', description: 'The name of a new user' },
    {
      flags: '--language <language>',
      description: `The language of a new user: ${languages.join(', ')} (default en)`,
      parse: oneOf(languages),
    },
    {
      flags: '--permission <permission...>',
      description: `What a new user may do; may be repeated: ${portalPermissionNames.join(', ')}`,
      parse: oneOf(portalPermissionNames),
    },
    {
      flags: '--hr-tenant <id...>',
      description: 'A tenant that the permission HR is for; may be repeated',
      parse: parseId,
    },
    { flags: '--hr-all', description: 'Let the permission HR be for all tenants, those created later too' },
    { flags: '--print-link', description: 'Print the link also where mails are sent, and mail none' },
  ],
  settings: [...databaseSettings, 'pepper', 'publicUrl', ...mailSettingNames, 'host', 'port'],
  async run(context, { options }) {
    const { writes: db } = await context.openDatabase();
    const organizationId = options.organization as string;
    if (!(await organizationExists(db, organizationId)))
      throw new CommandError(`there is no organization ${organizationId}`);
    const { pepper: secret, dataDirectory } = context.config;
    const pepper = await openPepper(db, { secret, dataDirectory });
    const byMail = (await mailSettings(context.config)) !== null && options.printLink !== true;
    const linking = { pepper, publicUrl: publicUrlOf(context.config), byMail };
    const email = options.email as string;
    const owner = await ownerOfEmail(db, email);
    if (owner !== null && owner.organizationId !== organizationId)
      throw new CommandError('a user of another organization has this e-mail');
    const user =
      owner === null
        ? await invite(db, organizationId, linking, wantedUser(email, options))
        : await inviteAgain(db, organizationId, linking, { userId: owner.userId, options });
    return {
      json: { ...user },
      text: `${owner === null ? 'Invited' : 'Invited again:'} ${user.email} (${user.id}). ${handedOver(user)}`,
    };
  },
});

/** What becomes of the link. */
function handedOver({ link, invitedUntil }: InvitedUser): string {
  return link === null
    ? `The running service mails them a link; it works once, until ${invitedUntil!}`
    : `Give them this link only; it works once, until ${invitedUntil!}:\n${link}`;
}

type Options = Readonly<Record<string, unknown>>;

/** What the options say of a new user. */
function wantedUser(email: string, options: Options): UserCreate {
  const { name, permission, hrTenant, hrAll } = options;
  if (name === undefined || permission === undefined)
    throw new CommandError('nobody of the organization has this e-mail: say --name and --permission, too');
  if (hrAll === true && hrTenant !== undefined)
    throw new CommandError('say for which tenants the permission HR is: either --hr-all, or --hr-tenant');
  const permissions = permission as PortalPermission[];
  const isHr = permissions.includes('HR');
  if (isHr !== (hrAll === true || hrTenant !== undefined))
    throw new CommandError(
      isHr ? 'say --hr-all or --hr-tenant with the permission HR' : '--hr-all and --hr-tenant are for HR',
    );
  return {
    email,
    name: name as string,
    language: (options.language as UserCreate['language'] | undefined) ?? 'en',
    permissions,
    ...(isHr && { hrTenants: (hrTenant as string[] | undefined) ?? null }),
  };
}

async function invite(
  db: Pool,
  organizationId: string,
  linking: Linking,
  wanted: UserCreate,
): Promise<InvitedUser> {
  const among = (id: string, ids: readonly string[]) => tenantsAmong(db, id, ids);
  await checkTenants(allowedAfter(null, wanted), organizationId, among);
  return besideClock(db, organizationId, operator, (turn, session) =>
    createUser(turn, session, linking, wanted),
  );
}

function inviteAgain(
  db: Pool,
  organizationId: string,
  linking: Linking,
  { userId, options }: { userId: string; options: Options },
): Promise<InvitedUser> {
  const changing = ['name', 'language', 'permission', 'hrTenant', 'hrAll'].find(name => name in options);
  if (changing !== undefined)
    throw new CommandError('the user is there already: leave out what says how a new one is to be');
  return besideClock(db, organizationId, operator, async (turn, session) => {
    const user = await lockUser(session, organizationId, userId);
    if (user === null) throw new CommandError('the user was deleted meanwhile');
    return inviteUser(turn, session, linking, user);
  });
}

export const userList = defineCommand({
  name: 'user list',
  summary: 'List the users of the portal of an organization',
  options: [
    { flags: '--organization <id>', description: 'The organization', required: true, parse: parseId },
  ],
  settings: databaseSettings,
  async run(context, { options }) {
    const { writes: db } = await context.openDatabase();
    const users = await listUsers(db, options.organization as string);
    return { json: { users }, text: users.length === 0 ? 'No users' : userTable(users) };
  },
});

const columns = ['id', 'status', 'name', 'e-mail', 'permissions', 'HR for', 'last sign-in'];

function userTable(users: readonly User[]): string {
  return table(
    columns,
    users.map(({ id, status, name, email, permissions, hrTenants, lastSignInAt }) => [
      id,
      status,
      name,
      email,
      permissions.join(' '),
      permissions.includes('HR') ? (hrTenants?.join(' ') ?? 'all tenants') : '',
      lastSignInAt === null ? 'never' : lastSignInAt.slice(0, 16).replace('T', ' '),
    ]),
  );
}
