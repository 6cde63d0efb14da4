// Loaded before `kontor serve`: reports the longest turn of the event loop since the last report, in milliseconds
// of CPU time. Other processes of the machine do not count.
let longest = 0;
let last = threadTime();

function threadTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function tick(): void {
  const now = threadTime();
  longest = Math.max(longest, now - last);
  last = now;
  setImmediate(tick).unref();
}

setImmediate(tick).unref();
process.on('message', () => {
  process.send!(longest);
  longest = 0;
});
process.channel!.unref();
