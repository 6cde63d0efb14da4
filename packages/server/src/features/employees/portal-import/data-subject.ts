import type { Employee } from '@kontor/contract';
import type { Queryable } from '../../../db/session.ts';
import { type Fragment, sql } from '../../../db/sql.ts';
import { emailKey } from '../../../lib/email-key.ts';
import type { Write } from '../../../write/writes.ts';
import { reportExpiry } from './imports.ts';
import { isBefore } from './states.ts';

/** The values that identify a person in rows of imports. */
interface ImportedPerson extends Pick<Employee, 'id' | 'email' | 'employeeNumber' | 'tenant'> {}

/** Names that can be of a person: of files, and of columns if a user took the first row for a header. */
const hasNames = sql`(file_name <> '' OR header <> '[]')`;

/** Saved mappings `m` of the tenant with a column that has the name of a value of the person. */
function mappingsWith(organizationId: string, person: ImportedPerson): Fragment {
  const values = Object.values(person).filter(value => typeof value === 'string');
  return sql`m.organization_id = ${organizationId} AND m.tenant_id = ${person.tenant} AND EXISTS (
    SELECT FROM jsonb_array_elements(m.mapping -> 'columns') c WHERE c ->> 'name' = ANY(${values}::text[]))`;
}

/** Rows `r` of a person. Rows that match no employee are found by email or number; in other tenants the number is another person's. */
function rowsOf(organizationId: string, { id, email, employeeNumber, tenant }: ImportedPerson): Fragment {
  return sql`r.organization_id = ${organizationId} AND (r.employee_id = ${id} OR (r.employee_id IS NULL AND (
    r.email_key = ${emailKey(email)} OR (r.employee_number = ${employeeNumber} AND r.import_id IN (
      SELECT i.id FROM employee_import i WHERE i.organization_id = ${organizationId} AND i.tenant_id = ${tenant})))))`;
}

/** The rows of a person for an export. A row with another email is about another person, even if it has the number. */
export async function readImportedRows(
  db: Queryable,
  organizationId: string,
  person: ImportedPerson,
): Promise<Record<string, unknown>[]> {
  const rows = await db.rows<{ row: Record<string, unknown> }>(sql`
    SELECT to_jsonb(r) - ARRAY['organization_id', 'employee_updated_at']
      || jsonb_build_object('uploaded_at', u.created_at) AS row
    FROM employee_import_row r
    JOIN employee_import u ON u.organization_id = r.organization_id AND u.id = r.import_id
    WHERE ${rowsOf(organizationId, person)}
      AND (r.employee_id IS NOT NULL OR coalesce(r.email_key = ${emailKey(person.email)}, true))
    ORDER BY u.created_at, r.import_id, r.line`);
  return rows.map(({ row }) => row);
}

/** Rows `r` that an erasure of a person empties: also those of other people that have the email. */
function rowsToErase(organizationId: string, person: ImportedPerson): Fragment {
  return sql`(${rowsOf(organizationId, person)}
    OR (r.organization_id = ${organizationId} AND r.email_key = ${emailKey(person.email)}))`;
}

const open = isBefore('discard');

/** Rows `r` of the tenant with cells of the file. A record that cannot be read may have the person without email and number. */
function cellsOfTenant(organizationId: string, { tenant }: ImportedPerson): Fragment {
  return sql`r.organization_id = ${organizationId} AND r.cells IS NOT NULL AND r.import_id IN (
    SELECT i.id FROM employee_import i WHERE i.organization_id = ${organizationId} AND i.tenant_id = ${tenant})`;
}

/** Whether an erasure of a person changes imports: it does not the second time, unless there are new ones. */
export async function isInImports(
  db: Queryable,
  organizationId: string,
  person: ImportedPerson,
): Promise<boolean> {
  const [found] = await db.rows<{ isThere: boolean }>(sql`
    SELECT EXISTS (SELECT FROM employee_import_row r
      WHERE ${rowsToErase(organizationId, person)}
        AND (r.name IS NOT NULL OR r.email_key IS NOT NULL OR r.employee_number IS NOT NULL
          OR r.changes <> '[]' OR r.email_change IS NOT NULL OR r.problems <> '[]' OR r.notices <> '[]'))
      OR EXISTS (SELECT FROM employee_import
        WHERE organization_id = ${organizationId} AND tenant_id = ${person.tenant} AND (${open} OR ${hasNames}))
      OR EXISTS (SELECT FROM employee_import_row r WHERE ${cellsOfTenant(organizationId, person)})
      OR EXISTS (SELECT FROM employee_import_mapping m WHERE ${mappingsWith(organizationId, person)}) AS "isThere"`);
  return found!.isThere;
}

/**
 * Erases a person from imports, also from rows of other people that have the email. Open imports that have such a row are discarded, in any
 * company. Those of the tenant are discarded without one: their file may have the person in a row without email and number. The job of an
 * import that is being planned finds that at the end of its part. Names of files and columns are erased in all imports of the tenant.
 */
export function eraseFromImports(write: Write, person: ImportedPerson): void {
  const { organizationId, at } = write;
  const { tenant } = person;
  write.send(sql`
    UPDATE employee_import
    SET status = 'discarded', counts = NULL, ended_at = ${at}, expires_at = ${reportExpiry(at)}, file_name = '', header = '[]'
    WHERE organization_id = ${organizationId} AND ${open} AND (tenant_id = ${tenant} OR id IN (
      SELECT r.import_id FROM employee_import_row r WHERE ${rowsToErase(organizationId, person)}))`);
  for (const table of [sql`employee_import_file`, sql`employee_import_row`])
    write.send(sql`
      DELETE FROM ${table} WHERE organization_id = ${organizationId} AND import_id IN (
        SELECT id FROM employee_import WHERE organization_id = ${organizationId} AND status = 'discarded')`);
  write.send(sql`
    UPDATE employee_import_row r
    SET name = NULL, changes = '[]', email_change = NULL, problems = '[]', notices = '[]', cells = NULL, email_key = NULL, employee_number = NULL
    WHERE ${rowsToErase(organizationId, person)}`);
  if (tenant === null) return;
  write.send(
    sql`UPDATE employee_import_row r SET cells = NULL WHERE ${cellsOfTenant(organizationId, person)}`,
  );
  write.send(sql`
    UPDATE employee_import SET file_name = '', header = '[]'
    WHERE organization_id = ${organizationId} AND tenant_id = ${tenant} AND ${hasNames}`);
  write.send(sql`DELETE FROM employee_import_mapping m WHERE ${mappingsWith(organizationId, person)}`);
}
