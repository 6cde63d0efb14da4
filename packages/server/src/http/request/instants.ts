/** Whether an instant of the admitted shape is in the calendar: `Date` moves February 30 on to March instead of refusing. */
export function isRealInstant(text: string): boolean {
  const toTheSecond = text.slice(0, 19);
  const date = new Date(`${toTheSecond}Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(toTheSecond);
}
