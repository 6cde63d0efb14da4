import type { CommandDefinition } from './program/command.ts';

/** All commands by their words, in the order of the help. The module of one is loaded when it is used. */
const loads: Readonly<Record<string, () => Promise<CommandDefinition>>> = {
  demo: async () => (await import('./demo/demo.ts')).demo,
  serve: async () => (await import('./service/serve.ts')).serve,
  migrate: async () => (await import('./service/migrate.ts')).migrateCommand,
  backup: async () => (await import('./backup/backup.ts')).backup,
  restore: async () => (await import('./backup/backup.ts')).restore,
  verify: async () => (await import('./service/verify.ts')).verifyCommand,
  'organization create': async () => (await import('./organization/organization.ts')).organizationCreate,
  'organization list': async () => (await import('./organization/organization.ts')).organizationList,
  'organization show': async () => (await import('./organization/organization.ts')).organizationShow,
  'tenant create': async () => (await import('./organization/tenant.ts')).tenantCreate,
  'tenant list': async () => (await import('./organization/tenant.ts')).tenantList,
  'tenant show': async () => (await import('./organization/tenant.ts')).tenantShow,
  'tenant retention': async () => (await import('./organization/tenant.ts')).tenantRetention,
  'division create': async () => (await import('./organization/division.ts')).divisionCreate,
  'division list': async () => (await import('./organization/division.ts')).divisionList,
  'key create': async () => (await import('./access/key.ts')).keyCreate,
  'key list': async () => (await import('./access/key.ts')).keyList,
  'key show': async () => (await import('./access/key.ts')).keyShow,
  'key rotate': async () => (await import('./access/key.ts')).keyRotate,
  'key deactivate': async () => (await import('./access/key.ts')).keyDeactivate,
  'key reactivate': async () => (await import('./access/key.ts')).keyReactivate,
  'key delete': async () => (await import('./access/key.ts')).keyDelete,
  usage: async () => (await import('./access/key.ts')).usage,
  'platform-token create': async () => (await import('./access/platform-token.ts')).platformTokenCreate,
  'platform-token list': async () => (await import('./access/platform-token.ts')).platformTokenList,
  'platform-token revoke': async () => (await import('./access/platform-token.ts')).platformTokenRevoke,
  'audit list': async () => (await import('./access/audit.ts')).auditListCommand,
  'audit export': async () => (await import('./access/audit.ts')).auditExport,
  'audit retention': async () => (await import('./access/audit.ts')).auditRetention,
  'audit prune': async () => (await import('./access/audit.ts')).auditPrune,
  'user invite': async () => (await import('./access/user.ts')).userInvite,
  'user list': async () => (await import('./access/user.ts')).userList,
  'mail test': async () => (await import('./service/mail.ts')).mailTest,
  'import employees': async () => (await import('./records/import.ts')).importEmployeesCommand,
  'import orders': async () => (await import('./records/import.ts')).importOrdersCommand,
  'import payroll-document': async () => (await import('./records/import.ts')).importPayrollDocument,
  'employee activate': async () => (await import('./records/employee.ts')).employeeActivate,
  'employee export': async () => (await import('./records/employee.ts')).employeeExport,
  'employee erase': async () => (await import('./records/employee.ts')).employeeErase,
  'order attach': async () => (await import('./records/order.ts')).orderAttach,
  'order due': async () => (await import('./records/order.ts')).orderDue,
  'division show': async () => (await import('./records/list-and-show.ts')).divisionShow,
  'employee list': async () => (await import('./records/list-and-show.ts')).employeeList,
  'employee show': async () => (await import('./records/list-and-show.ts')).employeeShow,
  'order list': async () => (await import('./records/list-and-show.ts')).orderList,
  'order show': async () => (await import('./records/list-and-show.ts')).orderShow,
  'incident list': async () => (await import('./records/list-and-show.ts')).incidentList,
  'incident show': async () => (await import('./records/list-and-show.ts')).incidentShow,
  'document list': async () => (await import('./records/list-and-show.ts')).documentList,
  'document show': async () => (await import('./records/list-and-show.ts')).documentShow,
  'payroll settings': async () => (await import('./payroll/settings.ts')).payrollSettings,
  'payroll run': async () => (await import('./payroll/run.ts')).payrollRun,
  'payroll release': async () => (await import('./payroll/run.ts')).payrollRelease,
  'payroll discard': async () => (await import('./payroll/run.ts')).payrollDiscard,
  'payroll list': async () => (await import('./payroll/run.ts')).payrollList,
  'payroll show': async () => (await import('./payroll/run.ts')).payrollShow,
  'payroll explain': async () => (await import('./payroll/receipts.ts')).payrollExplain,
  'payroll settle': async () => (await import('./payroll/receipts.ts')).payrollSettle,
  'payroll import-description': async () => (await import('./payroll/receipts.ts')).payrollImportDescription,
  completion: async () => (await import('./service/completion.ts')).completion,
};

export function loadCommand(name: string): Promise<CommandDefinition> {
  return loads[name]!();
}

/** Loads all commands: `npm run generate` describes them in `data/commands.json`. */
export function loadCommands(): Promise<(CommandDefinition & { readonly name: string })[]> {
  return Promise.all(Object.entries(loads).map(async ([name, load]) => ({ name, ...(await load()) })));
}
