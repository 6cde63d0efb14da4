import type { ListQuery, Page } from './contract.ts';

/** Bytes of JSON that the client reads; the largest page of the service has a third of that. */
export const maxJsonBytes = 2 ** 26;

/** The text of a body; null when it has more bytes. */
export async function readText({ body }: Response, maxBytes: number): Promise<string | null> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let size = 0;
  const reader = body?.getReader();
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (value === undefined || done) return parts.join('') + decoder.decode();
    size += value.length;
    if (size > maxBytes) {
      await reader!.cancel();
      return null;
    }
    parts.push(decoder.decode(value, { stream: true }));
  }
}

/** The parts of a call that its answer repeats. */
interface Asked {
  /** The identifier of the resource; undefined where it is a new one. */
  readonly id: string | undefined;
  /** The query of a list; undefined for a single resource. */
  readonly query: ListQuery<string> | undefined;
  /** A field that the answer has. */
  readonly field: 'id' | 'status';
}

/** Says why a body is not the answer to a call; null if it may be. New fields and values are never a reason. */
export function findMismatch(body: unknown, { id, query, field }: Asked): string | null {
  if (typeof body !== 'object' || body === null) return 'the body is not a JSON object';
  if (query !== undefined) return findPageMismatch(body, query);
  const found = (body as Readonly<Record<string, unknown>>)[field];
  if (typeof found !== 'string') return `the body has no ${field}`;
  return id === undefined || found === id.toLowerCase() ? null : 'the body is another resource';
}

function findPageMismatch(body: Partial<Page<unknown>>, asked: ListQuery<string>): string | null {
  const { items, page, pageSize, totalPages, totalElements } = body;
  if (!Array.isArray(items) || !(pageSize! > 0) || !(totalElements! >= 0)) return 'the body is not a list';
  if (page !== (asked.page ?? 1) || pageSize !== (asked.pageSize ?? pageSize))
    return `the list has page ${page} of ${pageSize} elements instead of the page that was asked for`;
  const isWhole = totalPages === Math.ceil(totalElements! / pageSize!) && items.length <= pageSize!;
  // Later pages may have fewer: rows move while a list is read.
  if (!isWhole || (page === 1 && items.length !== Math.min(pageSize!, totalElements!)))
    return `page ${page} of the list has ${items.length} elements, which contradicts its totals`;
  return null;
}
