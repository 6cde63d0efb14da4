/** Converts a decimal string with two places to cents. */
export function cents(text: string): bigint {
  return BigInt(text.replace('.', ''));
}

/** Renders cents as a decimal string with two places. */
export function amount(value: bigint): string {
  const digits = (value < 0n ? -value : value).toString().padStart(3, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
