import { keys } from '../../http/stub-service.ts';
import { type Extreme, malformed, type Outcome, request, served } from './extreme.ts';

/** Nearly all that request line and headers may have. */
const long = 120 * 1024;

const unacceptable: Outcome = [406, 'NOT_ACCEPTABLE'];
const unsupportedHeader: Outcome = [400, 'UNSUPPORTED_HEADER'];

const list = 'GET /v1/employees';
const create = 'POST /v1/employees';
const headers: [line: string, name: string, kind: string, value: string, outcome: Outcome][] = [
  [list, 'Accept', 'media types', 'a/b,'.repeat(long / 4), unacceptable],
  [list, 'Accept', 'parameters', `a/b${';q=0.1'.repeat(long / 6)}`, unacceptable],
  [list, 'Accept', 'semicolons', ';'.repeat(long), unacceptable],
  [list, 'Accept', 'quotation marks', `a/b;c="${'\\"'.repeat(long / 2)}`, unacceptable],
  ['GET /v1/health', 'Accept', 'media types, without a key', 'a/b,'.repeat(long / 4), unacceptable],
  [list, 'Accept', 'media types that are few enough', 'a/b,'.repeat(512), unacceptable],
  [list, 'Accept', 'parameters that are few enough', `a/b${';q=1'.repeat(500)}`, unacceptable],
  [list, 'X-API-Key', 'letters', 'k'.repeat(long), [401, 'INVALID_API_KEY']],
  [list, 'X-Request-ID', 'digits', '1'.repeat(long), [400, 'INVALID_REQUEST_ID']],
  [list, 'X-Tenant-ID', 'digits', '1'.repeat(long), malformed],
  [list, 'Content-Encoding', 'commas', ','.repeat(long), unsupportedHeader],
  [list, 'Expect', 'letters', 'e'.repeat(long), unsupportedHeader],
  [create, 'Content-Type', 'letters', 'a'.repeat(long), [415, 'UNSUPPORTED_MEDIA_TYPE']],
  [
    create,
    'Content-Type',
    'charsets',
    `application/json${';charset=a'.repeat(long / 10)}`,
    [415, 'UNSUPPORTED_MEDIA_TYPE'],
  ],
  // The type is right, so that these get as far as their empty body.
  [create, 'Content-Type', 'semicolons', `application/json${';'.repeat(long)}`, malformed],
  [create, 'Content-Type', 'spaces', `application/json${' ; charset'.repeat(long / 10)}`, malformed],
  [create, 'Content-Type', 'quotation marks', `application/json;a="${'\\"'.repeat(long / 2)}`, malformed],
];
const longHeaders = headers.map(([line, name, kind, value, outcome]): [string, Extreme] => [
  `${name} of ${kind}`,
  { bytes: () => request(line, { [name]: value }), outcome },
]);

const pairs = (count: number) => Array.from({ length: count }, (_, index) => [`a${index.toString(36)}`, '']);
const repeated = request(list)
  .toString('latin1')
  .replace('\r\n\r\n', `\r\n${'If-Match:\r\n'.repeat(11_000)}\r\n`);
const manyHeaders: [string, Extreme][] = [
  ['13,000 headers', { bytes: () => request(list, Object.fromEntries(pairs(13_000))), outcome: served }],
  ['one header 11,000 times', { bytes: () => Buffer.from(repeated), outcome: unsupportedHeader }],
];

const comparisons = (one: string) => Array<string>(100).fill(one).join(' AND ');
const everyOperator =
  "(email = a OR NOT_A_FIELD != 'b' OR id IN (a, 'b') AND city STARTS_WITH a OR city ENDS_WITH \"b\" OR city IS NOT NULL)";
const filters: [kind: string, text: string, outcome: Outcome][] = [
  ['brackets', '('.repeat(16_000), [400, 'INVALID_FILTER_SYNTAX']],
  ['operators', '!=<>='.repeat(3200), [400, 'INVALID_FILTER_SYNTAX']],
  ['exclamation marks and spaces', '! '.repeat(8000), [400, 'INVALID_FILTER_SYNTAX']],
  ['spaces', `a ${' '.repeat(15_000)}b`, [400, 'INVALID_FILTER_SYNTAX']],
  ['apostrophes', `city = '${"\\'".repeat(7990)}`, [400, 'INVALID_FILTER_SYNTAX']],
  ['combining marks', `city = '${'\u0345\u0334'.repeat(7990)}'`, [400, 'INVALID_FILTER_SYNTAX']],
  ['every operator', Array<string>(16).fill(everyOperator).join(' OR '), [400, 'UNSUPPORTED_FILTER_FIELD']],
  ['a long text', `city CONTAINS '${'ß'.repeat(15_980)}'`, served],
  ['100 comparisons', comparisons(`city CONTAINS '${'ǰ'.repeat(130)}'`), served],
  ['500 values', `city IN (${Array<string>(500).fill("'ä'").join()})`, served],
];

const unknownParameter: Outcome = [400, 'UNKNOWN_QUERY_PARAMETER'];
const unknownRoute: Outcome = [404, 'NOT_FOUND'];
const noIdentifier: Outcome = [400, 'INVALID_REFERENCE_ID'];
const targets: [name: string, target: string, outcome: Outcome][] = [
  ...filters.map(([kind, text, outcome]): [string, string, Outcome] => [
    `a filter of ${kind}`,
    `/v1/employees?filter=${encodeURIComponent(text)}`,
    outcome,
  ]),
  ['a query of ampersands', `/v1/employees?${'&'.repeat(long)}`, served],
  ['a query of names', `/v1/employees?${'a&'.repeat(long / 2)}`, unknownParameter],
  ['a query of equals signs', `/v1/employees?${'='.repeat(long)}`, unknownParameter],
  ['a query of percent signs', `/v1/employees?filter=${'%'.repeat(long)}`, malformed],
  ['a query of plus signs', `/v1/employees?filter=${'+'.repeat(long)}`, [400, 'INVALID_FILTER_SYNTAX']],
  ['a query of escapes', `/v1/employees?filter=${'%61'.repeat(long / 3)}`, [400, 'INVALID_FILTER_SYNTAX']],
  ['a page of digits', `/v1/employees?page=${'1'.repeat(long)}`, malformed],
  ['a sort of dots', `/v1/employees?sort=${'.'.repeat(long)}`, [400, 'UNSUPPORTED_SORT_FIELD']],
  ['an instant of digits', `/v1/employees?createdAtFrom=2026-01-01T00:00:00.${'0'.repeat(long)}`, malformed],
  ['a path of slashes', '/'.repeat(long), unknownRoute],
  ['a path of dots', '/..'.repeat(long / 3), unknownRoute],
  ['a path of percent signs', `/${'%'.repeat(long)}`, malformed],
  ['an identifier of escapes', `/v1/employees/${'%2f'.repeat(long / 3)}`, noIdentifier],
  ['an identifier of letters', `/v1/employees/${'a'.repeat(long)}`, noIdentifier],
  ['a target with a long host', `http://${'a'.repeat(long)}`, unknownRoute],
];
const longTargets = targets.map(([name, target, outcome]): [string, Extreme] => [
  name,
  { bytes: () => request(`GET ${target}`), outcome },
]);

const smallest = 'GET / HTTP/1.1\r\n\r\n';
const lists = `${list} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${keys.all}\r\n\r\n`;

export const heads: readonly (readonly [string, Extreme])[] = [
  ...longHeaders,
  ...manyHeaders,
  ...longTargets,
  ['requests sent ahead', { bytes: () => Buffer.from(smallest.repeat(50_000)), outcome: null }],
  ['lists sent ahead', { bytes: () => Buffer.from(lists.repeat(20_000)), outcome: null }],
];
