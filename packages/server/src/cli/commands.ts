import { employeeActivate } from './activate-employees.ts';
import { orderAttach } from './attach-to-order.ts';
import { auditExportCommand, auditListCommand } from './audit/list.ts';
import { auditPruneCommand, auditRetentionCommand } from './audit/retention.ts';
import { backup, restore } from './backup/backup.ts';
import type { CommandDefinition } from './command.ts';
import { completionCommand } from './completion.ts';
import { demo } from './demo/demo.ts';
import { importEmployeesCommand } from './import-employees.ts';
import { importOrdersCommand } from './import-orders.ts';
import { importPayrollDocument } from './import-payroll-document.ts';
import { keyCreate, keyDeactivate, keyDelete, keyReactivate, keyRotate } from './keys.ts';
import { familyCommands } from './look/families.ts';
import { orderDue } from './look/due.ts';
import { keyList, keyShow, usage } from './look/keys.ts';
import {
  divisionList,
  organizationList,
  organizationShow,
  tenantList,
  tenantShow,
} from './look/organizations.ts';
import { mailTest } from './mail-test.ts';
import { migrateCommand } from './migrate.ts';
import { platformTokenCreate, platformTokenList, platformTokenRevoke } from './platform-tokens.ts';
import { divisionCreate, organizationCreate, tenantCreate } from './organizations.ts';
import { employeeErase } from './people/erase.ts';
import { employeeExport } from './people/export.ts';
import { tenantRetention } from './people/retention.ts';
import { serve } from './serve.ts';
import { userInvite, userList } from './users.ts';
import { verifyCommand } from './verify.ts';

/** Every subcommand of `kontor`, in the order of its help. */
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
  ...familyCommands,
  completionCommand(() => commands),
];
