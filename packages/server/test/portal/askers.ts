import { hrPermissions, type PortalPermission } from '@kontor/contract';
import { backdateSession, sessionOfUser, signedInUser } from '../support/data/users.ts';
import type { PortalFixture } from './support.ts';

/** Somebody who is signed in to the portal. */
export interface Asker {
  readonly name: string;
  readonly userId: string;
  /** The secret of a session. */
  readonly key: string;
  readonly organization: string;
  readonly permissions: ReadonlySet<string>;
  /** The tenants of the organization that the user sees. */
  readonly tenants: 'all' | readonly string[];
  /** Those that the user does the work of HR for, or reads as an auditor. */
  readonly hrTenants: 'all' | readonly string[];
}

/** A user with each permission alone, with some together, with none, and one of another organization. */
export async function makeAskers({ sql, testData }: PortalFixture): Promise<Asker[]> {
  const { organization, tenantA, foreign } = testData;
  const make = async (
    name: string,
    permissions: PortalPermission[],
    { hrTenants = null, of = organization }: { hrTenants?: string[] | null; of?: string } = {},
  ): Promise<Asker> => {
    const { user, secret: key } = await signedInUser(sql, of, { permissions, hrTenants });
    const ofHr: readonly string[] = [...hrPermissions, 'AUDIT'];
    const tenants = permissions.every(name => ofHr.includes(name)) ? (hrTenants ?? 'all') : 'all';
    return {
      name,
      userId: user.id,
      key,
      organization: of,
      permissions: new Set(permissions),
      tenants,
      hrTenants: hrTenants ?? 'all',
    };
  };
  const ofA = { hrTenants: [tenantA] };
  const all = { of: foreign.organization, hrTenants: null };
  const none = await make('a user without a permission', ['IT']);
  return [
    await make('IT', ['IT']),
    await make('COMPANY_ADMIN', ['COMPANY_ADMIN']),
    await make('HR for all companies', ['HR']),
    await make('HR for company A', ['HR'], ofA),
    await make('HR and PAYROLL_RUN for company A', ['HR', 'PAYROLL_RUN'], ofA),
    await make('HR and PAYROLL_RELEASE for company A', ['HR', 'PAYROLL_RELEASE'], ofA),
    await make('IT, and HR for company A', ['IT', 'HR'], ofA),
    await make('AUDIT for all companies', ['AUDIT']),
    await make('AUDIT for company A', ['AUDIT'], ofA),
    await make('COMPANY_ADMIN, and AUDIT for company A', ['COMPANY_ADMIN', 'AUDIT'], ofA),
    await make('all permissions', ['IT', 'HR', 'COMPANY_ADMIN', 'PAYROLL_RUN', 'PAYROLL_RELEASE']),
    await make(
      'all permissions in another organization',
      ['IT', 'HR', 'COMPANY_ADMIN', 'PAYROLL_RUN', 'PAYROLL_RELEASE'],
      all,
    ),
    { ...none, permissions: new Set(), tenants: [], hrTenants: [] },
  ];
}

/** Has work done as an asker, with a session of its own. Only meanwhile does a user without a permission exist: no list may show one. */
export async function asAsker<T>(
  { sql }: PortalFixture,
  asker: Asker,
  work: (asker: Asker) => Promise<T>,
): Promise<T> {
  const { organization, userId, permissions } = asker;
  const { secret: key } = await sessionOfUser(sql, organization, userId);
  if (permissions.size > 0) return work({ ...asker, key });
  const permit = (names: string[]) =>
    sql`UPDATE portal_user SET permissions = ${names} WHERE organization_id = ${organization} AND id = ${userId}`;
  await permit([]);
  try {
    return await work({ ...asker, key });
  } finally {
    await permit(['IT']);
  }
}

/** Whether an asker sees what belongs to these tenants of an organization, or to all of it. */
export function isWithin(
  asker: Asker,
  { organization, tenants }: { organization: string; tenants: 'all' | readonly string[] },
): boolean {
  if (asker.organization !== organization) return false;
  if (asker.tenants === 'all') return true;
  return tenants !== 'all' && tenants.every(tenant => asker.tenants.includes(tenant));
}

/** The same asker, who has not shown the password for a while. */
export async function grownStale({ sql }: PortalFixture, asker: Asker): Promise<Asker> {
  const { secret: key, sessionId } = await sessionOfUser(sql, asker.organization, asker.userId);
  await backdateSession(sql, sessionId, { authenticated_at: 11 });
  return { ...asker, key };
}
