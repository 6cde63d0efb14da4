import type { PayrollExportDocument } from '@kontor/sdk';
import { isErased } from '../state.ts';
import { Store } from '../store.ts';
import { fieldsOf, type Resource, type ResourceType, resourceTypes } from './resource-types.ts';

/*
 * `kontor.sqlite` has each resource as JSON, and a view for each type, whose columns are the fields of the contract. `doc` of an erased person is
 * null, so that the number of rows stays comparable with that of Kontor. A page and its checkpoint are stored in one transaction.
 */
const tables = `
  CREATE TABLE IF NOT EXISTS resource (type TEXT NOT NULL, id TEXT NOT NULL, doc TEXT, PRIMARY KEY (type, id)) STRICT;
  CREATE TEMP TABLE seen (id TEXT PRIMARY KEY) STRICT;
  ${resourceTypes.map(viewOf).join('\n')}
`;

/** Made anew each time, as a newer version may have other fields. */
function viewOf(type: ResourceType): string {
  const name = type.replaceAll('-', '_');
  const columns = fieldsOf[type].map(field => `doc ->> '$.${field}' AS "${field}"`);
  return `DROP VIEW IF EXISTS ${name};
    CREATE VIEW ${name} AS SELECT ${columns.join(', ')}, doc FROM resource WHERE type = '${type}' AND doc IS NOT NULL;`;
}

/** The rows that a pull has stored, in `kontor.sqlite` of a folder. */
export class Output extends Store {
  constructor(file: string, origin: string) {
    super(file, { origin, tables, synchronous: 'NORMAL' });
  }

  /** Leaves one file, which others read without writing next to it. */
  override close(): void {
    this.db.exec('PRAGMA journal_mode = DELETE');
    super.close();
  }

  /** The resource of the last stored change, as `updatedAt/id`; null before the first. */
  checkpoint(type: ResourceType): string | null {
    return this.setting(`checkpoint ${type}`) ?? null;
  }

  /** All resources that Kontor answers, erased people included. */
  count(type: ResourceType): number {
    return this.rows<{ n: number }>('SELECT count(*) AS n FROM resource WHERE type = ?', type)[0]!.n;
  }

  /** Stores changes with their checkpoint. Returns how many differ from what was stored. */
  putChanges(type: ResourceType, items: readonly Resource[], checkpoint: string): number {
    return this.transaction(() => {
      this.setSetting(`checkpoint ${type}`, checkpoint);
      return this.#put(type, items);
    });
  }

  /** Stores a page of a reading of everything, whose checkpoint counts when it is complete. */
  putSeen(type: ResourceType, items: readonly Resource[]): number {
    return this.transaction(() => {
      const seen = this.db.prepare('INSERT OR IGNORE INTO seen VALUES (?)');
      for (const { id } of items) seen.run(id);
      return this.#put(type, items);
    });
  }

  #put(type: ResourceType, items: readonly Resource[]): number {
    const put = this.db.prepare(`INSERT INTO resource VALUES (?, ?, ?)
      ON CONFLICT (type, id) DO UPDATE SET doc = excluded.doc WHERE doc IS NOT excluded.doc`);
    let changed = 0;
    for (const item of items) {
      const doc = isErased(item) ? null : JSON.stringify(item);
      changed += Number(put.run(type, item.id, doc).changes);
    }
    return changed;
  }

  beginSeen(): void {
    this.run('DELETE FROM seen');
  }

  /** Removes what a reading of everything has not seen. Returns how many that were. */
  endSeen(type: ResourceType, checkpoint: string | null): number {
    return this.transaction(() => {
      this.setSetting(`checkpoint ${type}`, checkpoint);
      return this.run('DELETE FROM resource WHERE type = ? AND id NOT IN (SELECT id FROM seen)', type);
    });
  }

  /** The stored JSON of a type, by `id`, one in memory at a time. */
  *docs(type: ResourceType): Generator<string> {
    const rows = this.db
      .prepare('SELECT doc FROM resource WHERE type = ? AND doc IS NOT NULL ORDER BY id')
      .iterate(type);
    for (const { doc } of rows) yield doc as string;
  }

  /** The payroll documents that have a file. */
  payrollFiles(): Pick<PayrollExportDocument, 'id' | 'fileName' | 'sha256'>[] {
    return this.rows(
      'SELECT id, fileName, sha256 FROM payroll_export_documents WHERE fileName IS NOT NULL ORDER BY id',
    );
  }
}
