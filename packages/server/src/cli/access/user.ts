import {
  type InvitedUser,
  languages,
  type PortalPermission,
  portalPermissionNames,
  type User,
  type UserCreate,
} from '@kontor/contract';
import { publicUrlOf, oneOf } from '../../config.ts';
import type { Pool } from '../../db/connect.ts';
import { tenantsAmong } from '../../features/organizations/store.ts';
import {
  checkTenants,
  storeNewUser,
  storeInvitation,
  type Linking,
} from '../../features/users/invitations.ts';
import { allowedAfter } from '../../features/users/rules.ts';
import { listUsers, lockUser, findOwnerOfEmail } from '../../features/users/store.ts';
import { mailSettingNames, mailSettings } from '../../app/mail-settings.ts';
import { writeAsOperator } from '../../write/writes.ts';
import { checkOrganization } from '../organization/store.ts';
import {
  CommandError,
  defineDatabaseCommand,
  flag,
  option,
  repeatedOption,
  requiredOption,
} from '../program/command.ts';
import { listTable, minute } from '../program/output.ts';
import { ownOrganizationOption, parseEmail, parseId } from '../program/values.ts';
import { configuredPepper, pepperSettings } from './key.ts';

export const userInvite = defineDatabaseCommand({
  summary:
    'Invite a user, or let a user set a new password: mail or print a link that works once, for three days',
  example: 'user invite --organization 64b7e3f0a1c2d3e4f5a6b7c8 --email it@example.com --permission IT',
  input: {
    organization: ownOrganizationOption,
    email: requiredOption('--email <address>', 'The email of the user', parseEmail),
    name: option('--name <name>', 'The name of a new user'),
    language: option(
      '--language <language>',
      `The language of a new user: ${languages.join(', ')} (default: the language of the terminal)`,
      oneOf(languages),
    ),
    permissions: repeatedOption(
      '--permission <permission...>',
      `Permission of a new user; can be repeated: ${portalPermissionNames.join(', ')}`,
      oneOf(portalPermissionNames),
    ),
    hrTenants: repeatedOption(
      '--hr-tenant <id...>',
      'A tenant that the permissions HR and AUDIT are for; may be repeated',
      parseId,
    ),
    hrAll: flag('--hr-all', 'Permissions HR and AUDIT for all tenants, including later ones'),
    printLink: flag('--print-link', 'Print the link also where mails are sent, and mail none'),
  },
  settings: [...pepperSettings, 'publicUrl', ...mailSettingNames, 'host', 'port'],
  check: checkHr,
  async run({ db, config }, { organization, email, printLink, ...wanted }) {
    await checkOrganization(db, organization);
    const linking = {
      pepper: await configuredPepper(db, config),
      publicUrl: publicUrlOf(config),
      byMail: !printLink && (await mailSettings(config)) !== null,
    };
    const owner = await findOwnerOfEmail(db, email);
    if (owner !== null && owner.organizationId !== organization)
      throw new CommandError('a user of another organization has this email');
    const user =
      owner === null
        ? await invite(db, organization, linking, newUser(email, wanted))
        : await inviteAgain(db, organization, linking, { userId: owner.userId, wanted });
    return {
      json: { ...user },
      text: `${owner === null ? 'Invited' : 'Invited again:'} ${user.email} (${user.id}). ${linkText(user)}`,
    };
  },
});

function linkText({ link, invitedUntil }: InvitedUser): string {
  return link === null
    ? `The running service mails them a link; it works once, until ${invitedUntil!}`
    : `Give them this link only; it works once, until ${invitedUntil!}:\n${link}`;
}

/** The options that describe a new user. */
interface Wanted {
  readonly name: string | undefined;
  readonly language: UserCreate['language'] | undefined;
  readonly permissions: readonly PortalPermission[];
  readonly hrTenants: readonly string[];
  readonly hrAll: boolean;
}

const isOfTenants = (permissions: readonly PortalPermission[]) =>
  permissions.includes('HR') || permissions.includes('AUDIT');

/** @throws CommandError when the permissions HR and AUDIT and their tenants do not fit */
function checkHr({ permissions, hrTenants, hrAll }: Wanted): void {
  if (hrAll && hrTenants.length > 0)
    throw new CommandError('the permissions HR and AUDIT need tenants: either --hr-all, or --hr-tenant');
  const areOfTenants = isOfTenants(permissions);
  if (areOfTenants !== (hrAll || hrTenants.length > 0))
    throw new CommandError(
      areOfTenants
        ? 'say --hr-all or --hr-tenant with the permissions HR and AUDIT'
        : '--hr-all and --hr-tenant are for HR and AUDIT',
    );
}

/** An inviter suggests the own language. Node takes it from the locale of the terminal. */
function terminalLanguage(): UserCreate['language'] {
  const [language] = new Intl.DateTimeFormat().resolvedOptions().locale.split('-');
  return languages.find(each => each === language) ?? 'en';
}

function newUser(
  email: string,
  { name, language = terminalLanguage(), permissions, hrTenants, hrAll }: Wanted,
): UserCreate {
  if (name === undefined || permissions.length === 0)
    throw new CommandError(
      'no user of the organization has this email; add --name and --permission to invite a new user',
    );
  const hr = isOfTenants(permissions) ? { hrTenants: hrAll ? null : [...hrTenants] } : {};
  return { email, name, language, permissions: [...permissions], ...hr };
}

async function invite(
  db: Pool,
  organizationId: string,
  linking: Linking,
  wanted: UserCreate,
): Promise<InvitedUser> {
  const among = (id: string, ids: readonly string[]) => tenantsAmong(db, id, ids);
  await checkTenants(allowedAfter(null, wanted), organizationId, among);
  return writeAsOperator(db, organizationId, (write, session) =>
    storeNewUser(write, session, linking, wanted),
  );
}

function inviteAgain(
  db: Pool,
  organizationId: string,
  linking: Linking,
  { userId, wanted }: { userId: string; wanted: Wanted },
): Promise<InvitedUser> {
  const { name, language, permissions, hrTenants, hrAll } = wanted;
  if (name !== undefined || language !== undefined || permissions.length + hrTenants.length > 0 || hrAll)
    throw new CommandError('the user exists already: omit the options for a new one');
  return writeAsOperator(db, organizationId, async (write, session) => {
    const user = await lockUser(session, organizationId, userId);
    if (user === null) throw new CommandError('the user was deleted in the meantime');
    return storeInvitation(write, session, linking, user);
  });
}

export const userList = defineDatabaseCommand({
  summary: 'List the users of the portal of an organization',
  example: 'user list --organization 64b7e3f0a1c2d3e4f5a6b7c8',
  input: { organization: ownOrganizationOption },
  async run({ db }, { organization }) {
    const users = await listUsers(db, organization);
    const text = listTable<User>(users, 'No users', {
      id: ({ id }) => id,
      status: ({ status }) => status,
      name: ({ name }) => name,
      email: ({ email }) => email,
      permissions: ({ permissions }) => permissions.join(' '),
      'HR for': ({ permissions, hrTenants }) =>
        isOfTenants(permissions) ? (hrTenants?.join(' ') ?? 'all tenants') : '',
      'last sign-in': ({ lastSignInAt }) => (lastSignInAt === null ? 'never' : minute(lastSignInAt)),
    });
    return { json: { users }, text };
  },
});
