import { type PortalPermission, portalPermissions } from '@kontor/contract';
import { createOrganization, createTenant } from '../../../server/src/features/organizations/store.ts';
import type { PortalFixture } from '../../../server/test/portal/support.ts';
import { backdateSession, sessionOfUser, signedInUser } from '../../../server/test/support/data/users.ts';
import { accountViews } from './account.ts';
import { employeeViews } from './employees.ts';
import { frameViews } from './frame.ts';
import { hrViews } from './hr.ts';
import { keyViews } from './keys.ts';
import { organizationViews } from './organization.ts';
import { payrollViews } from './payroll.ts';
import { longName, type View } from './view.ts';

/** A further area of the portal is one entry here, and a further page or dialog one entry of its area. */
const areas = [frameViews, keyViews, hrViews, employeeViews, payrollViews, organizationViews, accountViews];

interface Views {
  readonly views: readonly View[];
  /** The sessions of those who look at them. */
  readonly secrets: { readonly user: string; readonly stale: string; readonly passkey: string };
}

/** Visits that open all views. A test lasts at most ten minutes, so two visits share the many views of a user. */
export const visits = [
  { name: 'anonymous', as: 'anonymous' },
  { name: 'user, half 1', as: 'user', half: 0 },
  { name: 'user, half 2', as: 'user', half: 1 },
  { name: 'stale', as: 'stale' },
  { name: 'passkey', as: 'passkey' },
] as const;

export type Visit = (typeof visits)[number];

export function viewsOf(views: readonly View[], visit: Visit): readonly View[] {
  const ofVisitor = views.filter(view => (view.as ?? 'user') === visit.as);
  return 'half' in visit ? ofVisitor.filter((_, index) => index % 2 === visit.half) : ofVisitor;
}

/** All pages and dialogs of the portal, with names of sixty letters. */
export async function prepareViews(fixture: PortalFixture): Promise<Views> {
  const { sql, testData } = fixture;
  const { organization } = testData;
  await sql`UPDATE organization SET name = ${longName} WHERE id = ${organization}`;
  const { secret, user, sessionId } = await signedInUser(sql, organization, {
    name: longName,
    permissions: Object.keys(portalPermissions) as PortalPermission[],
    hrTenants: null,
  });
  // Views take longer than a sign-in stays fresh, and two hours are enough for all of them.
  await backdateSession(sql, sessionId, { authenticated_at: -120 });
  const stale = await sessionOfUser(sql, organization, user.id);
  await backdateSession(sql, stale.sessionId, { authenticated_at: 60 });
  const tenant = await createTenant(sql, organization, longName);
  const views: View[] = [];
  for (const area of areas) views.push(...(await area({ ...fixture, secret, userId: user.id, tenant })));
  const strict = await createOrganization(sql, longName);
  await sql`UPDATE organization SET passkey_permissions = '{IT}' WHERE id = ${strict}`;
  const { secret: passkey } = await signedInUser(sql, strict, { permissions: ['IT'] });
  return { views, secrets: { user: secret, stale: stale.secret, passkey } };
}
