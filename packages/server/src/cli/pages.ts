import { CommandError } from './command.ts';

/** A page of a list, as the API answers it. */
export interface Page<Item> {
  readonly page: number;
  readonly pageSize: number;
  readonly totalPages: number;
  readonly totalElements: number;
  readonly items: readonly Item[];
}

/** How many there are, and where the rest of them is. */
export function foundText(
  { page, pageSize, totalPages, totalElements, items }: Page<unknown>,
  noun: string,
): string {
  const all = `${totalElements} ${noun}`;
  if (items.length === 0 && totalElements > 0)
    return `${all}, on ${totalPages} pages: there is no page ${page}`;
  if (totalPages <= 1) return all;
  const first = (page - 1) * pageSize + 1;
  const next = page < totalPages ? `; --page ${page + 1} shows the next` : '';
  return `${first} to ${first + items.length - 1} of ${all}${next}`;
}

/** Reads a number of the command line, from 1 on. */
export function wholeNumber(maximum: number): (text: string) => number {
  return text => {
    const value = Number(text);
    if (!/^[0-9]{1,7}$/.test(text) || value < 1 || value > maximum)
      throw new CommandError(`expected a whole number from 1 to ${maximum}`);
    return value;
  };
}
