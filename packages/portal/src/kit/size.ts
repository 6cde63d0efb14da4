import { inLanguage } from './dates.ts';

const sizes = inLanguage((language, unit) => {
  // The short form of bytes has no plural.
  const unitDisplay = unit === 'byte' ? 'long' : 'short';
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay, maximumFractionDigits: 1 });
});

/** The size of a file, such as 17 bytes, 48.2 kB or 3,1 MB. */
export function size(bytes: number): string {
  if (bytes < 1_000) return sizes('byte').format(bytes);
  return bytes < 1_000_000
    ? sizes('kilobyte').format(bytes / 1_000)
    : sizes('megabyte').format(bytes / 1_000_000);
}
