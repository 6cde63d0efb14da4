/** A read of the whole collection by one client, page after page on one connection. */
export interface WholeRead {
  readonly pages: number;
  readonly seconds: number;
  /** Median milliseconds of the first twenty pages, and of the pages from 980 on. */
  readonly first: number;
  readonly late: number;
}

const pageSize = 1000;

/** Reads all pages by their numbers. */
export async function measureAllPages(service: string, key: string): Promise<WholeRead> {
  const times: number[] = [];
  for (let page = 1, pages = 1; page <= pages; page++) {
    const body = await read(service, key, `page=${page}`, times);
    pages = Number(/"totalPages":(\d+)/.exec(body.subarray(0, 200).toString())![1]);
  }
  return wholeRead(times);
}

/** Polls from the first row on, as a client does that comes for the first time (specification.md 3.7), until nothing is left. */
export async function measureCatchUp(service: string, key: string): Promise<WholeRead> {
  const times: number[] = [];
  for (let position = '', isLast = false; !isLast;) {
    const body = await read(service, key, `sort=updatedAt${position}`, times);
    const { items } = JSON.parse(body.toString()) as { items: { id: string; updatedAt: string }[] };
    const last = items.at(-1);
    isLast = items.length < pageSize;
    position = last === undefined ? position : `&filter=${encodeURIComponent(behind(last))}`;
  }
  return wholeRead(times);
}

function behind({ id, updatedAt }: { id: string; updatedAt: string }): string {
  return `updatedAt >= '${updatedAt}' AND (updatedAt > '${updatedAt}' OR id > '${id}')`;
}

/** Reads a page, and adds the milliseconds that it took. */
async function read(service: string, key: string, query: string, times: number[]): Promise<Buffer> {
  const start = performance.now();
  const answer = await fetch(`${service}/v1/employees?pageSize=${pageSize}&${query}`, {
    headers: { 'X-API-Key': key },
  });
  const body = Buffer.from(await answer.arrayBuffer());
  times.push(performance.now() - start);
  if (answer.status !== 200) throw new Error(`${query} answered ${answer.status}`);
  return body;
}

function wholeRead(times: readonly number[]): WholeRead {
  return {
    pages: times.length,
    seconds: times.reduce((sum, time) => sum + time, 0) / 1000,
    first: median(times.slice(0, 20)),
    late: median(times.slice(980, 1000)),
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
