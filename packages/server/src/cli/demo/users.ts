import { randomBytes } from 'node:crypto';
import type { UserCreate } from '@kontor/contract';
import type { Pool } from '../../db/connect.ts';
import { updatePassword } from '../../features/users/sessions/credentials.ts';
import { createUser } from '../../features/users/invitations.ts';
import { hashPassword } from '../../features/users/passwords/hash.ts';
import { ownerOfEmail } from '../../features/users/store.ts';
import { writeUnordered, operator } from '../../write/writes.ts';

export interface DemoUser {
  readonly email: string;
  readonly password: string;
  /** The permissions in words. */
  readonly says: string;
}

type Planned = Pick<UserCreate, 'name' | 'language' | 'permissions' | 'hrTenants'> & { says: string };

const planned: Readonly<Record<string, Planned>> = {
  it: { name: 'Ida Weber', language: 'en', permissions: ['IT'], says: 'IT' },
  hr: {
    name: 'Hanna Roth',
    language: 'de',
    permissions: ['HR'],
    hrTenants: null,
    says: 'HR of all companies',
  },
  admin: {
    name: 'Anton Gruber',
    language: 'de',
    permissions: ['COMPANY_ADMIN'],
    says: 'company administration',
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
  for (const [name, { says, ...plan }] of Object.entries(planned)) {
    const email = await freeEmail(db, name, organizationId);
    const linking = { pepper, publicUrl: '', byMail: false };
    const { id } = await writeUnordered(db, organizationId, operator, (turn, session) =>
      createUser(turn, session, linking, { email, ...plan }),
    );
    await writeUnordered(db, organizationId, operator, async turn => updatePassword(turn, id, hash));
    users.push({ email, password, says });
  }
  return users;
}

/** Returns an e-mail that no user has: the users of a demo whose file was lost may still be there. */
async function freeEmail(db: Pool, name: string, organizationId: string): Promise<string> {
  const email = `${name}@demo.example`;
  const owner = await ownerOfEmail(db, email);
  return owner === null ? email : `${name}.${organizationId}@demo.example`;
}
