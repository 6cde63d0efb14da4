import { ColumnNames, type KnownField } from './column-names.ts';

const list = (names: string) => names.trim().split(/,\s+/);

// cspell:disable
/** Words that may accompany a name: the address at work, the address at home, and the legal name. */
const work =
  list(`dienstlich, dienstliche, geschäftlich, geschäftliche, beruflich, berufliche, firma, arbeit, büro, work, business, office,
  company, corporate, primary, haupt, main`);
const home = list(
  'privat, private, home, personal, wohnung, wohnort, wohnsitz, primary, haupt, main, adresse, address, anschrift',
);
const legal = list('legal, preferred, rechtlich, amtlich, offiziell');

/**
 * Names of columns in exports of Personio, DATEV (LODAS, Lohn und Gehalt), SAP SuccessFactors (Knowledge Base 2087504), BambooHR (its list of
 * field names), Workday, HRworks, rexx, Lexware and zvoove.
 */
const namesOfPrograms: readonly KnownField<string>[] = [
  {
    field: 'email',
    names: list(
      `E-Mail, Mail, Mailadresse, E-Mail-Adresse, Email Address, Email - Work, Best Email, E-Mail 1, Mail 1,
      Work Email, Dienstliche E-Mail, Geschäftliche E-Mail`,
    ),
    qualifiers: work,
  },
  {
    field: 'privateEmail',
    names:
      list(`Private E-Mail, Private E-Mail-Adresse, Private Mailadresse, Private Mail, E-Mail privat, E-Mail-Adresse privat, Mail privat,
      Privatmail, Private Email Address, Personal Email, Personal Email Address, Home Email, Email - Home`),
  },
  {
    field: 'employeeNumber',
    names:
      list(`Personalnummer, Personalnr, Pers-Nr, Persnummer, PNR, Mitarbeiternummer, Mitarbeiternr, MA-Nr, Mitarbeiter-ID, Stammnummer,
      Stammnr, Personnel Number, Personnel No, Staff Number, Staff ID, Worker ID, Employee ID, Employee No, Employee Nr, EmpID, Emp No,
      Employee #, File Number`),
    qualifiers: list('lodas, datev, intern, interne'),
  },
  {
    field: 'firstName',
    names: list(`Vorname, Vornamen, Rufname, Given Name, Forename, Legal Name - First Name`),
    qualifiers: ['rufname', ...legal],
  },
  {
    field: 'lastName',
    names: list(`Nachname, Familienname, Zuname, Surname, Family Name, Legal Name - Last Name`),
    qualifiers: legal,
    dependentNames: { requires: 'firstName', names: ['Name'] },
  },
  {
    field: 'phoneNumber',
    names:
      list(`Telefon, Telefonnummer, Telefonnr, Tel, Tel-Nr, Rufnummer, Phone, Telephone, Telephone Number, Biz Phone, Mobil, Mobilnummer,
      Mobiltelefon, Handy, Handynummer, Mobile, Mobile Phone, Mobile Number, Cell Phone`),
    qualifiers: [...work, ...list('privat, private, home, personal, mobil, mobile, festnetz')],
  },
  {
    field: 'street',
    names:
      list(`Straße, Straßenname, Straße und Hausnummer, Straße Hausnummer, Straße & Hausnr, Straße und Nr, Straße Nr, Str, Anschrift,
      Adresse, Address, Street Address, Address Line 1, Address 1, Addr1, Adresszeile 1`),
    qualifiers: home,
  },
  {
    field: 'postalCode',
    names: list('PLZ, Postleitzahl, Zip, Zip Code, Postcode, Zip/Postal Code'),
    qualifiers: home,
  },
  { field: 'city', names: list('Ort, Stadt, Wohnort, Town'), qualifiers: home },
  {
    field: 'countryCode',
    names:
      list(`Land, Ländercode, Landkennzeichen, Landeskennzeichen, Länderkennzeichen, Länderkürzel, LKZ, Wohnsitzland, Staat, Country,
      Country/Region, Land/Region`),
    qualifiers: [...home, ...list('iso, code, kürzel')],
  },
  {
    field: 'additionalInfo',
    names:
      list(`Zusatz, Adresszusatz, Anschriftenzusatz, Info, Bemerkung, Bemerkungen, Note, Notes, Address Line 2, Address 2, Addr2,
      Adresszeile 2`),
    qualifiers: home,
  },
  {
    field: 'blocked',
    names: list('Gesperrt, Konto gesperrt, Zugang gesperrt, Locked, Account Blocked, Account Locked'),
  },
  {
    field: 'divisionId',
    names: list(
      `Abteilung, Bereich, Division, Department, Organisationseinheit, OE, Organizational Unit, Org Unit, Team`,
    ),
    qualifiers: list('name, bezeichnung'),
  },
  {
    field: 'divisionKey',
    names:
      list(`Abteilungsnummer, Abteilungsnr, Abteilungs-ID, Abteilungscode, Abteilungskürzel, Abteilungsschlüssel, Bereichsnummer, Bereichsnr,
      Bereichs-ID, Organisationseinheitsnummer, Organisationseinheit-ID, OE-Nummer, OE-Nr, OE-ID, OE-Kürzel, Department ID, Department No,
      Department Number, Department Code, Dept ID, Division ID, Division No, Division Number, Division Code, Organizational Unit ID,
      Organizational Unit Code, Org Unit ID, Org Unit Number, Org Unit Code, Team ID`),
  },
];
// cspell:enable

/**
 * The names of columns for these fields of a person: the names of the fields themselves, those that programs write, and more for each field
 * that a user has given.
 */
export function personColumnNames<Field extends string>(
  fields: readonly Field[],
  moreOf: (field: Field) => readonly string[] = () => [],
): ColumnNames<Field> {
  return new ColumnNames(
    fields.map(field => {
      const known = namesOfPrograms.find(known => known.field === field) as KnownField<Field> | undefined;
      return { ...known, field, names: [...(known?.names ?? []), ...moreOf(field)] };
    }),
  );
}
