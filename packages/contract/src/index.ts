export * from './apis/api.ts';
export * from './apis/apis.ts';
export * from './audit/audit-actions.ts';
export * from './body-limit.ts';
export * from './errors/codes.ts';
export * from './errors/errors.ts';
export * from './fields.ts';
export * from './filter/ast.ts';
export * from './openapi.ts';
export * from './openapi/document.ts';
export type { Recorded } from './openapi/recording.ts';
export * from './openapi/rejections.ts';
export * from './operation.ts';
export type { OperationOf } from './operations.ts';
export * from './subjects.ts';
export * from './errors/error-body.ts';
export * from './keys/permissions.ts';
export * from './list.ts';
export * from './batch.ts';
export { type PlatformPermission, platformPermissions } from './platform-operation.ts';
export {
  type HrPermission,
  hrPermissions,
  isForAuditors,
  missingPermission,
  type PortalPermission,
  portalPermissionNames,
  portalPermissions,
  type ListExport,
} from './portal-operation.ts';
export * from './schema.ts';
export * from './filter/bounds.ts';
export * from './filter/parse.ts';
export * from './filter/print.ts';
export * from './fold.ts';
