export * from './api.ts';
export * from './apis.ts';
export * from './audit-actions.ts';
export * from './body-limit.ts';
export * from './codes.ts';
export * from './errors.ts';
export * from './fields.ts';
export * from './filter/ast.ts';
export * from './openapi.ts';
export * from './openapi/document.ts';
export type { Recorded } from './openapi/recording.ts';
export * from './openapi/rejections.ts';
export * from './operation.ts';
export * from './employees/imports.ts';
export * from './error-body.ts';
export * from './list.ts';
export * from './batch.ts';
export * from './audit.ts';
export * from './divisions.ts';
export * from './employees/employees.ts';
export * from './health.ts';
export * from './incidents.ts';
export * from './keys/keys.ts';
export * from './keys/scope.ts';
export * from './keys/use.ts';
export * from './orders/decision-rules.ts';
export * from './orders/intakes.ts';
export * from './orders/orders.ts';
export * from './organizations/organizations.ts';
export * from './organizations/settings.ts';
export * from './organizations/tenants.ts';
export * from './overview.ts';
export * from './payroll-documents.ts';
export * from './payroll/receipts.ts';
export * from './payroll/runs.ts';
export * from './payroll/settings.ts';
export * from './privacy/data-subjects.ts';
export * from './privacy/retention.ts';
export * from './users/mail.ts';
export * from './users/open-id.ts';
export * from './users/passkeys.ts';
export * from './users/sessions.ts';
export * from './users/users.ts';
export { type PlatformPermission, platformPermissions } from './platform-operation.ts';
export {
  type HrPermission,
  hrPermissions,
  type PortalPermission,
  portalPermissionNames,
  portalPermissions,
} from './portal-operation.ts';
export * from './schema.ts';
export * from './filter/bounds.ts';
export * from './filter/parse.ts';
export * from './filter/print.ts';
export * from './fold.ts';
