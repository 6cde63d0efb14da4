/** An instant of the filter language as a field for day and time shows it, in the zone of the browser; null: it cannot show it. */
export function localOf(instant: string): string | null {
  if (instant === '') return '';
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.000)?Z$/.test(instant)) return null;
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return null;
  const two = (number: number) => String(number).padStart(2, '0');
  const day = [String(at.getFullYear()).padStart(4, '0'), two(at.getMonth() + 1), two(at.getDate())].join(
    '-',
  );
  return `${day}T${[at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':')}`;
}

/** Day and time of a field as the instant that the filter language takes; empty while it is not filled in. */
export function zonedOf(local: string): string {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? '' : at.toISOString().replace('.000Z', 'Z');
}
