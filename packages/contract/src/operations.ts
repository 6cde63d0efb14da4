import { employeeOperations } from './operations/employees.ts';
import { healthOperations } from './operations/health.ts';

/** Every operation of the API by its identifier, in the order of the document. */
export const operations = { ...employeeOperations, ...healthOperations } as const;

export type OperationId = keyof typeof operations;
