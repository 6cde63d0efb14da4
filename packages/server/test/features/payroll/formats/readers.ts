import assert from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import type { Line } from '../../../../src/features/payroll/formats/format.ts';

/*
 * Readers of payroll files, written from the descriptions of the formats and not from the code that renders them. Each fails on anything
 * that the description does not allow.
 */

/** An amount as the program that imports the file receives it. */
export interface ReadLine {
  readonly month: string;
  readonly personnelNumber: string;
  readonly wageType: string;
  readonly cents: bigint;
  readonly costCenter: string | null;
  readonly processingKey?: string;
}

export interface ReadFile {
  readonly adviser: string;
  readonly client: string;
  readonly hasOwnNumbers: boolean;
  readonly lines: readonly ReadLine[];
}

/** Characters of the bytes 80 to 9F, of which Windows-1252 leaves five undefined. */
const upper = '€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ';

function textOf(bytes: Uint8Array): string {
  return Array.from(bytes, byte => {
    const character = byte >= 0x80 && byte < 0xa0 ? upper[byte - 0x80]! : String.fromCharCode(byte);
    assert.notEqual(character, '\0', `byte ${byte} is undefined in Windows-1252`);
    return character;
  }).join('');
}

/** The lines of a text that ends each of them in CR LF. */
function linesOf(text: string): string[] {
  const lines = text.split('\r\n');
  assert.equal(lines.pop(), '', 'the last line has no end');
  for (const line of lines) assert.doesNotMatch(line, /[\r\n]/);
  return lines;
}

function centsOf(text: string): bigint {
  assert.match(text, /^-?(0|[1-9][0-9]*),[0-9]{2}$/);
  return BigInt(text.replace(',', ''));
}

const orNull = (text: string) => (text === '' ? null : text);

/** `01/11/2026` as `2026-11`. A period is the first day of its month. */
function monthOfDay(text: string): string {
  const [, month, year] = /^01\/(0[1-9]|1[0-2])\/([0-9]{4})$/.exec(text) ?? [];
  assert.ok(month, `${text} is no first day of a month`);
  return `${year}-${month}`;
}

/** LODAS: sections, descriptions of records, and records whose fields stand in the order of their description. */
export function readLodas(bytes: Uint8Array): ReadFile & { readonly period: string | null } {
  const sections = new Map<string, string[]>();
  let current: string[] | null = null;
  for (const line of linesOf(textOf(bytes))) {
    const [, name] = /^\[(\w+)\]$/.exec(line) ?? [];
    if (name !== undefined) sections.set(name, (current = []));
    else current!.push(line);
  }
  assert.deepEqual([...sections.keys()], ['Allgemein', 'Satzbeschreibung', 'Bewegungsdaten']);
  const settings = sections.get('Allgemein')!;
  const mark = settings.includes('Kommentarzeichen=*') ? '* ' : '\0';
  const general = new Map(
    settings.filter(line => !line.startsWith(mark)).map(line => line.split('=') as [string, string]),
  );
  assert.equal(general.get('Ziel'), 'LODAS');
  assert.equal(general.get('Feldtrennzeichen'), ';');
  assert.equal(general.get('Zahlenkomma'), ',');
  assert.equal(general.get('Datumsformat'), 'TT/MM/JJJJ');
  assert.ok(!general.has('Version_DB'));
  const hasOwnNumbers = general.get('BetrieblichePNrVerwenden') === 'Ja';
  const descriptions = new Map(
    sections.get('Satzbeschreibung')!.map(line => {
      const [number, table, ...fields] = fieldsOf(line);
      return [number!, { table: table!, fields }];
    }),
  );
  let period: string | null = null;
  const lines = sections.get('Bewegungsdaten')!.map((line): ReadLine => {
    const [number, ...values] = fieldsOf(line);
    const { table, fields } = descriptions.get(number!)!;
    assert.equal(values.length, fields.length, line);
    const record = new Map(fields.map((field, index) => [field.replace('#bwd', ''), values[index]!]));
    const settled = monthOfDay(record.get('abrechnung_zeitraum')!);
    period ??= settled;
    assert.equal(settled, period, 'all records are for one period');
    const isCorrection = table === 'u_lod_bwd_buchung_nachber';
    if (!isCorrection) assert.equal(table, 'u_lod_bwd_buchung_standard');
    const personnelNumber = record.get(hasOwnNumbers ? 'pnr_betriebliche' : 'pnr')!;
    if (!hasOwnNumbers) assert.match(personnelNumber, /^[1-9][0-9]{0,4}$/);
    assert.match(record.get('bs_nr')!, /^(?!0+$)[0-9]{1,2}$/);
    assert.match(record.get('la_eigene')!, /^[0-9]{1,4}$/);
    assert.ok(record.get('kostenstelle')!.length <= 8);
    return {
      month: isCorrection ? monthOfDay(record.get('nb_datum_mm')!) : settled,
      personnelNumber,
      wageType: record.get('la_eigene')!,
      cents: centsOf(record.get('bs_wert_butab')!),
      costCenter: orNull(record.get('kostenstelle')!),
      processingKey: record.get('bs_nr')!,
    };
  });
  const [adviser, client] = [general.get('BeraterNr')!, general.get('MandantenNr')!];
  checkNumbers(adviser, client);
  return { adviser, client, hasOwnNumbers, lines, period };
}

/** The fields of a line in which each field ends in a separator. */
function fieldsOf(line: string): string[] {
  const fields = line.split(';');
  assert.equal(fields.pop(), '', `${line} does not end in a separator`);
  return fields;
}

function checkNumbers(adviser: string, client: string): void {
  assert.match(adviser, /^[1-9][0-9]{3,6}$/);
  assert.match(client, /^[1-9][0-9]{0,4}$/);
}

/** Lohn und Gehalt: a line with adviser, client and month, then lines of 11 fields. All are amounts of that month. */
export function readLug(bytes: Uint8Array): ReadFile & { readonly month: string } {
  const [first, ...rows] = linesOf(textOf(bytes));
  const [adviser, client, monthAndYear, own, ...more] = first!.split(';') as [string, ...string[]];
  assert.deepEqual(more, []);
  assert.ok(own === undefined || own === 'x');
  checkNumbers(adviser, client!);
  const month = monthOfDay(`01/${monthAndYear!}`);
  const lines = rows.map((row): ReadLine => {
    const fields = row.split(';');
    assert.equal(fields.length, 11, row);
    const [personnelNumber, day, absence, wageType, hours, days, value, factor, change, costCenter, unit] =
      fields as [string, ...string[]];
    assert.deepEqual([day, absence, hours, days, factor, change, unit], ['', '', '', '', '', '', '']);
    if (own === undefined) assert.match(personnelNumber, /^[1-9][0-9]{0,4}$/);
    assert.match(wageType!, /^[1-9][0-9]{0,3}$/);
    assert.ok(Number(wageType) <= 5999 || Number(wageType) >= 8000);
    assert.ok(costCenter!.length <= 8);
    return {
      month,
      personnelNumber,
      wageType: wageType!,
      cents: centsOf(value!),
      costCenter: orNull(costCenter!),
    };
  });
  return { adviser, client: client!, hasOwnNumbers: own === 'x', lines, month };
}

export interface ReadCsvLine extends ReadLine {
  readonly period: string;
  readonly kind: string;
  readonly lastName: string | null;
  readonly firstName: string | null;
  readonly contractNumber: string | null;
}

const csvColumns = [
  'period',
  'month',
  'employeeNumber',
  'lastName',
  'firstName',
  'kind',
  'wageType',
  'amount',
  'costCenter',
  'contractNumber',
];

/** A line as a file of the period has it. Processing keys are in no CSV. */
export function csvLine(line: Line, period: string): ReadCsvLine {
  const { processingKey, ...more } = line;
  assert.ok(processingKey !== undefined);
  return { period, ...more };
}

/** CSV: UTF-8 with a byte order mark. An apostrophe before a character that begins a formula is no part of the text. */
export function readCsv(bytes: Uint8Array): readonly ReadCsvLine[] {
  assert.deepEqual([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf]);
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  const [header, ...rows]: string[][] = parse(text, {
    delimiter: ';',
    record_delimiter: '\r\n',
    relax_column_count: false,
  });
  assert.deepEqual(header, csvColumns);
  return rows.map(row => {
    const [period, month, personnelNumber, lastName, firstName, kind, wageType, value, costCenter, contract] =
      row as [string, ...string[]];
    for (const cell of row.toSpliced(7, 1)) assert.doesNotMatch(cell, /^([\t\r\n]|\s*[=+\-@＝＋－＠])/);
    return {
      period,
      month: month!,
      personnelNumber: original(personnelNumber!)!,
      lastName: original(lastName!),
      firstName: original(firstName!),
      kind: kind!,
      wageType: wageType!,
      cents: centsOf(value!),
      costCenter: original(costCenter!),
      contractNumber: original(contract!),
    };
  });
}

function original(cell: string): string | null {
  return orNull(cell.replace(/^'(?=[\t\r\n]|\s*[=+\-@＝＋－＠])/, ''));
}
