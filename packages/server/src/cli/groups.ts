/** What the commands that begin with the same word are about. */
export const groups: Readonly<Record<string, string>> = {
  organization: 'Organizations, which are the customers',
  tenant: 'Tenants, which are the companies of an organization',
  division: 'Divisions of a tenant',
  key: 'API keys',
  'platform-token': 'Tokens of the platform API',
  audit: 'The audit: who did what, and when',
  user: 'Users of the portal',
  mail: 'Mails that Kontor sends',
  employee: 'Employees',
  order: 'Orders of employees',
  incident: 'Incidents of employees',
  document: 'Payroll export documents',
  import: 'Import data from files',
};
