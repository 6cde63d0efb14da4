import { startNoise } from './noise.ts';

/** What another organization notices: requests a second, and milliseconds of its requests. */
export interface Notice {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

const clients = 4;

/**
 * Lists of 10 that four clients of another organization ask for one after the other: alone, and while one key asks for as many of
 * the dearest lists as it can. The percentiles are those of the requests as they are; wrk would add the ones that it could
 * have sent while it waited.
 */
export async function measureNeighbour(
  service: string,
  keys: { readonly noisy: string; readonly other: string },
  seconds: number,
): Promise<{ quiet: Notice; loaded: Notice }> {
  await ask(service, keys.other, 3);
  const quiet = await ask(service, keys.other, seconds);
  const stop = startNoise(service, keys.noisy);
  const loaded = await ask(service, keys.other, 2 * seconds);
  await stop();
  return { quiet, loaded };
}

async function ask(service: string, key: string, seconds: number): Promise<Notice> {
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  async function client(): Promise<void> {
    while (performance.now() < end) times.push(await list(service, key));
  }
  await Promise.all(Array.from({ length: clients }, client));
  times.sort((a, b) => a - b);
  const at = (part: number) => times[Math.floor(part * times.length)]!;
  return { perSecond: times.length / seconds, p50: at(0.5), p99: at(0.99) };
}

/** Milliseconds of one list. */
async function list(service: string, key: string): Promise<number> {
  const start = performance.now();
  const answer = await fetch(`${service}/v1/employees?pageSize=10`, { headers: { 'X-API-Key': key } });
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`another organization was answered ${answer.status}`);
  return performance.now() - start;
}
