import { randomBytes } from 'node:crypto';
import type { UserCreate } from '@kontor/contract';
import type { Pool } from '../../db/connect.ts';
import { updatePassword } from '../../features/users/sessions/credentials.ts';
import { createUser } from '../../features/users/invitations.ts';
import { hashPassword } from '../../features/users/passwords/hash.ts';
import { findOwnerOfEmail } from '../../features/users/store.ts';
import { writeUnordered, operator } from '../../write/writes.ts';

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
  for (const [name, { states, ...plan }] of Object.entries(planned)) {
    const email = await findFreeEmail(db, name, organizationId);
    const linking = { pepper, publicUrl: '', byMail: false };
    const { id } = await writeUnordered(db, organizationId, operator, (write, session) =>
      createUser(write, session, linking, { email, ...plan }),
    );
    await writeUnordered(db, organizationId, operator, async write => updatePassword(write, id, hash));
    users.push({ email, password, states });
  }
  return users;
}

/** Returns an e-mail that no user has: the users of a demo whose file was lost may still be there. */
async function findFreeEmail(db: Pool, name: string, organizationId: string): Promise<string> {
  const email = `${name}@demo.example`;
  const owner = await findOwnerOfEmail(db, email);
  return owner === null ? email : `${name}.${organizationId}@demo.example`;
}
