import { employeeActivate, employeeErase, employeeExport } from './records/employee.ts';
import { orderAttach, orderDue } from './records/order.ts';
import {
  auditExportCommand,
  auditListCommand,
  auditPruneCommand,
  auditRetentionCommand,
} from './access/audit.ts';
import { backup, restore } from './backup/backup.ts';
import type { CommandDefinition } from './program/command.ts';
import { completionCommand } from './service/completion.ts';
import { demo } from './demo/demo.ts';
import { importEmployeesCommand, importOrdersCommand, importPayrollDocument } from './records/import.ts';
import {
  keyCreate,
  keyDeactivate,
  keyDelete,
  keyReactivate,
  keyRotate,
  keyList,
  keyShow,
  usage,
} from './access/key.ts';
import { platformTokenCreate, platformTokenList, platformTokenRevoke } from './access/platform-token.ts';
import { userInvite, userList } from './access/user.ts';
import { divisionCreate, divisionList } from './organization/division.ts';
import { organizationCreate, organizationList, organizationShow } from './organization/organization.ts';
import { tenantCreate, tenantList, tenantRetention, tenantShow } from './organization/tenant.ts';
import { listAndShowCommands } from './records/list-and-show.ts';
import { payrollExplain, payrollImportDescription, payrollSettle } from './payroll/receipts.ts';
import { payrollDiscard, payrollRelease, payrollRun } from './payroll/run.ts';
import { payrollSettings } from './payroll/settings.ts';
import { payrollList, payrollShow } from './payroll/show.ts';
import { mailTest } from './service/mail.ts';
import { migrateCommand } from './service/migrate.ts';
import { serve } from './service/serve.ts';
import { verifyCommand } from './service/verify.ts';

/**
 * Every subcommand of `kontor`, in the order of its help. `kontor key create` is in the file `key.ts`: the first word names
 * the file. `list` and `show` of what the API lists are in list-and-show.ts.
 */
export const commands: readonly CommandDefinition[] = [
  demo,
  serve,
  migrateCommand,
  backup,
  restore,
  verifyCommand,
  organizationCreate,
  organizationList,
  organizationShow,
  tenantCreate,
  tenantList,
  tenantShow,
  tenantRetention,
  divisionCreate,
  divisionList,
  keyCreate,
  keyList,
  keyShow,
  keyRotate,
  keyDeactivate,
  keyReactivate,
  keyDelete,
  usage,
  platformTokenCreate,
  platformTokenList,
  platformTokenRevoke,
  auditListCommand,
  auditExportCommand,
  auditRetentionCommand,
  auditPruneCommand,
  userInvite,
  userList,
  mailTest,
  importEmployeesCommand,
  importOrdersCommand,
  importPayrollDocument,
  employeeActivate,
  employeeExport,
  employeeErase,
  orderAttach,
  orderDue,
  ...listAndShowCommands,
  payrollSettings,
  payrollRun,
  payrollList,
  payrollShow,
  payrollRelease,
  payrollDiscard,
  payrollExplain,
  payrollSettle,
  payrollImportDescription,
  completionCommand(() => commands),
];
