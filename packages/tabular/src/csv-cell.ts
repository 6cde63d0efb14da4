/** Text that a spreadsheet may run as a formula (OWASP, CSV injection). Some skip white space before it. */
const formula = /^(\s*[=+\-@＝＋－＠]|[\t\r\n])/;

/** `="00701"`: a spreadsheet takes it for text, and no other formula can be in it. */
const protectedText = /^="(?:[^"]|"")*"$/;

/** A text as a CSV cell (RFC 4180). A formula gets an apostrophe. Any line break is quoted, as readers end a line at each kind. */
export function csvCell(text: string, delimiter: ',' | ';'): string {
  const safe = formula.test(text) && !protectedText.test(text) ? `'${text}` : text;
  return safe.includes(delimiter) || /["\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Removes the apostrophe of {@link csvCell}. */
export function withoutFormulaMark(cell: string): string {
  return cell.startsWith("'") && formula.test(cell.slice(1)) ? cell.slice(1) : cell;
}
