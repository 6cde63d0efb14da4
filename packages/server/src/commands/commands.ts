import { employeeActivate } from './activate-employees.ts';
import { orderAttach } from './attach-to-order.ts';
import type { CommandDefinition } from './command.ts';
import { demo } from './demo.ts';
import { importEmployeesCommand } from './import-employees.ts';
import { importOrdersCommand } from './import-orders.ts';
import { importPayrollDocument } from './import-payroll-document.ts';
import { keyCreate, keyDeactivate, keyDelete, keyList, keyReactivate } from './keys.ts';
import { migrateCommand } from './migrate.ts';
import { divisionCreate, organizationCreate, tenantCreate } from './organizations.ts';
import { serve } from './serve.ts';

/** Every subcommand of `kontor`, in the order of its help. */
export const commands: readonly CommandDefinition[] = [
  demo,
  serve,
  migrateCommand,
  organizationCreate,
  tenantCreate,
  divisionCreate,
  keyCreate,
  keyList,
  keyDeactivate,
  keyReactivate,
  keyDelete,
  importEmployeesCommand,
  importOrdersCommand,
  importPayrollDocument,
  employeeActivate,
  orderAttach,
];
