// cspell:disable
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { detectDialect, type Dialect, identifyFile, readRecords, type TableRecord } from '../src/index.ts';

const latin = (text: string) => Buffer.from(text, 'latin1');
const bytesOf = (...parts: (string | number)[]) =>
  Buffer.concat(parts.map(part => (typeof part === 'number' ? Buffer.from([part]) : Buffer.from(part))));

const characters1252 = new TextDecoder('windows-1252').decode(
  Uint8Array.from({ length: 256 }, (_, byte) => byte),
);
const encode1252 = (text: string) =>
  Buffer.from([...text].map(character => characters1252.indexOf(character)));

async function read(bytes: Buffer, dialect: Dialect = detectDialect(bytes)): Promise<TableRecord[]> {
  const records: TableRecord[] = [];
  for await (const batch of readRecords(bytes, dialect)) records.push(...batch.records);
  return records;
}

const cellsOf = async (bytes: Buffer) => (await read(bytes)).map(({ cells }) => cells);
const faultsOf = async (bytes: Buffer) => (await read(bytes)).flatMap(({ faults }) => faults);

describe('the encoding', () => {
  const text = 'Name;Ort\nJürgen;Köln – „Süd“ €\n';

  test('is that of the mark', async () => {
    const rows = [
      ['Name', 'Ort'],
      ['Jürgen', 'Köln – „Süd“ €'],
    ];
    assert.deepEqual(await cellsOf(Buffer.from(`\ufeff${text}`)), rows);
    const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le');
    assert.deepEqual(await cellsOf(utf16), rows);
    assert.deepEqual(await cellsOf(Buffer.from(utf16).swap16()), rows);
    assert.equal(detectDialect(bytesOf(0xef, 0xbb, 0xbf, ...latin('Jürgen'))).encoding, 'utf-8');
  });

  test('is UTF-16 without a mark where half of the bytes are zero', async () => {
    assert.deepEqual(await cellsOf(Buffer.from('a;b\n1;2', 'utf16le')), [
      ['a', 'b'],
      ['1', '2'],
    ]);
    assert.equal(detectDialect(Buffer.from('a;b\n1;2', 'utf16le').swap16()).encoding, 'utf-16be');
    assert.equal(detectDialect(bytesOf('a;b\n1;', 0, '\n')).encoding, 'utf-8');
  });

  test('is UTF-8 if the bytes are, else Windows-1252', async () => {
    assert.equal(detectDialect(Buffer.from(text)).encoding, 'utf-8');
    assert.deepEqual(await cellsOf(bytesOf('J', 0xfc, 'rgen;', 0x80, ';', 0x84, 'x', 0x93)), [
      ['Jürgen', '€', '„x“'],
    ]);
    assert.deepEqual(await cellsOf(bytesOf('a;Gro', 0xdf)), [['a', 'Groß']]);
  });

  test('is Windows-1252 in spite of a value that a program damaged', async () => {
    const file = encode1252('Name;Ort\nMÃ¼ller;Köln\nÖzdemir;Bonn\n');
    assert.deepEqual(await cellsOf(file), [
      ['Name', 'Ort'],
      ['MÃ¼ller', 'Köln'],
      ['Özdemir', 'Bonn'],
    ]);
  });

  test('is UTF-8 in spite of bytes that are not, which have their line and column', async () => {
    const file = bytesOf('Name;Ort\nJürgen;Köln\nK', 0xe4, 'the;Bonn\nÖzdemir;', 0x80, '\n');
    assert.equal(detectDialect(file).encoding, 'utf-8');
    assert.deepEqual(await faultsOf(file), [
      { code: 'invalid_byte', line: 3, column: 2, found: '0xE4' },
      { code: 'invalid_byte', line: 4, column: 9, found: '0x80' },
    ]);
    assert.equal(detectDialect(bytesOf('Łódź;Gdańsk;', 0xfc)).encoding, 'utf-8');
  });

  test('is Windows-1252 where text happens to have a pair of UTF-8: ß and a closing quote', async () => {
    assert.deepEqual(await cellsOf(bytesOf('J', 0xfc, 'rgen;', 0x84, 'Spa', 0xdf, 0x93)), [
      ['Jürgen', '„Spaß“'],
    ]);
  });

  test('of Mac OS Roman or MS-DOS is unknown, with the first strange character', () => {
    for (const [file, line, column, found] of [
      [bytesOf('Name;Ort\rJ', 0x9f, 'rgen;Bonn\r'), 2, 2, '0x9F'],
      [bytesOf('Name;Stra', 0xa7, 'e\r\n'), 1, 10, '0xA7'],
      [bytesOf('Name;Ort\r\nK', 0x84, 'the;Bonn\r\n'), 2, 2, '0x84'],
      [bytesOf('Name;Ort\r\nX;M', 0x81, 'nchen\r\n'), 2, 4, '0x81'],
      [bytesOf('Name;Ort\r\nRen', 0x8e, ';Bonn\r\n'), 2, 4, '0x8E'],
    ] as const)
      assert.deepEqual(identifyFile(file).fault, { code: 'unknown_encoding', line, column, found });
    for (const text of [
      'Müller;Café',
      'Šimi;Dušan',
      'Žofie;Ž',
      '„Haus“;O’Neill',
      'Meyer–Lüdenscheidt;§ 5;5 €;10 m³',
    ])
      assert.equal(identifyFile(encode1252(text)).fault, null);
  });
});

describe('the delimiter', () => {
  const detect = (text: string) => detectDialect(Buffer.from(text)).delimiter;

  test('is a semicolon, a tab, a bar or a comma', () => {
    for (const delimiter of [';', '\t', '|', ','])
      assert.equal(detect(`a${delimiter}b\n1${delimiter}2\n`), delimiter);
    for (const text of ['', 'a', 'a\nb\n']) assert.equal(detect(text), ',');
  });

  test('is that of a first line sep=, which is not a record', async () => {
    for (const mark of ['', '\ufeff'])
      for (const line of ['sep=;', 'SEP=;', '"sep=;"', 'sep=;;;;;']) {
        const text = `${mark}${line}\r\na,b;c\r\n1,2;3\r\n`;
        for (const bytes of [Buffer.from(text), ...(mark ? [Buffer.from(text, 'utf16le')] : [])])
          assert.deepEqual(
            (await read(bytes)).map(record => [record.line, record.cells]),
            [
              [2, ['a,b', 'c']],
              [3, ['1,2', '3']],
            ],
          );
      }
    assert.equal(detect('sep=\t\na;b\tc'), '\t');
    assert.equal(detect('sep=,\na;b,c'), ',');
    assert.deepEqual(await cellsOf(Buffer.from('a;b\nsep=;\n')), [
      ['a', 'b'],
      ['sep=', ''],
    ]);
  });

  test('divides the most rows, whatever titles, amounts, addresses and quoted values contain', () => {
    assert.equal(detect('Liste, Stand 1.11.\n\nA;B;C\n1;2;3\n'), ';');
    assert.equal(detect('Firma, Bonn\nListe, neu\nStand, heute\nA;B;C\n1;2;3\n'), ';');
    assert.equal(detect('1,5;2,5\n3,5;4,5\n'), ';');
    assert.equal(detect('Name\tAdresse\nA\tWeg 1, Bonn\nB\tWeg 2, Bonn\n'), '\t');
    assert.equal(detect('Name,Rollen\nA,"x;y;z"\nB,"u;v;w"\n'), ',');
    assert.equal(detect('Name,Rollen\nA,x;y\nB,z\n'), ',');
    assert.equal(detect('A;B;C;D\n1;2;3\n1;2\n"Weg 1, Bonn";1\n'), ';');
    assert.equal(detect('\r\n\n"a,b";"c,d"\n'), ';');
    assert.equal(detect('"a\n;;",b\n'), ',');
    assert.equal(detect('Name;Notiz\nA;"eins, zwei,\ndrei, vier,\nfünf, sechs"\n'), ';');
  });

  test('is searched in a bounded part of the file', () => {
    for (const text of [';', '"', ';"', ',;|\t', '\n', 'a', 'a;\n'])
      for (const end of ['', '\xff']) assert.ok(detectDialect(latin(text.repeat(2_000_000) + end)));
  });
});

describe('records of the world', () => {
  test('of UTF-16 are read on from the position after a batch', async () => {
    const text = `\ufeff${Array.from({ length: 9000 }, (_, n) => `${n};"ä\r\n😀"\r\n`).join('')}`;
    for (const bytes of [Buffer.from(text, 'utf16le'), Buffer.from(text, 'utf16le').swap16()]) {
      const whole = await read(bytes);
      assert.equal(whole.length, 9000);
      const dialect = detectDialect(bytes);
      let count = 0;
      for await (const { records, next } of readRecords(bytes, dialect)) {
        count += records.length;
        const rest: TableRecord[] = [];
        for await (const batch of readRecords(bytes.subarray(next.byte), dialect, { from: next }))
          rest.push(...batch.records);
        assert.deepEqual(rest, whole.slice(count));
      }
    }
  });

  test('can have blanks around quotes', async () => {
    const text = '"a" ; "b;c" ;\u00A0"d"\t;  e  ; "" x\n';
    const [record] = await read(Buffer.from(text), { encoding: 'utf-8', delimiter: ';' });
    assert.deepEqual(record!.cells, ['a', 'b;c', 'd', '  e  ', ' x']);
    assert.deepEqual(record!.faults, [{ code: 'text_after_quote', line: 1, column: 30, found: 'x' }]);
    assert.deepEqual(await cellsOf(Buffer.from('a\t "b" \tc\n\t\t"d"\n')), [
      ['a', 'b', 'c'],
      ['', '', 'd'],
    ]);
    assert.deepEqual(await faultsOf(Buffer.from('a;b\n"c" "d";e')), [
      { code: 'text_after_quote', line: 2, column: 5, found: '"' },
      { code: 'quote_inside', line: 2, column: 7, found: '"' },
    ]);
  });

  test('are not blank rows, nor rows of delimiters alone', async () => {
    const text = 'a;b;c\r\n;;\r\n   \r\n ; ;\r\n"";"";""\r\n;;;;;;\r\n1;2;3\r\n;;';
    assert.deepEqual(
      (await read(Buffer.from(text))).map(({ line, cells }) => [line, cells.length]),
      [
        [1, 3],
        [7, 3],
      ],
    );
  });

  test('have the protected values of Excel without quotes around them', async () => {
    const file = Buffer.from('a;b\n="00701";="+49 351"\n="0" 1;2\n');
    assert.deepEqual((await cellsOf(file))[1], ['="00701"', '="+49 351"']);
    assert.deepEqual(await faultsOf(file), [{ code: 'quote_inside', line: 3, column: 2, found: '"' }]);
  });
});

describe('a file that is not CSV', () => {
  const entry = (name: string) =>
    Buffer.from(`PK\x03\x04\x14\x00\x06\x00\x08\x00${'\x00'.repeat(20)}${name}`, 'latin1');

  for (const [format, file] of [
    ['xlsx', entry('[Content_Types].xml')],
    ['xlsx', entry('xl/workbook.xml')],
    ['ods', entry('mimetypeapplication/vnd.oasis.opendocument.spreadsheet')],
    ['numbers', entry('Index/Document.iwa')],
    ['docx', entry('word/document.xml')],
    ['zip', entry('list.csv')],
    ['xls', latin('\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1;;;')],
    ['pdf', Buffer.from('%PDF-1.7\n')],
    ['html', Buffer.from('\ufeff\n<html><table><tr><td>Name')],
    ['html', Buffer.from('<!DOCTYPE html>\n')],
    ['xml', Buffer.from('<?xml version="1.0"?><Workbook>')],
    ['json', Buffer.from('[{"name": "x"}]')],
    ['rtf', Buffer.from('{\\rtf1\\ansi')],
    ['gzip', gzipSync('a;b')],
    ['image', latin('\x89PNG\r\n\x1a\n')],
    ['binary', Buffer.from(Array.from({ length: 999 }, (_, n) => (n * 167) % 256))],
  ] as const)
    test(`is named: ${format}`, () => {
      assert.deepEqual(identifyFile(file), { dialect: null, fault: { code: 'other_format', format } });
    });

  test('is not one whose first cell only resembles it', () => {
    for (const text of ['PK;Name', '<b>;x', '%;PDF', '{x};y', '[x];y', 'BM;x', '', 'a;b\0;c'])
      assert.equal(identifyFile(Buffer.from(text)).fault, null);
  });
});
