import { ApiError } from '@kontor/contract';
import type { Pool } from '../../../db/connect.ts';
import { newId } from '../../../db/ids.ts';
import { emailKey } from '../../../lib/email-key.ts';
import { parseJsonObject } from '../../../http/request/json.ts';
import { type ImportStep, type Rejected, importRows } from '../../../imports/import.ts';
import { RejectedRows, type Rejection, rejectedPath } from '../../../imports/rejected-rows.ts';
import { awaitDecisions, decideImported } from '../decision-rules/imported.ts';
import { orderRow, splitDocument } from '../mapping.ts';
import { readRow } from './rows.ts';
import * as store from './store.ts';
import type { StagedRowOfOrder, Target } from './store.ts';
import { TextDecoder } from 'node:util';
import { OperatorError } from '../../../db/operator-error.ts';

export interface ImportRequest {
  readonly target: Target;
  /** Path of the JSONL file; the rejected rows go beside it. */
  readonly file: string;
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Breaks the import off: nothing goes in. */
  readonly signal: AbortSignal;
  /** Told what the import is doing when that changes. */
  readonly onStep?: (step: ImportStep) => void;
}

export interface ImportOutcome extends Rejected {
  readonly imported: number;
  /** How many of these the rule of the tenant has decided on. */
  readonly decided: number;
}

/**
 * Imports orders, one JSON object a line, of employees of one tenant. The valid rows go in together in one transaction,
 * which takes the organization clock last; the others go into the rejected file with their line and the reason. Then the rule
 * of the tenant, if it has one, decides on those that came in under review.
 * @throws OperatorError when the file as a whole cannot be imported; then, as after any other error, nothing went in.
 */
export async function importOrders(db: Pool, request: ImportRequest): Promise<ImportOutcome> {
  const path = rejectedPath(request.file, 'jsonl');
  const rejected = await RejectedRows.open(path, { render: rejectedLine });
  const { target, chunks, signal, onStep } = request;
  const { written, ...outcome } = await importRows(
    db,
    {
      organizationId: target.organizationId,
      table: 'employee_order',
      stage: session => store.stage(session, stagedRows(chunks), signal),
      rejectUnusable: session => store.rejectUnusable(session, target),
      insert: async (turn, session) => {
        const imported = await store.insertStaged(turn, session, target);
        return { imported, undecidedAt: (await awaitDecisions(turn, session, target)) ? turn.at : null };
      },
      readOvertaken: session => store.readOvertaken(session, target),
      onStep,
    },
    rejected,
  );
  const { imported, undecidedAt } = written ?? { imported: 0, undecidedAt: null };
  // Later than they came in: their audit has their creation at that instant.
  const decided = undecidedAt ? await decideImported(db, target, undecidedAt) : 0;
  return { imported, decided, ...outcome };
}

async function* stagedRows(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<StagedRowOfOrder> {
  for await (const line of splitLines(chunks)) yield stagedRow(line);
}

function stagedRow({ line, text }: TextLine): StagedRowOfOrder {
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

/** A line of a text file, counted from 1, without its line end. */
export interface TextLine {
  readonly line: number;
  readonly text: string;
}

/** Most characters of a line. */
const lineMaximum = 1024 * 1024;

/**
 * Cuts UTF-8 into lines. They end with LF or CRLF; empty lines are left out, but counted; a byte order mark is skipped.
 * @throws OperatorError, naming the line, where the bytes are not UTF-8 and where a line has more than a million characters.
 */
export async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<TextLine> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  let line = 0;
  for await (const chunk of chunks) {
    const texts = (rest + decode(decoder, chunk, line)).split('\n');
    rest = texts.pop()!;
    for (const text of texts) {
      line++;
      if (text.trim() !== '') yield { line, text: text.trimEnd() };
    }
    if (rest.length > lineMaximum)
      throw new OperatorError(`line ${line + 1} has more than ${lineMaximum} characters`);
  }
  rest += decode(decoder, undefined, line);
  if (rest.trim() !== '') yield { line: line + 1, text: rest.trimEnd() };
}

/** Decodes the next piece, or with none what the pieces left over; `line` is the last complete line before it. */
function decode(decoder: TextDecoder, chunk: Uint8Array | undefined, line: number): string {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch {
    const [before] = new TextDecoder().decode(chunk).split('\ufffd', 1);
    const number = line + before!.split('\n').length;
    throw new OperatorError(`line ${number} is not UTF-8; save the file as UTF-8 and import it again`);
  }
}
