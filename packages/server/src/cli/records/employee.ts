import path from 'node:path';
import type { Pool } from '../../db/connect.ts';
import { sql } from '../../db/sql.ts';
import { activateEmployees } from '../../features/employees/store.ts';
import { changeEmailOf } from '../../features/employees/update.ts';
import { openFiles } from '../../files/open.ts';
import { findErasability, type Erasability, type Erased, eraseDataSubject } from '../../privacy/erase.ts';
import { exportDataSubject, type DataSubjectExport } from '../../privacy/export.ts';
import { operator, writeAsOperator } from '../../write/writes.ts';
import { findOrganizationOfEmployee, findTenant } from '../organization/store.ts';
import {
  argument,
  attentionCode,
  type DatabaseContext,
  CommandError,
  type CommandResult,
  defineDatabaseCommand,
  fileSettings,
  flag,
  option,
  optionalArgument,
} from '../program/command.ts';
import { confirm, yesOption } from '../program/confirm.ts';
import { writeWhole } from '../../lib/draft-file.ts';
import { checkIsNew } from '../program/files.ts';
import { count } from '../program/output.ts';
import { showProgress } from '../program/progress.ts';
import { parseEmail, parseId, today } from '../program/values.ts';

const idArgument = argument('<id>', 'The employee', parseId);

/** Employees of one transaction, so that other writes to them never wait long. */
const batchSize = 5000;

export const employeeActivate = defineDatabaseCommand({
  summary: 'Complete the activation of one employee, or of all employees of a tenant',
  example: 'employee activate 64b7e3f0a1c2d3e4f5a6b7c8',
  input: {
    id: optionalArgument('[id]', 'The employee', parseId),
    tenant: option('--tenant <id>', 'All employees of this tenant instead', parseId),
  },
  check({ id, tenant }) {
    if ((id === undefined) === (tenant === undefined))
      throw new CommandError('name either one employee, or a tenant with --tenant');
  },
  async run(context, { id, tenant }) {
    const { db } = context;
    const activated =
      id === undefined
        ? await activateTenant(context, tenant!)
        : await activate(db, await findOrganizationOfEmployee(db, id), [id]);
    return { json: { activated }, text: `Activated ${count(activated, 'employee')}` };
  },
});

async function activateTenant(context: DatabaseContext, tenantId: string): Promise<number> {
  const { db } = context;
  const { organizationId, employees: total } = await findTenant(db, tenantId);
  using progress = showProgress(context);
  progress.begin('Activating', total);
  let activated = 0;
  for (let last = ''; ;) {
    const rows = await db.rows<{ id: string }>(sql`
      SELECT id FROM employee
      WHERE organization_id = ${organizationId} AND tenant_id = ${tenantId} AND id > ${last}
      ORDER BY id LIMIT ${batchSize}`);
    if (rows.length === 0) return activated;
    const ids = rows.map(row => row.id);
    activated += await activate(db, organizationId, ids);
    progress.advance(ids.length);
    last = ids.at(-1)!;
  }
}

/** Activates those of the employees that are not active yet, and returns how many. */
export function activate(db: Pool, organizationId: string, ids: readonly string[]): Promise<number> {
  return writeAsOperator(db, organizationId, (write, session) => activateEmployees(write, session, ids));
}

export const employeeEmail = defineDatabaseCommand({
  summary: 'Change the work email of an employee',
  example: 'employee email 64b7e3f0a1c2d3e4f5a6b7c8 maria.braun@example.com',
  input: { id: idArgument, email: argument('<email>', 'The new work email', parseEmail) },
  async run({ db }, { id: employeeId, email }) {
    const organizationId = await findOrganizationOfEmployee(db, employeeId);
    const { email: changed } = JSON.parse(await changeEmailOf(db, { organizationId, employeeId, email })) as {
      email: string;
    };
    return { json: { id: employeeId, email: changed }, text: `The work email is ${changed}` };
  },
});

export const employeeExport = defineDatabaseCommand({
  summary: 'Export all data of a person as a ZIP with an overview page',
  example: 'employee export 64b7e3f0a1c2d3e4f5a6b7c8 --file person.zip',
  input: {
    id: idArgument,
    file: option('--file <file>', 'The target file (default employee-<id>.zip)'),
  },
  settings: fileSettings,
  async run(context, { id: employeeId, file: named = `employee-${employeeId}.zip` }) {
    const { db, config } = context;
    const file = path.resolve(named);
    await checkIsNew(file);
    const organizationId = await findOrganizationOfEmployee(db, employeeId);
    using files = await openFiles(config, db);
    using progress = showProgress(context);
    const made = await exportDataSubject(
      { reads: db, writes: db, files },
      { organizationId, employeeId },
      { author: operator, now: new Date(), advance: progress.advance, unhurried: true },
    );
    progress.begin('Exporting', made.fileBytes);
    await writeWhole(file, made.zip);
    return exportResult(made, file);
  },
});

const fileProblems = { missing: 'it is no longer there', damaged: 'it is not as it was stored' };

function exportResult({ rows, files }: DataSubjectExport, file: string): CommandResult {
  const damaged = files.flatMap(({ id, problem }) =>
    problem === null ? [] : [{ id, problem: fileProblems[problem] }],
  );
  const counts = {
    orders: rows.orders.length,
    incidents: rows.incidents.length,
    files: files.length,
    payrollEntries: rows.payroll.length,
    auditEntries: rows.audit.length,
  };
  const text = [
    `Exported to ${file}: ${counts.orders} orders, ${counts.incidents} incidents, ${counts.files} files`,
    ...damaged.map(({ id, problem }) => `file ${id}: ${problem}`),
    'It has personal data: hand it over safely, and delete it then.',
  ];
  return {
    json: { file, ...counts, damaged },
    text: text.join('\n'),
    exitCode: damaged.length > 0 ? attentionCode : 0,
  };
}

export const employeeErase = defineDatabaseCommand({
  summary: 'Permanently erase the data of a person, unless an order or a retention keeps them',
  example: 'employee erase 64b7e3f0a1c2d3e4f5a6b7c8 --dry-run',
  input: {
    id: idArgument,
    dryRun: flag('--dry-run', 'Only say whether it is possible, and from when'),
    yes: yesOption,
  },
  settings: fileSettings,
  async run(context, { id: employeeId, dryRun, yes }) {
    const { db, config } = context;
    const person = { organizationId: await findOrganizationOfEmployee(db, employeeId), employeeId };
    if (dryRun) return erasabilityResult(employeeId, await findErasability(db, person, today()));
    const question = `Erase the data of employee ${employeeId}? They cannot be restored.`;
    await confirm(context, yes, { action: 'an erasure', question });
    using files = await openFiles(config, db);
    const erased = await eraseDataSubject({ db, store: files.store }, person, operator);
    // Where a store outside of the database fails here, the service removes the files within minutes.
    const filesRemoved = await files.sweep().then(
      () => true,
      () => false,
    );
    return erasedResult(employeeId, erased, filesRemoved);
  },
});

function erasabilityResult(
  id: string,
  { holds, from, erasedAt: _erasedAt, ...counts }: Erasability,
): CommandResult {
  const possible = holds.length === 0;
  const head = possible
    ? `Employee ${id} can be erased, with texts and files of ${counts.orders} orders, ${counts.incidents} incidents and ${counts.files} files`
    : `Employee ${id} cannot be erased now; ${from === null ? 'from when is not known yet' : `possible from ${from}`}`;
  return {
    json: { id, possible, from, holds, ...counts },
    text: [head, ...holds.map(({ reason }) => `- ${reason}`), ...keptText(counts.payrollEntries)].join('\n'),
  };
}

function keptText(payrollEntries: number): string[] {
  if (payrollEntries === 0) return [];
  return [`An erasure keeps ${count(payrollEntries, 'amount')} of the payroll, without a name (§ 41 EStG)`];
}

function erasedResult(
  id: string,
  { orders, incidents, files, payrollEntries }: Erased,
  filesRemoved: boolean,
): CommandResult {
  const text = [
    `Erased employee ${id}, texts of ${orders} orders and ${incidents} incidents, and ${files} files`,
    ...(filesRemoved ? [] : ['The file store does not answer: the service removes the files once it does']),
    ...keptText(payrollEntries),
    'Backups still contain the data: if you restore an earlier one, erase the employee again.',
  ];
  return { json: { id, orders, incidents, files, payrollEntries, filesRemoved }, text: text.join('\n') };
}
