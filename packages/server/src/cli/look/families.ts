import { checkList, type ListParameters } from '../../query/check.ts';
import { createCollection } from '../../query/page.ts';
import type { CollectionTable } from '../../query/resource.ts';
import type { Database } from '../../db/connect.ts';
import { execute } from '../../db/execute.ts';
import { divisionResource } from '../../features/divisions/mapping.ts';
import { employeeResource } from '../../features/employees/mapping.ts';
import { incidentResource } from '../../features/incidents/mapping.ts';
import { orderResource } from '../../features/orders/mapping.ts';
import { organizationExists, organizationOfTenant } from '../../features/organizations/store.ts';
import { payrollDocumentResource } from '../../features/payroll-documents/mapping.ts';
import {
  type CommandDefinition,
  CommandError,
  databaseSettings,
  defineCommand,
  parseId,
} from '../command.ts';
import { foundText, type Page, wholeNumber } from '../pages.ts';
import { type Cell, minute, sheet, table } from '../table.ts';
import { readAnyDocument } from './store.ts';

/** A family of resources as the command shows it. */
interface Family {
  /** The word after `kontor`, and what more of them are called. */
  readonly noun: string;
  readonly plural: string;
  readonly collection: CollectionTable;
  /** The public fields that a list shows. */
  readonly columns: readonly string[];
}

const employees: Family = {
  noun: 'employee',
  plural: 'employees',
  collection: employeeResource,
  columns: ['id', 'email', 'employeeNumber', 'firstName', 'lastName', 'blocked', 'tenant', 'divisionId'],
};
const orders: Family = {
  noun: 'order',
  plural: 'orders',
  collection: orderResource,
  columns: ['id', 'orderNumber', 'status', 'employeeId', 'submittedAt', 'updatedAt'],
};
const incidents: Family = {
  noun: 'incident',
  plural: 'incidents',
  collection: incidentResource,
  columns: ['id', 'incidentNumber', 'type', 'status', 'employeeId', 'orderId', 'occurredOn'],
};
const documents: Family = {
  noun: 'document',
  plural: 'payroll export documents',
  collection: payrollDocumentResource,
  columns: ['id', 'period', 'format', 'status', 'fileName', 'size', 'tenant', 'divisionId'],
};
const divisions: Family = {
  noun: 'division',
  plural: 'divisions',
  collection: divisionResource,
  columns: ['id', 'name'],
};

/** `kontor FAMILY list`: a page of the collection of the API, as a key of the whole organization sees it. */
function listOf({ noun, plural, collection, columns }: Family): CommandDefinition {
  return defineCommand({
    name: `${noun} list`,
    summary: `List ${plural} of an organization or a tenant, with the filter and sort of the API`,
    options: [
      { flags: '--organization <id>', description: 'The organization', parse: parseId },
      { flags: '--tenant <id>', description: 'Only those of this tenant', parse: parseId },
      { flags: '--filter <filter>', description: `An expression, e.g. "${columns[1]} IS NOT NULL"` },
      { flags: '--sort <field>', description: 'One field, with - before it for descending' },
      { flags: '--page <number>', description: 'Which page (default 1)', parse: wholeNumber(1_000_000) },
      { flags: '--page-size <number>', description: 'Rows of a page (default 20)', parse: wholeNumber(1000) },
    ],
    settings: databaseSettings,
    async run(context, { options }) {
      const database = await context.openDatabase();
      const { organizationId, tenant } = await placeOf(database, options);
      const { filter, sort, page, pageSize = 20 } = options as ListParameters;
      const given = Object.entries({ filter, sort, page, pageSize }).filter(
        ([, value]) => value !== undefined,
      );
      const chunks = await createCollection(collection, execute(database.lists), {
        now: () => 0,
        mayBeOfCluster: () => database.lists.mayBeOfCluster,
      }).page({
        scope: { organizationId, callerId: 'operator', grants: 'all' },
        tenant,
        list: checkList(Object.fromEntries(given), collection.fields),
        signal: context.signal,
      });
      const body = JSON.parse(chunks.join('')) as Page<Record<string, Cell>>;
      // All of them would have the same one.
      const shown = tenant === null ? columns : columns.filter(name => name !== 'tenant');
      const rows = body.items.map(item => shown.map(name => cellOf(item[name] ?? null)));
      const found = foundText(body, body.totalElements === 1 ? noun : plural);
      return { json: { ...body }, text: rows.length === 0 ? found : `${table(shown, rows)}\n${found}` };
    },
  });
}

function cellOf(value: Cell): Cell {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(value) ? minute(value) : value;
}

async function placeOf(
  { writes: db }: Database,
  { organization, tenant }: Readonly<Record<string, unknown>>,
): Promise<{ organizationId: string; tenant: string | null }> {
  if (tenant !== undefined) {
    const owner = await organizationOfTenant(db, tenant as string);
    if (owner === null || (organization !== undefined && organization !== owner))
      throw new CommandError(`there is no tenant ${tenant as string}`);
    return { organizationId: owner, tenant: tenant as string };
  }
  if (organization === undefined) throw new CommandError('say whose: --organization or --tenant');
  if (!(await organizationExists(db, organization as string)))
    throw new CommandError(`there is no organization ${organization as string}`);
  return { organizationId: organization as string, tenant: null };
}

/** `kontor FAMILY show ID`: the resource as the API shows it, and whose it is. */
function showOf({ noun, collection }: Family): CommandDefinition {
  const article = /^[aeio]/.test(noun) ? 'an' : 'a';
  return defineCommand({
    name: `${noun} show`,
    summary: `Show ${article} ${noun} as the API does, and its organization`,
    arguments: [{ name: '<id>', description: `The ${noun}`, parse: parseId }],
    settings: databaseSettings,
    async run(context, { arguments: [id] }) {
      const { writes: db } = await context.openDatabase();
      const found = await readAnyDocument(db, collection.table, id as string);
      if (found === null) throw new CommandError(`there is no ${noun} ${id as string}`);
      const shown = { organizationId: found.organizationId, ...found.document };
      return { json: shown, text: sheet(shown) };
    },
  });
}

/** List and show of what an organization has. Of divisions the tree is the list. */
export const familyCommands: readonly CommandDefinition[] = [
  showOf(divisions),
  ...[employees, orders, incidents, documents].flatMap(family => [listOf(family), showOf(family)]),
];
