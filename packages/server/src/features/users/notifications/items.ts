import {
  type Notification,
  type NotificationKind,
  namedItems,
  notificationKinds,
  type Notifications,
} from '@kontor/contract';
import type { Scope } from '../../../auth/scope.ts';
import type { Queryable } from '../../../db/session.ts';
import { notifiedKinds } from '../../../mail/notification-kinds.ts';
import { grantsOf, hrGrantsOf, type UserRef } from '../rules.ts';
import { findNotifications, type StoredNotifications } from './store.ts';

/*
 * Notifications are not stored: they follow from orders, months, imports and keys, within the scope and the permissions that the user has when
 * they are read. Each has the instant of its latest news. A later one than the instant until which the user has read is unread.
 */

/** A user with the scopes of a reading. */
export interface Reader {
  readonly userId: string;
  readonly scope: Scope;
  readonly hrScope: Scope;
}

/** News after `since` are unread; later ones than `until` are not read yet. */
export interface Period {
  readonly since: Date;
  readonly until: Date;
}

export interface Item extends Omit<Notification, 'at'> {
  readonly at: Date;
}

/** Reads the items of some kinds. The features have these readers. */
export interface Source {
  readonly kinds: readonly NotificationKind[];
  readonly read: (db: Queryable, reader: Reader, period: Period) => Promise<Item[]>;
}

/** An item about one thing. */
export function itemOf(
  kind: NotificationKind,
  { since }: Period,
  about: Pick<Item, 'at'> & Partial<Pick<Item, 'id' | 'name' | 'tenant' | 'month' | 'isFailed'>>,
): Item {
  const unread = about.at > since ? 1 : 0;
  return {
    kind,
    count: 1,
    unread,
    id: null,
    name: null,
    tenant: null,
    month: null,
    isFailed: false,
    ...about,
  };
}

/** Milliseconds after which no transaction can still commit an older instant, so nothing is read as missing. */
const settling = 15_000;

/** The instant until which everything is committed. */
export function settledBefore(now: Date): Date {
  return new Date(now.getTime() - settling);
}

/** Reads all items for the bell, the latest first. */
export async function readBell(
  db: Queryable,
  sources: readonly Source[],
  user: UserRef,
): Promise<Notifications> {
  const stored = await findNotifications(db, user);
  if (stored === null) return { unread: 0, until: new Date(0).toISOString(), items: [] };
  const period = { since: stored.readUntil, until: settledBefore(stored.now) };
  const items = await readItems(db, sources, { user, stored, period });
  const latest = items.toSorted((a, b) => b.at.getTime() - a.at.getTime());
  return {
    unread: items.filter(({ unread }) => unread > 0).length,
    until: period.until.toISOString(),
    items: latest.map(({ at, ...item }) => ({ ...item, at: at.toISOString() })),
  };
}

interface Reading {
  readonly user: UserRef;
  readonly stored: StoredNotifications;
  readonly period: Period;
  /** Kinds that are left out. */
  readonly except?: readonly NotificationKind[];
}

/** Reads the items of the kinds that the user gets, in the order of the kinds. */
export async function readItems(
  db: Queryable,
  sources: readonly Source[],
  { user: { organizationId, userId }, stored, period, except = [] }: Reading,
): Promise<Item[]> {
  const kinds = notifiedKinds(stored, stored.held).filter(kind => !except.includes(kind));
  const scopeOf = (grants: Scope['grants']): Scope => ({ organizationId, callerId: userId, grants });
  const reader = { userId, scope: scopeOf(grantsOf(stored)), hrScope: scopeOf(hrGrantsOf(stored)) };
  const wanted = sources.filter(source => source.kinds.some(kind => kinds.includes(kind)));
  const items = (await Promise.all(wanted.map(({ read }) => read(db, reader, period)))).flat();
  return notificationKinds
    .filter(kind => kinds.includes(kind))
    .flatMap(kind => mergeMany(items.filter(item => item.kind === kind)));
}

/** Many items of a kind become one. */
function mergeMany(items: readonly Item[]): readonly Item[] {
  const [first] = items;
  if (!first || items.length <= namedItems) return items;
  return [
    {
      ...itemOf(
        first.kind,
        { since: first.at, until: first.at },
        {
          at: new Date(Math.max(...items.map(({ at }) => at.getTime()))),
        },
      ),
      count: items.length,
      unread: items.filter(({ unread }) => unread > 0).length,
    },
  ];
}
