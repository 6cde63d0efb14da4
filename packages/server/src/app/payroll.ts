import { readNames } from '../features/employees/store.ts';
import { readCostCenters } from '../features/divisions/store.ts';
import { readIncidentsOfOrders } from '../features/incidents/store.ts';
import { countContracts, findPlaceOfOrder, readContracts } from '../features/orders/store.ts';
import { type PayrollParts, payrollWorks } from '../features/payroll/jobs.ts';
import { insertDocument } from '../features/payroll-documents/store.ts';
import type { Logger } from 'pino';
import type { WritePools } from '../write/writes.ts';
import { BackgroundJobs } from '../jobs/background.ts';
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

/** The background jobs of the service. */
export function backgroundJobs(pools: WritePools, files: FileStore, logger: Logger): BackgroundJobs {
  return new BackgroundJobs({ pools, logger, works: payrollWorks(payrollParts(files)) });
}
