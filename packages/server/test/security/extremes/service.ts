import { monitorEventLoopDelay } from 'node:perf_hooks';
import { stubService } from '../../http/stub-service.ts';

// A process of its own, which reports how long its event loop was blocked: making and sending the requests does not count.
const { port } = await stubService({ platform: true });
const delay = monitorEventLoopDelay({ resolution: 10 });
/** The most that the thread was at work in one turn of the loop, in milliseconds. */
let work = 0;
let ended = true;

/** Measures every turn: on a busy machine the delay is also the time that others had the processor. */
function watchWrites(): void {
  const { user, system } = process.threadCpuUsage();
  setImmediate(() => {
    const now = process.threadCpuUsage();
    work = Math.max(work, (now.user + now.system - user - system) / 1000);
    if (!ended) watchWrites();
  });
}

/** Resolves when whatever has blocked the loop until now has been seen. */
async function seen(): Promise<void> {
  const { count } = delay;
  while (delay.count < count + 2) await new Promise(setImmediate);
}

async function begin(): Promise<void> {
  delay.reset();
  delay.enable();
  await seen();
  work = 0;
  ended = false;
  watchWrites();
}

/** How long the loop was blocked since the beginning, in milliseconds. */
async function end(): Promise<number> {
  await seen();
  delay.disable();
  ended = true;
  return Math.min(delay.max / 1e6, work);
}

process.on('message', (message: 'begin' | 'end') => {
  const done = message === 'begin' ? begin() : end();
  void done.then(answer => process.send!(answer ?? null));
});
process.on('disconnect', () => process.exit());
process.send!(port);
