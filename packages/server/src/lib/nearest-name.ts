/** Characters; no public name is half as long. */
const longest = 64;

/** The name with the smallest edit distance, ignoring case; null when the distance is more than a third of the written length. */
export function nearestName(written: string, names: Iterable<string>): string | null {
  if (written.length > longest) return null;
  let best: string | null = null;
  let min = Math.floor(written.length / 3) + 1;
  for (const name of names) {
    const distance = distanceOf(written.toLowerCase(), name.toLowerCase());
    if (distance < min) [best, min] = [name, distance];
  }
  return best;
}

/** The edit distance (optimal string alignment): insertions, deletions, replacements, and swaps of neighbours. */
function distanceOf(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, replaced, swapped ? before[j - 2]! + 1 : Infinity));
    }
    [before, row] = [row, next];
  }
  return row[b.length]!;
}

/** The hint for an unknown name: the most similar name, and all valid names. These are not quoted: statistics of errors drop what is. */
export function namesToUse(written: string, label: string, names: Iterable<string>): string {
  const all = [...names];
  const near = nearestName(written, all);
  const meant = near === null ? '' : `Did you mean ${near}? `;
  return `${meant}${label}: ${all.join(', ')}`;
}
