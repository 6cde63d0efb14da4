import { readNames } from '../features/employees/store.ts';
import { readCostCenters } from '../features/divisions/store.ts';
import { readIncidentsOfOrders } from '../features/incidents/store.ts';
import { countContracts, findPlaceOfOrder, readContracts } from '../features/orders/store.ts';
import type { PayrollParts } from '../features/payroll/jobs.ts';
import { insertDocument } from '../features/payroll-documents/store.ts';
import type { FileStore } from '../files/file-store.ts';

/** Payroll with what it reads of other features. */
export function payrollParts(files: FileStore): PayrollParts {
  return {
    readers: {
      findOrder: findPlaceOfOrder,
      countOrders: countContracts,
      readOrders: readContracts,
      readLeaves: readIncidentsOfOrders,
      readEmployees: readNames,
      readCostCenters,
    },
    files,
    publish: insertDocument,
  };
}
