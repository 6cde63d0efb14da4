import type { Pool } from '../db/connect.ts';
import { sql } from '../db/sql.ts';
import { activateEmployees } from '../features/employees/store.ts';
import { besideClock, operator } from '../write/writes.ts';
import { type CommandContext, CommandError, databaseSettings, defineCommand, parseId } from './command.ts';
import { readTenants } from './look/store.ts';
import { type Progress, showProgress } from './progress.ts';

/** Employees of one transaction, so that writes to them never wait long. */
const batchSize = 5000;

export const employeeActivate = defineCommand({
  name: 'employee activate',
  summary: 'Complete the activation of one employee, or of all employees of a tenant',
  arguments: [{ name: '[id]', description: 'The employee', parse: parseId }],
  options: [{ flags: '--tenant <id>', description: 'All employees of this tenant instead', parse: parseId }],
  settings: databaseSettings,
  async run(context, input) {
    const id = input.arguments[0] as string | undefined;
    const tenantId = input.options.tenant as string | undefined;
    if ((id === undefined) === (tenantId === undefined))
      throw new CommandError('name either one employee, or a tenant with --tenant');
    const { writes } = await context.openDatabase();
    const activated =
      id === undefined ? await activateTenant(writes, tenantId!, context) : await activateOne(writes, id);
    return {
      json: { activated },
      text: `Activated ${activated} ${activated === 1 ? 'employee' : 'employees'}`,
    };
  },
});

async function activateOne(db: Pool, id: string): Promise<number> {
  const [employee] = await db.rows<{ organization_id: string }>(sql`
    SELECT e.organization_id FROM organization o JOIN employee e ON e.organization_id = o.id AND e.id = ${id}`);
  if (!employee) throw new CommandError(`there is no employee ${id}`);
  return activate(db, employee.organization_id, [id]);
}

async function activateTenant(db: Pool, tenantId: string, context: CommandContext): Promise<number> {
  const [tenant] = await readTenants(db, { id: tenantId });
  if (!tenant) throw new CommandError(`there is no tenant ${tenantId}`);
  const { organizationId, employees: total } = tenant;
  const progress = showProgress(context, { step: 'Activating', total, unit: 'employees' });
  try {
    return await activateInBatches(db, { organizationId, tenantId }, progress);
  } finally {
    progress.close();
  }
}

async function activateInBatches(
  db: Pool,
  { organizationId, tenantId }: { organizationId: string; tenantId: string },
  progress: Progress,
): Promise<number> {
  let activated = 0;
  let last = '';
  for (;;) {
    const rows = await db.rows<{ id: string }>(sql`
      SELECT id FROM employee
      WHERE organization_id = ${organizationId} AND tenant_id = ${tenantId} AND id > ${last}
      ORDER BY id LIMIT ${batchSize}`);
    if (rows.length === 0) return activated;
    last = rows.at(-1)!.id;
    const ids = rows.map(row => row.id);
    activated += await activate(db, organizationId, ids);
    progress.advance(rows.length);
  }
}

/** Activates those that are not, and returns how many. */
export function activate(db: Pool, organizationId: string, ids: readonly string[]): Promise<number> {
  return besideClock(db, organizationId, operator, (turn, session) => activateEmployees(turn, session, ids));
}
