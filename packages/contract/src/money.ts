import Type from 'typebox';

/** Matches `digits` digits that are not all 0. RE2 does not support the equivalent `(?!0+$)`. */
function notAllZero(digits: number): string {
  const firstAt = (zeros: number) => '0'.repeat(zeros) + '[1-9]' + '[0-9]'.repeat(digits - zeros - 1);
  return Array.from({ length: digits }, (_, zeros) => firstAt(zeros)).join('|');
}

/**
 * An amount of money as a decimal string with `places` decimals; it never passes through floating point. Zero has no sign.
 * The document omits the format, because some generated clients map `decimal` to floating point.
 */
export function Money(places: 2 | 4, description?: string) {
  return Type.String({
    format: 'decimal',
    pattern: `^(0\\.0{${places}}|-?0\\.(${notAllZero(places)})|-?[1-9][0-9]{0,11}\\.[0-9]{${places}})$`,
    ...(description !== undefined && { description }),
    examples: [places === 2 ? '119.00' : '100.0000'],
  });
}
