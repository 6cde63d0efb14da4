import {
  ApiError,
  type ContractAmounts,
  type ContractEnd,
  type ContractRecord,
  type ContractVersion,
  dryRunId,
  type Order,
  type OrderCompletion,
  type OrderContract,
  type OrderPayrollChange,
  type RecordedVersion,
  unprocessable,
} from '@kontor/contract';
import { lastDayOfTerm, type Month, monthOf } from '../../lib/calendar.ts';
import { rates, subsidyOf, withAmounts } from './contract.ts';
import type { ProductBenefit } from './mapping.ts';

/** An order with what was recorded about its contract. */
export interface Recorded {
  readonly order: Order;
  /** Null before the first end or version. */
  readonly record: ContractRecord | null;
  /** Null: the taxable benefit follows from the contract. */
  readonly productBenefits: readonly ProductBenefit[] | null;
}

/** A contract after a change, and its record. */
export interface Change {
  readonly contract: OrderContract;
  readonly record: ContractRecord;
}

/** The author of a change and its instant. */
export interface Authorship {
  readonly by: ContractRecord['endHistory'][number]['recordedBy'];
  readonly at: Date;
}

/** A contract with a first day has months. */
type DatedContract = OrderContract & { readonly startDate: string };

const maxRecorded = 100;

/** The amounts that a version may change, and those that follow. */
const changeable = ['listPrice', ...rates, ...rates.map(subsidyOf)] as const;
const derived = ['salaryConversion', 'taxableBenefit'] as const;

/** The record of an order. Before a change it has the contract as it was handed over. */
export function recordOf({
  order: { contract },
  record,
}: Pick<Recorded, 'order' | 'record'>): ContractRecord {
  return (
    record ?? {
      agreedEndDate: contract?.endDate ?? null,
      endHistory: [],
      versions: [],
      amounts: contract ? [{ from: null, version: 1, ...pick(contract, [...changeable, ...derived]) }] : [],
    }
  );
}

/**
 * Records an early end, or changes it; null if it is the one that holds.
 * @throws ApiError INVALID_STATE_TRANSITION, 422 VALIDATION_ERROR for a day outside of the contract
 */
export function recordEnd(before: Recorded, end: ContractEnd, author: Authorship): Change | null {
  const contract = runningContract(before.order);
  const record = recordOf(before);
  const { lastDay, reason, comment = null } = end;
  const agreed = record.agreedEndDate ?? lastDayOfTerm(contract.startDate, contract.termMonths);
  if (lastDay < contract.startDate || (agreed !== null && lastDay > agreed))
    throw unprocessable(
      `lastDay must be from ${contract.startDate} to ${agreed ?? 'the end'}, the days of the contract`,
    );
  const holding = endOf(record);
  if (holding && holding.lastDay === lastDay && holding.reason === reason && holding.comment === comment)
    return null;
  const endHistory = appended(record.endHistory, { lastDay, reason, comment, ...recordedBy(author) });
  return showToday(
    { contract: { ...contract, endDate: lastDay }, record: { ...record, endHistory } },
    author.at,
  );
}

/** The early end that a completion records, if it has one. @throws ApiError as {@link recordEnd} */
export function completion(
  before: Recorded,
  { lastDay, reason, comment }: OrderCompletion,
  author: Authorship,
): Change | Record<string, never> {
  if (lastDay !== undefined)
    return (
      recordEnd(before, { lastDay, reason: reason ?? 'returned', comment: comment ?? null }, author) ?? {}
    );
  if (reason === undefined && comment === undefined) return {};
  throw unprocessable('lastDay is required with reason and comment: the early end that they describe');
}

/** Restores the agreed last day. @throws ApiError INVALID_STATE_TRANSITION if no end holds */
export function withdrawEnd(before: Recorded, author: Authorship): Change {
  const contract = runningContract(before.order);
  const record = recordOf(before);
  const holding = endOf(record);
  if (!holding)
    throw new ApiError(
      'INVALID_STATE_TRANSITION',
      'No early end of the contract holds, so none can be withdrawn',
    );
  const endHistory = [...record.endHistory.slice(0, -1), { ...holding, ...withdrawnBy(author) }];
  const { agreedEndDate: endDate } = record;
  return showToday({ contract: { ...contract, endDate }, record: { ...record, endHistory } }, author.at);
}

function endOf({ endHistory }: ContractRecord) {
  const last = endHistory.at(-1);
  return last && last.withdrawnAt === null ? last : null;
}

/**
 * Records a version; null if its month has these amounts already.
 * @throws ApiError INVALID_STATE_TRANSITION, 422 VALIDATION_ERROR for a month outside of the contract, and for amounts that do not fit
 */
export function recordVersion(
  before: Recorded,
  given: ContractVersion & { readonly id: string },
  author: Authorship,
): Change | null {
  const contract = runningContract(before.order);
  const record = recordOf(before);
  const { id, from, comment = null, ...sent } = given;
  if (Object.keys(sent).length === 0) throw unprocessable(`Send at least one of ${changeable.join(', ')}`);
  const end = contract.endDate ?? lastDayOfTerm(contract.startDate, contract.termMonths);
  const [first, last] = [monthOf(contract.startDate), end && monthOf(end)];
  if (from < first || (last !== null && from > last))
    throw unprocessable(`from must be a month of the contract, from ${first} to ${last ?? 'its end'}`);
  const holding = inForce(record.amounts, from);
  if (changeable.every(name => sent[name] === undefined || sent[name] === holding[name])) return null;
  const amounts = Object.fromEntries(changeable.map(name => [name, sent[name] ?? null]));
  const version = record.versions.length + 2;
  const versions = appended(record.versions, {
    id,
    version,
    from,
    ...amounts,
    comment,
    ...recordedBy(author),
  } as RecordedVersion);
  return withVersions({ contract, record }, { ...before, versions }, author.at);
}

/** @throws ApiError NOT_FOUND, INVALID_STATE_TRANSITION, 422 VALIDATION_ERROR if the other versions do not fit without it */
export function withdrawVersion(before: Recorded, id: string, author: Authorship): Change {
  const contract = runningContract(before.order);
  const record = recordOf(before);
  const index = record.versions.findIndex(version => version.id === id);
  const version = record.versions[index];
  if (!version) throw new ApiError('NOT_FOUND', 'The contract of the order has no version with this id');
  if (version.withdrawnAt !== null)
    throw new ApiError('INVALID_STATE_TRANSITION', 'The version was withdrawn already');
  const versions = record.versions.with(index, { ...version, ...withdrawnBy(author) });
  return withVersions({ contract, record }, { ...before, versions }, author.at);
}

/**
 * An order with its record after changes that are only considered. A last day of null: without an early end.
 * @throws ApiError as the functions above
 */
export function planChanges(
  before: Recorded,
  { lastDay, version, withdrawnVersion }: Omit<OrderPayrollChange, 'leave'>,
  author: Authorship,
): Recorded {
  const apply = (to: Recorded, change: Change | null): Recorded =>
    change ? { ...to, order: { ...to.order, contract: change.contract }, record: change.record } : to;
  let after = before;
  if (withdrawnVersion !== undefined) after = apply(after, withdrawVersion(after, withdrawnVersion, author));
  if (version !== undefined) after = apply(after, recordVersion(after, { id: dryRunId, ...version }, author));
  if (lastDay === null && endOf(recordOf(after)) !== null) after = apply(after, withdrawEnd(after, author));
  if (typeof lastDay === 'string')
    after = apply(after, recordEnd(after, { lastDay, reason: 'other' }, author));
  return after;
}

/** Computes the amounts anew. Each version changes the ones that it names, from its month on; of one month, the later version is applied last. */
function withVersions(
  { record: { amounts, ...record }, contract }: Change,
  { versions, productBenefits }: Pick<ContractRecord, 'versions'> & Pick<Recorded, 'productBenefits'>,
  at: Date,
): Change {
  const [base] = amounts;
  const { from: _from, version: _version, ...agreed } = base!;
  const all = [base!];
  let changed: OrderContract = { ...contract, ...agreed };
  const holding = versions.filter(({ withdrawnAt }) => withdrawnAt === null);
  for (const sent of holding.toSorted((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0))) {
    const { from, version } = sent;
    const named = pick(
      sent,
      changeable.filter(name => sent[name] !== null),
    ) as Partial<OrderContract>;
    changed = withAmounts(changed, named, { productBenefits, from });
    if (all.at(-1)!.from === from) all.pop();
    all.push({ from, version, ...pick(changed, [...changeable, ...derived]) });
  }
  return showToday({ contract, record: { ...record, versions, amounts: all } }, at);
}

/** Gives a contract the amounts of today, in UTC. After its last day they stay. */
export function showToday({ contract, record }: Change, at: Date): Change {
  const today = monthOf(at.toISOString());
  const last = contract.endDate === null ? today : monthOf(contract.endDate);
  const { from: _from, version: _version, ...amounts } = inForce(record.amounts, today < last ? today : last);
  return { contract: { ...contract, ...amounts }, record };
}

function inForce(amounts: readonly ContractAmounts[], month: Month): ContractAmounts {
  return amounts.findLast(({ from }) => from === null || from <= month)!;
}

/** @throws ApiError INVALID_STATE_TRANSITION before the handover, 422 VALIDATION_ERROR for an imported order without a contract or its days */
function runningContract({ status, contract }: Order): DatedContract {
  if (status !== 'active' && status !== 'completed')
    throw new ApiError(
      'INVALID_STATE_TRANSITION',
      `The order is ${status}; only the contract of an order that is active or completed can change`,
    );
  if (contract === null) throw unprocessable('contract: the order has none, so it cannot change');
  const { startDate } = contract;
  if (startDate === null) throw unprocessable('contract: it has no first day, so it cannot change');
  return { ...contract, startDate };
}

function pick<Values extends object, Name extends keyof Values>(
  values: Values,
  names: readonly Name[],
): Pick<Values, Name> {
  return Object.fromEntries(names.map(name => [name, values[name]])) as Pick<Values, Name>;
}

function recordedBy({ by, at }: Authorship) {
  return { recordedAt: at.toISOString(), recordedBy: by, withdrawnAt: null, withdrawnBy: null };
}

function withdrawnBy({ by, at }: Authorship) {
  return { withdrawnAt: at.toISOString(), withdrawnBy: by };
}

function appended<Item>(items: readonly Item[], item: Item): Item[] {
  if (items.length >= maxRecorded)
    throw new ApiError(
      'INVALID_STATE_TRANSITION',
      `The contract has ${maxRecorded} of these already, the maximum`,
    );
  return [...items, item];
}
