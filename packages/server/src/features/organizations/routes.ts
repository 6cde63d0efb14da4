import { ApiError, apis, type Organization, type Tenant } from '@kontor/contract';
import type { Organizations } from '../../auth/caller.ts';
import { pageOfRows } from '../../query/rows.ts';
import type { Pool } from '../../db/connect.ts';
import { dryRunId, newId } from '../../db/ids.ts';
import type { Queryable } from '../../db/session.ts';
import { type Fragment, sql } from '../../db/sql.ts';
import type { AnswerOf, CallOf, HandlersOf } from '../../http/handlers.ts';
import { type Call, ok } from '../../http/route.ts';
import { checkName } from '../../lib/names.ts';
import type { Scope } from '../../auth/scope.ts';
import { requestOf, type Writes } from '../../write/writes.ts';
import {
  organizationList,
  type OrganizationRow,
  organizationRows,
  tenantList,
  type TenantRow,
  tenantRows,
} from './listed.ts';
import { insertOrganization, insertTenant, setDecisionDays } from './store.ts';

/** What the operations of organizations and tenants stand on. */
interface Parts {
  readonly reads: Pool;
  readonly writes: Writes;
}

/** The operations of organizations and of their tenants, which are the platform's. */
export function organizationHandlers(parts: Parts): HandlersOf<'platform', 'Organizations' | 'Tenants'> {
  const { reads } = parts;
  const read = <Row extends object>(statement: Fragment) => reads.rows<Row>(statement, { shared: false });
  return {
    listOrganizations: async call =>
      ok(await pageOfRows(organizationList, organizationRows(organizationsOf(call)), call.list, read)),
    async getOrganization(call) {
      const rows = organizationRows(organizationsOf(call));
      const [row] = await reads.rows<OrganizationRow>(oneOf(rows, call.parameters.id));
      return ok(JSON.stringify(organizationList.item(row ?? notFound('organization'))));
    },
    createOrganization: call => createOrganization(parts, call),
    listTenants: call => listTenants(reads, call),
    getTenant: call => getTenant(reads, call),
    createTenant: call => createTenant(parts, call),
    updateTenant: call => updateTenant(parts, call),
  };
}

/** The operations of tenants that are the portal's. */
export function portalTenantHandlers(reads: Pool): HandlersOf<'portal', 'Tenants'> {
  return {
    listPortalTenants: call => listTenants(reads, call),
    getPortalTenant: call => getTenant(reads, call),
  };
}

async function listTenants(reads: Pool, { scope, list }: Pick<CallOf<'listTenants'>, 'scope' | 'list'>) {
  const read = <Row extends object>(statement: Fragment) => reads.rows<Row>(statement, { shared: false });
  return ok(await pageOfRows(tenantList, tenantRows(scope), list, read));
}

async function getTenant(
  reads: Pool,
  { scope, parameters }: Pick<CallOf<'getPortalTenant'>, 'scope' | 'parameters'>,
) {
  return ok(JSON.stringify(await readTenant(reads, scope, parameters.id)));
}

/** Created beside the clock: it has none that anybody could wait for. */
async function createOrganization(
  { writes }: Parts,
  call: CallOf<'createOrganization'>,
): Promise<AnswerOf<'createOrganization'>> {
  if (organizationsOf(call).organizations !== 'all')
    throw new ApiError(
      'PERMISSION_DENIED',
      'The token works for some organizations only and would not see a new one; use a token for all of them',
    );
  const { name } = call.body;
  checkName('name', name);
  const id = newId();
  const body = await writes.runUnordered({ ...requestOf(call), organizationId: id }, turn => {
    insertOrganization(turn, { id, name });
    const shown: Organization = { id: turn.dryRun ? dryRunId : id, name, createdAt: turn.instant };
    return JSON.stringify(shown);
  });
  if (call.dryRun) return ok(body);
  return { status: 201, body, headers: { Location: `${apis.platform.prefix}/organizations/${id}` } };
}

/** The organizations of a caller of the platform. */
function organizationsOf({ caller: { scope } }: Pick<Call, 'caller'>): Organizations {
  return 'organizations' in scope ? scope : { organizations: [scope.organizationId] };
}

/** The one of the rows with this identifier, if there is. */
function oneOf(rows: Fragment, id: string): Fragment {
  return sql`SELECT * FROM (${rows}) AS rows WHERE id = ${id}`;
}

function notFound(name: string): never {
  throw new ApiError('NOT_FOUND', `No ${name} with this id is visible to the caller`);
}

/** @throws ApiError NOT_FOUND */
async function readTenant(db: Queryable, scope: Scope, id: string): Promise<Tenant> {
  const [row] = await db.rows<TenantRow>(oneOf(tenantRows(scope), id));
  return tenantList.item(row ?? notFound('tenant'));
}

async function updateTenant(
  { reads, writes }: Parts,
  call: CallOf<'updateTenant'>,
): Promise<AnswerOf<'updateTenant'>> {
  const { id } = call.parameters;
  const { decisionDays } = call.body;
  const before = await readTenant(reads, call.scope, id);
  if (decisionDays === undefined) return ok(JSON.stringify(before));
  const tenant = await writes.runUnordered(requestOf(call), async (turn, session) => {
    await setDecisionDays(turn, session, { id, decisionDays });
    return readTenant(session, call.scope, id);
  });
  return ok(JSON.stringify(tenant));
}

async function createTenant(
  { writes }: Parts,
  call: CallOf<'createTenant'>,
): Promise<AnswerOf<'createTenant'>> {
  const { name, decisionDays = null } = call.body;
  checkName('name', name);
  const id = newId();
  const tenant = await writes.runOrdered(requestOf(call), {
    targets: [id],
    read: () => Promise.resolve(null),
    change(turn): Tenant {
      insertTenant(turn, { id, name, decisionDays });
      const { organizationId, instant: createdAt } = turn;
      return { id: turn.dryRun ? dryRunId : id, organizationId, name, decisionDays, createdAt };
    },
  });
  const body = JSON.stringify(tenant);
  if (call.dryRun) return ok(body);
  const Location = `${apis.platform.prefix}/organizations/${tenant.organizationId}/tenants/${id}`;
  return { status: 201, body, headers: { Location } };
}
