import { type Filter, unprocessable } from '@kontor/contract';
import type { Scope } from '../scope.ts';
import { type CheckedList, digest } from './check.ts';
import { resolveField } from './compile.ts';
import { isLater } from './literals.ts';
import { type Order, orderOf, type Position } from './order.ts';
import { type AccessPath, choosePath, type Estimate, type PathQuestion } from './path.ts';
import { shapeOf } from './scope-shape.ts';
import {
  type Built,
  clockStatement,
  pageStatement,
  type Selection,
  type Start,
  totalsStatement,
  type Window,
} from './statements.ts';
import type { CollectionTable, Execute } from './table.ts';
import { type Totals, TotalsCache } from './totals.ts';
import { Walks } from './walks.ts';

export interface PageRequest {
  readonly scope: Scope;
  /** The tenant that the request selected; the caller has checked that it is in scope. */
  readonly tenant: string | null;
  readonly list: CheckedList;
}

export interface Collection {
  /**
   * The JSON of the whole list body (decisions.md section 3), total and items from one snapshot.
   *
   * @throws ApiError 422 VALIDATION_ERROR for a literal that is no value of its field, or bounds in the wrong order.
   */
  page(request: PageRequest): Promise<Buffer>;
}

export interface CollectionOptions {
  /** A clock in milliseconds of any origin, for the two minutes that the end of a page is remembered. */
  readonly now: () => number;
  /** Decides how rows are found; the answer does not depend on it. */
  readonly choosePath?: (question: PathQuestion) => AccessPath;
}

/** Reads pages of a table. Its memory (totals, ends of pages) is bounded and of this process alone. */
export function createCollection(
  table: CollectionTable,
  execute: Execute,
  options: CollectionOptions,
): Collection {
  const reader = new PageReader(execute, options);
  return { page: request => reader.page(table, request) };
}

/** A page as read: `total` is null where the statement did not count. */
interface Read {
  readonly clock: string;
  readonly total: number | null;
  readonly documents: Buffer | null;
  readonly count: number;
  readonly end: Position | null;
}

class PageReader {
  readonly #execute: Execute;
  readonly #totals = new TotalsCache();
  readonly #walks: Walks;
  readonly #choosePath: (question: PathQuestion) => AccessPath;
  readonly #prepared = new Set<string>();

  constructor(execute: Execute, options: CollectionOptions) {
    this.#execute = execute;
    this.#walks = new Walks(options.now);
    this.#choosePath = options.choosePath ?? choosePath;
  }

  async page(table: CollectionTable, request: PageRequest): Promise<Buffer> {
    const { list } = request;
    const work = workOf(table, request);
    const behind = list.page === 1 ? null : this.#walks.startOf(work.walk, list.page);
    const start: Start = behind ? { behind } : { offset: BigInt(list.page - 1) * BigInt(list.pageSize) };
    const { read, total } = await this.#readWithTotal(work, start);
    const full = read.count === list.pageSize && read.end !== null;
    // The end of a page that is not full counts too: rows that arrived in front of it must not come again behind it.
    const end = read.end ?? behind;
    if (end) this.#walks.endOf(work.walk, list.page, end);
    let pages = Math.ceil(total / list.pageSize);
    if (full && behind && list.page >= pages && (await this.#goesOn(work, read.end!))) pages = list.page + 1;
    return bodyOf(list, total, pages, read.documents);
  }

  /** One page with the total of its snapshot. */
  async #readWithTotal(work: Work, start: Start): Promise<{ read: Read; total: number }> {
    if (work.selection.filter === null && work.selection.shape.open) {
      const read = await this.#read(work, start, null, true);
      return { read, total: read.total! };
    }
    const known = this.#totals.get(work.totals) ?? (await this.#count(work));
    const read = await this.#read(work, start, known, false);
    if (read.clock === known.clock) return { read, total: known.total };
    // Somebody wrote since. Whoever is counting already may have the total of this very moment; else count with the page,
    // in one statement, so that no pace of writes can come in between again.
    const counted = await this.#totals.pending(work.totals)?.catch(() => undefined);
    if (counted?.clock === read.clock) return { read, total: counted.total };
    let both: Read;
    await this.#totals.count(work.totals, async () => {
      both = await this.#read(work, start, known, true);
      return { ...known, clock: both.clock, total: both.total! };
    });
    return { read: both!, total: both!.total! };
  }

  /** The totals of a list that is asked for the first time; counted once, however many ask. */
  #count(work: Work): Promise<Totals> {
    return (
      this.#totals.pending(work.totals) ??
      this.#totals.count(work.totals, async () => {
        const [row] = await this.#run(totalsStatement(work.selection), false);
        const [total, visible, range, arms] = row!.slice(1).map(Number) as [number, number, number, number];
        return { clock: String(row![0]), total, visible, range, arms };
      })
    );
  }

  async #read(work: Work, start: Start, known: Estimate | null, totals: boolean): Promise<Read> {
    if (known && !totals && 'offset' in start && start.offset >= BigInt(known.total)) {
      const [row] = await this.#run(clockStatement(work.selection.scope), true);
      return { clock: String(row![0]), total: null, documents: null, count: 0, end: null };
    }
    const window = windowOf(work, start, known, this.#choosePath);
    const recurring = work.selection.filter === null && !('offset' in start && start.offset > 0n);
    const [row] = await this.#run(pageStatement(work.selection, window, totals), recurring);
    const [clock, total, documents, count, value, id] = row!;
    return {
      clock: String(clock),
      total: total === null ? null : Number(total),
      documents: documents ?? null,
      count: Number(count),
      end: id ? { value: value ? String(value) : null, id: String(id) } : null,
    };
  }

  /**
   * Whether rows follow on what counts as the last page of a walk: they do when rows left the list on the pages before it,
   * and without a further page the walk would miss them.
   */
  async #goesOn(work: Work, end: Position): Promise<boolean> {
    const known = this.#totals.get(work.totals) ?? null;
    const next = await this.#read({ ...work, limit: 1 }, { behind: end }, known, false);
    return next.count > 0;
  }

  async #run({ text, values }: Built, recurring: boolean): Promise<(Buffer | null)[][]> {
    const rows = await this.#execute({ text, values, prepare: recurring && this.#prepare(text) });
    if (rows.length === 0) throw new Error('the organization of the scope does not exist');
    return rows;
  }

  /** A server keeps each prepared plan in each session for good, so only so many texts are prepared. */
  #prepare(text: string): boolean {
    if (this.#prepared.size < mostPrepared) this.#prepared.add(text);
    return this.#prepared.has(text);
  }
}

const mostPrepared = 100;

/** What a request asks for, with the names of what is remembered about it. */
interface Work {
  readonly selection: Selection;
  readonly order: Order;
  readonly limit: number;
  /** The one field that all of the filter is about, if it is one. */
  readonly soleField: string | null;
  readonly sortField: string;
  readonly totals: string;
  readonly walk: string;
}

function workOf(table: CollectionTable, { scope, tenant, list }: PageRequest): Work {
  const filter = selectionFilter(list);
  const totals = digest([scope.organizationId, scope.keyId, tenant, list.selection]);
  return {
    selection: { table, scope, tenant, shape: shapeOf(scope, tenant), filter },
    order: orderOf(list.sort, table),
    limit: list.pageSize,
    soleField: filter && soleField(filter),
    sortField: list.sort.field.name,
    totals,
    walk: digest([totals, list.sort.field.name, list.sort.descending, list.pageSize]),
  };
}

/** The filter with the bounds of the creation time, which are comparisons as well. */
function selectionFilter({ filter, createdAtFrom: from, createdAtTo: to }: CheckedList): Filter | null {
  if (from !== null && to !== null && isLater(from, to))
    throw unprocessable('createdAtFrom must not be later than createdAtTo');
  const terms: Filter[] = filter === null ? [] : filter.kind === 'and' ? [...filter.terms] : [filter];
  if (from !== null) terms.push({ kind: 'comparison', field: 'createdAt', operator: '>=', value: from });
  if (to !== null) terms.push({ kind: 'comparison', field: 'createdAt', operator: '<=', value: to });
  if (terms.length < 2) return terms[0] ?? null;
  return { kind: 'and', terms };
}

/** The field of all comparisons but those with the identifier, which break ties in a poller's filter. */
function soleField(filter: Filter): string | null {
  if (!('terms' in filter)) return filter.field;
  const fields = new Set(filter.terms.map(soleField));
  fields.delete('id');
  return fields.size === 1 ? [...fields][0]! : null;
}

function windowOf(
  { selection, order, limit, soleField, sortField }: Work,
  start: Start,
  known: Estimate | null,
  choose: (question: PathQuestion) => AccessPath,
): Window {
  const { shape, filter } = selection;
  const { indexed = [] } = resolveField(selection.table, sortField).column;
  const rangeIndexed =
    indexed.includes(shape.tenant === null ? 'organization' : 'tenant') || indexed.includes('organization');
  const offset = 'offset' in start ? Number(start.offset) : 0;
  const path = choose({
    estimate: known ?? { total: 0, visible: 0, range: 0, arms: 0 },
    needed: offset + limit,
    filtered: filter !== null,
    restricted: !shape.open,
    byDivision: shape.divisions.length > 0,
    rangeIndexed,
    armsIndexed:
      (shape.tenants.length === 0 || indexed.includes('tenant')) &&
      (shape.divisions.length === 0 || indexed.includes('division')),
    bounded: soleField === sortField,
  });
  return { order, path, rangeIndexed, limit, start };
}

const ending = Buffer.from(']}');

function bodyOf(list: CheckedList, total: number, pages: number, documents: Buffer | null): Buffer {
  const head = `{"page":${list.page},"pageSize":${list.pageSize},"totalPages":${pages},"totalElements":${total},"items":[`;
  return Buffer.concat(documents ? [Buffer.from(head), documents, ending] : [Buffer.from(head), ending]);
}
