import type { Database } from '../../db/connect.ts';
import { execute } from '../../db/list-statement.ts';
import { divisionResource } from '../../features/divisions/mapping.ts';
import { employeeResource } from '../../features/employees/mapping.ts';
import { incidentResource } from '../../features/incidents/mapping.ts';
import { orderResource } from '../../features/orders/mapping.ts';
import { organizationOfTenant } from '../../features/organizations/store.ts';
import { payrollDocumentResource } from '../../features/payroll-documents/mapping.ts';
import { checkList } from '../../query/check.ts';
import { Collection } from '../../query/page.ts';
import type { CollectionTable } from '../../query/resource.ts';
import { checkOrganization, findDocument } from '../organization/store.ts';
import { argument, CommandError, defineDatabaseCommand, option } from '../program/command.ts';
import { type Cell, minute, sheet, table } from '../program/output.ts';
import { filterOption, countText, listParameters, type Page, pageOptions } from '../program/pages.ts';
import { organizationOption, parseId } from '../program/values.ts';

/** A resource type with the words of its commands, and the public fields that its list shows. */
interface ResourceType {
  readonly noun: string;
  readonly plural: string;
  readonly collection: CollectionTable;
  readonly columns: readonly string[];
}

/** Defines `kontor NOUN list`: a page of the list of the API, as a key of the whole organization receives it. */
function listCommand({ noun, plural, collection, columns }: ResourceType) {
  return defineDatabaseCommand({
    summary: `List ${plural} of an organization or a tenant, with the filter and sort of the API`,
    example: `${noun} list --tenant 64b7e3f0a1c2d3e4f5a6b7c8 --sort=-updatedAt --page-size 20`,
    input: {
      organization: organizationOption,
      tenant: option('--tenant <id>', 'Only those of this tenant', parseId),
      filter: filterOption(`${columns[1]} IS NOT NULL`),
      ...pageOptions,
    },
    check({ organization, tenant, ...parameters }) {
      if (organization === undefined && tenant === undefined)
        throw new CommandError('name --organization or --tenant');
      checkList(listParameters(parameters), collection.fields);
    },
    async run(context, { organization, tenant, ...parameters }) {
      const database = await context.openDatabase();
      const place = await placeOf(database, { organization, tenant });
      const { lists } = database;
      const chunks = await new Collection(collection, execute(lists), { now: () => performance.now() }).page({
        scope: { organizationId: place.organizationId, callerId: 'operator', grants: 'all' },
        tenant: place.tenant,
        list: checkList(listParameters(parameters), collection.fields),
        signal: context.signal,
      });
      const page = JSON.parse(chunks.join('')) as Page<Record<string, Cell>>;
      // All rows would have the same tenant.
      const names = place.tenant === null ? columns : columns.filter(name => name !== 'tenant');
      const rows = page.items.map(item => names.map(name => cellOf(item[name] ?? null)));
      const found = countText(page, [noun, plural]);
      return { json: { ...page }, text: rows.length === 0 ? found : `${table(names, rows)}\n${found}` };
    },
  });
}

function cellOf(value: Cell): Cell {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(value) ? minute(value) : value;
}

async function placeOf(
  { writes: db }: Database,
  { organization, tenant }: { organization: string | undefined; tenant: string | undefined },
): Promise<{ organizationId: string; tenant: string | null }> {
  if (tenant !== undefined) {
    const organizationId = await organizationOfTenant(db, tenant);
    if (organizationId === null || (organization !== undefined && organization !== organizationId))
      throw new CommandError(`there is no tenant ${tenant}`);
    return { organizationId, tenant };
  }
  await checkOrganization(db, organization!);
  return { organizationId: organization!, tenant: null };
}

/** Defines `kontor NOUN show ID`: the resource as the API shows it, with its organization. */
function showCommand(noun: string, { table }: CollectionTable) {
  const article = /^[aeio]/.test(noun) ? 'an' : 'a';
  return defineDatabaseCommand({
    summary: `Show ${article} ${noun} as the API does, and its organization`,
    example: `${noun} show 64b7e3f0a1c2d3e4f5a6b7c8`,
    input: { id: argument('<id>', `The ${noun}`, parseId) },
    async run({ db }, { id }) {
      const { organizationId, document } = await findDocument(db, { table, noun }, id);
      const shown = { organizationId, ...document };
      return { json: shown, text: sheet(shown) };
    },
  });
}

// The list of divisions is a tree, see organization/division.ts.
export const divisionShow = showCommand('division', divisionResource);
export const employeeList = listCommand({
  noun: 'employee',
  plural: 'employees',
  collection: employeeResource,
  columns: ['id', 'email', 'employeeNumber', 'firstName', 'lastName', 'blocked', 'tenant', 'divisionId'],
});
export const employeeShow = showCommand('employee', employeeResource);
export const orderList = listCommand({
  noun: 'order',
  plural: 'orders',
  collection: orderResource,
  columns: ['id', 'orderNumber', 'status', 'employeeId', 'submittedAt', 'updatedAt'],
});
export const orderShow = showCommand('order', orderResource);
export const incidentList = listCommand({
  noun: 'incident',
  plural: 'incidents',
  collection: incidentResource,
  columns: ['id', 'incidentNumber', 'type', 'status', 'employeeId', 'orderId', 'occurredOn'],
});
export const incidentShow = showCommand('incident', incidentResource);
export const documentList = listCommand({
  noun: 'document',
  plural: 'payroll export documents',
  collection: payrollDocumentResource,
  columns: ['id', 'period', 'format', 'status', 'fileName', 'size', 'tenant', 'divisionId'],
});
export const documentShow = showCommand('document', payrollDocumentResource);
