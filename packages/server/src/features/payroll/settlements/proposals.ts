import {
  ApiError,
  type PayrollProposal,
  type PayrollProposalDecision,
  payrollProposalsMaximum,
  type PayrollSettingChange,
  type PayrollSettingsInput,
  type PayrollSettlementCreate,
  unprocessable,
} from '@kontor/contract';
import { findInScope } from '../../../auth/find-in-scope.ts';
import type { Scope } from '../../../auth/scope.ts';
import { newId } from '../../../db/ids.ts';
import type { Queryable } from '../../../db/session.ts';
import { empty, insertion, sql } from '../../../db/sql.ts';
import { changedValues, listValues } from '../../../lib/changed-values.ts';
import { amount } from '../../../lib/money.ts';
import type { Write } from '../../../write/writes.ts';
import { settingsIn } from '../computation/facts.ts';
import { employeesOf, readNamesInScope } from '../read.ts';
import { actorOf } from '../runs.ts';
import { lockSettings, pickSettings, planSettings, readLastReleased, storeSettings } from '../settings.ts';
import { planSettlement, settle, type WantedSettlement } from './settle.ts';

/* Settlements and settings that need two callers: one proposes, another one confirms or rejects. */

/** The body of a proposal. `expectedVersion`: the settings that its author has read. */
type Content =
  | { readonly settlement: PayrollSettlementCreate }
  | {
      readonly settings: PayrollSettingsInput;
      readonly changes: readonly PayrollSettingChange[];
      readonly expectedVersion: number;
    };

type Shown = Omit<PayrollProposal, 'employeeName' | 'settlement' | 'settings' | 'changes'>;
type ProposalRow = Omit<Shown, 'proposedAt' | 'decidedAt'> & {
  readonly content: Content;
  readonly proposedAt: Date;
  readonly decidedAt: Date | null;
};

const fields = sql`id, tenant_id AS tenant, status, employee_id AS "employeeId", content, proposed_by AS "proposedBy",
  proposed_at AS "proposedAt", decided_by AS "decidedBy", decided_at AS "decidedAt", comment`;

/** The last proposals of a tenant, the newest first. Names are those in scope. */
export async function readProposals(
  db: Queryable,
  scope: Scope,
  { tenantId, status }: { readonly tenantId: string; readonly status?: PayrollProposal['status'] },
): Promise<PayrollProposal[]> {
  const rows = await db.rows<ProposalRow>(sql`
    SELECT ${fields} FROM payroll_proposal
    WHERE organization_id = ${scope.organizationId} AND tenant_id = ${tenantId}
      ${status === undefined ? empty : sql`AND status = ${status}`}
    ORDER BY id DESC LIMIT ${payrollProposalsMaximum}`);
  const names = await readNamesInScope(db, scope, employeesOf(rows));
  return rows.map(row => showProposal(row, names));
}

/** The tenant of a proposal in scope; null when there is none. */
export async function findTenantOfProposal(db: Queryable, scope: Scope, id: string): Promise<string | null> {
  const place = { table: 'payroll_proposal', scope, tenant: null, id };
  return (await findInScope<{ tenant: string }>(db, place, sql`tenant_id AS tenant`))?.tenant ?? null;
}

function showProposal(
  { content, proposedAt, decidedAt, ...row }: ProposalRow,
  names: ReadonlyMap<string, string>,
): PayrollProposal {
  const {
    settlement = null,
    settings = null,
    changes = [],
  } = { ...content } as Partial<Pick<PayrollProposal, 'settlement' | 'settings' | 'changes'>>;
  return {
    ...row,
    employeeName: names.get(row.employeeId ?? '') ?? null,
    settlement,
    settings,
    changes,
    proposedAt: proposedAt.toISOString(),
    decidedAt: decidedAt?.toISOString() ?? null,
  };
}

/**
 * Proposes a settlement, with the amount that is open now if it names none.
 * @throws ApiError as {@link planSettlement}
 */
export async function proposeSettlement(
  write: Write,
  session: Queryable,
  { scope, ...wanted }: WantedSettlement,
): Promise<PayrollProposal> {
  const { tenantId, employeeId, cents } = await planSettlement(write, session, {
    ...wanted,
    scope,
  });
  const names = await readNamesInScope(session, scope, [employeeId]);
  const content = { settlement: { ...wanted, amount: amount(cents) } };
  return showProposal(insertProposal(write, tenantId, { content, employeeId }), names);
}

/**
 * Proposes settings that were checked, for the month that they would begin with now.
 * @throws ApiError 422 VALIDATION_ERROR for settings that change nothing
 */
export async function proposeSettings(
  write: Write,
  session: Queryable,
  { tenantId, wanted }: { readonly tenantId: string; readonly wanted: PayrollSettingsInput },
): Promise<PayrollProposal> {
  const tenant = { organizationId: write.organizationId, tenantId };
  const before = await lockSettings(session, tenant);
  const released = await readLastReleased(session, tenant);
  const latest = planSettings(before, { tenantId, wanted, released, at: write.at }).at(-1)!;
  const changes = listValues(changedValues(settingsIn(before, latest.from), pickSettings(latest)));
  if (changes.length === 0) throw unprocessable('The settings are in force already; change one of them');
  const settings = { ...wanted, from: latest.from };
  const content = { settings, changes, expectedVersion: before.at(-1)!.version };
  return showProposal(insertProposal(write, tenantId, { content, employeeId: null }), new Map());
}

function insertProposal(
  write: Write,
  tenant: string,
  { content, employeeId }: { readonly content: Content; readonly employeeId: string | null },
): ProposalRow {
  const id = newId();
  const proposedBy = actorOf(write.author);
  const row = {
    organization_id: write.organizationId,
    id,
    tenant_id: tenant,
    employee_id: employeeId,
    content: JSON.stringify(content),
    status: 'open',
    proposed_by: JSON.stringify(proposedBy),
    proposed_at: write.at,
  };
  write.send(sql`INSERT INTO payroll_proposal ${insertion(row)}`);
  write.audit({ id, action: 'payroll_proposal.create' });
  const undecided = { decidedBy: null, decidedAt: null, comment: null } as const;
  return { id, tenant, status: 'open', employeeId, content, proposedBy, proposedAt: write.at, ...undecided };
}

/**
 * Confirms a proposal, which takes effect in the same transaction, or rejects it.
 * @throws ApiError INVALID_STATE_TRANSITION for one that is decided or whose settings have changed, PERMISSION_DENIED for its author,
 * and as {@link settle} and {@link storeSettings}
 */
export async function decideProposal(
  write: Write,
  session: Queryable,
  { scope, id, tenantId, decision, comment = null }: Decision,
): Promise<PayrollProposal> {
  const { organizationId } = write;
  await lockSettings(session, { organizationId, tenantId });
  const [proposal] = await session.rows<ProposalRow>(sql`
    SELECT ${fields} FROM payroll_proposal WHERE organization_id = ${organizationId} AND id = ${id}`);
  const { status, content, proposedBy, employeeId } = proposal!;
  if (status !== 'open')
    throw new ApiError('INVALID_STATE_TRANSITION', `The proposal is ${status}; a decision is final`);
  if (decision === 'confirmed') {
    if (proposedBy.id === write.author.actor.id)
      throw new ApiError('PERMISSION_DENIED', 'Another caller than the one that proposed it must confirm it');
    if ('settlement' in content)
      await settle(write, session, { ...content.settlement, scope, isConfirmed: true });
    else {
      const { settings: wanted, expectedVersion } = content;
      await storeSettings(write, session, { tenantId, wanted, expectedVersion, isConfirmed: true });
    }
  }
  const decidedBy = actorOf(write.author);
  write.send(sql`
    UPDATE payroll_proposal
    SET status = ${decision}, decided_by = ${JSON.stringify(decidedBy)}::jsonb, decided_at = ${write.at}, comment = ${comment}
    WHERE organization_id = ${organizationId} AND id = ${id}`);
  const action = decision === 'confirmed' ? 'payroll_proposal.confirm' : 'payroll_proposal.reject';
  write.audit({ id, action });
  const names = await readNamesInScope(session, scope, employeeId === null ? [] : [employeeId]);
  return showProposal({ ...proposal!, status: decision, decidedBy, decidedAt: write.at, comment }, names);
}

interface Decision extends PayrollProposalDecision {
  readonly scope: Scope;
  readonly id: string;
  readonly tenantId: string;
}
