import Type, { type Static } from 'typebox';
import { none, read } from './operation.ts';
import { CompanyQuery, portalOperation } from './portal-operation.ts';
import { Count, Id, Instant, KeyId, NamedObject, nullable, orNull, Text, Values } from './schema.ts';

export const searchKinds = ['company', 'division', 'key', 'user', 'employee', 'order'] as const;
export type SearchKind = (typeof searchKinds)[number];

/** Most results of a kind where several are searched, and where one is, such as for a field that one is picked in. */
export const resultsPerKind = 5;
export const resultsOfOneKind = 20;

const Kind = Values('SearchKind', [...searchKinds], 'Kind of a search result');

export const PortalSearch = NamedObject('PortalSearch', 'A search over everything in the scope of a user', {
  text: Text(
    'Words that must all be in the name or another identifying text; letter case makes no difference. Without words, the first companies, divisions, keys and users by name are found',
    'muster',
    { maxLength: 200 },
  ),
  kinds: Type.Array(Kind, {
    minItems: 1,
    maxItems: searchKinds.length,
    description: 'Kinds to search. Kinds without the permission have no results',
  }),
});
export type PortalSearch = Static<typeof PortalSearch>;

const SearchResult = NamedObject('SearchResult', 'A result of a search', {
  kind: Kind,
  id: Text('Its identifier', '65f0c0ffee0123456789abcd'),
  name: Text('Its name, or the number of an order', 'Muster Logistik GmbH'),
  detail: nullable(
    Text('A text that distinguishes equal names, such as the company of a division', 'Muster GmbH'),
  ),
  tenant: nullable(Id('The tenant that it belongs to; null: none')),
  path: Type.Array(Type.String(), {
    description: 'Of a division, the names from the root of the tree to itself; else empty',
    examples: [['North', 'Sales']],
  }),
});
export type SearchResult = Static<typeof SearchResult>;

export const SearchResults = NamedObject('SearchResults', 'The results of a search', {
  items: Type.Array(SearchResult, {
    maxItems: searchKinds.length * resultsPerKind,
    description: `At most ${resultsPerKind} of each kind, or ${resultsOfOneKind} of a single one; names that begin with the text come first`,
  }),
});
export type SearchResults = Static<typeof SearchResults>;

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
