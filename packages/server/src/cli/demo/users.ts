import { randomBytes } from 'node:crypto';
import type { UserCreate } from '@kontor/contract';
import type { Pool } from '../../db/connect.ts';
import { updatePassword } from '../../features/users/sessions/credentials.ts';
import { storeNewUser } from '../../features/users/invitations.ts';
import { hashPassword } from '../../features/users/passwords/hash.ts';
import { deactivateUser, findOwnerOfEmail } from '../../features/users/store.ts';
import { writeAsOperator } from '../../write/writes.ts';

export interface DemoUser {
  readonly email: string;
  readonly password: string;
  /** The permissions in words. */
  readonly states: string;
}

type Planned = Pick<UserCreate, 'name' | 'language' | 'permissions' | 'hrTenants'> & { states: string };

const planned: Readonly<Record<string, Planned>> = {
  it: { name: 'Ida Weber', language: 'en', permissions: ['IT'], states: 'IT' },
  hr: {
    name: 'Hanna Roth',
    language: 'de',
    permissions: ['HR', 'PAYROLL_RUN', 'PAYROLL_RELEASE'],
    hrTenants: null,
    states: 'HR and payroll of all companies',
  },
  admin: {
    name: 'Anton Gruber',
    language: 'de',
    permissions: ['COMPANY_ADMIN'],
    states: 'company administration',
  },
};

/** Further users: one who has not used the invitation, and one who has left. */
const others: readonly Omit<UserCreate, 'email'>[] = [
  { name: 'Νίκος Παπαδόπουλος', language: 'en', permissions: ['IT'] },
  { name: 'Marie Krüger', language: 'de', permissions: ['HR'], hrTenants: null },
];

/** Creates the users of the demo. Their common password is random, because a known one would open every demo. */
export async function createDemoUsers(
  db: Pool,
  { organizationId, pepper }: { organizationId: string; pepper: Buffer },
): Promise<DemoUser[]> {
  const password = `demo-${randomBytes(9)
    .toString('hex')
    .replace(/.{6}(?=.)/g, '$&-')}`;
  const hash = await hashPassword(password, 'demo');
  const users: DemoUser[] = [];
  const create = async (name: string, plan: Omit<UserCreate, 'email'>) => {
    const email = await findFreeEmail(db, name, organizationId);
    const linking = { pepper, publicUrl: '', byMail: false };
    return writeAsOperator(db, organizationId, (write, session) =>
      storeNewUser(write, session, linking, { email, ...plan }),
    );
  };
  await create('invited', others[0]!);
  const { id: left } = await create('left', others[1]!);
  await writeAsOperator(db, organizationId, async write => deactivateUser(write, left));
  for (const [name, { states, ...plan }] of Object.entries(planned)) {
    const { id, email } = await create(name, plan);
    await writeAsOperator(db, organizationId, async write => updatePassword(write, id, hash));
    users.push({ email, password, states });
  }
  return users;
}

/** Returns an email that no user has: the users of a demo whose file was lost may still be there. */
async function findFreeEmail(db: Pool, name: string, organizationId: string): Promise<string> {
  const email = `${name}@demo.example`;
  const owner = await findOwnerOfEmail(db, email);
  return owner === null ? email : `${name}.${organizationId}@demo.example`;
}
