import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OperatorError } from '../../src/lib/operator-error.ts';
import { type ColumnOptions, planColumns } from '../../src/features/employees/import/columns.ts';

function plan(header: string, options: Partial<ColumnOptions> = {}) {
  return planColumns(header.split(','), { divisionColumn: null, map: new Map(), ignore: [], ...options });
}

function refused(header: string, options: Partial<ColumnOptions>, message: RegExp): void {
  assert.throws(
    () => plan(header, options),
    error => error instanceof OperatorError && message.test(error.message),
  );
}

test('columns of the names of fields fill them', () => {
  const { fields, division } = plan('lastName,email');
  assert.deepEqual(
    fields.map(({ index, field }) => [index, field]),
    [
      [0, 'lastName'],
      [1, 'email'],
    ],
  );
  assert.equal(division, null);
});

test('a mapped column fills the field it is mapped to, not that of its name', () => {
  const { fields } = plan('city,mail', {
    map: new Map([
      ['mail', 'email'],
      ['city', 'street'],
    ]),
  });
  assert.deepEqual(
    fields.map(({ field }) => field),
    ['street', 'email'],
  );
});

test('an ignored column fills nothing, even one of the name of a field', () => {
  assert.deepEqual(
    plan('city,email,title', { ignore: ['city', 'title'] }).fields.map(({ field }) => field),
    ['email'],
  );
});

test('the division column may fill a field too', () => {
  const { fields, division } = plan('email,city', { divisionColumn: 'city' });
  assert.equal(fields.length, 2);
  assert.equal(division, 1);
});

test('unknown columns are an error that names all of them, and so are read-only fields', () => {
  refused('email,title,id', {}, /unknown column "title", "id".*--map.*--ignore/);
});

test('a header with a column twice, without a name, or with another separator is an error', () => {
  refused('email,city,city', {}, /twice: "city"/);
  refused('email,,city', {}, /column 2 has no name/);
  refused('email;city', {}, /commas/);
});

test('an option that names a column or field that is not there is an error', () => {
  refused('email', { map: new Map([['mail', 'email']]) }, /no column "mail"/);
  refused('email', { divisionColumn: 'department' }, /no column "department"/);
  refused('email,x', { map: new Map([['x', 'tenant']]) }, /no field "tenant"/);
});

test('a column that is both used and ignored is an error', () => {
  refused('email,x', { divisionColumn: 'x', ignore: ['x'] }, /"x" is both used and ignored/);
});

test('two columns for one field are an error', () => {
  refused('email,mail', { map: new Map([['mail', 'email']]) }, /two columns fill the field "email"/);
});

test('a file without a column for email is an error', () => {
  refused('firstName,lastName', {}, /no column fills email/);
});

test('divisions by identifier and by name at once are an error', () => {
  refused(
    'email,divisionId,department',
    { divisionColumn: 'department' },
    /divisionId and --division-column/,
  );
});
