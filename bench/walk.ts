/** A walk over all pages of 1,000: seconds in all, and the median milliseconds of early and of late pages. */
export interface Walk {
  readonly pages: number;
  readonly seconds: number;
  readonly first: number;
  readonly late: number;
}

/** Walks the whole collection as one client would: page after page on one connection. */
export async function measureWalk(service: string, key: string): Promise<Walk> {
  const times: number[] = [];
  const begin = performance.now();
  for (let page = 1, pages = 1; page <= pages; page++) {
    const start = performance.now();
    const answer = await fetch(`${service}/v1/employees?pageSize=1000&page=${page}`, {
      headers: { 'X-API-Key': key },
    });
    const body = Buffer.from(await answer.arrayBuffer());
    times.push(performance.now() - start);
    if (answer.status !== 200) throw new Error(`page ${page} answered ${answer.status}`);
    pages = Number(/"totalPages":(\d+)/.exec(body.subarray(0, 200).toString())![1]);
  }
  const seconds = (performance.now() - begin) / 1000;
  return {
    pages: times.length,
    seconds,
    first: median(times.slice(0, 20)),
    late: median(times.slice(980, 1000)),
  };
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
