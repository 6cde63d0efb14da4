import type { ResourceType } from './resource-types.ts';

/** A row as `to_jsonb` returns it, by column name. */
export type StoredRow = Readonly<Record<string, unknown>> & { readonly id: string; readonly doc: string };

export interface Placement {
  readonly tenantId: string | null;
  readonly divisionId: string | null;
}

type Document = Readonly<Record<string, unknown>>;

/** A problem of a row. Only search columns can be rebuilt from the document. */
export interface Problem {
  readonly text: string;
  readonly isRepairable: boolean;
}

export interface CheckedRow {
  readonly problems: readonly Problem[];
  readonly searchColumns: Document;
  /** Names of the public fields whose search columns are wrong. */
  readonly fields: readonly string[];
}

/** Identifiers in columns that constraints and scope checks use. The document repeats them. */
const keyFields: ReadonlySet<string> = new Set([
  'id',
  'tenant',
  'divisionId',
  'employeeId',
  'orderId',
  'parentId',
]);

/** Checks a row against its document. `employee` is the place of its employee; null for types without one. */
export function checkRow(type: ResourceType, row: StoredRow, employee: Placement | null): CheckedRow {
  const problems: Problem[] = [];
  const report = (text: string) => problems.push({ text, isRepairable: false });
  if (isMisplaced(row, employee)) report('it is at another place than its employee');
  const document = parse(row.doc);
  if (!document || !type.fits(document)) {
    report('its document is not one of the contract');
    return { problems, searchColumns: {}, fields: [] };
  }
  if (row.doc !== type.document(document)) report('its document is not what the contract writes');
  const isSearchColumn = searchColumnsOf(type);
  const wrong = wrongColumns(type, document, row);
  const others = wrong.filter(name => !isSearchColumn.has(name));
  const searches = wrong.filter(name => isSearchColumn.has(name));
  if (others.length > 0) report(`${others.join(', ')}: not what the document says`);
  // With other damage the document itself may be wrong, so search columns are not rebuilt from it.
  const isRepairable = problems.length === 0;
  if (searches.length > 0)
    problems.push({ text: `${searches.join(', ')}: not the folding of the document`, isRepairable });
  const expected = Object.entries(type.row(document)).filter(([name]) => isSearchColumn.has(name));
  const fields = [...type.columns].filter(([, { name }]) => searches.includes(name)).map(([field]) => field);
  return { problems, searchColumns: Object.fromEntries(expected), fields };
}

function isMisplaced(row: StoredRow, employee: Placement | null): boolean {
  if (!employee) return false;
  return row['tenant_id'] !== employee.tenantId || row['division_id'] !== employee.divisionId;
}

function parse(text: string): Document | null {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Document) : null;
  } catch {
    return null;
  }
}

function wrongColumns(type: ResourceType, document: Document, row: StoredRow): string[] {
  const types = new Map([...type.columns.values()].map(column => [column.name, column.type as string]));
  const isDifferent = (name: string, value: unknown) =>
    !isSame(publicValue(types.get(name), row[name]), value);
  const expected = new Map(Object.entries(type.row(document)));
  for (const [field, { name }] of type.columns)
    if (keyFields.has(field) && field in document) expected.set(name, document[field]);
  return [...expected].filter(([name, value]) => isDifferent(name, value)).map(([name]) => name);
}

/** Converts a column's value to the format of documents. Only instants differ. */
function publicValue(type: string | undefined, value: unknown): unknown {
  if (type !== 'timestamptz' || typeof value !== 'string') return value;
  const instant = new Date(value);
  return Number.isNaN(instant.getTime()) ? value : instant.toISOString();
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

function searchColumnsOf(type: ResourceType): ReadonlySet<string> {
  const folded = [...type.columns.values()].filter(column => column.folded);
  return new Set(['search', 'fold_version', ...folded.map(({ name }) => name)]);
}
