/** Milliseconds of CPU time that this thread has used: how busy the machine is does not matter. */
function threadTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Does the work, and returns the CPU time of the longest turn of the event loop meanwhile, and of all, in milliseconds. */
export async function longestBlock(
  work: () => Promise<unknown>,
): Promise<{ longest: number; total: number }> {
  let longest = 0;
  const began = threadTime();
  let blockBegan = began;
  const tick = () => {
    const now = threadTime();
    longest = Math.max(longest, now - blockBegan);
    blockBegan = now;
    immediate = setImmediate(tick);
  };
  let immediate = setImmediate(tick);
  await work();
  clearImmediate(immediate);
  return { longest, total: threadTime() - began };
}
