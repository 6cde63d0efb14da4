import type { EmployeeImportProblem, importLanguages } from '@kontor/contract';
import { firstCharacters } from './file.ts';

/** A problem of a row or of its cell. It is data: the portal has its own words, reports and the command have those of this file. */
export type Problem = EmployeeImportProblem;
export type ProblemCode = Problem['code'];
export type Language = (typeof importLanguages)[number];

export function problemOf(
  code: ProblemCode,
  { found = null, ...details }: Partial<Omit<Problem, 'code'>> = {},
): Problem {
  const none = { column: null, field: null, suggestion: null, limit: null, line: null, position: null };
  return { ...none, ...details, code, found: found === null ? null : firstCharacters(found) };
}

/** Values that a program damaged: the file does not have the original. */
const damages: ReadonlySet<ProblemCode> = new Set([
  'rounded_number',
  'hidden_value',
  'formula_error',
  'formula',
  'garbled_text',
]);

export const isDamage = ({ code }: Problem) => damages.has(code);

type Texts = Readonly<Record<Language, string>>;

// cspell:disable
/** One message for each code, with the parts of a problem in braces. */
const messages: Readonly<Record<ProblemCode, Texts>> = {
  surplus_cell: {
    en: 'the row has more values than the {limit} columns, such as “{found}”; put a value with the separator in quotation marks',
    de: 'die Zeile hat mehr Werte als die {limit} Spalten, etwa „{found}“; einen Wert mit Trennzeichen in Anführungszeichen setzen',
  },
  quote: {
    en: 'a quotation mark is inside a value (line {line}, character {position}); quote the value and double the mark',
    de: 'ein Anführungszeichen steht in einem Wert (Zeile {line}, Zeichen {position}); den Wert in Anführungszeichen setzen und das Zeichen verdoppeln',
  },
  invalid_byte: {
    en: 'the byte {found} (line {line}, character {position}) is not UTF-8 like the rest of the file; correct the character',
    de: 'das Byte {found} (Zeile {line}, Zeichen {position}) ist nicht UTF-8 wie der Rest der Datei; das Zeichen berichtigen',
  },
  nul: { en: 'the row contains a NUL character', de: 'die Zeile enthält ein NUL-Zeichen' },
  missing: { en: 'enter a value', de: 'einen Wert eingeben' },
  invalid: { en: 'this value is not possible here', de: 'dieser Wert ist hier nicht möglich' },
  too_long: { en: 'enter at most {limit} characters', de: 'höchstens {limit} Zeichen eingeben' },
  not_boolean: { en: 'enter yes or no, not “{found}”', de: 'Ja oder Nein eingeben, nicht „{found}“' },
  not_country: {
    en: '“{found}” is not a country; enter its name or a code such as DE',
    de: '„{found}“ ist kein Land; den Namen oder einen Code wie DE eingeben',
  },
  ambiguous_country: {
    en: '“{found}” can be several countries; enter a code such as DE',
    de: '„{found}“ kann mehrere Länder bezeichnen; einen Code wie DE eingeben',
  },
  short_postal_code: {
    en: 'a German postcode has five digits, not “{found}”',
    de: 'eine deutsche Postleitzahl hat fünf Ziffern, nicht „{found}“',
  },
  rounded_number: {
    en: 'a spreadsheet rounded the number to “{found}”; enter its digits',
    de: 'eine Tabellenkalkulation hat die Zahl auf „{found}“ gekürzt; alle Ziffern eingeben',
  },
  hidden_value: {
    en: 'the file contains “{found}” instead of the value, because the column was too narrow',
    de: 'die Datei enthält „{found}“ statt des Wertes, weil die Spalte zu schmal war',
  },
  formula_error: {
    en: 'the file contains the error “{found}” of a formula instead of a value',
    de: 'die Datei enthält den Formelfehler „{found}“ statt eines Wertes',
  },
  formula: {
    en: 'the file contains the formula “{found}” instead of its value',
    de: 'die Datei enthält die Formel „{found}“ statt ihres Wertes',
  },
  garbled_text: {
    en: 'a program read “{found}” in a wrong encoding',
    de: 'ein Programm hat „{found}“ mit falscher Zeichenkodierung gelesen',
  },
  repeated: {
    en: 'line {limit} has the same value; keep one of the two',
    de: 'Zeile {limit} hat denselben Wert; eine der beiden behalten',
  },
  taken: { en: 'another employee has this value', de: 'eine andere Person hat diesen Wert' },
  not_editable: {
    en: 'the email stays “{suggestion}”, as an import cannot change it',
    de: 'die E-Mail-Adresse bleibt „{suggestion}“, da ein Import sie nicht ändern kann',
  },
  changed_email: {
    en: 'the email is “{suggestion}”; the file contains “{found}”, which was not confirmed',
    de: 'die E-Mail-Adresse ist „{suggestion}“; die Datei enthält „{found}“, was nicht bestätigt wurde',
  },
  number_reused: {
    en: 'the employee with this number has another email and another name',
    de: 'die Person mit dieser Nummer hat eine andere E-Mail-Adresse und einen anderen Namen',
  },
  unknown_division: {
    en: 'the company has no division “{found}”; enter its path, such as Sales / North',
    de: 'das Unternehmen hat keine Abteilung „{found}“; den Pfad eingeben, etwa Vertrieb / Nord',
  },
  ambiguous_division: {
    en: 'several divisions can be “{found}”; enter the path or the ID',
    de: 'mehrere Abteilungen können „{found}“ sein; den Pfad oder die ID eingeben',
  },
  proposed_division: {
    en: 'the company has no division with the path “{found}”',
    de: 'das Unternehmen hat keine Abteilung mit dem Pfad „{found}“',
  },
};

const emailAddress: Texts = { en: 'enter an email address', de: 'eine E-Mail-Adresse eingeben' };
const suggested: Texts = { en: '; probably “{suggestion}”', de: '; vermutlich „{suggestion}“' };
// cspell:enable

/** Describes a problem with its column. A part that is null stays in braces: SQL fills in a line. */
export function describeProblem(problem: Problem, language: Language): string {
  const { code, column, field, suggestion } = problem;
  const isAddress = code === 'invalid' && (field === 'email' || field === 'privateEmail');
  const message = (isAddress ? emailAddress : messages[code])[language];
  const hasSuggestion = suggestion !== null && !message.includes('{suggestion}');
  const text = message + (hasSuggestion ? suggested[language] : '');
  const place = column || field;
  const filled = text.replaceAll(
    /\{(found|suggestion|limit|line|position)\}/g,
    (name, part: keyof Problem) => (problem[part] === null ? name : String(problem[part])),
  );
  return place === null ? filled : `${place}: ${filled}`;
}

export function describeProblems(problems: readonly Problem[], language: Language): string {
  return problems.map(problem => describeProblem(problem, language)).join('; ');
}
