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

export interface Placement {
  readonly tenantId: string;
  readonly parentId: string | null;
}

/**
 * The place of a new division. `parent` is null for one outside the scope; `tenants` are up to two of the organization.
 * @throws ApiError INVALID_REFERENCE for a parent that cannot be used, and those of {@link tenantOfRoot}
 */
export function placeNewDivision(
  scope: Scope,
  selected: string | null,
  parentId: string | null,
  found: { readonly parent: { readonly tenantId: string } | null; readonly tenants: readonly string[] },
): Placement {
  if (parentId === null) return { tenantId: tenantOfRoot(scope, selected, found.tenants), parentId };
  if (found.parent === null) throw unusableParent();
  return { tenantId: found.parent.tenantId, parentId };
}

/**
 * The tenant of a new root (specification.md 4.3). `tenants` are up to two of the organization.
 * @throws ApiError TENANT_CONTEXT_AMBIGUOUS; 422 VALIDATION_ERROR for a key that may only create below its divisions
 */
function tenantOfRoot(scope: Scope, selected: string | null, tenants: readonly string[]): string {
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
export function newDivision(
  body: DivisionCreate,
  place: Placement,
  lastSibling: number | null,
): DivisionData {
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

interface Child {
  readonly id: string;
  readonly order: number;
}

/**
 * The orders that change when a division is placed behind a sibling, `null`: before all, `undefined`: behind all. `children` are in their order,
 * the division may be one of them. Without a number between its neighbours all are numbered from 1. Null for an unknown sibling.
 */
export function orderBehind(
  children: readonly Child[],
  id: string,
  after: string | null | undefined,
): Child[] | null {
  const others = children.filter(child => child.id !== id);
  const behind = after === null ? -1 : others.findIndex(child => child.id === after);
  if (typeof after === 'string' && behind < 0) return null;
  const at = after === undefined ? others.length : behind + 1;
  // It is there already.
  if (children.findIndex(child => child.id === id) === at) return [];
  const order = orderBetween(others[at - 1]?.order, others[at]?.order);
  if (order !== null) return [{ id, order }];
  const placed = others.toSpliced(at, 0, { id, order: Number.NaN });
  return placed
    .map((child, index) => ({ ...child, before: child.order, order: index + 1 }))
    .filter(child => child.before !== child.order)
    .map(({ id, order }) => ({ id, order }));
}

/** A number between two neighbours, undefined at an end; null: there is none. */
function orderBetween(lower: number | undefined, upper: number | undefined): number | null {
  if (lower === undefined) return upper === undefined ? 1 : below(upper);
  const order = upper === undefined ? orderAfter(lower) : lower / 2 + upper / 2;
  return order > lower && (upper === undefined || order < upper) ? unsigned(order) : null;
}

function below(upper: number): number | null {
  const order = upper - 1;
  return order < upper && Number.isFinite(order) ? unsigned(order) : null;
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
      { field: 'parentId' },
    );
}

/** The same error for a parent that is unknown, out of scope or of another tenant. */
function unusableParent(): ApiError {
  return new ApiError(
    'INVALID_REFERENCE',
    'parentId must name a division of the same tenant in the scope of the caller',
  );
}

export function nameTaken(): ApiError {
  return new ApiError(
    'DIVISION_NAME_NOT_UNIQUE_ON_SAME_LEVEL',
    'name: a division of this name exists on the same level; choose another name',
  );
}
