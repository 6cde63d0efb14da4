import { orderInput, productInput } from '../../support/data/orders.ts';
import { employeeId } from '../../http/stub-service.ts';
import {
  type Body,
  type Extreme,
  filled,
  malformed,
  type Outcome,
  request,
  served,
  unsupportedField,
  withBody,
} from './extreme.ts';

type Named<T> = Readonly<Record<string, T>>;

function extremesOf(
  prefix: string,
  bytes: (body: Body) => () => Buffer,
  outcome: Outcome,
  bodies: Named<Body>,
) {
  return Object.entries(bodies).map(([name, body]): [string, Extreme] => [
    `${prefix} ${name}`,
    { bytes: bytes(body), outcome },
  ]);
}

const json = (line: string) => (body: Body) => withBody(line, 'application/json', body);
const jsonBodies = (outcome: Outcome, bodies: Named<Body>) =>
  extremesOf('a JSON body of', json('POST /v1/employees'), outcome, bodies);

const structures = jsonBodies(malformed, {
  'different names': ['{"k":0', index => `,"${index.toString(36)}":0`, '}'],
  'one name again and again': ['{"k":0', ',"a":0', '}'],
  'array elements': ['{"a":[0', ',1', ']}'],
  'empty objects in an array': ['{"a":[0', ',{}', ']}'],
  'empty objects without commas': ['[', '{}'],
  'empty objects one behind the other': ['', '{}'],
  'opening brackets': ['', '['],
  'opening objects': ['', '{"a":'],
  'closing brackets': ['', ']'],
  commas: ['[', ','],
  colons: ['{"a"', ':'],
  'quotation marks': ['', '"'],
  'names without values': ['{"a"', ',"a"'],
  'strings without commas': ['["a"', '"\\u0041"'],
  backslashes: ['"', '\\'],
  'white space': ['', ' '],
  'white space in an object': ['{', '\n', '}'],
  'NUL characters': ['', '\0'],
  'a number': ['{"blocked":', '1', '}'],
  'a fraction': ['{"blocked":0.', '1', '}'],
  'an exponent': ['{"blocked":1e', '1', '}'],
});

const texts: Named<string> = {
  letters: 'a',
  emoji: '😀',
  'escaped letters': '\\u0041',
  'escaped emoji': '\\ud83d\\ude00',
  'escaped backslashes': '\\\\',
};
const longNames = jsonBodies(
  unsupportedField,
  Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [`a name of ${name}`, ['{"', text, '":1}']]),
  ),
);
const manyLongMembers = jsonBodies(unsupportedField, {
  '9,000 long names': ['{"k":0', index => `,"${'k'.repeat(560)}${index}":0`, '}'],
  '9,000 long names with escapes': ['{"k":0', index => `,"${'\\u0041'.repeat(94)}${index}":0`, '}'],
  '9,000 long strings': ['{"a":["k"', `,"${'ä'.repeat(285)}"`, ']}'],
  '9,000 long strings with escapes': ['{"a":["k"', `,"${'\\u0041'.repeat(95)}"`, ']}'],
});

/** Values that some field could take its time for. */
const wideValues: Named<Body> = {
  ...Object.fromEntries(Object.entries(texts).map(([name, text]): [string, Body] => [name, ['', text]])),
  'dots behind an at sign': ['a@', '.', ' '],
  'labels behind an at sign': ['a@', 'a.', ' '],
  'labels before an at sign': ['', 'a.', '@'],
  'at signs': ['a', '@'],
  'text that begins a quotation': ['\\"', 'a\\\\'],
};
const fewValues: Named<Body> = { letters: ['', 'a'], digits: ['', '1'] };

/** A field of each kind that the contract has: formats, patterns, lengths, lists of values, numbers. */
const fields: [line: string, name: string, values: Named<Body>][] = [
  ['POST /v1/employees', 'email', wideValues],
  [`PATCH /v1/employees/${employeeId}`, 'privateEmail', wideValues],
  ['POST /v1/employees', 'firstName', wideValues],
  ['POST /v1/employees', 'countryCode', fewValues],
  ['POST /v1/employees', 'divisionId', fewValues],
  ['POST /v1/employees', 'blocked', fewValues],
  ['POST /v1/divisions', 'order', fewValues],
  ['POST /v1/divisions', 'costCenter', fewValues],
  ['POST /v1/incidents', 'type', fewValues],
  ['POST /v1/incidents', 'requestedSolution', fewValues],
  ['POST /v1/incidents', 'occurredOn', fewValues],
  ['POST /v1/incidents', 'description', fewValues],
  [`POST /v1/orders/${employeeId}/decision`, 'decision', fewValues],
  [`POST /v1/orders/${employeeId}/decision`, 'comment', fewValues],
];
const longValues = fields.flatMap(([line, name, values]) => {
  const bytes = ([start, chunk, end = '']: Body) => json(line)([`{"${name}":"${start}`, chunk, `${end}"}`]);
  return extremesOf(`${line.split(' ')[0]} with ${name} of`, bytes, malformed, values);
});

/** Nearly all that a part may have before its content. */
const marks = '\u0345\u0334'.repeat(3900);
const part = (name: string, fileName = 'a') =>
  `--x\r\nContent-Disposition: form-data; name="${name}"; filename="${fileName}.pdf"\r\n\r\n%PDF-1.7\r\n`;

function uploads(boundary: string, outcome: Outcome, bodies: Named<Body>) {
  const line = `POST /v1/incidents/${employeeId}/attachments`;
  const type = `multipart/form-data; boundary=${boundary}`;
  return extremesOf('an upload of', body => withBody(line, type, body), outcome, bodies);
}

const dashes = '-'.repeat(70);
const multiparts = [
  ...uploads('x', malformed, {
    dashes: ['', '-'],
    'line breaks': ['', '\r\n'],
    'beginnings of delimiters': ['', '\r\n--'],
    delimiters: ['--x', '\r\n--x'],
    'header lines': ['--x\r\n', 'A: b\r\n'],
    'a header line': ['--x\r\nA: ', 'b'],
    'folded header lines': ['--x\r\nA: b', '\r\n '],
    'parts with the name file': ['', part('file')],
  }),
  ...uploads('x', unsupportedField, { 'parts with other names': ['', part('other')] }),
  ...uploads('x', [201, null], {
    'a file with a name of combining marks': [part('file', marks), 'k', '\r\n--x--'],
  }),
  ...uploads(dashes, malformed, { 'what is nearly its delimiter': ['', `\r\n-${dashes} `] }),
  ...uploads(dashes, [400, 'MISSING_ATTACHMENT'], { 'dashes with a boundary of dashes': ['', '-'] }),
];

/** A batch on the platform API, which the stub serves, too. */
function batch(bytes: () => Buffer): () => Buffer {
  const line = `POST /platform/v1/organizations/${employeeId}/order-batches`;
  return () => {
    const body = bytes();
    const headers = { Authorization: 'Bearer token', 'Content-Type': 'application/json' };
    return request(line, { ...headers, 'Content-Length': String(body.length) }, body);
  };
}

const batches = (outcome: Outcome, bodies: Named<() => Buffer>) =>
  Object.entries(bodies).map(([name, bytes]): [string, Extreme] => [
    `a batch of ${name}`,
    { bytes: batch(bytes), outcome },
  ]);

/** As many lines as a batch may have, which together are nearly as large as a body may be. */
function lines(line: (index: number) => string): () => Buffer {
  return () =>
    Buffer.from(`{"items":[${Array.from({ length: 1000 }, (_, index) => line(index)).join(',')}]}`);
}

const products = Array.from({ length: 15 }, () =>
  productInput({ service: 'Inspektion', grossService: '119.00' }),
);
const batchBodies = [
  ...batches(served, {
    'whole orders': lines(index =>
      JSON.stringify(orderInput({ externalId: `${index}`, employeeId, products })),
    ),
    'lines of long names': lines(() => `{"${'k'.repeat(5200)}":0}`),
  }),
  ...batches(malformed, {
    'lines of many elements': lines(() => `{"products":[${'0,'.repeat(2500)}0]}`),
    'lines of many names': lines(
      () => `{${Array.from({ length: 650 }, (_, index) => `"${index}":0`).join(',')}}`,
    ),
    'lines without end': () => filled(['{"items":[{}', ',{}', ']}']),
    'one line of different names': () => filled(['{"items":[{"k":0', index => `,"${index}":0`, '}]}']),
    'opening brackets': () => filled(['{"items":[', '[']),
    'quotation marks': () => filled(['{"items":["', '"']),
    'items again and again': () => filled(['{"items":[{}]', ',"items":[{}]', '}']),
    'white space': () => filled(['{"items":[', ' ', ']}']),
  }),
];

/** A body of 1 MiB in chunks of one byte, which is six times as much on the wire. */
function tinyChunks(): Buffer {
  const headers = { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' };
  return request('POST /v1/employees', headers, Buffer.from(`${'1\r\n \r\n'.repeat(1024 * 1024)}0\r\n\r\n`));
}

export const bodies: readonly (readonly [string, Extreme])[] = [
  ...structures,
  ...longNames,
  ...manyLongMembers,
  ...longValues,
  ...multiparts,
  ...batchBodies,
  ['a JSON body of tiny chunks', { bytes: tinyChunks, outcome: malformed }],
];
