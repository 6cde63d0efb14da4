import type { Month } from '../../../lib/calendar.ts';
import { checkDatevLine, checkDatevSettings, encodeWindows1252, isOfTwoYears } from './datev.ts';
import { decimalComma, type FileHead, type Format, type Line, monthAndYear } from './format.ts';

/** Numbers of the two kinds of records in the description. */
const booking = '1';
const correction = '2';

/** 11 digits, two of them decimals. */
const maxCents = 99_999_999_999n;

/**
 * DATEV LODAS, ASCII import (94th edition, June 2026). Amounts of earlier months are records of their own (`nachber`). A database version is never written, as it must not be hard-wired.
 */
export const lodasFormat: Format = {
  mediaType: 'text/plain',
  extension: 'txt',
  name: 'lodas',
  hasNames: false,
  hasFilePerMonth: false,
  namesClient: true,
  checkSettings: checkDatevSettings,
  takesMonth: isOfTwoYears,
  checkLine(line, settings) {
    const violations = checkDatevLine(line, settings, maxCents);
    if (!/^[0-9]{1,4}$/.test(line.wageType)) violations.push({ code: 'wage_type', field: 'wageType' });
    if (!/^(0[1-9]|[1-9][0-9]?)$/.test(line.processingKey ?? ''))
      violations.push({ code: 'processing_key', field: 'processingKey' });
    return violations;
  },
  head,
  line: (line, { period }) => (line.month === period ? bookingLine(line) : correctionLine(line, period)),
  encode: encodeWindows1252,
};

function head({ settings, isCopy = false }: FileHead): string[] {
  const hasOwnNumbers = settings.personnelNumbers === 'company';
  const number = hasOwnNumbers ? 'pnr_betriebliche#bwd' : 'pnr#bwd';
  return [
    '[Allgemein]',
    'Ziel=LODAS',
    `BeraterNr=${settings.adviserNumber}`,
    `MandantenNr=${settings.clientNumber}`,
    'Feldtrennzeichen=;',
    'Zahlenkomma=,',
    'Datumsformat=TT/MM/JJJJ',
    ...(hasOwnNumbers ? ['BetrieblichePNrVerwenden=Ja'] : []),
    ...(isCopy
      ? ['Kommentarzeichen=*', '* Kopie: nur importieren, wenn die erste Datei nicht importiert wurde']
      : []),
    '[Satzbeschreibung]',
    `${booking};u_lod_bwd_buchung_standard;abrechnung_zeitraum#bwd;bs_wert_butab#bwd;bs_nr#bwd;la_eigene#bwd;${number};kostenstelle#bwd;`,
    `${correction};u_lod_bwd_buchung_nachber;${number};abrechnung_zeitraum#bwd;nb_datum_mm#bwd;bs_wert_butab#bwd;bs_nr#bwd;kostenstelle#bwd;la_eigene#bwd;`,
    '[Bewegungsdaten]',
  ];
}

function bookingLine(line: Line): string {
  const { month, cents, processingKey, wageType, personnelNumber, costCenter } = line;
  return record(
    booking,
    firstDay(month),
    decimalComma(cents),
    processingKey,
    wageType,
    personnelNumber,
    costCenter,
  );
}

function correctionLine(line: Line, period: Month): string {
  const { month, cents, processingKey, wageType, personnelNumber, costCenter } = line;
  const [days, value] = [[firstDay(period), firstDay(month)], decimalComma(cents)];
  return record(correction, personnelNumber, ...days, value, processingKey, costCenter, wageType);
}

function record(...fields: readonly (string | null)[]): string {
  return `${fields.map(field => field ?? '').join(';')};`;
}

/** `2026-11` as `01/11/2026`. */
function firstDay(month: Month): string {
  return `01/${monthAndYear(month)}`;
}
