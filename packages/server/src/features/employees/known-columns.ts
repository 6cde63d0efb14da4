import { type EmployeeCreate, employeeImportFields } from '@kontor/contract';
import { type ColumnNames, personColumnNames } from '@kontor/tabular';

/** The known names of columns, and more for each field that a user has given. */
export function columnNames(
  moreOf?: (field: keyof EmployeeCreate) => readonly string[],
): ColumnNames<keyof EmployeeCreate> {
  return personColumnNames(employeeImportFields, moreOf);
}
