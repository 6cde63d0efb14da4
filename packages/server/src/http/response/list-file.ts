import { type AuditAction, type FieldType, type ListExport, unprocessable } from '@kontor/contract';
import { csvCell } from '@kontor/tabular';
import type { Readable } from 'node:stream';
import { namesToUse } from '../../lib/nearest-name.ts';
import { byteOrderMark, csvLine, rowFile } from '../../lib/row-file.ts';
import type { Fragment } from '../../db/sql.ts';
import type { CheckedList } from '../../query/check.ts';
import type { FileFields } from '../../query/file-fields.ts';
import { type RowList, type RowReader, slicesOfRows } from '../../query/rows.ts';
import type { WriteCall, Writes } from '../../write/writes.ts';
import type { FileAnswer } from '../route.ts';

type Form = Pick<ListExport, 'columns' | 'words' | 'language' | 'timeZone'>;

/** What the file of a list contains. */
interface Content<Item> {
  readonly list: RowList<Item>;
  readonly rows: Fragment;
  readonly fields: FileFields<Item>;
  readonly fileName: string;
  readonly action: AuditAction;
}

/** Answers a request for the file of a list, and records it in the audit log. @throws ApiError as {@link listFile} */
export async function exportList<Item>(
  { reads, writes }: { readonly reads: RowReader; readonly writes: Writes },
  call: WriteCall & { readonly list: CheckedList; readonly body: Form },
  { list, rows, fields, fileName, action }: Content<Item>,
): Promise<FileAnswer> {
  const stream = await listFile(slicesOfRows(list, rows, call.list, reads), fields, call.body);
  await writes.recordAccess(call, write => write.audit({ id: write.organizationId, action }));
  return { status: 200, file: { stream, fileName, mediaType: 'text/csv', size: null } };
}

/** Where values stand that a German spreadsheet divides by semicolons, as its decimals have the comma. */
const delimiters = { en: ',', de: ';' } as const;

/**
 * A CSV file for a spreadsheet with the columns of a page, in its language. A slice of the rows is in memory.
 * @throws ApiError 422 VALIDATION_ERROR for a field that the list does not have, or an unknown time zone
 */
function listFile<Item>(
  slices: AsyncGenerator<readonly Item[]>,
  fields: FileFields<Item>,
  { columns, words: allWords = [], language, timeZone }: Form,
): Promise<Readable> {
  const delimiter = delimiters[language];
  const formatOf = formats(language, timeZone);
  const wordsOf = Map.groupBy(allWords, ({ field }) => field);
  const cells = columns.map(({ field: name }) => {
    const field = fields.get(name);
    if (field === undefined)
      throw unprocessable(
        `columns contains a field that the list does not have. ${namesToUse(name, 'Fields', fields.keys())}`,
      );
    const words = new Map(wordsOf.get(name)?.map(({ value, words }) => [value, words]));
    const format = formatOf[field.type] ?? (text => csvCell(text, delimiter));
    const one = (value: unknown) => {
      const word = words.get(String(value));
      return word === undefined ? format(String(value)) : csvCell(word, delimiter);
    };
    const wordOf = (value: string) => words.get(value) ?? value;
    return (item: Item) => {
      const value = field.read(item, wordOf) ?? '';
      if (!Array.isArray(value)) return value === '' ? '' : one(value);
      return csvCell(value.map(part => wordOf(String(part))).join(', '), delimiter);
    };
  });
  const render = (rows: readonly Item[]) =>
    rows.map(row => `${cells.map(cell => cell(row)).join(delimiter)}\r\n`).join('');
  return rowFile(
    slices,
    render,
    byteOrderMark +
      csvLine(
        columns.map(({ label }) => label),
        delimiter,
      ),
  );
}

type Format = (text: string) => string;

/** Texts that a spreadsheet in the language reads as dates and numbers: in English ISO dates, which are not mistaken for month and day. */
function formats(language: ListExport['language'], timeZone: string): Partial<Record<FieldType, Format>> {
  const isGerman = language === 'de';
  const day = (text: string) => (isGerman ? text.replace(/^(\d{4})-(\d\d)-(\d\d)$/, '$3.$2.$1') : text);
  const number = (text: string) => (isGerman ? text.replace('.', ',') : text);
  const zoned = zonedFormat(timeZone);
  const instant = (text: string) => {
    const [date, time] = zoned.format(new Date(text)).split(' ') as [string, string];
    return `${day(date)} ${time}`;
  };
  return { date: day, 'date-time': instant, decimal: number, number };
}

/** Swedish has dates as ISO 8601 does: `2026-11-28 18:12:05`. @throws ApiError 422 VALIDATION_ERROR */
function zonedFormat(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  } catch (error) {
    if (error instanceof RangeError) throw unprocessable('timeZone must be the IANA name of a time zone');
    throw error;
  }
}
