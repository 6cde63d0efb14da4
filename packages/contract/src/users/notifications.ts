import Type, { type Static } from 'typebox';
import { basic, write } from '../operation.ts';
import { portalOperation } from '../portal-operation.ts';
import {
  ClosedObject,
  Count,
  Flag,
  Id,
  Instant,
  InstantInput,
  nullable,
  PatchBody,
  Period,
  Text,
  Values,
} from '../schema.ts';

/** The kinds of notifications, in the order in which they are listed. */
export const notificationKinds = [
  'new_orders',
  'expiring_orders',
  'payroll_due',
  'finished_import',
  'failing_key',
] as const;
export type NotificationKind = (typeof notificationKinds)[number];

const Kind = Values('NotificationKind', [...notificationKinds]);

/** Orders are counted. A month, an import and a key have an item each, or more than {@link namedItems} of them one together. */
const Notification = ClosedObject({
  kind: Kind,
  at: Instant(),
  count: Count(),
  unread: Count(),
  id: nullable(Text()),
  name: nullable(Text()),
  tenant: nullable(Id()),
  month: nullable(Period()),
  isFailed: Flag(),
});
export type Notification = Static<typeof Notification>;

/** Most months, imports or keys with an item of their own. */
export const namedItems = 5;

export const Notifications = ClosedObject({
  unread: Count(),
  until: Instant(),
  items: Type.Array(Notification),
});
export type Notifications = Static<typeof Notifications>;

export const NotificationSettings = ClosedObject({
  mailsAreSent: Flag(),
  byMail: Flag(),
  offered: Type.Array(Kind),
  chosen: Type.Array(Kind),
});
export type NotificationSettings = Static<typeof NotificationSettings>;

export const NotificationSettingsUpdate = PatchBody(
  'NotificationSettingsUpdate',
  'Which notifications a user gets, and whether by mail',
  { byMail: Flag(), chosen: Type.Array(Kind, { maxItems: notificationKinds.length }) },
);
export type NotificationSettingsUpdate = Static<typeof NotificationSettingsUpdate>;

const ReadNotifications = ClosedObject({ until: Instant() });

const ofOneself = { tag: 'Notifications' } as const;

export const getNotificationSettings = portalOperation({
  ...basic,
  ...ofOneself,
  method: 'GET',
  path: '/notification-settings',
  success: { status: 200, body: NotificationSettings },
});

export const updateNotificationSettings = portalOperation({
  ...write,
  ...ofOneself,
  method: 'PATCH',
  path: '/notification-settings',
  body: NotificationSettingsUpdate,
  success: { status: 200, body: NotificationSettings },
  errors: ['VALIDATION_ERROR'],
});

export const readNotifications = portalOperation({
  ...write,
  ...ofOneself,
  path: '/notifications/reading',
  body: ClosedObject({ until: InstantInput() }),
  success: { status: 200, body: ReadNotifications },
});
