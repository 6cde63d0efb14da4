import { divisionOperations } from './operations/divisions.ts';
import { employeeOperations } from './operations/employees.ts';
import { healthOperations } from './operations/health.ts';
import { incidentOperations } from './operations/incidents.ts';

/** Every operation of the API by its identifier, in the order of the document. */
export const operations = {
  ...employeeOperations,
  ...divisionOperations,
  ...incidentOperations,
  ...healthOperations,
} as const;

export type OperationId = keyof typeof operations;
