import { isGarbled, repairEncoding } from './garbled.ts';
import { emptyCell, problemIn, type Reading, valueRead } from './reading.ts';

/**
 * White space of Unicode, and characters without width: those that web pages break words with, and the marks of direction that address books
 * put around telephone numbers.
 */
const blank = /[\s\u00AD\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]/;

/** The text of a cell in NFC, without blanks around it. */
export function cleanText(cell: string): string {
  let start = 0;
  let end = cell.length;
  while (start < end && blank.test(cell[start]!)) start++;
  while (end > start && blank.test(cell[end - 1]!)) end--;
  return cell.slice(start, end).normalize('NFC');
}

/**
 * Reads the text of a cell. Restores what a file wrote to protect a value from spreadsheets: `="00701"`, and the apostrophe of exports
 * (OWASP, CSV injection) and of users (Excel's mark of text). A value that a program damaged is a problem.
 */
export function readText(cell: string): Reading<string> {
  const text = cleanText(cell);
  if (text === '') return emptyCell;
  const original = protectedText(text);
  if (original === '') return emptyCell;
  if (isGarbled(original ?? cell)) return problemIn(text, 'garbled_text', repairEncoding(original ?? text));
  if (original !== null) return valueRead(original);
  if (text.startsWith('=')) return problemIn(text, 'formula');
  if (/^#{2,}$/.test(text)) return problemIn(text, 'hidden_value');
  if (isFormulaError(text)) return problemIn(text, 'formula_error');
  if (isRoundedNumber(text)) return problemIn(text, 'rounded_number');
  return valueRead(text);
}

/** The text that the cell protects, or null. */
function protectedText(text: string): string | null {
  const [, inner] = /^="((?:[^"]|"")*)"$/.exec(text) ?? [];
  if (inner !== undefined) return cleanText(inner.replaceAll('""', '"'));
  if (!text.startsWith("'")) return null;
  const marked = text.slice(1);
  return isFormula(marked) || isNumberLike(marked) ? cleanText(marked) : null;
}

/** The first characters that make a spreadsheet calculate (OWASP, CSV injection). Some programs skip white space before them. */
const isFormula = (text: string) => /^(\s*[=+\-@＝＋－＠]|[\t\r\n])/.test(text);

const isNumberLike = (text: string) => /^\d[\d\s.,/()-]*$/.test(text);

/**
 * Excel and Google Sheets in any language write `#`, capitals and a mark: `#WERT!`, `#NAME?`, `#ÜBERLAUF!`. Some lack the mark. LibreOffice
 * also writes the number of an error.
 */
function isFormulaError(text: string): boolean {
  return (
    /^#[\p{Lu}\d_/]{2,20}[!?]$/u.test(text) ||
    /^#(N\/A|N\/V|NV|GETTING_DATA|DATEN_ABRUFEN)$/.test(text) ||
    /^(Err|Fehler):5\d\d$/.test(text)
  );
}

/** Numbers as Excel and LibreOffice shorten them (`4,9E+11`), and as other programs do (`4.9e11`). Excel keeps 15 digits at most. */
function isRoundedNumber(text: string): boolean {
  return /^[+-]?\d(?:[.,]\d{1,20}E[+-]?|E\+)\d{1,3}$/i.test(text);
}
