import type { Pool } from '../db/connect.ts';
import { isRefused, violatedConstraint } from '../db/failure.ts';
import { assignments, raw, sql } from '../db/sql.ts';
import { inTurn, operator, placesOf, type Turn } from '../write/writes.ts';
import type { Family } from './families.ts';
import type { Finding, Outcome } from './finding.ts';
import { judge, type Judgement, type StoredRow } from './judge.ts';
import { type PlacedRow, rowsOf } from './rows.ts';

/** Rows that are put right in one turn, so that other writes wait for some milliseconds. */
const turnSize = 50;

/** Where rows are verified, and whether they are put right. */
export interface Where {
  readonly db: Pool;
  readonly organizationId: string;
  readonly repair: boolean;
}

/** Checks the documents of rows that were read against the contract and their columns, and puts right what can be. */
export async function checkRows(
  where: Where,
  family: Family,
  rows: readonly PlacedRow[],
): Promise<Finding[]> {
  const judged = rows.map(({ row, employee }) => ({ row, judgement: judge(family, row, employee) }));
  const found = judged.filter(({ judgement }) => judgement.problems.length > 0);
  const repairable = found.filter(({ judgement }) => isRepairable(judgement)).map(({ row }) => row.id);
  const refused = new Map<string, string>();
  if (where.repair)
    for (let at = 0; at < repairable.length; at += turnSize)
      await repairSome(where, family, repairable.slice(at, at + turnSize), refused);
  return found.flatMap(({ row, judgement }) => {
    const refusal = refused.get(row.id);
    const outcome = outcomeOf(where, judgement, refusal);
    return judgement.problems.map((problem): Finding => ({
      check: 'documents',
      organizationId: where.organizationId,
      kind: family.name,
      target: row.id,
      problem: refusal === undefined ? problem : `${problem}; the repair was refused by ${refusal}`,
      outcome,
    }));
  });
}

function outcomeOf({ repair }: Where, judgement: Judgement, refusal: string | undefined): Outcome {
  if (!isRepairable(judgement) || refusal !== undefined) return 'lost';
  return repair ? 'repaired' : 'repairable';
}

/** A row whose document nobody knows any more is left alone as a whole. */
function isRepairable({ document }: Judgement): boolean {
  return document !== null;
}

/** Repairs rows in one turn; when the database refuses that, each in one of its own, and notes which it refuses. */
async function repairSome(
  where: Where,
  family: Family,
  ids: readonly string[],
  refused: Map<string, string>,
): Promise<void> {
  try {
    await repairRows(where, family, ids);
  } catch (error) {
    if (!isRefused(error)) throw error;
    if (ids.length > 1) for (const id of ids) await repairSome(where, family, [id], refused);
    else refused.set(ids[0]!, violatedConstraint(error) ?? 'the database');
  }
}

/** Reads the rows anew in a turn, in which nobody else changes them, and puts right what is still wrong. */
function repairRows({ db, organizationId }: Where, family: Family, ids: readonly string[]): Promise<void> {
  return inTurn(db, organizationId, operator, async (turn, session) => {
    for (const { row, employee } of await rowsOf(session, organizationId, family, ids)) {
      const judgement = judge(family, row, employee);
      if (judgement.problems.length > 0 && isRepairable(judgement)) repairRow(turn, family, row, judgement);
    }
  });
}

function repairRow(turn: Turn, family: Family, row: StoredRow, judgement: Judgement): void {
  const { document, changes, fields, place } = judgement;
  const repaired = changes ? { ...document, updatedAt: turn.instant } : document!;
  const { id: _id, ...columns } = family.row(repaired);
  const values = {
    ...columns,
    doc: family.document(repaired),
    ...(place && { tenant_id: place.tenantId, division_id: place.divisionId }),
  };
  turn.write(sql`
    UPDATE ${raw(family.table)} SET ${assignments(values)}
    WHERE organization_id = ${turn.organizationId} AND id = ${row.id}`);
  if (place) {
    const before = [row['tenant_id'], row['division_id']] as [string | null, string | null];
    turn.count(family.name, placesOf(...before), -1);
    turn.count(family.name, placesOf(place.tenantId, place.divisionId));
  }
  turn.audit({ id: row.id, action: `${family.name}.repair`, fields });
}
