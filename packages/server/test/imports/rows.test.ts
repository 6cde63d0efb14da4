import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planColumns } from '../../src/features/employees/import/columns.ts';
import { RecordParser } from '../../../tabular/src/parser.ts';
import { readRow } from '../../src/features/employees/import/rows.ts';

const tenantId = 'a'.repeat(24);

function read(header: string, text: string, divisionColumn: string | null = null) {
  const plan = planColumns(header.split(','), {
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
  return readRow(parser.take().records[0]!, { plan, tenantId, checkDivisionName });
}

function reason(header: string, text: string, divisionColumn: string | null = null): string | null {
  return read(header, text, divisionColumn).reason;
}

test('an empty cell is null; an email alone is an employee, who is not blocked', () => {
  const row = read('email,firstName,lastName,blocked,divisionId,city', 'a@example.com,,,,,');
  assert.ok(row.reason === null);
  assert.deepEqual(row.data, {
    email: 'a@example.com',
    privateEmail: null,
    employeeNumber: null,
    firstName: null,
    lastName: null,
    phoneNumber: null,
    street: null,
    postalCode: null,
    city: null,
    countryCode: null,
    additionalInfo: null,
    blocked: false,
    tenant: tenantId,
    divisionId: null,
  });
});

test('blocked is true or false in any letter case, and an identifier in lower case', () => {
  const row = read('email,blocked,divisionId', `a@example.com,TRUE,${'AB'.repeat(12)}`);
  assert.ok(row.reason === null);
  assert.equal(row.data.blocked, true);
  assert.equal(row.data.divisionId, 'ab'.repeat(12));
  assert.equal(reason('email,blocked', 'a@example.com,yes'), 'blocked must be true or false');
});

test('a row is held to the contract of the API, and the reason names each field, never its value', () => {
  assert.equal(reason('email', 'secret'), 'email must be an email address');
  assert.equal(reason('mail', 'secret'), 'email (column mail) must be an email address');
  assert.equal(
    reason('email,lastName,countryCode', `a@example.com,${'x'.repeat(201)},de`),
    'lastName must have at most 200 characters; countryCode must be two uppercase letters',
  );
  assert.equal(reason('email,divisionId', 'a@example.com,7'), 'divisionId must be 24 hexadecimal characters');
});

test('a length counts characters, not UTF-16 units', () => {
  assert.equal(reason('email,employeeNumber', `a@example.com,${'😀'.repeat(64)}`), null);
  assert.notEqual(reason('email,employeeNumber', `a@example.com,${'😀'.repeat(65)}`), null);
});

test('a row without an email is rejected', () => {
  assert.equal(reason('email,city', ',Berlin'), 'email is missing');
  assert.equal(reason('mail,city', ',Berlin'), 'email (column mail) is missing');
});

test('a record with another number of values than columns is rejected', () => {
  assert.equal(reason('email,city', 'a@example.com'), 'the record has 1 values, the header 2 columns');
  assert.equal(reason('email,city', 'a@example.com,x,y'), 'the record has 3 values, the header 2 columns');
});

test('a record with broken quotes or a NUL character is rejected', () => {
  assert.match(reason('email,city', 'a@example.com,x"y')!, /quotation mark/);
  assert.match(reason('email,city', 'a@example.com,x\0y')!, /NUL/);
});

test('a row names its division, or none by an empty cell, and a name that no division can have rejects it', () => {
  const row = read('email,department', 'a@example.com,Sales', 'department');
  assert.ok(row.reason === null && row.division === 'Sales');
  const without = read('email,department', 'a@example.com,', 'department');
  assert.ok(without.reason === null && without.division === null);
  assert.equal(
    reason('email,department', 'a@example.com,bad', 'department'),
    'column department: not a good name',
  );
});
