import Type from 'typebox';

/**
 * An amount of money as a decimal string with so many places; it never passes through floating point. Zero has no sign.
 * In the document it has no format: `decimal` makes floating point numbers of it in some generated clients.
 */
export function Money(places: 2 | 4, description: string) {
  return Type.String({
    format: 'decimal',
    pattern: `^(0\\.0{${places}}|-?0\\.(${notAllZero(places)})|-?[1-9][0-9]{0,11}\\.[0-9]{${places}})$`,
    description,
    examples: [places === 2 ? '119.00' : '100.0000'],
  });
}

/** So many digits, one of them at least not 0: what `(?!0+$)` would say, which RE2 does not know. */
function notAllZero(digits: number): string {
  const firstAt = (zeros: number) => '0'.repeat(zeros) + '[1-9]' + '[0-9]'.repeat(digits - zeros - 1);
  return Array.from({ length: digits }, (_, zeros) => firstAt(zeros)).join('|');
}
