// cspell:disable
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planColumns } from '../../src/features/employees/import/columns.ts';
import { RecordParser } from '../../../tabular/src/parser.ts';
import { DivisionPaths } from '../../src/features/employees/import/divisions.ts';
import { readRow } from '../../src/features/employees/import/rows.ts';

const tenantId = 'a'.repeat(24);
const [sales, north] = ['ab'.repeat(12), 'cd'.repeat(12)];
const divisions = new DivisionPaths([
  { id: sales, parent: null, name: 'Vertrieb' },
  { id: north, parent: sales, name: 'Nord' },
]);

function read(header: string, text: string, divisionColumn: string | null = null) {
  const plan = planColumns([header.split(',')], {
    headerRow: null,
    divisionColumn,
    map: new Map(
      [['mail', 'email']].filter(([column]) => header.split(',').includes(column!)) as [string, string][],
    ),
    ignore: [],
  });
  const checkDivisionName = (name: string) => {
    if (name === 'bad') throw new Error('not a good name');
  };
  const parser = new RecordParser({ delimiter: ',' }, { byte: 0, line: 2 }, Buffer.byteLength);
  parser.add(text);
  parser.read(true);
  parser.end();
  return readRow(parser.take().records[0]!, { plan, tenantId, divisions, checkDivisionName });
}

function reason(header: string, text: string, divisionColumn: string | null = null): string | null {
  return read(header, text, divisionColumn).reason;
}

test('an empty cell is null; an email alone is an employee, who is not blocked', () => {
  const { employee } = read('email,firstName,lastName,blocked,divisionId,city', 'a@example.com,,,,,');
  assert.deepEqual(
    [employee!.email_key, employee!.folded_last_name, employee!.division_id],
    ['a@example.com', null, null],
  );
});

for (const [cell, blocked] of [
  ['TRUE', true],
  ['yes', true],
  ['Ja', true],
  ['x', true],
  ['0', false],
  ['falsch', false],
] as const)
  test(`blocked is ${blocked} as ${cell}`, () => {
    const { employee } = read('email,blocked', `a@example.com,${cell}`);
    assert.match(employee!.head, new RegExp(`"blocked":${blocked}`));
  });

test('a division is found by its identifier in any letter case and by its path', () => {
  for (const cell of [north.toUpperCase(), 'vertrieb / nord', 'Vertrieb/Nord'])
    assert.equal(read('email,divisionId', `a@example.com,${cell}`).employee!.division_id, north);
});

for (const [header, text, expected] of [
  ['email', 'secret', 'email: enter an email address'],
  ['mail', 'secret', 'mail: enter an email address'],
  [
    'email,lastName,countryCode',
    `a@example.com,${'x'.repeat(201)},Nirgendwo`,
    'lastName: enter at most 200 characters; countryCode: “Nirgendwo” is not a country; enter its name or a code such as DE',
  ],
  ['email,blocked', 'a@example.com,vielleicht', 'blocked: enter yes or no, not “vielleicht”'],
  [
    'email,divisionId',
    'a@example.com,Nord',
    'divisionId: the company has no division with the path “Nord”; probably “Vertrieb / Nord”',
  ],
  [
    'email,postalCode',
    'a@example.com,1067',
    'postalCode: a German postcode has five digits, not “1067”; probably “01067”',
  ],
  [
    'email,city',
    'a@example.com,MÃ¼nchen',
    'city: a program read “MÃ¼nchen” in a wrong encoding; probably “München”',
  ],
  ['email,city', ',Berlin', 'email: enter a value'],
  [
    'email,city',
    'a@example.com,x,y',
    'the row has more values than the 2 columns, such as “y”; put a value with the separator in quotation marks',
  ],
  ['email,city', 'a@example.com,x\0y', 'the row contains a NUL character'],
] as const)
  test(`a row is rejected: ${expected}`, () => assert.equal(reason(header, text), expected));

test('a record with fewer values than columns has empty ones, and surplus empty ones are left out', () => {
  assert.equal(reason('email,city', 'a@example.com'), null);
  assert.equal(reason('email,city', 'a@example.com,x,,'), null);
});

test('a value that a program damaged is left out with a notice', () => {
  const { reason: none, notices } = read('email,phoneNumber', 'a@example.com,4.9E+11');
  assert.deepEqual(
    [none, notices.map(({ code, field }) => [code, field])],
    [null, [['rounded_number', 'phoneNumber']]],
  );
  assert.match(reason('email,city', '####,x')!, /^email: the file contains “####” instead of the value/);
});

test('a length counts characters, not UTF-16 units', () => {
  assert.equal(reason('email,employeeNumber', `a@example.com,${'😀'.repeat(64)}`), null);
  assert.notEqual(reason('email,employeeNumber', `a@example.com,${'😀'.repeat(65)}`), null);
});

test('a record with a quotation mark inside a value is rejected with its place', () =>
  assert.match(
    reason('email,city', 'a@example.com,x"y')!,
    /quotation mark is inside a value \(line 2, character 16\)/,
  ));

test('a row names its division, or none by an empty cell, and a name that no division can have rejects it', () => {
  const named = read('email,department', 'a@example.com,Sales', 'department');
  assert.deepEqual([named.reason, named.division?.name], [null, 'Sales']);
  const without = read('email,department', 'a@example.com,', 'department');
  assert.deepEqual([without.reason, without.division], [null, null]);
  assert.equal(
    reason('email,department', 'a@example.com,bad', 'department'),
    'department: this value is not possible here',
  );
});
