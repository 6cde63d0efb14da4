import type { Pool } from '../database/connect.ts';
import { sql } from '../database/sql.ts';
import { organizationOfTenant } from '../features/organizations/store.ts';
import { besideClock, operator } from '../writes/writes.ts';
import { type CommandDefinition, CommandError, databaseSettings, parseId } from './command.ts';

/** Employees of one transaction, so that writes to them never wait long. */
const batchSize = 5000;

export const employeeActivate: CommandDefinition = {
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
      id === undefined ? await activateTenant(writes, tenantId!) : await activateOne(writes, id);
    return {
      json: { activated },
      text: `Activated ${activated} ${activated === 1 ? 'employee' : 'employees'}`,
    };
  },
};

async function activateOne(db: Pool, id: string): Promise<number> {
  const [employee] = await db.rows<{ organization_id: string }>(sql`
    SELECT e.organization_id FROM organization o JOIN employee e ON e.organization_id = o.id AND e.id = ${id}`);
  if (!employee) throw new CommandError(`there is no employee ${id}`);
  return activateEmployees(db, employee.organization_id, [id]);
}

async function activateTenant(db: Pool, tenantId: string): Promise<number> {
  const organizationId = await organizationOfTenant(db, tenantId);
  if (organizationId === null) throw new CommandError(`there is no tenant ${tenantId}`);
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
    activated += await activateEmployees(db, organizationId, ids);
  }
}

/**
 * Activates those that are not, and returns how many. Activation is not public: the document, `updatedAt` and the organization
 * clock stay as they are (specification.md 3.7 and 5.2).
 */
export function activateEmployees(db: Pool, organizationId: string, ids: readonly string[]): Promise<number> {
  return besideClock(db, organizationId, operator, async (turn, session) => {
    // Locked in one order, so that two of these do not wait for each other.
    const activated = await session.rows<{ id: string }>(sql`
      WITH locked AS (
        SELECT id FROM employee
        WHERE organization_id = ${organizationId} AND id = ANY(${[...ids]}::text[]) AND activated_at IS NULL
        ORDER BY id FOR NO KEY UPDATE)
      UPDATE employee e SET activated_at = ${turn.at} FROM locked
      WHERE e.organization_id = ${organizationId} AND e.id = locked.id RETURNING e.id`);
    for (const { id } of activated) turn.audit({ id, action: 'employee.activate', fields: ['activatedAt'] });
    return activated.length;
  });
}
