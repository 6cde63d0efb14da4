// cspell:disable
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findHeader } from '@kontor/tabular';
import { columnNames } from '../../../src/features/employees/known-columns.ts';

const names = columnNames();

/** The columns with their fields, without those that have none. A proposal has a question mark. */
function fieldsOf(header: readonly string[]): string[] {
  return names
    .propose(header)
    .flatMap((match, column) =>
      match ? [`${header[column]} → ${match.field}${match.isExact ? '' : '?'}`] : [],
    );
}

describe('exports of HR programs have known columns:', () => {
  for (const [program, header, fields] of [
    [
      'Personio (preliminary payroll, German)',
      'Personalnummer;Nachname;Vorname;E-Mail;Straße;Hausnummer;PLZ;Ort;Geburtstag;Geburtsort;Abteilung;Position;Vorgesetzter',
      'Personalnummer → employeeNumber;Nachname → lastName;Vorname → firstName;E-Mail → email;Straße → street;PLZ → postalCode;Ort → city;Abteilung → divisionId',
    ],
    [
      'Personio (attributes, English)',
      'Name;First name;Last name;Email;Office;Department;Supervisor;Address, postcode;Address, country;Hire date;Country of birth',
      'First name → firstName;Last name → lastName;Email → email;Department → divisionId;Address, postcode → postalCode?;Address, country → countryCode?',
    ],
    [
      'SAP SuccessFactors (User Data File)',
      'STATUS;USERID;USERNAME;FIRSTNAME;LASTNAME;GENDER;EMAIL;MANAGER;HR;DEPARTMENT;JOBCODE;DIVISION;LOCATION;EMPID;BIZ_PHONE;ADDR1;CITY;ZIP;COUNTRY',
      'FIRSTNAME → firstName;LASTNAME → lastName;EMAIL → email;DEPARTMENT → divisionId;EMPID → employeeNumber;BIZ_PHONE → phoneNumber;ADDR1 → street;CITY → city;ZIP → postalCode;COUNTRY → countryCode',
    ],
    [
      'BambooHR',
      'Employee #;Last Name;First Name;Work Email;Home Email;Mobile Phone;Address Line 1;Address Line 2;City;Zip Code;Country;Department;Reporting to',
      'Employee # → employeeNumber;Last Name → lastName;First Name → firstName;Work Email → email;Home Email → privateEmail;Mobile Phone → phoneNumber;Address Line 1 → street;Address Line 2 → additionalInfo;City → city;Zip Code → postalCode;Country → countryCode;Department → divisionId',
    ],
    [
      'Workday',
      'Employee ID;Worker;Legal Name - First Name;Legal Name - Last Name;Primary Work Email;Email - Home;Manager;Home Address - City',
      'Employee ID → employeeNumber;Legal Name - First Name → firstName;Legal Name - Last Name → lastName;Primary Work Email → email?;Email - Home → privateEmail;Home Address - City → city?',
    ],
    [
      'zvoove',
      'Personalnummer;Nachname;Vorname;Geburtsdatum;IBAN;Straße;PLZ;Ort;Mobil;E-Mail;Beschäftigungsart;Eintritt;Befristet bis',
      'Personalnummer → employeeNumber;Nachname → lastName;Vorname → firstName;Straße → street;PLZ → postalCode;Ort → city;Mobil → phoneNumber;E-Mail → email',
    ],
    [
      'a list of a German office',
      'Pers.-Nr.;Name;Vorname;E-Mail geschäftlich;E-Mail privat;Telefon (dienstlich);Straße / Nr.;PLZ;Wohnort;Land;Gesperrt ja/nein;Name des Vorgesetzten',
      'Pers.-Nr. → employeeNumber;Name → lastName;Vorname → firstName;E-Mail geschäftlich → email?;E-Mail privat → privateEmail;Telefon (dienstlich) → phoneNumber?;Straße / Nr. → street;PLZ → postalCode;Wohnort → city;Land → countryCode;Gesperrt ja/nein → blocked?',
    ],
  ] as const)
    test(program, () => {
      assert.deepEqual(fieldsOf(header.split(';')), fields.split(';'));
      assert.equal(findHeader([['Liste'], [], header.split(';')], names), 2);
    });
});

test('columns of other people and things have no field', () => {
  const others = `Name des Vorgesetzten;E-Mail Vorgesetzter;Vorname Partner;Manager Email;Supervisor Last Name;Telefon Notfallkontakt;Emergency Phone
    ;Geburtsort;Geburtsname;Ort der Geburt;Land der Geburt;Bankname;Kontoinhaber;Arbeitsort;PLZ Arbeitsort;Straße Arbeitsstätte;Kostenstelle
    ;Personalnummer Vorgesetzter;Nachname, Vorname;Name, Vorname;Abteilungsleiter;Emailverteiler;Staatsangehörigkeit;Gesperrt bis;Gesperrt am
    ;Land Geburt;Vertragsnummer;Firma;Firmenname;Company;Username;User ID;Email Manager;Partner Email;Children first name`;
  assert.deepEqual(fieldsOf(['Vorname', ...others.split(/\s*;/)]), ['Vorname → firstName']);
});
