import type { PayrollExportDocument } from '@kontor/contract';
import type { Kind } from '../computation/owed.ts';

/* A payroll program expects this of each kind of amount and of each format. */

export type Language = 'en' | 'de';

type Texts<Value> = Readonly<Record<Language, Value>>;

/** The wage type that a kind needs. The sign is one of the settings. */
export const expectedWageTypes: Readonly<Record<Kind, Texts<string>>> = {
  salary_conversion: {
    en: 'A wage type that lowers the gross pay before tax and social security (salary conversion).',
    de: 'Eine Lohnart, die das Bruttoentgelt vor Steuer und Sozialversicherung mindert (Entgeltumwandlung).',
  },
  taxable_benefit: {
    en: 'A wage type of benefits in kind: taxed and subject to social security, not paid out. An ordinary wage type pays it in cash.',
    de: 'Eine Lohnart für Sachbezüge: steuer- und beitragspflichtig, ohne Auszahlung. Eine gewöhnliche Lohnart zahlt den Betrag bar aus.',
  },
  employer_subsidy: {
    en: 'A wage type for information only. The subsidy has lowered the conversion already, so it neither pays nor taxes anything.',
    de: 'Eine Lohnart nur zur Information. Der Zuschuss hat die Entgeltumwandlung schon gemindert: Sie zahlt nichts aus und versteuert nichts.',
  },
};

export const formatNames: Readonly<Record<PayrollExportDocument['format'], Texts<string>>> = {
  csv: { en: 'CSV file', de: 'CSV-Datei' },
  datev_lodas: { en: 'DATEV LODAS', de: 'DATEV LODAS' },
  datev_lug: { en: 'DATEV Lohn und Gehalt', de: 'DATEV Lohn und Gehalt' },
};

export const rulesOfFormats: Readonly<Record<PayrollExportDocument['format'], Texts<readonly string[]>>> = {
  csv: {
    en: [
      'UTF-8 with BOM, semicolons, decimal commas. The column month names the month that an amount is for.',
      'Amounts have the sign with which they are booked.',
    ],
    de: [
      'UTF-8 mit BOM, Semikolon als Trennzeichen, Dezimalkomma. Die Spalte month nennt den Monat eines Betrags.',
      'Beträge haben das Vorzeichen, mit dem sie gebucht werden.',
    ],
  },
  datev_lodas: {
    en: [
      'Each wage type exists with the processing key that stands above.',
      'Amounts of earlier months are records of a recalculation (Nachberechnung). LODAS accepts the current and the previous year.',
      'Run the import as a test first. Its log tells technical errors from errors of content.',
    ],
    de: [
      'Jede Lohnart ist mit dem Bearbeitungsschlüssel angelegt, der oben steht.',
      'Beträge früherer Monate sind Sätze der Nachberechnung. LODAS nimmt das laufende und das vorige Jahr an.',
      'Importieren Sie zuerst im Testlauf. Das Protokoll unterscheidet technische und fachliche Fehler.',
    ],
  },
  datev_lug: {
    en: [
      'The import description (INI) of Kontor is installed once.',
      'Wage types are 1 to 5999 or 8000 to 9999, and cost centres exist in the client.',
      'Each corrected month is a file of its own, with the difference to what was sent before.',
      'Lines with a wrong form are not imported, and only the log says so. Compare the sums above with it.',
    ],
    de: [
      'Die Importbeschreibung (INI) von Kontor ist einmalig eingerichtet.',
      'Lohnarten sind 1 bis 5999 oder 8000 bis 9999, Kostenstellen sind beim Mandanten angelegt.',
      'Jeder korrigierte Monat ist eine eigene Datei mit der Differenz zum früher Gemeldeten.',
      'Zeilen mit falscher Form werden nicht importiert, das steht nur im Protokoll. Vergleichen Sie die Summen oben damit.',
    ],
  },
};

/** They hold for each format. */
export const generalRules: Texts<readonly string[]> = {
  en: [
    'Import each file once. What is imported twice is deducted twice.',
    'Late amounts: tax law accepts only conversions that were agreed before the pay was due.',
  ],
  de: [
    'Importieren Sie jede Datei einmal. Was zweimal importiert wird, wird zweimal einbehalten.',
    'Nachträge: Steuerlich anerkannt werden nur Entgeltumwandlungen, die vor der Fälligkeit des Lohns vereinbart wurden.',
  ],
};
