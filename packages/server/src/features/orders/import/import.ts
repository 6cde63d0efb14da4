import { ApiError } from '@kontor/contract';
import type { Pool } from '../../../database/connect.ts';
import { newId } from '../../../database/ids.ts';
import { inLongTransaction } from '../../../database/long-transaction.ts';
import { emailKey } from '../../../email-key.ts';
import { parseJsonObject } from '../../../http/json.ts';
import { type Rejection, RejectedRows } from '../../../rejected-rows.ts';
import { operator, withTurn } from '../../../writes/writes.ts';
import { orderRow, splitDocument } from '../record.ts';
import { splitLines, type TextLine } from './lines.ts';
import { readRow } from './rows.ts';
import * as store from './store.ts';
import type { StagedRow, Target } from './store.ts';

export interface ImportRequest {
  readonly target: Target;
  /** Path of the JSONL file; the rejected rows go beside it. */
  readonly file: string;
  readonly pieces: AsyncIterable<Uint8Array>;
  /** Breaks the import off: nothing goes in. */
  readonly signal: AbortSignal;
}

export interface ImportOutcome {
  readonly imported: number;
  readonly rejected: number;
  /** Where the rejected rows are; null when there are none. */
  readonly rejectedFile: string | null;
}

/**
 * Imports orders, one JSON object a line, of employees of one tenant. The valid rows go in together in one transaction,
 * which takes the organization clock last; the others go into the rejected file with their line and the reason.
 * @throws OperatorError when the file as a whole cannot be imported; then, as after any other error, nothing went in.
 */
export async function importOrders(db: Pool, request: ImportRequest): Promise<ImportOutcome> {
  const path = `${request.file.replace(/\.jsonl$/i, '')}.rejected.jsonl`;
  const rejected = await RejectedRows.open(path, { render: rejectedLine });
  const imported = await stageAndWrite(db, request, rejected).catch(async error => {
    await rejected.discard();
    throw error;
  });
  await rejected.publish();
  if (imported > 0) await store.settle(db);
  return { imported, rejected: rejected.count, rejectedFile: rejected.count > 0 ? path : null };
}

function stageAndWrite(
  db: Pool,
  { target, pieces, signal }: ImportRequest,
  rejected: RejectedRows,
): Promise<number> {
  return inLongTransaction(db, async session => {
    await store.stage(session, stagedRows(pieces), signal);
    const usable = await store.rejectUnusable(session, target);
    for await (const rejections of store.readRejections(session)) await rejected.write(rejections);
    let imported = 0;
    if (usable > 0) {
      imported = await withTurn(session, target.organizationId, operator, turn =>
        store.insertStaged(turn, session, target),
      );
      if (imported < usable) await rejected.write(await store.readOvertaken(session, target));
    }
    await rejected.complete();
    return imported;
  });
}

async function* stagedRows(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<StagedRow> {
  for await (const line of splitLines(pieces)) yield stagedRow(line);
}

function stagedRow({ line, text }: TextLine): StagedRow {
  // The database cannot hold NUL on the way.
  const staged = { line, original: text.replaceAll('\0', '\ufffd') };
  const read = readRow(text);
  if (read.reason !== null) return { ...staged, reason: read.reason, order: null };
  const { employeeId, employeeNumber, email } = read.employee;
  const data = { ...read.data, id: newId() };
  const names = { employeeId, employeeNumber, emailKey: email === null ? null : emailKey(email) };
  return { ...staged, reason: null, order: { row: orderRow(data), ...splitDocument(data), ...names } };
}

/**
 * A rejected row as a line of JSON: its own properties, then `line` and `reason`, which an import of the corrected file
 * passes over; a line that is no object, or has a property twice, stands whole in `text`.
 */
function rejectedLine({ line, original, reason }: Rejection): string {
  return `${JSON.stringify({ ...propertiesOf(original), line, reason })}\n`;
}

function propertiesOf(text: string): Record<string, unknown> {
  try {
    const { line: _line, reason: _reason, ...properties } = parseJsonObject(Buffer.from(text));
    return properties;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { text };
  }
}
