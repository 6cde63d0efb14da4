import type { Scope } from '../scope.ts';
import type { CheckedList, Sort } from './check.ts';
import { resolveField } from './compile.ts';
import { type Counting, isCarriable, numbersStatement, totalStatement } from './count.ts';
import { Departures } from './departures.ts';
import { type Order, orderOf, type Position } from './order.ts';
import { clockStatement, pageStatement, type Start, type Total, type Window } from './page-statement.ts';
import {
  type AccessPath,
  choosePath,
  countsByArms,
  countsNarrowed,
  type Estimate,
  type Numbers,
  type PathQuestion,
} from './path.ts';
import { shapeOf } from './scope-shape.ts';
import type { Built, Selection } from './selected.ts';
import { nameBehind, nameOf, selectionOf, soleField } from './selection.ts';
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
   * The JSON of the whole list body (decisions.md section 3) in pieces, total and items from one snapshot.
   *
   * @throws ApiError 422 VALIDATION_ERROR for a literal that is no value of its field, or bounds in the wrong order.
   */
  page(request: PageRequest): Promise<readonly (Buffer | string)[]>;
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

/** A page as read. */
interface Read {
  readonly clock: string;
  /** Null where the statement did not find it. */
  readonly total: number | null;
  /** Null where the statement did not read them. */
  readonly numbers: Numbers | null;
  readonly documents: Buffer | null;
  readonly count: number;
  readonly end: Position | null;
}

/** A page with the total of its snapshot; `totals` is all that is known of the list then, where that is kept. */
interface Counted {
  readonly read: Read;
  readonly total: number;
  readonly totals: Totals | null;
}

class PageReader {
  readonly #execute: Execute;
  readonly #totals = new TotalsCache();
  readonly #walks: Walks;
  readonly #choosePath: (question: PathQuestion) => AccessPath;
  readonly #recounts = new Departures<Counted>();
  readonly #prepared = new Set<string>();

  constructor(execute: Execute, options: CollectionOptions) {
    this.#execute = execute;
    this.#walks = new Walks(options.now);
    this.#choosePath = options.choosePath ?? choosePath;
  }

  async page(table: CollectionTable, request: PageRequest): Promise<readonly (Buffer | string)[]> {
    const { list } = request;
    const work = workOf(table, request);
    const behind = list.page === 1 ? null : this.#walks.startOf(work.walk, list.page);
    const start: Start = behind ? { behind } : { offset: BigInt(list.page - 1) * BigInt(list.pageSize) };
    const { read, total, totals } = await this.#readWithTotal(work, start);
    // The end of a page that is not full counts too: rows that arrived in front of it must not come again behind it.
    const end = read.end ?? behind;
    if (end) this.#walks.endOf(work.walk, list.page, end);
    if (list.page === 1 && totals) this.#foresee(work, read, totals);
    let pages = Math.ceil(total / list.pageSize);
    if (behind) pages = Math.max(pages, await this.#reached(work, list, read, total));
    return bodyOf(list, total, pages, read.documents);
  }

  /** One page with the total of its snapshot. */
  async #readWithTotal(work: Work, start: Start): Promise<Counted> {
    const { filter, shape } = work.selection;
    if (filter === null && shape.open) {
      const read = await this.#read(work, start, null, 'plain');
      return { read, total: read.total!, totals: null };
    }
    const known = this.#totals.get(work.totals) ?? (await this.#count(work));
    const read =
      (await this.#behindTheEnd(work, start, known)) ?? (await this.#read(work, start, known, 'none'));
    // Somebody may have written since. Then another request may have the total of this very moment.
    const latest = this.#totals.get(work.totals) ?? known;
    if (latest.clock === read.clock) return counted(read, latest);
    return (await this.#carryOn(work, start, latest)) ?? (await this.#recount(work, start, read));
  }

  /** A page with the known total carried on to its snapshot. Null where that cannot be. */
  async #carryOn(work: Work, start: Start, known: Totals): Promise<Counted | null> {
    if (!isCarriable(work.selection)) return null;
    const read = await this.#read(work, start, known, known);
    if (read.total === null) return null;
    const totals = { ...read.numbers!, clock: read.clock, total: read.total };
    this.#totals.keep(work.totals, totals);
    return counted(read, totals);
  }

  /**
   * The page with its total counted anew. Another request may have that of this very moment by now, or be counting it; else
   * it is counted with the page, in one statement, so that no pace of writes can come in between.
   */
  async #recount(work: Work, start: Start, read: Read): Promise<Counted> {
    const counting = this.#totals.pending(work.totals)?.catch(() => undefined);
    const latest = (await counting) ?? this.#totals.get(work.totals);
    if (latest?.clock === read.clock) return counted(read, latest);
    return this.#recounts.join(`${work.walk} ${startName(start)}`, () => this.#readCounted(work, start));
  }

  /** A page that lies behind the end. Null for one that does not, as far as is known. */
  async #behindTheEnd(work: Work, start: Start, known: Totals): Promise<Read | null> {
    if ('behind' in start || start.offset < BigInt(known.total)) return null;
    const [row] = await this.#run(clockStatement(work.selection.scope), true);
    const clock = String(row![0]);
    if (clock !== known.clock) return null;
    return { clock, total: null, numbers: null, documents: null, count: 0, end: null };
  }

  /** A page with its total counted anew, for which others may wait who want the total only. */
  async #readCounted(work: Work, start: Start): Promise<Counted> {
    const known = this.#totals.get(work.totals) ?? (await this.#count(work));
    const reading = this.#read(work, start, known, countingOf(work, known, known.total));
    const totals = await this.#totals.count(work.totals, async () => {
      const { clock, total, numbers } = await reading;
      return { ...numbers!, clock, total: total! };
    });
    return counted(await reading, totals);
  }

  /** The totals of a list that is asked for the first time; counted once, however many ask. */
  #count(work: Work): Promise<Totals> {
    return this.#totals.pending(work.totals) ?? this.#totals.count(work.totals, () => this.#countFirst(work));
  }

  async #countFirst(work: Work): Promise<Totals> {
    const { selection } = work;
    const [row] = await this.#run(numbersStatement(selection), true);
    const numbers = numbersOf(row!.slice(1))!;
    if (selection.filter === null) return { ...numbers, clock: String(row![0]), total: numbers.visible };
    const counting = countingOf(work, numbers, null);
    const [counted] = await this.#run(totalStatement(selection, counting), false);
    const [clock, total, ...rest] = counted!;
    return { ...numbersOf(rest)!, clock: String(clock), total: Number(total) };
  }

  async #read(work: Work, start: Start, known: Estimate | null, wanted: Total): Promise<Read> {
    const window = windowOf(work, start, known, this.#choosePath);
    const recurring = work.selection.filter === null && !('offset' in start && start.offset > 0n);
    const [row] = await this.#run(pageStatement(work.selection, window, wanted), recurring);
    return readOf(row!);
  }

  /**
   * A poller goes on behind the last row that it saw, with a filter of its own each time. What that selects follows from
   * the page before, so a poller that catches up over a million rows has them counted once.
   */
  #foresee({ selection, sort, namedBy }: Work, { end, count }: Read, totals: Totals): void {
    const name = end && nameBehind(selection.filter, sort, end);
    if (name) this.#totals.keep(namedBy(name), { ...totals, total: totals.total - count });
  }

  /**
   * The page that a walk is known to reach. When rows have left the list on earlier pages, the walk finds more behind what
   * the total says is the last page, and must not end before them.
   */
  async #reached(work: Work, { page, pageSize }: CheckedList, read: Read, total: number): Promise<number> {
    if (read.end === null) return 0;
    if (read.count < pageSize || page * pageSize < total) return page;
    const known = this.#totals.get(work.totals) ?? null;
    const next = await this.#read({ ...work, limit: 1 }, { behind: read.end }, known, 'none');
    return next.count > 0 ? page + 1 : page;
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
  readonly sort: Sort;
  readonly limit: number;
  /** The key of the totals of a filter, for this scope. */
  readonly namedBy: (filter: string) => string;
  readonly totals: string;
  readonly walk: string;
}

function workOf(table: CollectionTable, { scope, tenant, list }: PageRequest): Work {
  const filter = selectionOf(list);
  const owner = [scope.organizationId, scope.keyId, tenant ?? ''].join(' ');
  const namedBy = (name: string) => `${owner} ${name}`;
  const totals = namedBy(nameOf(filter));
  return {
    selection: { table, scope, tenant, shape: shapeOf(scope, tenant), filter },
    order: orderOf(list.sort, table),
    sort: list.sort,
    limit: list.pageSize,
    namedBy,
    totals,
    walk: `${totals} ${list.sort.descending ? '-' : ''}${list.sort.field.name} ${list.pageSize}`,
  };
}

function startName(start: Start): string {
  return 'behind' in start ? `behind ${start.behind.id} ${start.behind.value}` : `${start.offset}`;
}

function countingOf({ selection }: Work, numbers: Numbers, total: number | null): Counting {
  if (countsByArms(numbers, !selection.shape.open)) return 'arms';
  return countsNarrowed(numbers, total) ? 'narrowed' : 'plain';
}

function counted(read: Read, totals: Totals): Counted {
  return { read, total: totals.total, totals };
}

type Cell = Buffer | null;

function readOf([clock, total, visible, range, arms, documents, count, value, id]: Cell[]): Read {
  return {
    clock: String(clock),
    total: total ? Number(total) : null,
    numbers: numbersOf([visible!, range!, arms!]),
    documents: documents ?? null,
    count: Number(count),
    end: id ? { value: value ? String(value) : null, id: String(id) } : null,
  };
}

function numbersOf(cells: readonly Cell[]): Numbers | null {
  if (cells[0] === null) return null;
  const [visible, range, arms] = cells.map(Number) as [number, number, number];
  return { visible, range, arms };
}

function windowOf(
  { selection, order, limit, sort }: Work,
  start: Start,
  known: Estimate | null,
  choose: (question: PathQuestion) => AccessPath,
): Window {
  const { shape, filter } = selection;
  const { indexed = [] } = resolveField(selection.table, sort.field.name).column;
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
    bounded: filter !== null && soleField(filter) === sort.field.name,
  });
  return { order, path, rangeIndexed, limit, start };
}

function bodyOf(
  list: CheckedList,
  total: number,
  pages: number,
  documents: Buffer | null,
): readonly (Buffer | string)[] {
  const head = `{"page":${list.page},"pageSize":${list.pageSize},"totalPages":${pages},"totalElements":${total},"items":[`;
  return documents ? [head, documents, ']}'] : [`${head}]}`];
}
