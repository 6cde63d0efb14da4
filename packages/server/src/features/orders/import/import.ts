import { ApiError } from '@kontor/contract';
import type { Pool } from '../../../db/connect.ts';
import { newId } from '../../../db/ids.ts';
import { emailKey } from '../../../lib/email-key.ts';
import { parseJsonObject } from '../../../http/request/json.ts';
import { decodeText } from '../../../imports/decode.ts';
import { type ImportStep, type Rejected, importRows } from '../../../imports/import.ts';
import { RejectedRows, type Rejection, rejectedPath } from '../../../imports/rejected-rows.ts';
import { awaitDecisions } from '../decision-rules/imported.ts';
import { orderRow, splitDocument } from '../mapping.ts';
import { readRow } from './rows.ts';
import * as store from './store.ts';
import type { StagedRowOfOrder, Target } from './store.ts';
import { OperatorError } from '../../../lib/operator-error.ts';

export interface ImportRequest {
  readonly target: Target;
  /** Path of the JSONL file. The rejected rows are written to the same folder. */
  readonly file: string;
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Aborts the import; nothing is stored. */
  readonly signal: AbortSignal;
  readonly onStep?: (step: ImportStep) => void;
}

export interface ImportOutcome extends Rejected {
  readonly imported: number;
  /** Whether the tenant has a rule, by which the service decides on the orders under review. */
  readonly awaitsRule: boolean;
}

/**
 * Imports orders for employees of one tenant, one JSON object per line. Valid rows are stored in one transaction, which takes the
 * organization clock last. Other rows are written to the rejected file. A scheduled job then decides on orders under review
 * by the rule of the tenant.
 * @throws OperatorError when the file cannot be imported; after any error nothing is stored
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
      insert: async (write, session) => {
        const imported = await store.insertStaged(write, session, target);
        return { imported, awaitsRule: await awaitDecisions(write, session, target) };
      },
      readOvertaken: session => store.readOvertaken(session, target),
      onStep,
    },
    rejected,
  );
  return { ...(written ?? { imported: 0, awaitsRule: false }), ...outcome };
}

async function* stagedRows(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<StagedRowOfOrder> {
  for await (const line of splitLines(decodeText(chunks))) yield stagedRow(line);
}

function stagedRow({ line, text }: TextLine): StagedRowOfOrder {
  // PostgreSQL cannot store NUL.
  const staged = { line, original: text.replaceAll('\0', '\ufffd') };
  const read = readRow(text);
  if (read.reason !== null) return { ...staged, reason: read.reason, order: null };
  const { employeeId, employeeNumber, email } = read.employee;
  const data = { ...read.data, id: newId() };
  const names = { employeeId, employeeNumber, emailKey: email === null ? null : emailKey(email) };
  return { ...staged, reason: null, order: { row: orderRow(data), ...splitDocument(data), ...names } };
}

/** An import of the corrected file ignores `line` and `reason`. A line that is no object, or repeats a property, becomes `text`. */
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

interface TextLine {
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
}

/** In characters. */
const lineMaximum = 1024 * 1024;

/** Lines end with LF or CRLF. Empty ones are skipped, but counted. @throws OperatorError for a line of more than a million characters */
async function* splitLines(texts: AsyncIterable<string>): AsyncGenerator<TextLine> {
  let rest = '';
  let line = 0;
  for await (const text of texts) {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    for (const complete of lines) {
      line++;
      if (complete.trim() !== '') yield { line, text: complete.trimEnd() };
    }
    if (rest.length > lineMaximum)
      throw new OperatorError(`line ${line + 1} has more than ${lineMaximum} characters`);
  }
  if (rest.trim() !== '') yield { line: line + 1, text: rest.trimEnd() };
}
