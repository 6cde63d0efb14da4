import type { Operation } from '../operation.ts';

/**
 * Limits of keys: `read` is every read, the others are a resource type of the public API by the first segment of its paths.
 * Writing a type includes reading it.
 */
export const apiKeyPermissions = [
  'read',
  'employees:read',
  'employees:write',
  'divisions:read',
  'divisions:write',
  'orders:read',
  'orders:write',
  'incidents:read',
  'incidents:write',
  'payroll-export-documents:read',
] as const;
export type ApiKeyPermission = (typeof apiKeyPermissions)[number];

/** Null: everything. */
export type ApiKeyPermissions = readonly ApiKeyPermission[] | null;

/** The permission of an operation of the public API, derived from its declaration, so that an operation cannot lack one. A dry run is a write. */
export function keyPermissionOf({
  method,
  path,
  changesNothing,
}: Pick<Operation, 'method' | 'path' | 'changesNothing'>): string {
  return `${path.split('/')[1]}:${method === 'GET' || changesNothing ? 'read' : 'write'}`;
}

/** Whether a limited key may call an operation of the public API. */
export function keyMayCall(
  permissions: ApiKeyPermissions,
  operation: Parameters<typeof keyPermissionOf>[0],
): boolean {
  if (permissions === null) return true;
  const needed = keyPermissionOf(operation);
  const [type, right] = needed.split(':');
  const sufficient = right === 'read' ? ['read', needed, `${type}:write`] : [needed];
  return permissions.some(permission => sufficient.includes(permission));
}

/** In words, such as `read employees`. */
export function keyPermissionWords(permission: string): string {
  const [type, right] = permission.split(':');
  if (right === undefined) return 'read everything';
  return `${right === 'write' ? 'read and write' : 'read'} ${type!.replaceAll('-', ' ')}`;
}

/** Sorts the permissions and removes what others include. */
export function normalizeKeyPermissions(permissions: readonly ApiKeyPermission[]): ApiKeyPermission[] {
  return apiKeyPermissions.filter(
    permission =>
      permissions.includes(permission) &&
      !(
        permission.endsWith(':read') &&
        permissions.some(other => other === permission.replace(/read$/, 'write'))
      ),
  );
}
