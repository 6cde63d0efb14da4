// cspell:disable
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OperatorError } from '../../src/lib/operator-error.ts';
import { type ColumnOptions, planColumns } from '../../src/features/employees/import/columns.ts';

function plan(header: string, options: Partial<ColumnOptions> = {}) {
  const none = { headerRow: null, divisionColumn: null, map: new Map(), ignore: [] };
  const { table, ...found } = planColumns(
    header.split('\n').map(row => row.split(',')),
    { ...none, ...options },
  );
  return { ...found, header: table.header, fields: table.columns };
}

function rejected(header: string, options: Partial<ColumnOptions>, message: RegExp): void {
  assert.throws(
    () => plan(header, options),
    error => error instanceof OperatorError && message.test(error.message),
  );
}

test('columns of the names of fields fill them', () => {
  const { fields, division } = plan('lastName,email');
  assert.deepEqual(
    fields.map(({ column, field }) => [column, field]),
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

test('the division column fills a field only if it is mapped', () => {
  const { fields, division } = plan('email,Abteilung', { divisionColumn: 'Abteilung' });
  assert.deepEqual([fields.length, division], [1, 1]);
  const map = new Map([['Abteilung', 'city']]);
  assert.equal(plan('email,Abteilung', { divisionColumn: 'Abteilung', map }).fields.length, 2);
});

test('columns of known names fill their fields, and those that begin like them are an error that names the field', () => {
  const { fields } = plan('Personalnr.,Vorname,Name,E-Mail');
  assert.deepEqual(
    fields.map(({ field }) => field),
    ['employeeNumber', 'firstName', 'lastName', 'email'],
  );
  rejected('E-Mail geschäftlich,x', {}, /unknown column "E-Mail geschäftlich" \(probably email\), "x": /);
});

test('the row of the names is found by known and mapped names, else it is named', () => {
  assert.equal(plan('Stand 1.11.,,\nemail,city,Ort', { ignore: ['Ort'] }).headerRow, 2);
  const map = new Map([
    ['x', 'email'],
    ['y', 'city'],
  ]);
  assert.equal(plan('a,b\nx,y', { map }).headerRow, 2);
  assert.equal(plan('x\na', { map: new Map([['a', 'email']]), headerRow: 2 }).headerRow, 2);
  rejected('email', { headerRow: 2 }, /no row 2/);
});

test('unknown columns are an error that names all of them, and so are read-only fields', () => {
  rejected('email,title,id', {}, /unknown column "title", "id".*--map.*--ignore/);
});

test('a name that occurs twice has a number, and a column without a name is left out', () => {
  rejected('email,Ort,Ort', {}, /unknown column "Ort \(2\)"/);
  const { header, fields } = plan('email,,Ort,Ort', { map: new Map([['Ort (2)', 'street']]) });
  assert.deepEqual(header, ['email', '', 'Ort', 'Ort (2)']);
  assert.deepEqual(
    fields.map(({ field }) => field),
    ['email', 'city', 'street'],
  );
  assert.equal(plan('email,Ort,Ort', { ignore: ['Ort'] }).fields.length, 1);
});

test('an option that names a column or field that is not there is an error', () => {
  rejected('email', { map: new Map([['mail', 'email']]) }, /no column "mail"/);
  rejected('email', { divisionColumn: 'department' }, /no column "department"/);
  rejected('email,x', { map: new Map([['x', 'tenant']]) }, /no field "tenant"/);
});

test('a column that is both used and ignored is an error', () => {
  rejected('email,x', { divisionColumn: 'x', ignore: ['x'] }, /"x" is both used and ignored/);
});

test('two columns for one field are an error', () => {
  rejected('email,mail', { map: new Map([['mail', 'email']]) }, /two columns fill the field "email"/);
});

test('a file without a column for email is an error', () => {
  rejected('firstName,lastName', {}, /no column fills email/);
});

test('divisions by identifier and by name at once are an error', () => {
  rejected(
    'email,divisionId,department',
    { divisionColumn: 'department' },
    /divisionId and --division-column/,
  );
});
