import type { Incident } from '@kontor/contract';
import { newId } from '../../../src/db/ids.ts';
import { incidentRow } from '../../../src/features/incidents/mapping.ts';
import { insertIncident } from '../../../src/features/incidents/store.ts';
import { databaseStore } from '../../../src/files/database-store.ts';
import { runAtClock } from '../../../src/write/run-at-clock.ts';
import { operator } from '../../../src/write/writes.ts';
import { storeEmployees } from './employees.ts';
import { orderInput, storeOrders } from './orders.ts';
import type { Sql } from '../database/sql.ts';

/** The evidence of stored incidents. */
export const evidence = Buffer.from('%PDF-1.7\n%%EOF\n');

/** Stores an employee who can report incidents. */
export async function storeReporter(
  sql: Sql,
  { organization, tenant }: { organization: string; tenant: string },
  more: object = {},
): Promise<string> {
  const [person] = await storeEmployees(sql, organization, [{ tenant, ...more }]);
  await sql`
    UPDATE employee SET activated_at = now() WHERE organization_id = ${organization} AND id = ${person!.id}`;
  return person!.id;
}

/** Stores a complete incident with an order and a file of evidence, or what `more` says. */
export async function storeIncident(
  sql: Sql,
  place: { organization: string; tenant: string },
  more: Partial<Incident> = {},
): Promise<Incident> {
  const { organization: organizationId, tenant: tenantId } = place;
  const employeeId = more.employeeId ?? (await storeReporter(sql, place));
  const [order] = await storeOrders(sql, { organizationId, tenantId }, [orderInput({ employeeId })]);
  const file = { organizationId, id: newId(), bytes: evidence };
  const attachment = { fileName: 'a.pdf', mediaType: 'application/pdf', size: evidence.length };
  const id = newId();
  return runAtClock(sql, organizationId, operator, async (write, session) => {
    await databaseStore(sql).put(session, file);
    const incident: Incident = {
      id,
      incidentNumber: `S-${id}`,
      employeeId,
      orderId: order!.id,
      type: 'damage',
      requestedSolution: null,
      occurredOn: '2026-09-02',
      effectiveFrom: null,
      effectiveTo: null,
      description: 'Rahmen gebrochen',
      policeReference: null,
      status: 'completed',
      editable: true,
      attachments: [{ id: file.id, ...attachment, createdAt: write.instant }],
      createdAt: write.instant,
      updatedAt: write.instant,
      ...more,
    };
    insertIncident(write, incidentRow(incident), { tenantId, divisionId: null });
    return incident;
  });
}
