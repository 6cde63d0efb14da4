import { pageSizeDefault } from '@kontor/contract';
import { accessOf, type Scope } from '../auth/scope.ts';
import type { Fragment } from '../db/sql.ts';
import { BoundedMap } from '../lib/bounded-map.ts';
import { SingleFlight } from '../lib/concurrency/single-flight.ts';
import type { CheckedList, CollectionTable, Position, Sort } from './check.ts';
import { totalStatement } from './count.ts';
import { boundOf, probeStatement } from './indexed.ts';
import { combineFilter, isOpenEnded, nameBehind, nameOf } from './list-filter.ts';
import {
  type Cell,
  type Order,
  orderOf,
  pageStatement,
  type Read,
  readOf,
  type Start,
  type Total,
} from './page-statement.ts';
import {
  type AccessPath,
  choosePath,
  countingOf,
  type Estimate,
  type PathQuestion,
  questionOf,
  type Totals,
} from './path.ts';
import { isWhole, type Selection } from './selection.ts';

export interface PageRequest {
  readonly scope: Scope;
  /** The selected tenant. The caller has checked that it is in scope. */
  readonly tenant: string | null;
  readonly list: CheckedList;
  /** Aborted when the client disconnects or the request times out. The page then rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called for a poll with the instant up to which the client has read everything, see {@link readTo}. */
  readonly recordRead?: ((to: string) => void) | undefined;
}

/** How a list statement runs. */
export interface Listing {
  /** A hint: the text recurs, so the server should keep its plan. */
  readonly prepare: boolean;
  /** The statement takes a few milliseconds at most, so other statements may queue behind it on the same connection. */
  readonly brief?: boolean;
  /** Cancels the statement when its client is gone. */
  readonly signal?: AbortSignal | undefined;
}

/** @throws the reason of the signal when it is aborted */
export type Execute = (statement: Fragment, how: Listing) => Promise<Cell[][]>;

export interface CollectionOptions {
  /** A clock in milliseconds of any origin. */
  readonly now: () => number;
  /** Chooses the access path. The response does not depend on it. */
  readonly choosePath?: (question: PathQuestion) => AccessPath;
  /** Maximum rows that the path "indexed" reads; 0 turns it off. The response does not depend on it. */
  readonly maxProbed?: number;
}

/** A request with the keys of its cache entries. */
interface Work {
  readonly selection: Selection;
  readonly order: Order;
  readonly sort: Sort;
  readonly limit: number;
  /** Caller and tenant, with which the name of each filter begins. */
  readonly owner: string;
  /** The list, whatever its order and pages. */
  readonly totals: string;
  /** The list in this order and page size. */
  readonly pages: string;
  /** Aborted when no caller waits for it. */
  readonly signal: AbortSignal | undefined;
}

/** A page with the total of its snapshot. `totals` are the numbers to cache, or null. */
interface Counted {
  readonly read: Read;
  readonly total: number;
  readonly totals: Totals | null;
}

/** Reading this many rows along an index takes about a millisecond, as long as planning the statements without an index. */
const maxProbed = 1000;

/** Memory limits in bytes, enough for about 10,000 totals and 25,000 positions. */
const totalsCapacity = 4 * 1024 * 1024;
const positionsCapacity = 16 * 1024 * 1024;

/** Milliseconds that a position stays cached (specification.md 3.8). */
const positionLifetime = 120_000;

/**
 * Reads pages of a table. A page always comes with the exact total of its own snapshot, by the first of these paths that applies:
 *
 * | path    | when                                               | reads                                             |
 * | ------- | -------------------------------------------------- | ------------------------------------------------- |
 * | counter | no filter, scope is one tenant or organization     | page with its counter                             |
 * | indexed | total not cached, an index finds at most 1,000 rows | these rows, counted and paged                     |
 * | cached  | the clock of the page is that of the cached total  | page; first the total if none is cached           |
 * | counted | a write came in between                            | page and total, once for all requests of the page |
 *
 * Its two caches belong to this process and change no response. Where a page ended is cached, so the next one starts there, not at an offset
 * (specification.md 3.8). And a poll that continues after the last row of a first page has its total less that page.
 */
export class Collection {
  readonly #table: CollectionTable;
  readonly #execute: Execute;
  readonly #options: Required<CollectionOptions>;
  /** The latest totals of lists. Every change that affects them, of rows or of the division tree, moves the clock. */
  readonly #totals = new BoundedMap<Totals>(totalsCapacity);
  /** Where pages ended, by list and number. */
  readonly #positions = new BoundedMap<{ end: Position; until: number }>(positionsCapacity);
  readonly #counts = new SingleFlight<Totals>();
  readonly #recounts = new SingleFlight<Counted>();

  constructor(table: CollectionTable, execute: Execute, options: CollectionOptions) {
    this.#table = table;
    this.#execute = execute;
    this.#options = { choosePath, maxProbed, ...options };
  }

  /**
   * Returns the JSON of the list body (specification.md 3.1), total and items from one snapshot.
   * @throws ApiError 422 VALIDATION_ERROR for a literal that is not a value of its field, or bounds in the wrong order
   * @throws the reason of the signal when it is aborted; work that other requests wait for continues
   */
  async page(request: PageRequest): Promise<string> {
    const { list } = request;
    const { page, pageSize } = list;
    const work = workOf(this.#table, request);
    const after = page === 1 ? null : this.#endOf(work, page - 1);
    const start: Start = after ? { after } : { offset: BigInt(page - 1) * BigInt(pageSize) };
    const { read, total, totals } = await this.#readCounted(work, start);
    // Applies to pages that are not full, too: a row inserted before this end must not repeat on the next page.
    const end = read.end ?? after;
    if (end) this.#keepEnd(work, page, end);
    if (page === 1 && totals) this.#keepTotalOfNextPoll(work, read, totals);
    const reached = request.recordRead && readTo(list, read);
    if (reached) request.recordRead(reached);
    let pages = Math.ceil(total / pageSize);
    if (after) pages = Math.max(pages, await this.#lastKnownPage(work, page, read, total));
    return `{"page":${page},"pageSize":${pageSize},"totalPages":${pages},"totalElements":${total},"items":[${read.documents}]}`;
  }

  async #readCounted(work: Work, start: Start): Promise<Counted> {
    if (isWhole(work.selection)) {
      const read = await this.#read(work, start, null, 'plain');
      return { read, total: read.total!, totals: null };
    }
    const cached = this.#totals.get(work.totals);
    const probed = cached ? null : await this.#readIndexed(work, start);
    if (probed && probed.total !== null) return { read: probed, total: probed.total, totals: null };
    const known = cached ?? (await this.#count(work));
    const recount = (signal: AbortSignal) => this.#recount({ ...work, signal }, start, known);
    return (
      (await this.#readKnown(work, start, known)) ??
      this.#recounts.next(nameOfPage(work, start), recount, work.signal)
    );
  }

  /** "indexed": the page with its total, which is null if there are too many rows. Null if no index serves the filter. */
  async #readIndexed(work: Work, start: Start): Promise<Read | null> {
    const { selection, order, limit } = work;
    const max = this.#options.maxProbed;
    const bound = max === 0 ? null : boundOf(selection);
    if (!bound) return null;
    const statement = probeStatement(selection, bound, { order, start, limit }, max);
    return this.#run(work, statement, { prepare: true, brief: limit <= pageSizeDefault });
  }

  /** "cached": the page, if the known total is that of its clock. */
  async #readKnown(work: Work, start: Start, known: Totals): Promise<Counted | null> {
    const isPastEnd = 'offset' in start && start.offset >= BigInt(known.total);
    const read = await this.#read(isPastEnd ? { ...work, limit: 0 } : work, start, known, 'none');
    // A write may have been committed meanwhile, and another request may have cached the total of the new clock.
    const latest = isPastEnd ? known : (this.#totals.get(work.totals) ?? known);
    return latest.clock === read.clock ? { read, total: latest.total, totals: latest } : null;
  }

  /** "counted": page and total in one statement, so no write can come in between. */
  async #recount(work: Work, start: Start, known: Totals): Promise<Counted> {
    // The requests of the run before may have counted meanwhile.
    const latest = this.#totals.get(work.totals) ?? known;
    const recounted = latest === known ? null : await this.#readKnown(work, start, latest);
    if (recounted) return recounted;
    const counting = countingOf(latest, !work.selection.access.isOpen, latest.total);
    const read = await this.#read(work, start, latest, counting);
    const totals = this.#keepTotals(work.totals, read);
    return { read, total: totals.total, totals };
  }

  /** Counts a list without cached totals, once for all waiting requests. */
  #count(work: Work): Promise<Totals> {
    const count = (signal: AbortSignal) => this.#countFirst({ ...work, signal });
    const { totals, signal } = work;
    return this.#counts.inProgress(totals, signal) ?? this.#counts.begin(totals, count, signal);
  }

  async #countFirst(work: Work): Promise<Totals> {
    const { selection } = work;
    let read = await this.#run(work, totalStatement(selection, null), { prepare: true });
    if (selection.filter !== null) {
      const counting = countingOf(read.numbers!, !selection.access.isOpen, null);
      read = await this.#run(work, totalStatement(selection, counting), { prepare: false });
    }
    return this.#keepTotals(work.totals, read);
  }

  #read(work: Work, start: Start, known: Estimate | null, wanted: Total): Promise<Read> {
    const { selection, order, limit, sort } = work;
    const offset = 'offset' in start ? Number(start.offset) : 0;
    const estimate = known ?? { total: 0, visible: 0, range: 0, units: 0 };
    const question = questionOf(selection, sort, offset + limit, estimate);
    const path = this.#options.choosePath(question);
    const { rangeIndexed } = question;
    const statement = pageStatement(selection, { order, path, rangeIndexed, limit, start }, wanted);
    return this.#run(work, statement, { prepare: selection.filter === null && offset === 0 });
  }

  async #run({ signal }: Work, statement: Fragment, how: Omit<Listing, 'signal'>): Promise<Read> {
    signal?.throwIfAborted();
    const [row] = await this.#execute(statement, { ...how, signal });
    if (row === undefined) throw new Error('the organization of the scope does not exist');
    return readOf(row);
  }

  /**
   * The last page that is known to have rows. If rows have left the list since an earlier page, more rows follow than the total implies.
   * A client that reads on must still get them.
   */
  async #lastKnownPage(work: Work, page: number, read: Read, total: number): Promise<number> {
    const { limit } = work;
    if (read.end === null) return 0;
    if (read.count < limit || page * limit < total) return page;
    const rest = { ...work, limit: 1, pages: `${work.pages} rest` };
    const next = await this.#readCounted(rest, { after: read.end });
    return next.read.count > 0 ? page + 1 : page;
  }

  /** Caches totals. If they are older than the cached ones, the next request detects it by the clock. */
  #keepTotals(name: string, { clock, total, numbers }: Pick<Read, 'clock' | 'total' | 'numbers'>): Totals {
    const totals = { ...numbers!, clock, total: total! };
    this.#totals.set(name, totals, 2 * clock.length + 32);
    return totals;
  }

  /** The filter of the poll that continues after this page differs for each page. Counting for each one makes catching up five times slower. */
  #keepTotalOfNextPoll({ selection, sort, owner }: Work, { end, count }: Read, totals: Totals): void {
    const name = end && nameBehind(selection.filter, sort, end);
    if (name)
      this.#keepTotals(`${owner} ${name}`, { ...totals, numbers: totals, total: totals.total - count });
  }

  /** Where the page ended; null when it is not cached. */
  #endOf({ pages }: Work, page: number): Position | null {
    const known = this.#positions.get(`${pages} ${page}`);
    return known && known.until > this.#options.now() ? known.end : null;
  }

  #keepEnd({ pages }: Work, page: number, end: Position): void {
    const size = 2 * ((end.value?.length ?? 0) + end.id.length);
    this.#positions.set(`${pages} ${page}`, { end, until: this.#options.now() + positionLifetime }, size);
  }
}

/** @throws ApiError 422 VALIDATION_ERROR for bounds in the wrong order */
function workOf(table: CollectionTable, { scope, tenant, list, signal }: PageRequest): Work {
  const { sort, pageSize } = list;
  const filter = combineFilter(list);
  const owner = [scope.organizationId, scope.callerId, tenant ?? ''].join(' ');
  const totals = `${owner} ${nameOf(filter)}`;
  return {
    selection: { table, scope, tenant, access: accessOf(scope, tenant), filter },
    order: orderOf(sort, table),
    sort,
    limit: pageSize,
    owner,
    totals,
    pages: `${totals} ${sort.descending ? '-' : ''}${sort.field.name} ${pageSize}`,
    signal,
  };
}

/** The page that starts here. */
function nameOfPage({ pages }: Work, start: Start): string {
  if ('offset' in start) return `${pages} ${start.offset}`;
  return `${pages} behind ${start.after.id} ${start.after.value}`;
}

/**
 * The instant of the organization clock up to which the client has read all changes, after this page.
 * Null unless the list is a poll: ordered by `updatedAt` with no upper bound on it (docs/polling.md).
 * More rows may follow a full page, so there the instant is that of the last row; otherwise it is the clock.
 */
function readTo({ sort, filter, pageSize }: CheckedList, read: Read): string | null {
  if (sort.field.name !== 'updatedAt' || sort.descending || !isOpenEnded(filter)) return null;
  return read.count < pageSize ? read.clock : (read.end?.value ?? null);
}
