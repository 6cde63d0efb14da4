import {
  ApiError,
  type Division,
  type DivisionCreate,
  type DivisionPatch,
  unprocessable,
} from '@kontor/contract';
import { grantsWholeTenant, onlyGrantedTenant, type Scope } from '../../auth/scope.ts';
import type { DivisionData } from './mapping.ts';

/** Max levels of a division tree; its root is the first (specification.md 5.3). */
const treeDepthMaximum = 20;

export interface Place {
  readonly tenantId: string;
  readonly parentId: string | null;
}

/**
 * The tenant of a new root (specification.md 4.3). `tenants` are up to two of the organization.
 * @throws ApiError TENANT_CONTEXT_AMBIGUOUS; 422 VALIDATION_ERROR for a key that may only create below its divisions
 */
export function tenantOfRoot(scope: Scope, selected: string | null, tenants: readonly string[]): string {
  const single = tenants.length === 1 ? tenants[0]! : null;
  const tenant = selected ?? (scope.grants === 'all' ? single : onlyGrantedTenant(scope));
  if (tenant === null)
    throw new ApiError(
      'TENANT_CONTEXT_AMBIGUOUS',
      'The tenant of the division cannot be inferred: send X-Tenant-ID, or a parentId',
    );
  if (!grantsWholeTenant(scope, tenant))
    throw unprocessable('parentId is required with this key, which does not cover the whole tenant');
  return tenant;
}

/** The data of a new division. Without an `order` it follows its last sibling. */
export function newDivision(body: DivisionCreate, place: Place, lastSibling: number | null): DivisionData {
  return {
    tenant: place.tenantId,
    name: body.name,
    parentId: place.parentId,
    order: body.order === undefined ? orderAfter(lastSibling) : unsigned(body.order),
    costCenter: body.costCenter ?? null,
  };
}

function orderAfter(lastSibling: number | null): number {
  return lastSibling === null ? 1 : Math.min(lastSibling + 1, Number.MAX_VALUE);
}

/** Replaces -0 by 0, as JSON does. */
function unsigned(order: number): number {
  return order === 0 ? 0 : order;
}

export function applyPatch(before: Division, patch: DivisionPatch): DivisionData {
  const { tenant, name, parentId, order, costCenter } = { ...before, ...patch };
  return { tenant, name, parentId, order: unsigned(order), costCenter };
}

/** The part of the tree that a move depends on. */
export interface Move {
  /** The level of the new parent, 1 for a root; null for a parent outside the scope. */
  readonly parentDepth: number | null;
  /** Whether the new parent is the division itself or below it. */
  readonly cycle: boolean;
  readonly height: number;
}

/** Only a key for the whole tenant may make a division a root. @throws ApiError INVALID_REFERENCE */
export function checkMoveToTop(scope: Scope, tenant: string): void {
  if (grantsWholeTenant(scope, tenant)) return;
  throw new ApiError(
    'INVALID_REFERENCE',
    'parentId cannot be cleared with this key, since the division would leave its scope: send a division in scope',
  );
}

/** Checks a move below another parent. @throws ApiError INVALID_REFERENCE, DIVISION_CYCLE, 422 VALIDATION_ERROR for a subtree that is too deep */
export function checkMove({ parentDepth, cycle, height }: Move): void {
  if (parentDepth === null) throw unusableParent();
  if (cycle)
    throw new ApiError(
      'DIVISION_CYCLE',
      'parentId must not name the division itself or one below it; choose another parent',
    );
  checkDepth(parentDepth, height);
}

/** Checks that a subtree fits below a parent. Without a parent its depth is 0. @throws ApiError 422 VALIDATION_ERROR */
export function checkDepth(parentDepth: number, height = 1): void {
  if (parentDepth + height > treeDepthMaximum)
    throw unprocessable(
      `parentId: a division tree is at most ${treeDepthMaximum} levels deep; choose a higher parent`,
    );
}

/** The same error for a parent that is unknown, out of scope or of another tenant. */
export function unusableParent(): ApiError {
  return new ApiError(
    'INVALID_REFERENCE',
    'parentId must name a division of the same tenant in the scope of the key',
  );
}

export function nameTaken(): ApiError {
  return new ApiError(
    'DIVISION_NAME_NOT_UNIQUE_ON_SAME_LEVEL',
    'name: a division of this name exists on the same level; choose another name',
  );
}
