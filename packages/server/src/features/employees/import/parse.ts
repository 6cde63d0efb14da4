import { CsvError, parse } from 'csv-parse/sync';
import type { RecordText } from './csv.ts';

/** A record with its values, or with the reason why it has none. */
export type CsvRecord = RecordText &
  (
    | { readonly cells: readonly string[]; readonly problem: null }
    | { readonly cells: null; readonly problem: string }
  );

// How many values a record has is judged against the header by the caller, who names the numbers.
const options = { record_delimiter: '\n', relax_column_count: true } as const;

/** The values of each record. A record with broken quotes has a `problem` instead. */
export function parseRecords(records: readonly RecordText[]): CsvRecord[] {
  try {
    const rows = parse(records.map(record => record.text).join('\n'), options);
    return records.map((record, index) => ({ ...record, cells: rows[index]!, problem: null }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return records.map(parseAlone);
  }
}

function parseAlone(record: RecordText): CsvRecord {
  try {
    return { ...record, cells: parse(record.text, options)[0]!, problem: null };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return {
      ...record,
      cells: null,
      problem: 'a quotation mark stands inside a value: quote the value and double the mark',
    };
  }
}
