import path from 'node:path';
import { csvCell } from '@kontor/tabular';
import { writeOwnFile } from '../write-file.ts';
import type { Output } from './output.ts';
import { fieldsOf, type ResourceType } from './resource-types.ts';

export const formats = ['jsonl', 'csv'] as const;
export type Format = (typeof formats)[number];

/** Lines that are written together. */
const chunkSize = 500;

/** Writes all rows of a type from the database into one file. */
export async function writeRows(
  output: Output,
  type: ResourceType,
  format: Format,
  folder: string,
): Promise<void> {
  const lines = format === 'csv' ? csvLines(output, type) : jsonLines(output, type);
  await writeOwnFile(path.join(folder, `${type}.${format}`), chunksOf(lines));
}

function* jsonLines(output: Output, type: ResourceType): Generator<string> {
  for (const doc of output.docs(type)) yield `${doc}\n`;
}

function* csvLines(output: Output, type: ResourceType): Generator<string> {
  const fields: readonly string[] = fieldsOf[type];
  yield `${fields.join(',')}\r\n`;
  for (const doc of output.docs(type)) {
    const values = JSON.parse(doc) as Readonly<Record<string, unknown>>;
    yield `${fields.map(field => cellOf(values[field] ?? '')).join(',')}\r\n`;
  }
}

/** Objects and lists are JSON. Only text can be a formula. */
function cellOf(value: unknown): string {
  if (typeof value === 'string') return csvCell(value, ',');
  const text = JSON.stringify(value);
  return typeof value === 'object' ? csvCell(text, ',') : text;
}

function* chunksOf(lines: Iterable<string>): Generator<string> {
  let chunk: string[] = [];
  for (const line of lines)
    if (chunk.push(line) === chunkSize) {
      yield chunk.join('');
      chunk = [];
    }
  yield chunk.join('');
}
