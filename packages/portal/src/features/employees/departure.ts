import type { AnswerOf } from '../../api/ask.ts';
import { parseDay } from '../../kit/dates.ts';
import type { EndReason } from '../../kit/hr-words.tsx';

type Order = AnswerOf<'POST /orders/search'>['items'][number];

/** An order whose contract runs. */
export interface Bike extends Order {
  readonly contract: NonNullable<Order['contract']> & { readonly startDate: string };
}

/** The outcome for a bike: an early end, or the contract goes on; empty: not chosen yet. */
export interface Choice {
  readonly outcome: EndReason | 'continue' | '';
  readonly lastDay: string;
}

export type Choices = Readonly<Record<string, Choice>>;

export function bikesOf(orders: readonly Order[]): Bike[] {
  return orders.filter(
    (order): order is Bike => order.status === 'active' && typeof order.contract?.startDate === 'string',
  );
}

/** The choice for a bike. Until one is made, its contract ends with the employment, or before. */
export function choiceOf(
  { id, contract: { endDate } }: Bike,
  choices: Choices,
  { lastDay, hasDied }: { lastDay: string; hasDied: boolean },
): Choice {
  const isEarlier = endDate !== null && endDate < lastDay;
  return choices[id] ?? { outcome: hasDied ? 'death' : '', lastDay: isEarlier ? endDate : lastDay };
}

/** Whether the day is one of the contract. A later one is a change of a recorded end, which is made on the page of the order. */
export function isDayOf({ contract: { startDate, endDate } }: Bike, { lastDay }: Choice): boolean {
  return parseDay(lastDay) !== null && lastDay >= startDate && (endDate === null || lastDay <= endDate);
}

export function isComplete(bike: Bike, choice: Choice): boolean {
  return choice.outcome === 'continue' || (choice.outcome !== '' && isDayOf(bike, choice));
}

/** @throws Error for a contract that goes on */
export function endOf({ outcome, lastDay }: Choice): { lastDay: string; reason: EndReason } {
  if (outcome === 'continue' || outcome === '') throw new Error('The contract does not end');
  return { lastDay, reason: outcome };
}

/** The change that is considered for a bike; null: none is chosen, or its day is not one of the contract. */
export function changeOf(bike: Bike, choice: Choice): { lastDay?: string } | null {
  if (!isComplete(bike, choice)) return null;
  return choice.outcome === 'continue' ? {} : { lastDay: choice.lastDay };
}
