import Type from 'typebox';
import { none, read } from '../../operation.ts';
import { PortalSearch, SearchResults } from '../../resources/portal/search.ts';
import { PortalSummary } from '../../resources/portal/summary.ts';
import { ClosedObject } from '../../schema.ts';
import type { PortalOperation } from './operation.ts';

const tenant = {
  tenant: Type.Optional(
    Type.String({
      pattern: '^[0-9a-f]{24}$',
      description: 'Only data of this tenant; nothing if it is out of scope',
      examples: ['65f0c0ffee0123456789abcd'],
    }),
  ),
};

/** The query of what the chosen company narrows. */
export const CompanyQuery = ClosedObject(tenant);

export const overviewOperations = {
  getPortalSummary: {
    ...read,
    path: '/summary',
    tag: 'Overview',
    summary: 'Get the summary',
    description:
      'Counts what the home page and the menu show, and names the first that need attention, within the permissions of the user.',
    query: CompanyQuery,
    success: { status: 200, description: 'The summary', body: PortalSummary },
  },
  searchPortal: {
    tag: 'Overview',
    method: 'POST',
    authenticated: true,
    changesNothing: true,
    path: '/search',
    summary: 'Search over everything',
    description:
      'Finds companies, divisions, keys, users, employees and orders in the scope of the user. It is a POST, so that no address has a name.',
    parameters: none,
    query: CompanyQuery,
    body: PortalSearch,
    success: { status: 200, description: 'What was found', body: SearchResults },
    errors: [],
  },
} as const satisfies Record<string, PortalOperation>;
