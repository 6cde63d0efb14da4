import { type CopyValue, copyFrom, copyLine, readInChunks } from '../db/copy.ts';
import { type Fragment, raw, sql } from '../db/sql.ts';
import type { Session } from '../db/transaction.ts';
import type { Rejection } from './rejected-rows.ts';

/** The columns of every import. `original` is the text for the rejected file. `reason` is null for a valid row. */
export interface StagedRow {
  readonly line: number;
  readonly original: string;
  readonly reason: string | null;
}

/** The columns of one kind of import. */
export interface Staging<Row extends StagedRow> {
  readonly columns: Readonly<Record<string, string>>;
  /** In the order of `columns`. */
  readonly values: (row: Row) => readonly CopyValue[];
  /** The columns for which ANALYZE collects statistics, because joins use them. */
  readonly analyzed: readonly string[];
}

/** All staged rows, and the valid ones. They are sub-selects: Citus joins its tables with temporary tables in no other way. */
export const staged = sql`(SELECT * FROM import_stage)`;
export const usable = sql`(SELECT * FROM import_stage i WHERE NOT EXISTS (SELECT FROM import_rejection r WHERE r.line = i.line))`;

export async function stageRows<Row extends StagedRow>(
  session: Session,
  { columns, values, analyzed }: Staging<Row>,
  rows: AsyncIterable<Row>,
  signal: AbortSignal,
): Promise<void> {
  const defined = Object.entries(columns).map(([name, type]) => `${name} ${comparedByBytes(type)}`);
  await session.run(sql`
    CREATE TEMPORARY TABLE import_stage (line integer, original text, reason text, ${raw(defined.join(', '))}) ON COMMIT DROP`);
  await session.run(
    sql`CREATE TEMPORARY TABLE import_rejection (line integer PRIMARY KEY, reason text NOT NULL) ON COMMIT DROP`,
  );
  const names = ['line', 'original', 'reason', ...Object.keys(columns)];
  const statement = sql`COPY import_stage (${raw(names.join(', '))}) FROM STDIN`;
  await copyFrom(session, statement, copyLines(rows, values), signal);
  await reject(session, sql`SELECT line, reason FROM import_stage WHERE reason IS NOT NULL`);
  await session.run(sql`ANALYZE import_stage (${raw(['line', ...analyzed].join(', '))})`);
}

function comparedByBytes(type: string): string {
  return type === 'text' ? 'text COLLATE "C"' : type;
}

/** Min characters of a chunk of COPY data. */
const chunkSize = 64 * 1024;

async function* copyLines<Row extends StagedRow>(
  rows: AsyncIterable<Row>,
  values: Staging<Row>['values'],
): AsyncGenerator<string> {
  let chunk = '';
  for await (const row of rows) {
    chunk += copyLine([row.line, row.original, row.reason, ...values(row)]);
    if (chunk.length < chunkSize) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

/** Rejects the rows that `rejections` selects by `line` and reason. The first reason of a line stays. */
export async function reject(session: Session, rejections: Fragment): Promise<void> {
  await session.run(sql`INSERT INTO import_rejection ${rejections} ON CONFLICT DO NOTHING`);
}

/** Rejects rows, also for a further reason. `rejections` has each line once. */
export async function rejectAlso(session: Session, rejections: Fragment): Promise<void> {
  await session.run(sql`
    INSERT INTO import_rejection ${rejections}
    ON CONFLICT (line) DO UPDATE SET reason = import_rejection.reason || '; ' || excluded.reason`);
}

export async function countUsable(session: Session): Promise<number> {
  const [left] = await session.rows<{ n: number }>(sql`
    SELECT ((SELECT count(*) FROM import_stage) - (SELECT count(*) FROM import_rejection))::int AS n`);
  return left!.n;
}

/** Reads the rejected rows in file order, in chunks. */
export function readRejections(session: Session): AsyncGenerator<Rejection[]> {
  return readInChunks<Rejection>(
    session,
    sql`SELECT line, original, r.reason FROM import_rejection r JOIN import_stage USING (line) ORDER BY line`,
  );
}
