import { integer } from '../../config.ts';
import type { ListParameters } from '../../query/check.ts';
import { type CommandResult, option, type ValuesOf } from './command.ts';

/** The option `--filter`, with an expression as an example. */
export const filterOption = (example: string) =>
  option('--filter <filter>', `An expression as the API takes it, e.g. "${example}"`);

/** The other options of a command that shows a page of a list of the API. */
export const pageOptions = {
  sort: option('--sort <field>', 'One field, with - before it for descending'),
  page: option('--page <number>', 'Which page (default 1)', integer(1, 1_000_000)),
  pageSize: option('--page-size <number>', 'Rows of a page (default 20)', integer(1, 1000)),
};

/** Returns the parameters of a list as a request has them: those that were not given are missing. */
export function listParameters({
  filter,
  sort,
  page,
  pageSize = 20,
}: ValuesOf<typeof pageOptions> & { readonly filter: string | undefined }): ListParameters {
  const given = Object.entries({ filter, sort, page, pageSize }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given);
}

/** A page of a list, as the API answers it. */
export interface Page<Item> {
  readonly page: number;
  readonly pageSize: number;
  readonly totalPages: number;
  readonly totalElements: number;
  readonly items: readonly Item[];
}

/** Shows the items of a page as a table, and how many there are. */
export function pageResult(
  page: Page<unknown>,
  nouns: readonly [singular: string, plural: string],
  renderItems: () => string,
): CommandResult {
  const found = countText(page, nouns);
  return { json: { ...page }, text: page.items.length === 0 ? found : `${renderItems()}\n${found}` };
}

/** Says how many items there are, and which of them the page has. */
function countText(
  { page, pageSize, totalPages, totalElements, items }: Page<unknown>,
  [singular, plural]: readonly [string, string],
): string {
  const all = `${totalElements} ${totalElements === 1 ? singular : plural}`;
  if (items.length === 0 && totalElements > 0)
    return `${all}, on ${totalPages} pages: there is no page ${page}`;
  if (totalPages <= 1) return all;
  const first = (page - 1) * pageSize + 1;
  const next = page < totalPages ? `; --page ${page + 1} shows the next` : '';
  return `${first} to ${first + items.length - 1} of ${all}${next}`;
}
