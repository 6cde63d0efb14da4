import { assignments, raw, sql } from '../db/sql.ts';
import type { DocumentUpgrades, StoredField } from '../query/resource.ts';
import { decision } from '../write/writes.ts';
import type { Job, JobCall } from './job.ts';

type Data = Readonly<Record<string, unknown>>;

export interface DocumentType {
  readonly table: string;
  readonly docVersion: number;
  readonly upgrades: DocumentUpgrades;
  readonly columns: ReadonlyMap<string, StoredField>;
  readonly parse: (document: string) => Data;
  readonly row: (document: Data) => Data;
  readonly document: (document: Data) => string;
}

interface StoredDocument {
  readonly id: string;
  readonly doc: string;
  readonly version: number;
}

/** Milliseconds until the next search after one without results: each search reads the whole table. */
const restAfterLast = 3_600_000;

/** `updatedAt` stays: the resource has not changed. A process of the previous release may write old documents; the next run finds them. */
export function documentUpgrade(type: DocumentType): Job {
  const since = new Date();
  const table = raw(type.table);
  const isOlder = sql`doc_version < ${raw(String(type.docVersion))}`;
  /** The last id found in each organization. There is no index by version, so rows before it are not read again. */
  const passed = new Map<string, string>();
  let restsUntil = 0;
  const upgrade = decision({
    // The job has just found them.
    early: false,
    targets: ({ ids }: JobCall) => ids,
    read: (db, { scope, ids }) =>
      db.rows<StoredDocument>(sql`
        SELECT id, doc, doc_version AS version FROM ${table}
        WHERE organization_id = ${scope.organizationId} AND id = ANY(${[...ids]}::text[]) AND ${isOlder}`),
    plan: (_call, stored) => stored.map(row => ({ id: row.id, row: upgradedRow(type, row) })),
    store(write, upgraded) {
      for (const { id, row } of upgraded)
        write.send(sql`
          UPDATE ${table} SET ${assignments(row)}
          WHERE organization_id = ${write.organizationId} AND id = ${id}`);
      return upgraded.length;
    },
  });
  return {
    name: `${type.table}_documents`,
    async inspect(db) {
      if (performance.now() < restsUntil) return [];
      passed.clear();
      const found = await db.rows<{ organizationId: string; count: number }>(sql`
        SELECT organization_id AS "organizationId", count(*)::int AS count FROM ${table}
        WHERE ${isOlder} GROUP BY organization_id`);
      if (found.length === 0) restsUntil = performance.now() + restAfterLast;
      return found.map(due => ({ ...due, since }));
    },
    async find(db, organizationId, max) {
      const rows = await db.rows<{ id: string }>(sql`
        SELECT id FROM ${table}
        WHERE organization_id = ${organizationId} AND id > ${passed.get(organizationId) ?? ''} AND ${isOlder}
        ORDER BY id LIMIT ${max}`);
      const ids = rows.map(({ id }) => id);
      if (ids.length > 0) passed.set(organizationId, ids.at(-1)!);
      return ids;
    },
    carryOut: (writes, call, ids) => writes.decide({ ...call, ids }, upgrade),
  };
}

/** The upgraded document, and the columns of the fields that later versions have added. Other columns stay unchanged. */
function upgradedRow(type: DocumentType, { doc, version }: StoredDocument): Data {
  const document = type.parse(doc);
  const later = Object.entries(type.upgrades).filter(([number]) => Number(number) > version);
  const added = later.flatMap(([, upgrade]) => Object.keys(upgrade(document)));
  const columns = added.flatMap(name => type.columns.get(name) ?? []);
  const names = columns.map(({ name }) => name);
  if (columns.some(({ search }) => search)) names.push('search');
  const row = type.row(document);
  return {
    ...Object.fromEntries(names.map(name => [name, row[name]])),
    doc: type.document(document),
    doc_version: type.docVersion,
  };
}
