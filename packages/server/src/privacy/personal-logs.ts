import {
  explainPortalPayroll,
  getPortalApiKeyHealth,
  getPortalApiKeyUsage,
  getPortalIncident,
  getPortalOrder,
  getPortalPayrollRun,
  getSession,
  listEmployeeImportRows,
  listPasskeys,
  listPortalAuditEntries,
  listPortalEmployeeChanges,
  listPortalEmployees,
  listPortalUsers,
  listSessions,
  listUserSessions,
  type Operation,
  passwordResetMinutes,
  type PersonalLogName,
  type PersonalLogs,
  type PortalPermission,
  isForAuditors,
  portalPermissionNames,
  type RetentionSetting,
} from '@kontor/contract';
import type { Queryable } from '../db/session.ts';
import { sql } from '../db/sql.ts';
import { findAuditDays } from '../features/audit/retention.ts';
import { reportDays } from '../features/employees/portal-import/imports.ts';
import { noticeLife } from '../features/keys/notices/notice.ts';
import { errorDays } from '../features/keys/usage/read.ts';
import { operationDays } from '../features/keys/usage/removal.ts';
import { invitationLife } from '../features/users/links.ts';
import { loginLimits } from '../features/users/sessions/login-throttle.ts';
import { sessionLimits } from '../features/users/sessions/store.ts';
import { usualRetention } from './retention.ts';

interface DeclaredLog {
  /** A test requires that each table of the database is in one of the logs, or is known to have nothing about persons. */
  readonly tables: readonly string[];
  /** The operations that read it. Their permissions are those of the readers. */
  readonly readBy: readonly Operation[];
  readonly settings?: readonly RetentionSetting[];
  /** A fixed period, in hours. Absent with a setting, and where data ends with an event. */
  readonly hours?: number;
}

/** Milliseconds after which a mail that was not sent is dropped, whatever its kind. */
const maxMailLife = Math.max(invitationLife, passwordResetMinutes * 60_000, noticeLife);

export const personalLogs: Readonly<Record<PersonalLogName, DeclaredLog>> = {
  employees: { tables: ['employee'], readBy: [listPortalEmployees] },
  employee_history: {
    tables: ['employee_change'],
    readBy: [listPortalEmployeeChanges],
    settings: ['employeeHistoryDays'],
  },
  orders_and_incidents: {
    tables: [
      'employee_order',
      'contract_version_due',
      'incident',
      'file_slice',
      'file_pending',
      'undecided_import',
    ],
    readBy: [getPortalOrder, getPortalIncident],
    settings: ['voucherYears', 'otherDays'],
  },
  payroll: {
    tables: [
      'payroll_run',
      'payroll_finding',
      'payroll_draft_entry',
      'payroll_entry',
      'payroll_basis',
      'payroll_export_document',
      'payroll_download',
      'payroll_acknowledgement',
      'payroll_proposal',
    ],
    readBy: [getPortalPayrollRun, explainPortalPayroll],
    settings: ['voucherYears'],
  },
  imports: {
    tables: ['employee_import', 'employee_import_file', 'employee_import_row', 'employee_import_mapping'],
    readBy: [listEmployeeImportRows],
    hours: reportDays * 24,
  },
  users: {
    tables: ['portal_user', 'portal_email', 'portal_identity', 'user_notification'],
    readBy: [listPortalUsers, getSession],
  },
  passkeys: { tables: ['portal_passkey', 'portal_credential'], readBy: [listPasskeys] },
  sessions: {
    tables: ['portal_session', 'portal_challenge'],
    readBy: [listUserSessions, listSessions],
    hours: sessionLimits.absolute / 3600,
  },
  sign_in_attempts: { tables: [], readBy: [], hours: loginLimits.account.seconds / 3600 },
  mails: { tables: ['mail'], readBy: [], hours: maxMailLife / 3_600_000 },
  audit: { tables: ['audit'], readBy: [listPortalAuditEntries], settings: ['auditDays'] },
  api_key_usage: { tables: ['key_usage', 'key_hour', 'key_poll'], readBy: [getPortalApiKeyUsage] },
  api_key_operations: {
    tables: ['key_operation'],
    readBy: [getPortalApiKeyUsage],
    hours: operationDays * 24,
  },
  api_key_errors: { tables: ['key_error'], readBy: [getPortalApiKeyHealth], hours: errorDays * 24 },
  service_log: { tables: [], readBy: [] },
};

/** Operations on API keys have no permission: each user reads the keys within their own access (`grantsOf`). */
const readersOfKeys: readonly PortalPermission[] = ['IT', 'HR', 'COMPANY_ADMIN', 'AUDIT'];

export async function readPersonalLogs(db: Queryable, organizationId: string): Promise<PersonalLogs> {
  const [auditDays, [organization], companies] = await Promise.all([
    findAuditDays(db, organizationId),
    db.rows<{ days: number }>(sql`
      SELECT employee_history_days AS days FROM organization WHERE id = ${organizationId}`),
    db.rows<PersonalLogs['companies'][number]>(sql`
      SELECT t.id, t.name, coalesce(r.voucher_years, ${usualRetention.voucherYears}::int) AS "voucherYears",
        coalesce(r.other_days, ${usualRetention.otherDays}::int) AS "otherDays"
      FROM tenant t LEFT JOIN tenant_retention r ON r.organization_id = ${organizationId} AND r.tenant_id = t.id
      WHERE t.organization_id = ${organizationId} ORDER BY t.folded_name, t.id`),
  ]);
  const days: Readonly<Partial<Record<RetentionSetting, number | null>>> = {
    auditDays,
    employeeHistoryDays: organization!.days,
  };
  const logs = Object.entries(personalLogs).map(([name, { settings = [], hours, readBy }]) => {
    const [kept] = settings.map(setting => days[setting] ?? null);
    return {
      name: name as PersonalLogName,
      settings: [...settings],
      hours: hours ?? (kept ? kept * 24 : null),
      ...readersOf(name as PersonalLogName, readBy),
    };
  });
  return { logs, companies };
}

function readersOf(name: PersonalLogName, readBy: DeclaredLog['readBy']) {
  if (name.startsWith('api_key_')) return { permissions: [...readersOfKeys], ownOnly: false };
  const needed = readBy.flatMap(operation =>
    isForAuditors(operation) ? [operation.permission, 'AUDIT'] : [operation.permission],
  );
  return {
    permissions: portalPermissionNames.filter(permission => needed.includes(permission)),
    ownOnly: needed.includes(undefined),
  };
}
