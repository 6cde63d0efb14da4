import { fold } from '@kontor/contract';
import type { Queryable } from '../../../db/session.ts';
import { sql } from '../../../db/sql.ts';

interface DivisionRow {
  readonly id: string;
  readonly parent: string | null;
  readonly name: string;
}

const identifier = /^[0-9a-f]{24}$/i;
const separator = ' / ';

/** The divisions of a tenant by identifier, and by the names from the root: `Sales / North`. */
export class DivisionPaths {
  readonly #names = new Map<string, string>();
  readonly #ids = new Map<string, string[]>();
  readonly #idsByEnd = new Map<string, string[]>();

  constructor(divisions: readonly DivisionRow[]) {
    const byId = new Map(divisions.map(division => [division.id, division]));
    for (const { id } of divisions) {
      const names: string[] = [];
      for (let at = byId.get(id); at !== undefined; at = byId.get(at.parent ?? '')) names.unshift(at.name);
      const path = names.join(separator);
      this.#names.set(id, path);
      add(this.#ids, plain(path), id);
      for (const from of names.keys()) add(this.#idsByEnd, lettersOf(names.slice(from).join('')), id);
    }
  }

  /** The divisions that a cell may mean. A name with a slash may be written like a path. */
  find(cell: string): readonly string[] {
    if (identifier.test(cell) && this.#names.has(cell.toLowerCase())) return [cell.toLowerCase()];
    return this.#ids.get(plain(cell)) ?? [];
  }

  /** The divisions whose path ends with the words of a cell: `North`, `Sales North` and `Sales > North` are `Sales / North`. */
  propose(cell: string): readonly string[] {
    const letters = lettersOf(cell);
    return letters === '' ? [] : (this.#idsByEnd.get(letters) ?? []);
  }

  /** The path of a division; its identifier if it is unknown. */
  pathOf(id: string): string {
    return this.#names.get(id) ?? id;
  }
}

function add(ids: Map<string, string[]>, path: string, id: string): void {
  const known = ids.get(path);
  if (known) known.push(id);
  else ids.set(path, [id]);
}

/** Letter case and spaces around slashes do not matter: the names of siblings differ in more. */
function plain(path: string): string {
  return fold(path)
    .split('/')
    .map(name => name.trim())
    .join('/');
}

const lettersOf = (text: string) => fold(text).replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '');

export function readDivisionRows(
  db: Queryable,
  organizationId: string,
  tenantId: string,
): Promise<DivisionRow[]> {
  return db.rows<DivisionRow>(sql`
    SELECT id, parent_id AS parent, name FROM division
    WHERE organization_id = ${organizationId} AND tenant_id = ${tenantId}`);
}

export async function readDivisionPaths(
  db: Queryable,
  organizationId: string,
  tenantId: string,
): Promise<DivisionPaths> {
  return new DivisionPaths(await readDivisionRows(db, organizationId, tenantId));
}
