import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { proposeColumns } from '../src/source/columns.ts';
import type { ColumnField } from '../src/config.ts';
import { readSource } from '../src/source/source.ts';

// cspell:ignore ENDDA
const columnsOf = (columns: Readonly<Record<string, ColumnField>>) =>
  new Map(Object.entries(columns).map(([name, field]) => [name, { field, emptyClears: false }] as const));

const header = 'Nr;Vorname;Nachname;Mail;PLZ;Abteilung;Abteilungsnummer\n';
const columns = columnsOf({
  Nr: 'employeeNumber',
  Vorname: 'firstName',
  Nachname: 'lastName',
  Mail: 'email',
  PLZ: 'postalCode',
  Abteilung: 'division',
  Abteilungsnummer: 'divisionKey',
});
const ina = '1;Ina;Neu;ina@example.com;50667;Lager;L1\n';

/** The rejects of the lines 2 and 3, each with the other one in its reason. */
const namingEachOther = (reason: string) =>
  [3, 2].map((line, index) => [index + 2, null, `line ${line} has ${reason}`]);

/** Rows as HR programs write them, the lines that can be read, and the line, column and reason of the others. */
const kinds: Readonly<
  Record<string, { readonly rows: string; readonly read: readonly number[]; readonly rejects: unknown[] }>
> = {
  'a dash is an empty cell': { rows: '2;Max;Ott;max@example.com;-;–;--\n', read: [2, 3], rejects: [] },
  'a word for no value is none': {
    rows: '2;Max;NULL;max@example.com;N/A;nan;k.A.\n',
    read: [2, 3],
    rejects: ['Nachname', 'PLZ', 'Abteilung', 'Abteilungsnummer'].map(column => [
      3,
      column,
      'stands for no value: export an empty cell',
    ]),
  },
  'a number with decimals was a text': {
    rows: '2.0;Max;Ott;max@example.com;50667,00;Lager;L1\n',
    read: [2, 3],
    rejects: ['Nr', 'PLZ'].map(column => [3, column, 'is a number with decimals: export it as text']),
  },
  'a separator in a name moves the cells after it, also before empty ones': {
    rows: '2;Ott, Max;;max@example.com;50667;Einkauf; Lager;\n',
    read: [2],
    rejects: [[3, null, 'has 8 cells, and the header 7: put cells with a separator into quotation marks']],
  },
  'empty cells after each row are nothing': {
    rows: '2;Max;Ott;max@example.com;50667;Lager;L1;;\n3;Eva;Ott;eva@example.com;50667;Lager;L1;;\n',
    read: [2, 3, 4],
    rejects: [],
  },
  'a last row without its last cells and line break was cut off': {
    rows: '2;Max;Ot',
    read: [2],
    rejects: [[3, null, 'lacks cells and a line break: the file may be cut off, export it again']],
  },
  'a last row without a line break is whole with all cells': {
    rows: '2;Max;Ott;max@example.com;50667;Lager;L1',
    read: [2, 3],
    rejects: [],
  },
  'a person with two contracts has two rows': {
    rows: '1;Ina;Neu;ina@example.com;50667;Einkauf;E1\n',
    read: [],
    rejects: namingEachOther('the same number: export one row for each person'),
  },
  'people who share an email are nobody': {
    rows: '2;Max;Ott;INA@example.com;50667;Lager;L1\n',
    read: [],
    rejects: namingEachOther('the same email: each person needs their own'),
  },
  'a number with two names is no division': {
    rows: '2;Max;Ott;max@example.com;50667;Einkauf;L1\n3;Eva;Ott;eva@example.com;50667;LAGER;L1\n',
    read: [2, 3, 4],
    rejects: [
      [2, 3],
      [3, 2],
      [4, 3],
    ].map(([line, other]) => [
      line,
      'Abteilungsnummer',
      `line ${other} has another name for the division with this number`,
    ]),
  },
};

describe('in a file of people', () => {
  for (const [name, { rows, read, rejects }] of Object.entries(kinds))
    test(name, async () => {
      const source = await readSource(Buffer.from(header + ina + rows), { columns });
      assert.deepEqual(
        source.rows.map(({ line }) => line),
        read,
      );
      assert.deepEqual(
        [...source.rejects, ...source.rows.flatMap(({ doubts }) => doubts)].map(
          ({ line, column, reason }) => [line, column, reason],
        ),
        rejects,
      );
    });
});

describe('the proposal of kontor-sync init', () => {
  const propose = (names: string) => proposeColumns(Buffer.from(`Personalnummer;${names}\n`));

  test('has no street without its house number', async () => {
    for (const house of ['Hausnummer', 'Haus-Nr.', 'House number']) {
      const { columns, hints } = await propose(`Straße;${house}`);
      assert.deepEqual(Object.values(columns), ['employeeNumber']);
      assert.match(hints.join(), new RegExp(`^Export Straße and ${house} in one column`));
    }
    assert.deepEqual((await propose('Straße und Hausnummer')).hints, []);
  });

  test('names the columns of people who left, of other companies and of other days', async () => {
    for (const name of [
      'Status',
      'Austrittsdatum',
      'Gültig ab',
      'Effective Date',
      'Firma',
      'Company Code',
      'ENDDA',
    ])
      assert.match(
        (await propose(`${name};Ort`)).hints.join(),
        new RegExp(`^${name}: no column selects rows`),
      );
    assert.deepEqual((await propose('Kostenstelle;Firmenwagen;Geburtsdatum')).hints, []);
  });
});
