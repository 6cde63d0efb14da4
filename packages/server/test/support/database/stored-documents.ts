import { AssertionError } from 'node:assert/strict';
import {
  Division,
  Employee,
  type Field,
  fold,
  Incident,
  Order,
  PayrollExportDocument,
} from '@kontor/contract';
import type { TObject, TSchema } from 'typebox';
import type { CollectionTable } from '../../../src/query/check.ts';
import { divisionResource } from '../../../src/features/divisions/mapping.ts';
import { employeeResource } from '../../../src/features/employees/mapping.ts';
import { incidentResource } from '../../../src/features/incidents/mapping.ts';
import { orderResource } from '../../../src/features/orders/mapping.ts';
import { payrollDocumentResource } from '../../../src/features/payroll-documents/mapping.ts';
import type { Tag } from './sql.ts';

/** What the tables store: the resource, and in which column each public field stands once more. */
const resourceTypes: readonly { resource: TObject; stored: CollectionTable }[] = [
  { resource: Division, stored: divisionResource },
  { resource: Employee, stored: employeeResource },
  { resource: Incident, stored: incidentResource },
  { resource: Order, stored: orderResource },
  { resource: PayrollExportDocument, stored: payrollDocumentResource },
];

/** The document of a row that a test has made up because it needs no more of it than its columns. */
const placeholder = '{}';

/** Documents that are read at once. */
const chunkSize = 2000;

/**
 * Checks every document that the database stores, by any writer. Its text is what the contract writes, each
 * property once and in order. It equals the columns of its row.
 *
 * @throws AssertionError that names the first few that do not, or a table that stores documents of an unknown resource
 */
export async function checkDocuments(sql: Tag): Promise<void> {
  const problems: string[] = [];
  for (const table of await findTablesWithDocuments(sql)) {
    const resourceType = resourceTypes.find(({ stored }) => stored.table === table);
    if (resourceType) problems.push(...(await findProblems(sql, resourceType)));
    else problems.push(`${table}: say in stored-documents.ts which resource it stores`);
  }
  if (problems.length === 0) return;
  const shown = problems.slice(0, 5).map(problem => `- ${problem}`);
  throw new AssertionError({
    message: `${problems.length} stored documents are wrong:\n${shown.join('\n')}`,
  });
}

async function findTablesWithDocuments(sql: Tag): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    SELECT table_name AS name FROM information_schema.columns
    WHERE table_schema = 'public' AND column_name = 'doc' ORDER BY table_name`;
  return rows.map(row => row.name);
}

interface StoredRow {
  readonly organization_id: string;
  readonly id: string;
  readonly doc: string;
}

async function findProblems(
  sql: Tag,
  { resource, stored }: { resource: TObject; stored: CollectionTable },
): Promise<string[]> {
  const problems: string[] = [];
  let rows: StoredRow[];
  let last = { organization_id: '', id: '' };
  do {
    rows = (
      await sql.unsafe<{ row: StoredRow }>(`
        SELECT to_jsonb(t) AS row FROM ${stored.table} t
        WHERE (organization_id, id) > ('${last.organization_id}', '${last.id}')
        ORDER BY organization_id, id LIMIT ${chunkSize}`)
    ).map(({ row }) => row);
    for (const row of rows) {
      const problem = row.doc === placeholder ? null : findProblem(resource, stored, row);
      if (problem !== null) problems.push(`${stored.table} ${row.id}: ${problem}`);
    }
    last = rows.at(-1) ?? last;
  } while (rows.length === chunkSize);
  return problems;
}

function findProblem(resource: TObject, { fields, columns }: CollectionTable, row: StoredRow): string | null {
  const document = JSON.parse(row.doc) as Record<string, unknown>;
  const written = writtenAs(resource, document);
  if (row.doc !== written) return `it is ${row.doc}, and the contract writes ${written}`;
  for (const [name, field] of fields) {
    const column = columns.get(name)!.name;
    const [inDocument, kept] = [document[name], (row as unknown as Record<string, unknown>)[column]];
    if (comparable(field, inDocument) !== instantOr(field, kept))
      return `${name} is ${JSON.stringify(inDocument)}, and the column ${column} ${JSON.stringify(kept)}`;
  }
  return null;
}

/** The text of a value as its schema writes it: of an object the properties that it declares, each once and in their order. */
export function writtenAs(schema: TSchema, value: unknown): string {
  if (value === null) return 'null';
  const { anyOf, items, properties } = schema as {
    anyOf?: TSchema[];
    items?: TSchema;
    properties?: Record<string, TSchema>;
  };
  // The one alternative that is not null.
  if (anyOf) return writtenAs(anyOf[0]!, value);
  if (items) return `[${(value as unknown[]).map(item => writtenAs(items, item)).join(',')}]`;
  if (!properties) return JSON.stringify(value);
  const members = Object.entries(properties).map(
    ([name, schema]) => `"${name}":${writtenAs(schema, (value as Record<string, unknown>)[name])}`,
  );
  return `{${members.join(',')}}`;
}

/** A value of a document as the column of its field holds it. */
function comparable(field: Field, value: unknown): unknown {
  if (field.type === 'string' && typeof value === 'string') return fold(value);
  return instantOr(field, value);
}

/** Instants have several spellings. */
function instantOr(field: Field, value: unknown): unknown {
  return field.type === 'date-time' && typeof value === 'string' ? Date.parse(value) : value;
}
