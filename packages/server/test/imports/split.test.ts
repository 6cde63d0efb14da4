// cspell:disable
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxCharacters, type TableRecord } from '@kontor/tabular';
import { openFile, recordsOf } from '../../src/imports/command-file.ts';
import { OperatorError } from '../../src/lib/operator-error.ts';

// packages/tabular/test has the rules of records and faults.

async function* chunks(text: string | Buffer) {
  yield Buffer.from(text as string);
}

async function* readFile(source: AsyncIterable<Uint8Array>): AsyncGenerator<TableRecord> {
  const { chunks: all, dialect } = await openFile(source);
  yield* recordsOf(all, dialect, 0);
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

test('a file in another format or encoding is an error that says which', async () => {
  await rejected('%PDF-1.7\n', /^the file is not CSV but pdf; save it as CSV UTF-8/);
  await rejected(
    Buffer.from('a,b\nK\x94ln,x\n', 'latin1'),
    /^line 2 has the byte 0x94 \(character 2\), so the file is neither UTF-8 nor Windows-1252/,
  );
  await rejected('', /^the file is empty/);
});

test('a byte that is not UTF-8 or a record of over a million characters spoils its own record', async () => {
  const mixed = Buffer.concat([Buffer.from('a\nJörg\nJ'), Buffer.from([0xfc]), Buffer.from('rgen\nb\n')]);
  const faults = async (text: string | Buffer) =>
    (await Array.fromAsync(readFile(chunks(text)))).flatMap(record =>
      record.faults.map(({ code, line, column }) => [code, line, column]),
    );
  assert.deepEqual(await faults(mixed), [['invalid_byte', 3, 2]]);
  assert.deepEqual(await faults(`a\n${'x'.repeat(maxCharacters + 1)}\nb\n`), [
    ['too_many_characters', 2, maxCharacters + 1],
  ]);
});

test('a file that is longer than its identified beginning is read to its end', async () => {
  async function* many() {
    for (let n = 0; n < 100; n++) yield Buffer.from(`Jürgen,${'x'.repeat(99_991)}\n`);
  }
  const { chunks: all, dialect } = await openFile(many());
  let count = 0;
  for await (const { faults } of recordsOf(all, dialect, 1)) count += faults.length === 0 ? 1 : 0;
  assert.deepEqual([count, dialect.encoding], [99, 'utf-8']);
});
