import type { TableRecord } from '@kontor/tabular';
import type { ColumnField } from '../config.ts';

/**
 * Finds records that have lost their last cells, or have one too many: a separator inside of a cell moves the cells after it. Returns why a
 * record cannot be trusted. Programs that write empty cells at the end write them in most records.
 */
export function findDamage(
  records: readonly TableRecord[],
  width: number,
  isEnded: boolean,
): (record: TableRecord) => string | null {
  const bySize = Map.groupBy(records, ({ cells }) => cells.length);
  let usual = width;
  for (const [size, { length }] of bySize) if (length > (bySize.get(usual)?.length ?? 0)) usual = size;
  return record => {
    const { length } = record.cells;
    if (length > width && length !== usual)
      return `has ${length} cells, and the header ${width}: put cells with a separator into quotation marks`;
    const isCut = record === records.at(-1) && !isEnded && length < Math.min(width, usual);
    return isCut ? 'lacks cells and a line break: the file may be cut off, export it again' : null;
  };
}

/** Words of programs for a cell without a value. A dash is an empty cell already. */
const placeholder = /^(?:NULL|null|\(null\)|N\/A|n\/a|NaN|nan|undefined|k\. ?A\.)$/;

const numbers: readonly ColumnField[] = ['employeeNumber', 'postalCode', 'phoneNumber', 'divisionKey'];

/** Why a value of the file cannot be trusted; null if it can. */
export function damageOf(field: ColumnField, value: string): string | null {
  if (placeholder.test(value)) return 'stands for no value: export an empty cell';
  const isDecimal = numbers.includes(field) && /^\d+[.,]0{1,2}$/.test(value);
  return isDecimal ? 'is a number with decimals: export it as text' : null;
}
