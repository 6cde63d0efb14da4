import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxCharacters } from '@kontor/tabular';
import { readFile } from '../../src/features/employees/import/csv.ts';
import { OperatorError } from '../../src/lib/operator-error.ts';

// packages/tabular/test has the rules of records and faults.

async function* chunks(text: string | Buffer) {
  yield Buffer.from(text as string);
}

function rejected(text: string | Buffer, message: RegExp): Promise<void> {
  return assert.rejects(Array.fromAsync(readFile(chunks(text))), error => {
    assert.ok(error instanceof OperatorError);
    assert.match(error.message, message);
    return true;
  });
}

test('a quotation mark inside a value spoils its own record and no other', async () => {
  const records = await Array.fromAsync(
    readFile(chunks('a,b\nx "y" z,1\n"Fritz "Fritzi" M",2\n"x ""y""",5\n')),
  );
  assert.deepEqual(
    records.map(({ line, cells, faults }) => [line, cells[1], faults.length > 0]),
    [
      [1, 'b', false],
      [2, '1', true],
      [3, '2', true],
      [4, '5', false],
    ],
  );
});

test('a quoted value that does not end is an error with the line and column of its quotation mark', async () => {
  await rejected('a,b\n1,2\n3,"4\n5,6\n', /^line 3 has a quotation mark in column 3 .* never closed$/);
  await rejected(`a\n"${'x\n'.repeat(maxCharacters)}`, /^line 2 has a quotation mark in column 1 /);
});

test('bytes that are not UTF-8 are an error with line, column and byte', async () => {
  await rejected(
    Buffer.from('a\nMaria\nJürgen\nb\n', 'latin1'),
    /^line 3 is not UTF-8 \(byte 0xFC in column 2\)/,
  );
  await rejected(Buffer.concat([Buffer.from('a\nb'), Buffer.from([0xc3])]), /^line 2 is not UTF-8/);
});

test('a record of over a million characters is an error with its line', async () => {
  await rejected(
    `a\n${'x'.repeat(maxCharacters + 1)}\n`,
    /^the record in line 2 has more than 1048576 characters$/,
  );
});
