import { noOrganization } from '../../caller.ts';
import { pageOfRows } from '../../collection/rows.ts';
import type { Pool } from '../../database/connect.ts';
import { type Fragment, sql } from '../../database/sql.ts';
import type { HandlersOf } from '../../http/handlers.ts';
import { ok } from '../../http/route.ts';
import { auditList, auditRows } from './listed.ts';

/** The operations of the audit, which are the platform's. */
export function auditHandlers(reads: Pool): HandlersOf<'platform', 'Audit'> {
  const read = <Row extends object>(statement: Fragment) => reads.rows<Row>(statement, { shared: false });
  return {
    listAuditEntries: async ({ scope, list }) =>
      ok(await pageOfRows(auditList, auditRows(scope.organizationId), list, read)),
    async listPlatformAuditEntries({ caller, list }) {
      const seesAll = 'organizations' in caller.scope && caller.scope.organizations === 'all';
      const rows = sql`${auditRows(noOrganization)} AND ${seesAll}::boolean`;
      return ok(await pageOfRows(auditList, rows, list, read));
    },
  };
}
