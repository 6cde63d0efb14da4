import {
  ApiError,
  apis,
  createOrganization,
  createTenant,
  exportPortalTenants,
  fieldsOf,
  getOrganization,
  getPortalTenant,
  getTenant,
  listOrganizations,
  listPortalTenants,
  listTenants,
  type Organization,
  renamePortalTenant,
  Tenant,
  updateTenant,
} from '@kontor/contract';
import type { Organizations } from '../../auth/caller.ts';
import type { Pool } from '../../db/connect.ts';
import { dryRunId, newId } from '../../db/ids.ts';
import type { Queryable } from '../../db/session.ts';
import { type AnswerOf, type CallOf, implement } from '../../http/implement.ts';
import { type Call, type OkAnswer, ok, type Route, type RouteParts } from '../../http/route.ts';
import { changedValues } from '../../lib/changed-values.ts';
import { checkName } from '../../lib/names.ts';
import { exportList } from '../../http/response/list-file.ts';
import { fileFields } from '../../query/file-fields.ts';
import { pageOfRows } from '../../query/rows.ts';
import { decision } from '../../write/writes.ts';
import * as store from './store.ts';

export function organizationRoutes(parts: RouteParts): Route[] {
  const { reads } = parts;
  return [
    implement(listOrganizations, async call => {
      const rows = store.organizationRows(organizationsOf(call));
      return ok(await pageOfRows(store.organizationList, rows, call, reads));
    }),
    implement(getOrganization, async call => {
      const found = await store.findOrganization(reads, organizationsOf(call), call.parameters.id);
      return ok(JSON.stringify(found ?? notFound('organization')));
    }),
    implement(createOrganization, call => storeOrganization(parts, call)),
    implement(listTenants, call => pageOfTenants(reads, call)),
    implement(getTenant, call => answerTenant(reads, call)),
    implement(createTenant, call => storeTenant(parts, call)),
    implement(updateTenant, call => changeTenant(parts, call)),
  ];
}

export function portalTenantRoutes(parts: RouteParts): Route[] {
  const { reads } = parts;
  return [
    implement(listPortalTenants, call => pageOfTenants(reads, call)),
    implement(exportPortalTenants, call =>
      exportList(parts, call, {
        list: store.tenantList,
        rows: store.tenantRows(call.scope),
        fields: exportedFields,
        fileName: 'companies.csv',
        action: 'tenant.export_list',
      }),
    ),
    implement(getPortalTenant, call => answerTenant(reads, call)),
    implement(renamePortalTenant, call => changeTenant(parts, call)),
  ];
}

type TenantCall = Pick<Call, 'scope'> & { readonly parameters: { readonly id: string } };

async function pageOfTenants(
  reads: Pool,
  call: CallOf<typeof listTenants | typeof listPortalTenants>,
): Promise<OkAnswer> {
  return ok(await pageOfRows(store.tenantList, store.tenantRows(call.scope), call, reads));
}

const exportedFields = fileFields<Tenant>(fieldsOf(Tenant));

async function answerTenant(reads: Pool, call: TenantCall): Promise<OkAnswer> {
  return ok(JSON.stringify(await readTenant(reads, call)));
}

/** @throws ApiError NOT_FOUND */
async function readTenant(db: Queryable, { scope, parameters }: TenantCall): Promise<Tenant> {
  return (await store.findTenant(db, scope, parameters.id)) ?? notFound('tenant');
}

/** A new organization has no clock yet, so the write takes none. */
async function storeOrganization(
  { writes }: RouteParts,
  call: CallOf<typeof createOrganization>,
): Promise<AnswerOf<typeof createOrganization>> {
  if (organizationsOf(call).organizations !== 'all')
    throw new ApiError(
      'PERMISSION_DENIED',
      'The token is limited to some organizations and would have no access to a new one; use a token for all of them',
    );
  const { name } = call.body;
  checkName('name', name);
  const id = newId();
  const organization = await writes.runWithoutClock(
    { ...call, scope: { organizationId: id } },
    (write): Organization => {
      store.insertOrganization(write, { id, name });
      return { id: write.dryRun ? dryRunId : id, name, createdAt: write.instant };
    },
  );
  const body = JSON.stringify(organization);
  if (call.dryRun) return ok(body);
  return { status: 201, body, headers: { Location: `${apis.platform.prefix}/organizations/${id}` } };
}

function organizationsOf({ caller: { scope } }: Pick<Call, 'caller'>): Organizations {
  return 'organizations' in scope ? scope : { organizations: [scope.organizationId] };
}

async function storeTenant(
  { writes }: RouteParts,
  call: CallOf<typeof createTenant>,
): Promise<AnswerOf<typeof createTenant>> {
  const { name, decisionDays = null } = call.body;
  checkName('name', name);
  const id = newId();
  const tenant = await writes.decide({ ...call, id, name, decisionDays }, tenantCreation);
  const body = JSON.stringify(tenant);
  if (call.dryRun) return ok(body);
  const Location = `${apis.platform.prefix}/organizations/${tenant.organizationId}/tenants/${id}`;
  return { status: 201, body, headers: { Location } };
}

type Creating = Pick<Tenant, 'id' | 'name' | 'decisionDays'>;

const tenantCreation = decision({
  targets: ({ id }: Creating) => [id],
  read: () => Promise.resolve(null),
  plan: ({ id, name, decisionDays }) => ({ id, name, decisionDays }),
  store(write, tenant): Tenant {
    store.insertTenant(write, tenant);
    const { organizationId, instant: createdAt } = write;
    return { ...tenant, id: write.dryRun ? dryRunId : tenant.id, organizationId, createdAt };
  },
});

/** Name and settings of a tenant are not in the public API, so the organization clock stays. */
async function changeTenant(
  { writes }: RouteParts,
  call: CallOf<typeof updateTenant> | CallOf<typeof renamePortalTenant>,
): Promise<OkAnswer> {
  const { body }: { body: CallOf<typeof updateTenant>['body'] } = call;
  if (body.name !== undefined) checkName('name', body.name);
  const tenant = await writes.runWithoutClock(call, async (write, session) => {
    await store.lockTenant(session, call.scope, call.parameters.id);
    const before = await readTenant(session, call);
    const changes = changedValues(before, body);
    const after = { ...before, ...body };
    if (Object.keys(changes).length > 0) store.updateTenant(write, after, changes);
    return after;
  });
  return ok(JSON.stringify(tenant));
}

function notFound(name: string): never {
  throw new ApiError('NOT_FOUND', `No ${name} with this id is visible to the caller`);
}
