import Type, { type Static } from 'typebox';
import { Id, NamedObject, nullable, Text, Values } from '../../schema.ts';

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
