import Type, { type Static } from 'typebox';
import { none, read } from './operation.ts';
import { CompanyQuery, portalOperation } from './portal-operation.ts';
import { Notifications } from './users/notifications.ts';
import { ClosedObject, Count, Id, Instant, KeyId, nullable, orNull, Text, Values } from './schema.ts';

export const searchKinds = ['company', 'division', 'key', 'user', 'employee', 'order'] as const;
export type SearchKind = (typeof searchKinds)[number];

/** Most results of a kind where several are searched, and where one is, such as for a field that one is picked in. */
export const resultsPerKind = 5;
export const resultsOfOneKind = 20;

const Kind = Values('SearchKind', [...searchKinds]);

export const PortalSearch = ClosedObject({
  text: Type.String({ maxLength: 200, examples: ['muster'] }),
  kinds: Type.Array(Kind, { minItems: 1, maxItems: searchKinds.length }),
});
export type PortalSearch = Static<typeof PortalSearch>;

const SearchResult = ClosedObject({
  kind: Kind,
  id: Text(),
  name: Text(),
  detail: nullable(Text()),
  tenant: nullable(Id()),
  path: Type.Array(Type.String()),
});
export type SearchResult = Static<typeof SearchResult>;

export const SearchResults = ClosedObject({
  items: Type.Array(SearchResult, { maxItems: searchKinds.length * resultsPerKind }),
});
export type SearchResults = Static<typeof SearchResults>;

const KeyToCheck = ClosedObject({
  id: KeyId(),
  name: Text(),
  expiresAt: nullable(Instant()),
  lastUsedAt: nullable(Instant()),
  lastSuccessAt: nullable(Instant()),
});
export type KeyToCheck = Static<typeof KeyToCheck>;

/** Most keys or users of a set that a summary names. */
export const summarizedItems = 5;

const KeysToCheck = ClosedObject({
  total: Count(),
  items: Type.Array(KeyToCheck, { maxItems: summarizedItems }),
});

const UsersToInvite = ClosedObject({
  total: Count(),
  items: Type.Array(
    ClosedObject({
      id: Id(),
      name: Text(),
    }),
    { maxItems: summarizedItems },
  ),
});

export const PortalSummary = ClosedObject({
  workingKeys: Count(),
  activeKeys: Count(),
  failing: KeysToCheck,
  noRecentActivity: KeysToCheck,
  expiring: KeysToCheck,
  unused: KeysToCheck,
  expiredInvitations: orNull(UsersToInvite),
  ordersUnderReview: nullable(Count()),
  notifications: Notifications,
});
export type PortalSummary = Static<typeof PortalSummary>;

export const getPortalSummary = portalOperation({
  ...read,
  path: '/summary',
  tag: 'Overview',
  query: CompanyQuery,
  success: { status: 200, body: PortalSummary },
});

export const searchPortal = portalOperation({
  tag: 'Overview',
  method: 'POST',
  authenticated: true,
  changesNothing: true,
  path: '/search',
  parameters: none,
  query: CompanyQuery,
  body: PortalSearch,
  success: { status: 200, body: SearchResults },
  errors: [],
});
