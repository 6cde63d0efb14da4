import {
  getPortalSummary,
  getPortalTasks,
  type HrTasks,
  type KeyInUse,
  type PortalSummary,
  type PortalTasks,
  resultsOfOneKind,
  resultsPerKind,
  type SearchKind,
  searchKinds,
  searchPortal,
  type SearchResult,
} from '@kontor/contract';
import type { Caller } from '../../auth/caller.ts';
import type { Scope } from '../../auth/scope.ts';
import type { Pool } from '../../db/connect.ts';
import { implement } from '../../http/implement.ts';
import { companyOf, ok, type Route } from '../../http/route.ts';
import { readMaintenance } from '../../write/writes.ts';
import { type Searched, searchStatement } from '../../query/search-all.ts';

/** A user as the readers of the overview see them. */
export interface Viewer {
  readonly userId: string;
  readonly scope: Scope;
  readonly permissions: ReadonlySet<string>;
  /** The scope of the permission HR; null without it. */
  readonly hrScope: Scope | null;
}

/** Readers of the features, each within the scope and the permissions of the viewer. */
export interface Overview {
  readonly summary: {
    readonly keys: (
      viewer: Viewer,
      tenant: string | null,
    ) => Promise<
      Pick<
        PortalSummary,
        'workingKeys' | 'activeKeys' | 'failing' | 'noRecentActivity' | 'expiring' | 'unused'
      >
    >;
    readonly expiredInvitations: (
      viewer: Viewer,
      tenant: string | null,
    ) => Promise<PortalSummary['expiredInvitations']>;
    readonly ordersUnderReview: (viewer: Viewer, tenant: string | null) => Promise<number | null>;
    /** The notifications of all companies of the viewer. */
    readonly notifications: (viewer: Viewer) => Promise<PortalSummary['notifications']>;
  };
  /** The work of HR, and of those who look after keys; null without the permission of the viewer. */
  readonly tasks: {
    readonly hr: (viewer: Viewer, tenant: string | null) => Promise<HrTasks | null>;
    readonly keys: (viewer: Viewer, tenant: string | null) => Promise<KeyInUse[] | null>;
  };
  /** A kind without the permission of the viewer is null. */
  readonly search: Readonly<Record<SearchKind, (viewer: Viewer) => Searched | null>>;
}

export function overviewRoutes(reads: Pool, { summary, tasks, search }: Overview): Route[] {
  return [
    implement(getPortalSummary, async call => {
      const viewer = viewerOf(call);
      const tenant = companyOf(call);
      const [keys, expiredInvitations, ordersUnderReview, notifications, announced] = await Promise.all([
        summary.keys(viewer, tenant),
        summary.expiredInvitations(viewer, tenant),
        summary.ordersUnderReview(viewer, tenant),
        summary.notifications(viewer),
        readMaintenance(reads),
      ]);
      const maintenance = announced && { until: announced.until, reason: announced.reason };
      const counts = { ...keys, expiredInvitations, ordersUnderReview, notifications, maintenance };
      return ok(JSON.stringify(counts satisfies PortalSummary));
    }),
    implement(getPortalTasks, async call => {
      const viewer = viewerOf(call);
      const tenant = companyOf(call);
      const [hr, keys] = await Promise.all([tasks.hr(viewer, tenant), tasks.keys(viewer, tenant)]);
      return ok(JSON.stringify({ hr, keys } satisfies PortalTasks));
    }),
    implement(searchPortal, async call => {
      const { text, kinds } = call.body;
      const viewer = viewerOf(call);
      const searched = searchKinds
        .filter(kind => kinds.includes(kind))
        .flatMap(kind => {
          const rows = search[kind](viewer);
          return rows ? [[kind, rows] as const] : [];
        });
      const narrowed = {
        tenant: companyOf(call),
        limit: kinds.length === 1 ? resultsOfOneKind : resultsPerKind,
      };
      const statement = searchStatement(text, searched, narrowed);
      const items = statement ? await reads.rows<SearchResult>(statement, { shared: false }) : [];
      return ok(JSON.stringify({ items }));
    }),
  ];
}

function viewerOf({ caller, scope }: { caller: Caller; scope: Scope }): Viewer {
  const { actor, permissions, hrScope } = caller;
  const readsOfHr = permissions.has('HR') || permissions.has('AUDIT');
  return { userId: actor.id, scope, permissions, hrScope: (readsOfHr && hrScope) || null };
}
