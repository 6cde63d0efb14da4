import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EmployeeCreate, employeeImportFields } from '@kontor/contract';
import { maxLengths, readSource } from '../src/source/source.ts';
import schema from '../src/kontor-sync.schema.json' with { type: 'json' };

test('the longest value of each field is that of the contract', () => {
  const properties = Object.entries(EmployeeCreate.properties as Record<string, { maxLength?: number }>);
  const expected = properties.flatMap(([field, { maxLength }]) =>
    maxLength === undefined ? [] : [[field, maxLength]],
  );
  assert.deepEqual(maxLengths, Object.fromEntries(expected));
});

test('each field of the import of the portal can be mapped', () => {
  const fields = schema.properties.columns.additionalProperties.enum;
  const expected = employeeImportFields.map(field => (field === 'divisionId' ? 'division' : field));
  assert.deepEqual(fields.toSorted(), [...expected, 'divisionKey'].toSorted());
});

test('an empty cell has no value, unless its column clears', async () => {
  const columns = new Map([
    ['Nr', { field: 'employeeNumber', emptyClears: false }],
    ['Ort', { field: 'city', emptyClears: false }],
    ['Tel', { field: 'phoneNumber', emptyClears: true }],
    ['Bereich', { field: 'division', emptyClears: true }],
  ] as const);
  const { rows } = await readSource(Buffer.from('Nr,Ort,Tel,Bereich\n1,,,'), { columns });
  assert.deepEqual(rows[0]!.values, { employeeNumber: '1', phoneNumber: null, divisionId: null });
});

test('a row that cannot be read says why, in words', async () => {
  const columns = new Map([
    ['Nr', { field: 'employeeNumber', emptyClears: false }],
    ['Ort', { field: 'city', emptyClears: false }],
  ] as const);
  const rejectsOf = async (row: string) => {
    const { rejects } = await readSource(Buffer.from(`Nr,Ort\n1,Ulm\n${row}\n3,Ulm\n`), { columns });
    return rejects.map(({ reason }) => reason);
  };
  assert.match((await rejectsOf(`2,${'x'.repeat(2 ** 20)}`)).join(), /: the row is too long/);
  assert.match((await rejectsOf(`2${','.repeat(2 ** 15)}`)).join(), /: the row has too many cells/);
});
