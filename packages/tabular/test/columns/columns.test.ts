// cspell:disable
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ColumnNames } from '../../src/columns/column-names.ts';
import { findHeader, labelColumns } from '../../src/columns/header.ts';
import { list } from '../support.ts';

const names = new ColumnNames([
  {
    field: 'email',
    names: ['E-Mail', 'Dienstliche E-Mail'],
    qualifiers: ['geschäftlich', 'dienstliche', 'work'],
  },
  { field: 'number', names: ['Personalnummer', 'Personalnr', 'Employee #'] },
  { field: 'firstName', names: ['Vorname', 'First Name'] },
  {
    field: 'lastName',
    names: ['Nachname', 'Last Name'],
    dependentNames: { requires: 'firstName', names: ['Name'] },
  },
  { field: 'phone', names: ['Telefon'] },
  { field: 'city', names: ['Ort'] },
  { field: 'country', names: ['Länder-Code', 'Land'] },
  { field: 'blocked', names: ['Gesperrt'] },
]);

/** The field of each column. A proposal has a question mark. */
const propose = (...header: string[]) =>
  names.propose(header).map(match => match && `${match.field}${match.isExact ? '' : '?'}`);

describe('names of columns', () => {
  test('are known regardless of case, signs, umlauts and Unicode form', () => {
    for (const name of [
      'Länder-Code',
      'LAENDERCODE',
      'laender_code',
      'La\u0308ndercode',
      '„Länder Code“*',
      ' Länder-Code: ',
    ])
      assert.deepEqual(propose(name), ['country'], name);
    assert.deepEqual(propose('firstName', 'Personalnr.', 'Employee #'), ['firstName', 'number', null]);
  });

  test('with further words are proposed if each of these is a qualifier', () => {
    assert.deepEqual(propose('E-Mail geschäftlich'), ['email?']);
    assert.deepEqual(propose('Work E-Mail'), ['email?']);
    assert.deepEqual(propose('E-Mail (Pflichtfeld)'), ['email?']);
    assert.deepEqual(propose('Gesperrt ja/nein'), ['blocked?']);
    assert.deepEqual(propose('Gesperrt? (J/N)'), ['blocked?']);
    assert.deepEqual(propose('Vorname des Mitarbeiters'), ['firstName?']);
  });

  test('that begin like a known one and mean something else are not', () => {
    for (const name of [
      ...list(`Name des Vorgesetzten | Vorname Vorgesetzter | E-Mail Vorgesetzter | E-Mail des Vorgesetzten | Ort der Geburt
 | Geburtsort | Land der Geburt | Telefon Notfallkontakt | Nachname, Vorname | Name, Vorname | Vorname Kind 1
 | Personalnummer Vorgesetzter | Landesdirektion | Ortsteil | Telefonliste | E-Mail-Verteiler | Manager Last Name`),
      '',
      ' ',
      '*',
      'X',
      'ja',
      'Mitarbeiter',
      'x'.repeat(9999),
    ])
      assert.deepEqual(propose('Vorname', name), ['firstName', null], name);
  });

  test('fill a field once: the exact name first, else the first column', () => {
    assert.deepEqual(propose('E-Mail geschäftlich', 'E-Mail'), [null, 'email']);
    assert.deepEqual(propose('Telefon', 'Telefon'), ['phone', null]);
  });

  test('can depend on another column: "Name" is the last name beside the first name', () => {
    assert.deepEqual(propose('Name', 'Vorname'), ['lastName', 'firstName']);
    assert.deepEqual(propose('Name', 'E-Mail'), [null, 'email']);
    assert.deepEqual(propose('Name', 'Vorname', 'Nachname'), [null, 'firstName', 'lastName']);
  });

  test('that are repeated are told apart by position', () => {
    assert.deepEqual(
      labelColumns(['Telefon', 'Ort', 'Telefon ', '', '', 'Telefon']),
      list('Telefon | Ort | Telefon (2) |  |  | Telefon (3)'),
    );
    assert.deepEqual(labelColumns(['a', 'a', 'a (2)']), ['a', 'a (3)', 'a (2)']);
  });
});

describe('the header', () => {
  const header = ['Personalnummer', 'Vorname', 'Nachname', 'E-Mail'];
  const person = ['7001', 'Ada', 'Ort', 'ada@pruef.example'];

  test('is the first row, or below a title, a date and a filter', () => {
    assert.equal(findHeader([header, person], names), 0);
    assert.equal(findHeader([['Mitarbeiterliste Stand 01.11.2026', '', '', ''], header, person], names), 1);
    assert.equal(findHeader([['Liste'], ['Ort', 'Bonn'], ['Stand', '1.11.2026'], header, person], names), 3);
  });

  test('can have a single known name in the first row, and a year', () => {
    assert.equal(
      findHeader(
        [
          ['Vorname', 'Foo'],
          ['Ada', '1'],
        ],
        names,
      ),
      0,
    );
    assert.equal(
      findHeader(
        [
          ['Vorname', 'Ort', '2026'],
          ['Ada', 'Bonn', '1'],
        ],
        names,
      ),
      0,
    );
    assert.equal(
      findHeader(
        [
          ['Ort', '2026'],
          ['Bonn', '1'],
        ],
        names,
      ),
      null,
    );
  });

  test('is the last one of two rows with names: keys and labels (SAP SuccessFactors)', () => {
    const keys = ['STATUS', 'FIRSTNAME', 'LASTNAME', 'EMAIL'];
    assert.equal(findHeader([keys, ['Status', 'First Name', 'Last Name', 'E-Mail'], person], names), 1);
  });

  test('is not a person, and not a row after the first twenty', () => {
    assert.equal(findHeader([person, person], names), null);
    assert.equal(findHeader([['Vorname', 'Nachname', 'ada@pruef.example']], names), null);
    assert.equal(findHeader([...Array.from({ length: 20 }, () => ['Text']), header], names), null);
    assert.equal(findHeader([], names), null);
  });
});
