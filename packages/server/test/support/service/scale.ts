/** Whether the long forms of the tests run: `npm run test:long`. */
export const isLong = process.env.KONTOR_TEST_LONG !== undefined;

/** How many rows, changes or runs a test takes: `short` of them in `npm test`, `long` in `npm run test:long`. */
export function atScale(short: number, long: number): number {
  return isLong ? long : short;
}
