import { execute } from '../../db/pool.ts';
import { divisionResource } from '../../features/divisions/mapping.ts';
import { employeeResource } from '../../features/employees/mapping.ts';
import { incidentResource } from '../../features/incidents/mapping.ts';
import { orderResource } from '../../features/orders/mapping.ts';
import { payrollDocumentResource } from '../../features/payroll-documents/mapping.ts';
import { checkList, type CollectionTable } from '../../query/check.ts';
import { Collection } from '../../query/page.ts';
import { findDocument, findTarget } from '../organization/store.ts';
import { argument, CommandError, defineDatabaseCommand, option } from '../program/command.ts';
import { type Cell, minute, sheet, table } from '../program/output.ts';
import { filterOption, listParameters, type Page, pageOptions, pageResult } from '../program/pages.ts';
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
      tenant: option('--tenant <id>', 'Only resources of this tenant', parseId),
      filter: filterOption(`${columns[1]} IS NOT NULL`),
      ...pageOptions,
    },
    check({ organization, tenant, ...parameters }) {
      if (organization === undefined && tenant === undefined)
        throw new CommandError('name --organization or --tenant');
      return checkList(listParameters(parameters), collection.fields);
    },
    async run(context, { organization, tenant }, list) {
      const { organizationId, tenantId } = await findTarget(context.db, { organization, tenant });
      const { lists } = await context.openDatabase();
      const body = await new Collection(collection, execute(lists), { now: () => performance.now() }).page({
        scope: { organizationId, callerId: 'operator', grants: 'all' },
        tenant: tenantId,
        list,
        signal: context.signal,
      });
      const page = JSON.parse(body) as Page<Record<string, Cell>>;
      // All rows would have the same tenant.
      const names = tenantId === null ? columns : columns.filter(name => name !== 'tenant');
      const rows = page.items.map(item => names.map(name => cellOf(item[name] ?? null)));
      return pageResult(page, [noun, plural], () => table(names, rows));
    },
  });
}

function cellOf(value: Cell): Cell {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(value) ? minute(value) : value;
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
