import { payrollFormats, type PayrollRun, type PayrollSummary } from '@kontor/contract';
import { oneOf } from '../../config.ts';
import type { Queryable } from '../../db/session.ts';
import { tryRun } from '../../features/payroll/draft.ts';
import type { RunKey } from '../../features/payroll/ledger.ts';
import { checkDivision } from '../../features/payroll/read.ts';
import { beginRelease, failureText } from '../../features/payroll/release.ts';
import { readReport } from '../../features/payroll/report.ts';
import { createRun, discardRun, type NewRun, readRun, readRuns } from '../../features/payroll/runs.ts';
import { callOf, operator, Writes, writeAsOperator } from '../../write/writes.ts';
import { findOrganizationOfTenant } from '../organization/store.ts';
import {
  argument,
  attentionCode,
  CommandError,
  type CommandResult,
  defineDatabaseCommand,
  fileSettings,
  flag,
  option,
  requiredOption,
} from '../program/command.ts';
import { checkCanConfirm, confirm, yesOption } from '../program/confirm.ts';
import { listTable, minute } from '../program/output.ts';
import { showProgress } from '../program/progress.ts';
import { parseId, parsePeriod, tenantOption } from '../program/values.ts';
import { reportText } from './report.ts';
import { findRunKey, finishWork, type PayrollContext } from './work.ts';

const parseFormat = oneOf(payrollFormats);

export const formatsOption = requiredOption(
  '--format <formats>',
  `Formats of the files, separated by commas: ${payrollFormats.join(', ')}`,
  text => [...new Set(text.split(',').map(parseFormat))],
);

export const payrollRun = defineDatabaseCommand({
  summary: 'Compute a draft with a report for a month of a tenant',
  example:
    'payroll run --tenant 64b7e3f0a1c2d3e4f5a6b7c8 --period 2026-11 --format csv,datev_lodas --dry-run',
  input: {
    tenant: tenantOption,
    period: requiredOption('--period <period>', 'The month, YYYY-MM', parsePeriod),
    formats: formatsOption,
    divisionId: option('--division <id>', 'Only this division and all below it', parseId),
    dryRun: flag('--dry-run', 'Print the report of the run, and store nothing'),
    release: flag('--release', 'Release the draft, unless its report contains errors'),
    yes: yesOption,
  },
  settings: fileSettings,
  check({ dryRun, release }) {
    if (dryRun && release) throw new CommandError('give either --dry-run, or --release');
  },
  async run(context, { tenant, dryRun, release, yes, ...wanted }) {
    const { db } = context;
    if (release) checkCanConfirm(context, yes, 'a release');
    const organizationId = await findOrganizationOfTenant(db, tenant);
    const { divisionId = null, ...months } = wanted;
    const request = { ...months, divisionId };
    await checkDivision(db, { organizationId, tenantId: tenant, divisionId });
    if (dryRun) return await tryHere(context, organizationId, tenant, request);
    return await computeRun(context, { organizationId, tenantId: tenant, request, release, yes });
  },
});

interface ComputedRun {
  readonly organizationId: string;
  readonly tenantId: string;
  readonly request: NewRun;
  readonly release: boolean;
  readonly yes: boolean;
}

/** Creates a run, computes its draft, and releases that when it is wanted. */
export async function computeRun(
  context: PayrollContext,
  { organizationId, tenantId, request, release, yes }: ComputedRun,
): Promise<CommandResult> {
  const { id } = await writeAsOperator(context.db, organizationId, (write, session) =>
    createRun(write, session, tenantId, request),
  );
  const key = { organizationId, id };
  const run = await finishWork(context, key);
  if (run.status === 'discarded')
    throw new CommandError(run.failure?.message ?? `the run ${id} was discarded while it was computed`);
  if (release) return await releaseDraft(context, key, { run, yes });
  return await resultOf(context, key, run);
}

async function tryHere(
  context: PayrollContext,
  organizationId: string,
  tenantId: string,
  wanted: Parameters<typeof tryRun>[3],
): Promise<CommandResult> {
  const { db } = context;
  using progress = showProgress(context);
  let last = 0;
  const parts = {
    writes: new Writes(db),
    progress(done: number, total: number) {
      if (done === 0) progress.begin('Computing', total);
      progress.advance(done - last);
      last = done;
    },
  };
  const tried = await tryRun(parts, callOf(organizationId, operator), tenantId, wanted);
  const text = await reportText(db, organizationId, tried);
  return {
    json: { ...tried.run, findings: tried.findings },
    text: `${text}\n\nThis was a dry run: nothing was stored`,
    exitCode: exitCodeOf(tried.run.summary!),
  };
}

/** 1 with errors in the report, 2 with amounts that are left out or questions. */
function exitCodeOf({ errors, skipped, questions }: PayrollSummary): number {
  if (errors > 0) return 1;
  return skipped + questions > 0 ? attentionCode : 0;
}

/** Names the commands that come next. */
function adviceOf({ id, status, summary }: PayrollRun): string[] {
  if (status !== 'draft') return [];
  const discard = `kontor payroll discard ${id}`;
  if (summary!.errors > 0) return [`It cannot be released: fix the errors, then ${discard}`];
  return [`Release it with kontor payroll release ${id}, or remove it with ${discard}`];
}

async function showRun(db: Queryable, key: RunKey, run: PayrollRun): Promise<CommandResult> {
  const findings = await readReport(db, key);
  const text = await reportText(db, key.organizationId, { run, findings });
  return { json: { ...run, findings }, text };
}

/** Shows a run that was worked on, and what comes next. */
async function resultOf({ db }: PayrollContext, key: RunKey, run: PayrollRun): Promise<CommandResult> {
  const { json, text } = await showRun(db, key, run);
  return { json, text: [text, ...adviceOf(run)].join('\n\n'), exitCode: exitCodeOf(run.summary!) };
}

/** Releases a draft after it was confirmed. Others are shown as they are: a release never happens twice. */
async function releaseDraft(
  context: PayrollContext,
  key: RunKey,
  { run, yes }: { run: PayrollRun; yes: boolean },
): Promise<CommandResult> {
  const { db, stderr } = context;
  if (run.status === 'draft' && run.summary!.errors > 0) return await resultOf(context, key, run);
  if (run.status === 'draft' && run.failure?.reason !== 'stale' && !yes) {
    const { text } = await resultOf(context, key, run);
    stderr.write(`${text}\n\n`);
    const { entries } = run.summary!;
    const question = `Release ${entries} amounts of ${run.period}? This is final.`;
    await confirm(context, yes, { action: 'a release', question });
  }
  await writeAsOperator(db, key.organizationId, (write, session) => beginRelease(write, session, key.id));
  const released = await finishWork(context, key);
  if (released.failure) throw new CommandError(failureText(released.failure));
  return await resultOf(context, key, released);
}

export const runArgument = argument('<run>', 'The payroll run', parseId);

export const payrollRelease = defineDatabaseCommand({
  summary: 'Release a draft: its amounts count as exported permanently, and its files are published',
  example: 'payroll release 64b7e3f0a1c2d3e4f5a6b7c8',
  input: { id: runArgument, yes: yesOption },
  settings: fileSettings,
  async run(context, { id, yes }) {
    checkCanConfirm(context, yes, 'a release');
    const key = await findRunKey(context.db, id);
    return await releaseDraft(context, key, { run: await finishWork(context, key), yes });
  },
});

export const payrollDiscard = defineDatabaseCommand({
  summary: 'Discard a run that is not released',
  example: 'payroll discard 64b7e3f0a1c2d3e4f5a6b7c8',
  input: { id: runArgument },
  async run({ db }, { id }) {
    const key = await findRunKey(db, id);
    await writeAsOperator(db, key.organizationId, (write, session) => discardRun(write, session, id));
    return { json: { id, status: 'discarded' }, text: `Discarded payroll run ${id}` };
  },
});

export const payrollList = defineDatabaseCommand({
  summary: 'List the last payroll runs of a tenant, the latest first',
  example: 'payroll list --tenant 64b7e3f0a1c2d3e4f5a6b7c8',
  input: { tenant: tenantOption },
  async run({ db }, { tenant }) {
    const organizationId = await findOrganizationOfTenant(db, tenant);
    const runs = await readRuns(db, organizationId, { tenantId: tenant });
    const text = listTable<PayrollRun>(runs, 'No payroll runs', {
      run: ({ id }) => id,
      period: ({ period }) => period,
      kind: ({ kind }) => kind,
      status: ({ status }) => status,
      formats: ({ formats }) => formats.join(' '),
      division: ({ divisionId }) => divisionId,
      amounts: ({ summary }) => summary && summary.entries,
      created: ({ createdAt }) => minute(createdAt),
      released: ({ releasedAt }) => releasedAt && minute(releasedAt),
      by: ({ releasedBy, createdBy }) => (releasedBy ?? createdBy).name,
    });
    return { json: { runs }, text };
  },
});

export const payrollShow = defineDatabaseCommand({
  summary: 'Show a payroll run: its state, sums, report and documents, and who downloaded them',
  example: 'payroll show 64b7e3f0a1c2d3e4f5a6b7c8',
  input: { id: runArgument },
  async run({ db }, { id }) {
    const key = await findRunKey(db, id);
    return await showRun(db, key, await readRun(db, key));
  },
});
