import Type from 'typebox';

/** An amount of money as a decimal string with so many places; it never passes through floating point. Zero has no sign. */
export function Money(places: 2 | 4, description: string) {
  return Type.String({
    format: 'decimal',
    pattern: `^(?!-[0.]+$)-?(0|[1-9][0-9]{0,11})\\.[0-9]{${places}}$`,
    description,
    examples: [places === 2 ? '119.00' : '100.0000'],
  });
}
