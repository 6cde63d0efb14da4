/** Milliseconds of work on large requests before the event loop serves other requests. */
const sliceTime = 5;

/** End of the current slice; null when none has begun since the last turn of the event loop. */
let sliceEnd: number | null = null;

function isSliceOver(): boolean {
  if (sliceEnd === null) {
    sliceEnd = performance.now() + sliceTime;
    setImmediate(() => (sliceEnd = null));
  }
  return performance.now() > sliceEnd;
}

/** All large requests of the process share one slice per turn of the event loop, so several delay it no longer than one. */
export async function nextSlice(): Promise<void> {
  while (isSliceOver()) await new Promise(setImmediate);
}

/** Maps the items in slices, so that the event loop serves other requests in between. */
export async function inSlices<Item, Made>(
  items: readonly Item[],
  work: (item: Item, index: number) => Made,
): Promise<Made[]> {
  const made: Made[] = [];
  for (const [index, item] of items.entries()) {
    if (isSliceOver()) await nextSlice();
    made.push(work(item, index));
  }
  return made;
}
