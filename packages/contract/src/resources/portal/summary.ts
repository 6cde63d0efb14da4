import Type, { type Static } from 'typebox';
import { Count, Id, Instant, KeyId, NamedObject, nullable, orNull, Text } from '../../schema.ts';

const KeyToCheck = NamedObject('KeyToCheck', 'A key that needs attention', {
  id: KeyId('The key'),
  name: Text('Its name', 'Payroll of Muster GmbH'),
  expiresAt: nullable(Instant('When it expires; null: never')),
  lastUsedAt: nullable(Instant('When it was last used; null: never')),
  lastSuccessAt: nullable(Instant('When a request with it last succeeded; null: never')),
});
export type KeyToCheck = Static<typeof KeyToCheck>;

/** Most keys or users of a set that a summary names. */
export const summarizedItems = 5;

const KeysToCheck = NamedObject('KeysToCheck', 'Keys that need attention for one reason', {
  total: Count('Their number', 3),
  items: Type.Array(KeyToCheck, { maxItems: summarizedItems, description: 'The most urgent ones' }),
});

const UsersToInvite = NamedObject('UsersToInvite', 'Users with an expired invitation', {
  total: Count('Their number', 1),
  items: Type.Array(
    NamedObject('UserToInvite', 'A user with an expired invitation', {
      id: Id('The user'),
      name: Text('Name of the person', 'Petra Lang'),
    }),
    { maxItems: summarizedItems, description: 'The first of them by name' },
  ),
});

export const PortalSummary = NamedObject('PortalSummary', 'What the home page and the menu show', {
  workingKeys: Count('API keys that work, in any health', 12),
  activeKeys: Count('Those of them whose health is `active`', 9),
  failing: KeysToCheck,
  noRecentActivity: KeysToCheck,
  expiring: KeysToCheck,
  unused: KeysToCheck,
  expiredInvitations: orNull(UsersToInvite, 'For users with COMPANY_ADMIN; null for others'),
  ordersUnderReview: nullable(
    Count('Orders under review of the tenants that the permission HR is for; null without it', 4),
  ),
});
export type PortalSummary = Static<typeof PortalSummary>;
