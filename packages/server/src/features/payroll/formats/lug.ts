import { checkDatevLine, checkDatevSettings, encodeWindows1252, isOfTwoYears } from './datev.ts';
import { decimalComma, encodeLines, type Format, monthAndYear } from './format.ts';

/** 9,999,999.99 */
const maxCents = 999_999_999n;

/**
 * DATEV Lohn und Gehalt, ASCII import (interface description of 13 July 2022). A month line leaves day, absence key, hours and days empty. A
 * correction is a file that names the earlier month, with the difference to what was sent.
 */
export const lugFormat: Format = {
  mediaType: 'text/plain',
  extension: 'txt',
  name: 'lug',
  hasNames: false,
  hasFilePerMonth: true,
  namesClient: true,
  checkSettings: checkDatevSettings,
  takesMonth: (month, period, { lugCorrections }) =>
    lugCorrections === 'any_month' || isOfTwoYears(month, period),
  checkLine(line, settings) {
    const violations = checkDatevLine(line, settings, maxCents);
    const wageType = Number(line.wageType);
    if (!/^[0-9]{1,4}$/.test(line.wageType) || !isWageType(wageType))
      violations.push({ code: 'wage_type', field: 'wageType' });
    return violations;
  },
  head({ settings: { adviserNumber, clientNumber, personnelNumbers }, month }) {
    const fields = [adviserNumber, clientNumber, monthAndYear(month)];
    return [(personnelNumbers === 'company' ? [...fields, 'x'] : fields).join(';')];
  },
  line: ({ personnelNumber, wageType, cents, costCenter }) =>
    [personnelNumber, '', '', wageType, '', '', decimalComma(cents), '', '', costCenter ?? '', ''].join(';'),
  encode: encodeWindows1252,
};

function isWageType(number: number): boolean {
  return (number >= 1 && number <= 5999) || (number >= 8000 && number <= 9999);
}

const fields = [
  'Personalnummer',
  'Kalendertag',
  'Ausfallschlüssel',
  'Lohnartennummer',
  'Stundenanzahl',
  'Tagesanzahl',
  'Wert',
  'Abweichender Faktor',
  'Abweichende Lohnveränderung',
  'Kostenstellennummer',
  'Kostenträger',
];

/** The description (INI) that Lohn und Gehalt needs once to import the files. */
export const lugImportDescription = encodeLines(lugFormat, [
  '[Allgemein]',
  `Feldanzahl = ${fields.length}`,
  'Feldtrennzeichen = Strichpunkt',
  'Satztrennzeichen = Enter/Return',
  'Zahlenkomma = ,',
  'Datumstrennzeichen = /',
  '',
  '[Feldinhalt]',
  ...fields.map((field, index) => `Feld${index + 1} = ${field}`),
]);
