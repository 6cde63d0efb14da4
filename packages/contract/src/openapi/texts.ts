import { filterBounds, markBound } from '../filter/bounds.ts';
import type { RefusalKind } from './refusals.ts';

/** The introduction of the document, in Markdown. */
export const introduction = `
Kontor lets a customer's systems synchronize HR data and read the results of HR processes, from server to server.

## Keys and scope

Every request except the health check carries an API key in \`X-API-Key\`. A key belongs to one organization and sees
all of it, or chosen tenants (companies), or chosen divisions with all that is below them. Whatever lies outside looks as if it
did not exist. \`X-Tenant-ID\` narrows a request to one tenant of the scope. Keep keys on servers: never in browsers,
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

To follow changes, ask page 1 again and again with
\`filter=updatedAt >= T AND (updatedAt > T OR id > I)&sort=updatedAt\`, where T and I are those of the last row seen.
\`updatedAt\` strictly increases in the order of commits, so no change of a visible row is missed. Rows that enter the
scope of a key without a change of their own, because a division was moved, are not reported.

## Writes

Bodies are closed: an unknown property is refused. \`dryRun=true\` runs every rule against the current state and answers
200 with what would be stored, but stores nothing; a resource that would be created has the identifier
\`000000000000000000000000\`. The service does not recognize repeated requests: after a time-out, read the resource before you
send the write again.

## Errors and quotas

Every error has the same envelope, and a code that never changes. 409: read the resource again first. 429: wait
\`Retry-After\` seconds. 5xx: try reads again, later and later; 503 says with \`Retry-After\` when at the earliest.
\`RateLimit-Policy\` and \`RateLimit\` tell the quota of the key.

## Versions

The contract is version 1.0.0 under \`/v1\`. Each change to it is a dated entry in the change log.
`.trim();

/** What each tag holds; every tag of an operation has an entry. */
export const tags: Record<string, string> = {
  Employees:
    'Master data of employees, the blocking of their accounts, and their place in tenants and divisions.',
  Orders: 'Orders of employees: products, contract, documents, and the decision of HR on each.',
  Incidents:
    'Events that disturb a running order (Störfälle), such as theft or parental leave: reporting them, and files as evidence.',
  Divisions: 'The tree of divisions of each tenant: names, order among siblings, parents and cost centers.',
  'Payroll export documents': 'What payroll exports have made: metadata, and the files to download.',
  Health: 'Whether the service answers.',
};

export const dryRunDescription =
  'Dry run: what would be created, with the identifier `000000000000000000000000`; nothing is stored';

/** What each status of an error means: the name of a response that operations share, and the beginning of its description. */
export const statusTexts: Record<number, { name: string; description: string }> = {
  400: { name: 'BadRequest', description: 'The request breaks the contract' },
  401: { name: 'Unauthorized', description: 'The API key is missing or not valid' },
  403: { name: 'Forbidden', description: 'The selected tenant is not in the scope of the key' },
  404: { name: 'NotFound', description: 'The target does not exist or is not visible to the key' },
  406: { name: 'NotAcceptable', description: 'No media type of this operation is acceptable' },
  409: { name: 'Conflict', description: 'The current state conflicts with the request' },
  413: { name: 'PayloadTooLarge', description: 'The request body is too large' },
  415: { name: 'UnsupportedMediaType', description: 'The media type of the request is not supported' },
  422: {
    name: 'UnprocessableContent',
    description: 'The request fits the contract, but a value or a referenced resource does not',
  },
  429: { name: 'TooManyRequests', description: 'The quota of the key is used up' },
  500: { name: 'InternalServerError', description: 'Unexpected failure' },
  502: { name: 'BadGateway', description: 'The file store failed' },
  503: { name: 'ServiceUnavailable', description: 'The service is temporarily unavailable' },
  504: { name: 'GatewayTimeout', description: 'The file store was too slow' },
};

/** The kinds of operations that share an answer, in front of its name where kinds differ. */
export const kindNames: Record<RefusalKind, string> = {
  list: 'List',
  read: 'Read',
  download: 'Download',
  write: 'Write',
  upload: 'Upload',
};
