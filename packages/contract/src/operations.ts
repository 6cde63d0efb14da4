import { divisionOperations } from './operations/divisions.ts';
import { employeeOperations } from './operations/employees.ts';
import { healthOperations } from './operations/health.ts';
import { incidentOperations } from './operations/incidents.ts';
import { orderOperations } from './operations/orders.ts';
import { payrollExportDocumentOperations } from './operations/payroll-export-documents.ts';

/** Every operation of the API by its identifier, in the order of the document. */
export const operations = {
  ...employeeOperations,
  ...divisionOperations,
  ...orderOperations,
  ...incidentOperations,
  ...payrollExportDocumentOperations,
  ...healthOperations,
} as const;

export type OperationId = keyof typeof operations;
