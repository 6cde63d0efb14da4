/**
 * Whether an instant of the shape `YYYY-MM-DDTHH:mm:ss[.f]Z` exists: in the Gregorian calendar, in the years 1 to 9999,
 * with no leap second and no hour 24.
 */
export function isRealInstant(text: string): boolean {
  const [year, month, day] = [text.slice(0, 4), text.slice(5, 7), text.slice(8, 10)].map(Number);
  const [hour, minute, second] = [text.slice(11, 13), text.slice(14, 16), text.slice(17, 19)].map(Number);
  if (year! < 1 || hour! > 23 || minute! > 59 || second! > 59) return false;
  return month! >= 1 && month! <= 12 && day! >= 1 && day! <= daysOf(year!, month!);
}

function daysOf(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
