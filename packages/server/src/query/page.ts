import { pageSizeDefault } from '@kontor/contract';
import { type Bytes, type Execute, type Piece, type Running, textOf } from '../db/list-statement.ts';
import type { Fragment } from '../db/sql.ts';
import { boundOf, isLookup } from './bound.ts';
import type { CheckedList } from './check.ts';
import { isCarriable, numbersStatement, totalStatement } from './count.ts';
import { EmptyLists } from './empty-lists.ts';
import { nameBehind } from './filter-name.ts';
import { lookupStatement } from './lookup-statement.ts';
import type { Position } from './order.ts';
import { readTo } from './poll.ts';
import { clockStatement, pageStatement, type Start, type Total } from './page-statement.ts';
import { type AccessPath, choosePath, type Estimate, type PathQuestion } from './path.ts';
import { probeStatement } from './probe-statement.ts';
import { bodyOf, numbersOf, type Read, readOf, readOfLookup } from './read.ts';
import { SharedRuns } from './shared-runs.ts';
import type { CollectionTable } from './table.ts';
import { type Totals, TotalsCache } from './totals.ts';
import { Walks } from './walks.ts';
import { countingOf, isWhole, pageName, windowOf, type PageRequest, type Work, workOf } from './work.ts';

export type { PageRequest } from './work.ts';

export interface Collection {
  /**
   * The JSON of the whole list body (specification.md 3.1) in pieces, total and items from one snapshot.
   *
   * @throws ApiError 422 VALIDATION_ERROR for a literal that is no value of its field, or bounds in the wrong order; the reason
   * of the signal when that is aborted. What others wait for, too, goes on.
   */
  page(request: PageRequest): Promise<readonly Piece[]>;
}

export interface CollectionOptions {
  /** A clock in milliseconds of any origin, for the two minutes that the end of a page is remembered. */
  readonly now: () => number;
  /** Decides how rows are found; the answer does not depend on it. */
  readonly choosePath?: (question: PathQuestion) => AccessPath;
  /** Most rows that a probe looks at; 0: nothing is probed. What is listed does not depend on it. */
  readonly mostProbed?: number;
  /** Whether the tables may be distributed by organization. What is listed does not depend on it. */
  readonly mayBeOfCluster: () => boolean;
}

/** Reading so many rows along an index takes about a millisecond, as long as planning the statements without a probe. */
const mostProbed = 1000;

/** Rows that are read one by one for a lookup: so many that one with more is rare, so few that it does not matter then. */
const mostLookedUp = 50;

/** Reads pages of a table. Its memory (totals, ends of pages) is bounded and of this process alone. */
export function createCollection(
  table: CollectionTable,
  execute: Execute,
  options: CollectionOptions,
): Collection {
  const reader = new PageReader(execute, options);
  return { page: request => reader.page(table, request) };
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
  readonly #empty = new EmptyLists();
  readonly #walks: Walks;
  readonly #now: () => number;
  readonly #choosePath: (question: PathQuestion) => AccessPath;
  readonly #mostProbed: number;
  readonly #mayBeOfCluster: () => boolean;
  readonly #counts = new SharedRuns<Totals>();
  readonly #recounts = new SharedRuns<Counted>();

  constructor(execute: Execute, options: CollectionOptions) {
    this.#execute = execute;
    this.#walks = new Walks(options.now);
    this.#now = options.now;
    this.#choosePath = options.choosePath ?? choosePath;
    this.#mostProbed = options.mostProbed ?? mostProbed;
    this.#mayBeOfCluster = options.mayBeOfCluster;
  }

  async page(table: CollectionTable, request: PageRequest): Promise<readonly Piece[]> {
    const { list } = request;
    const work = workOf(table, request, this.#now());
    const behind = list.page === 1 ? null : this.#walks.startOf(work.walk, list.page);
    const start: Start = behind ? { behind } : { offset: BigInt(list.page - 1) * BigInt(list.pageSize) };
    const { read, total, totals } = await this.#readWithTotal(work, start);
    // The end of a page that is not full counts too: rows that arrived in front of it must not come again behind it.
    const end = read.end ?? behind;
    if (end) this.#walks.endOf(work.walk, list.page, end);
    if (list.page === 1 && totals) this.#foresee(work, read, totals);
    const reached = request.noteRead && readTo(list, read);
    if (reached) request.noteRead(reached);
    let pages = Math.ceil(total / list.pageSize);
    if (behind) pages = Math.max(pages, await this.#reached(work, list, read, total));
    return bodyOf(list, total, pages, read.documents);
  }

  /** One page with the total of its snapshot. */
  async #readWithTotal(work: Work, start: Start): Promise<Counted> {
    if (isWhole(work)) {
      const read = await this.#read(work, start, null, 'plain');
      return { read, total: read.total!, totals: null };
    }
    const remembered = this.#totals.get(work.totals);
    if (!remembered || isBehindTheEnd(start, remembered)) {
      const read = (await this.#stillEmpty(work)) ?? (await this.#probe(work, start));
      if (read?.total === 0) this.#empty.found(work.totals, read.clock);
      if (read && read.total !== null) return { read, total: read.total, totals: null };
    }
    const known = remembered ?? (await this.#count(work));
    const read =
      (await this.#behindTheEnd(work, start, known)) ?? (await this.#read(work, start, known, 'none'));
    // Somebody may have written since. Then another request may have the total of this very moment.
    const latest = this.#totals.get(work.totals) ?? known;
    if (latest.clock === read.clock) return counted(read, latest);
    return (await this.#carryOn(work, start, latest)) ?? (await this.#recount(work, start, read));
  }

  /** The page of a list that was empty the last time, as a poller's is, when nothing has happened since; else null. */
  async #stillEmpty(work: Work): Promise<Read | null> {
    const clock = this.#empty.clockOf(work.totals);
    if (clock === null || (await this.#readClock(work)) !== clock) return null;
    return { ...emptyPage(clock), total: 0 };
  }

  /**
   * A page from the few rows that an index finds, with its total; that is null where there are more. Null for a list whose
   * filter no index serves.
   */
  async #probe(work: Work, start: Start): Promise<Read | null> {
    const { selection, order, limit } = work;
    const bound = this.#mostProbed === 0 ? null : boundOf(selection);
    if (!bound) return null;
    const how = { prepare: true, brief: limit <= pageSizeDefault };
    if (isLookup(bound.terms) && 'offset' in start) {
      const most = Math.min(mostLookedUp, this.#mostProbed);
      const rows = await this.#run(work, lookupStatement(selection, bound, order, most), how);
      if (rows.length <= most) return readOfLookup(rows, start.offset, limit);
    }
    const statement = probeStatement(selection, bound, { order, start, limit }, this.#mostProbed);
    const [row] = await this.#run(work, statement, how);
    return readOf(row!);
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
    const counting = this.#counts.underWay(work.totals, work.signal)?.catch(() => undefined);
    const latest = (await counting) ?? this.#totals.get(work.totals);
    if (latest?.clock === read.clock) return counted(read, latest);
    const name = pageName(work, start);
    return this.#recounts.next(name, signal => this.#readCounted({ ...work, signal }, start), work.signal);
  }

  /** A page that lies behind the end. Null for one that does not, as far as is known. */
  async #behindTheEnd(work: Work, start: Start, known: Totals): Promise<Read | null> {
    if (!isBehindTheEnd(start, known)) return null;
    return (await this.#readClock(work)) === known.clock ? emptyPage(known.clock) : null;
  }

  async #readClock(work: Work): Promise<string> {
    const [row] = await this.#run(work, clockStatement(work.selection.scope), { prepare: true, brief: true });
    return textOf(row![0]!);
  }

  /** A page with its total counted anew, for which others may wait who want the total only. */
  async #readCounted(work: Work, start: Start): Promise<Counted> {
    const known = this.#totals.get(work.totals) ?? (await this.#count(work));
    const counting = countingOf(work, known, known.total);
    let read: Read;
    const totals = await this.#beginCount(work, async shared => {
      read = await this.#read(shared, start, known, counting);
      return { ...read.numbers!, clock: read.clock, total: read.total! };
    });
    return counted(read!, totals);
  }

  /** The totals of a list that is asked for the first time; counted once, however many ask. */
  #count(work: Work): Promise<Totals> {
    const counting = this.#counts.underWay(work.totals, work.signal);
    return counting ?? this.#beginCount(work, shared => this.#countFirst(shared));
  }

  /** Counts for all who ask for the totals meanwhile, and keeps them. */
  #beginCount(work: Work, count: (shared: Work) => Promise<Totals>): Promise<Totals> {
    const shared = async (signal: AbortSignal) => {
      const totals = await count({ ...work, signal });
      this.#totals.keep(work.totals, totals);
      return totals;
    };
    return this.#counts.begin(work.totals, shared, work.signal);
  }

  async #countFirst(work: Work): Promise<Totals> {
    const { selection } = work;
    const [row] = await this.#run(work, numbersStatement(selection), { prepare: true });
    const numbers = numbersOf(row!.slice(1))!;
    if (selection.filter === null) return { ...numbers, clock: textOf(row![0]!), total: numbers.visible };
    const counting = countingOf(work, numbers, null);
    const [counted] = await this.#run(work, totalStatement(selection, counting), { prepare: false });
    const [clock, total, ...rest] = counted!;
    return { ...numbersOf(rest)!, clock: textOf(clock!), total: Number(total && textOf(total)) };
  }

  async #read(work: Work, start: Start, known: Estimate | null, wanted: Total): Promise<Read> {
    const choices = { choosePath: this.#choosePath, mayBeOfCluster: this.#mayBeOfCluster() };
    const window = windowOf(work, start, known, choices);
    const prepare = work.selection.filter === null && !('offset' in start && start.offset > 0n);
    const [row] = await this.#run(work, pageStatement(work.selection, window, wanted), { prepare });
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
    return (await this.#isFollowed(work, read.end)) ? page + 1 : page;
  }

  /** Whether a row of the list lies behind the position. */
  async #isFollowed(work: Work, end: Position): Promise<boolean> {
    const [one, start] = [{ ...work, limit: 1 }, { behind: end }];
    const remembered = this.#totals.get(work.totals);
    const probed = remembered ? null : await this.#probe(one, start);
    if (probed && probed.total !== null) return probed.count > 0;
    const known = remembered ?? (isWhole(work) ? null : await this.#count(work));
    return (await this.#read(one, start, known, 'none')).count > 0;
  }

  async #run(
    { selection, signal, since }: Work,
    statement: Fragment,
    how: Pick<Running, 'prepare' | 'brief'>,
  ): Promise<(Bytes | null)[][]> {
    signal?.throwIfAborted();
    const { callerId } = selection.scope;
    const rows = await this.#execute(statement, { ...how, callerId, signal, since });
    if (rows.length === 0) throw new Error('the organization of the scope does not exist');
    return rows;
  }
}

function counted(read: Read, totals: Totals): Counted {
  return { read, total: totals.total, totals };
}

function emptyPage(clock: string): Read {
  return { clock, total: null, numbers: null, documents: null, count: 0, end: null };
}

/** Whether the page lies behind the end of the list, as far as is known. */
function isBehindTheEnd(start: Start, known: Totals): boolean {
  return 'offset' in start && start.offset >= BigInt(known.total);
}
