import type { Recorded } from '../openapi/recording.ts';
import type { Api } from './api.ts';
import { bodyLimits } from '../body-limit.ts';
import { filterBounds, markBound } from '../filter/bounds.ts';
import examples from '../examples/public.json' with { type: 'json' };
import { contractVersion } from '../health.ts';
import { operationsOf } from '../operations.ts';

const introduction = `
A customer's systems synchronize HR data with Kontor and read the results of HR processes, from server to server.

## Keys and scope

Every request except the health check carries an API key in \`X-API-Key\`. A key belongs to one organization. Its scope is
the whole organization, some tenants (companies), or some divisions with all below them. A resource out of scope is answered like an
unknown one. \`X-Tenant-ID\` narrows a request to one tenant of the scope. A key may be limited to reading, or to reading or writing
some types of resources. A request outside of that is 401 \`INVALID_API_KEY\`, and its message names what the key is for. Keep keys on servers: never in browsers,
apps or scripts that others can read.

## Collections

A collection is read page by page with \`page\` and \`pageSize\`, sorted by one field with \`sort\`, and narrowed with
\`filter\`. Totals are exact and come from the same moment as the page.

    lastName STARTS_WITH 'sch' AND (blocked = false OR updatedAt >= 2026-09-02T00:00:00Z)

- Operators: \`=\`, \`!=\`, \`>\`, \`>=\`, \`<\`, \`<=\`, \`IN (…)\`, \`CONTAINS\`, \`STARTS_WITH\`, \`ENDS_WITH\`,
  \`IS NULL\`, \`IS NOT NULL\`; \`AND\` binds tighter than \`OR\`, parentheses override.
- Quote a value that has white space, brackets, commas or quotes in it, or that is a keyword; \`\\'\` is an apostrophe
  inside quotes. Text is compared without regard to letter case.
- At most ${filterBounds.characters.toLocaleString('en')} characters, ${filterBounds.comparisons} comparisons, ${filterBounds.values} values of \`IN\`, ${filterBounds.nesting} levels of parentheses and ${markBound} combining marks in a row.
- A comparison with an empty (null) field is false; \`!=\` is the exact opposite of \`=\`.

To follow changes, request page 1 repeatedly with
\`filter=updatedAt >= T AND (updatedAt > T OR id > I)&sort=updatedAt\`, where T and I are those of your last row.
\`updatedAt\` strictly increases in the order of commits, so no change in scope is missed. Rows that enter the
scope of a key without a change of their own, because a division was moved, are not reported.

## Writes

Bodies are closed: an unknown property is rejected. \`dryRun=true\` runs every rule against the current state and answers
200 with what would be stored, but stores nothing; a resource that would be created has the identifier
\`000000000000000000000000\`.

Send \`Idempotency-Key\` with a POST: then the request may be repeated after a timeout, and is stored once. Without it, read the
resource before you repeat the write. Send \`If-Match\` with a PATCH, and it does not overwrite a change that you have not read.

## Errors and quotas

Every error has the same envelope, and a code that never changes. 409: read the resource again first. 429: wait
\`Retry-After\` seconds. 5xx: repeat reads with growing pauses; 503 has \`Retry-After\`.
\`RateLimit-Policy\` and \`RateLimit\` have the quota of the key.

## Versions

The contract is version 1.0.0 under \`/v1\`. Each change to it is a dated entry in the change log.
`.trim();

/** In the order of the document. */
const tags = {
  Employees:
    'Master data of employees, the blocking of their accounts, and their place in tenants and divisions.',
  Divisions: 'The tree of divisions of each tenant: names, order among siblings, parents and cost centers.',
  Orders: 'Orders of employees: products, contract, documents, and the decision of HR on each.',
  Incidents:
    'Events that disturb a running order (Störfälle), such as theft or parental leave: reporting them, and files as evidence.',
  'Payroll export documents': 'Files of payroll exports with their metadata.',
  Health: 'The health of the service.',
};

/** The API of the customers' systems, from server to server. */
export const publicApi = {
  prefix: '/v1',
  credential: {
    header: 'X-API-Key',
    rejection: { code: 'INVALID_API_KEY', message: 'Send a valid, active API key in the header X-API-Key' },
    scheme: {
      name: 'ApiKey',
      object: {
        type: 'apiKey',
        in: 'header',
        name: 'X-API-Key',
        description:
          'The API key. It belongs on servers only, never in browsers, apps or scripts that others can read.',
      },
    },
  },
  permissions: {},
  selectsTenant: true,
  hasQuota: true,
  checksRequestId: true,
  hasSafeWrites: true,
  bodyLimit: bodyLimits.large,
  operations: operationsOf('public', Object.keys(tags)),
  texts: {
    title: 'Kontor HR and Payroll Integration API',
    referenceTitle: 'Kontor API reference',
    version: contractVersion,
    summary: 'Synchronize HR data and read the results of HR processes',
    introduction,
    server: {
      description: 'The one public address of an installation; it carries the version segment',
      example: 'http://127.0.0.1:8080',
    },
    tags,
  },
  recorded: examples as Recorded,
} as const satisfies Api;
