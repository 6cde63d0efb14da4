import type { TSchema } from 'typebox';
import type { Family } from './families.ts';

/** A row as `to_jsonb` gives it, by the names of its columns. */
export type StoredRow = Readonly<Record<string, unknown>> & { readonly id: string; readonly doc: string };

/** Where a row stands. */
export interface Place {
  readonly tenantId: string | null;
  readonly divisionId: string | null;
}

/** What is wrong with a row, and what it is to be. */
export interface Judgement {
  /** One a manner of damage; none of a sound row. */
  readonly problems: readonly string[];
  /** What the document is to say, but for `updatedAt` where it `changes`; null where nothing tells. */
  readonly document: Readonly<Record<string, unknown>> | null;
  /** Whether clients get another document than before, or one that pollers may have missed. */
  readonly changes: boolean;
  /** Names of the public fields that are put right. */
  readonly fields: readonly string[];
  /** Where it is to stand, when it stands elsewhere; else null. */
  readonly place: Place | null;
}

/**
 * Fields of which the column decides: constraints guard these columns, and the scope of keys reads them, so to follow the
 * document could show a row to somebody else. In everything else the columns follow the document, which has all of it.
 */
const keyFields: ReadonlySet<string> = new Set([
  'id',
  'tenant',
  'divisionId',
  'employeeId',
  'orderId',
  'parentId',
]);

/** Judges a row. `employee` is where its employee stands; null where it does not follow one. */
export function judge(family: Family, row: StoredRow, employee: Place | null): Judgement {
  const place = misplaced(row, employee) ? employee : null;
  const stray = place ? ['it does not stand where its employee does'] : [];
  const parsed = parse(row.doc);
  const document = parsed && restored(family, parsed, row);
  if (!document) {
    const problems = [...stray, 'its document is not one of the contract'];
    return { problems, document: null, changes: false, fields: [], place };
  }
  const wrong = wrongColumns(family, document, row);
  const isRewritten = row.doc !== family.document(document);
  const fieldOf = new Map([...family.columns].map(([field, { name }]) => [name, field]));
  const changed = Object.keys(document).filter(name => !isSame(parsed[name], document[name]));
  const fields = new Set([...wrong.map(name => fieldOf.get(name)), ...changed]);
  fields.delete(undefined);
  return {
    problems: [
      ...stray,
      ...(isRewritten ? ['its document is not what the contract writes of its row'] : []),
      ...columnProblems(family, wrong),
    ],
    document,
    changes: isRewritten || wrong.includes('updated_at'),
    fields: [...fields] as string[],
    place,
  };
}

function misplaced(row: StoredRow, employee: Place | null): boolean {
  if (!employee) return false;
  return row['tenant_id'] !== employee.tenantId || row['division_id'] !== employee.divisionId;
}

function parse(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/** The document as the contract has it, with its keys from the columns; where that is not enough, with all that columns hold. */
function restored(
  family: Family,
  parsed: Readonly<Record<string, unknown>>,
  row: StoredRow,
): Readonly<Record<string, unknown>> | null {
  const shape = shaped(family.schema, parsed) as Record<string, unknown>;
  const kept = [...family.columns].filter(([, { folded }]) => !folded);
  for (const fields of [kept.filter(([field]) => keyFields.has(field)), kept]) {
    const told = fields.map(([field, { name, type }]) => [field, publicValue(type, row[name])] as const);
    const document = { ...shape, ...Object.fromEntries(told) };
    if (family.fits(document)) return document;
  }
  return null;
}

/** A value with the properties that its schema declares, in their order, and null where a nullable one is missing. */
function shaped(schema: TSchema, value: unknown): unknown {
  const { anyOf, type, items, properties } = schema as {
    anyOf?: TSchema[];
    type?: unknown;
    items?: TSchema;
    properties?: Record<string, TSchema>;
  };
  const isNullable = anyOf !== undefined || (Array.isArray(type) && type.includes('null'));
  if (value === null || (value === undefined && isNullable)) return null;
  if (anyOf) return shaped(anyOf[0]!, value);
  if (items && Array.isArray(value)) return value.map(item => shaped(items, item));
  if (!properties || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(properties).map(([name, inner]) => [
      name,
      shaped(inner, (value as Record<string, unknown>)[name]),
    ]),
  );
}

/** The names of the columns that do not hold what follows from the document. */
function wrongColumns(family: Family, document: Readonly<Record<string, unknown>>, row: StoredRow): string[] {
  const types = new Map([...family.columns.values()].map(({ name, type }) => [name, type as string]));
  return Object.entries(family.row(document))
    .filter(([name, value]) => !isSame(publicValue(types.get(name), row[name]), value))
    .map(([name]) => name);
}

/** The value of a column as the document has it: only instants are spelled in another way. */
function publicValue(type: string | undefined, value: unknown): unknown {
  if (type !== 'timestamptz' || typeof value !== 'string') return value;
  const instant = new Date(value);
  return Number.isNaN(instant.getTime()) ? value : instant.toISOString();
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** Columns that serve the search, and all others. */
function columnProblems(family: Family, wrong: readonly string[]): string[] {
  const searching = new Set(['search', 'fold_version']);
  for (const { name, folded } of family.columns.values()) if (folded) searching.add(name);
  const searches = wrong.filter(name => searching.has(name));
  const others = wrong.filter(name => !searching.has(name));
  return [
    ...(others.length > 0 ? [`${others.join(', ')}: not what the document says`] : []),
    ...(searches.length > 0 ? [`${searches.join(', ')}: not the folding of the document`] : []),
  ];
}
