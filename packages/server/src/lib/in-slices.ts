/** Milliseconds for which the process works on large requests before the event loop serves other requests. */
const sliceTime = 5;

/** When the slice in progress ends; null: none has begun since the event loop went on. */
let sliceEnd: number | null = null;

function isSliceOver(): boolean {
  if (sliceEnd === null) {
    sliceEnd = performance.now() + sliceTime;
    setImmediate(() => (sliceEnd = null));
  }
  return performance.now() > sliceEnd;
}

/**
 * Waits where the slice in progress is over. All large requests of the process share one slice for each turn of the event loop, so
 * that several of them hold it up no longer than one does.
 */
export async function nextSlice(): Promise<void> {
  while (isSliceOver()) await new Promise(setImmediate);
}

/** What the work makes of each item, with the event loop free for other requests in between. */
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
