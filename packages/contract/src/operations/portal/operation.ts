import type { TObject, TProperties } from 'typebox';
import type { Operation } from '../../operation.ts';
import type { PortalPermission } from '../../resources/platform/user.ts';
import type { PlatformOperation } from '../platform/operation.ts';
import { ClosedObject } from '../../schema.ts';

/** An operation of the portal API. Without a permission it is open to every user. */
export interface PortalOperation extends Operation {
  readonly permission?: PortalPermission;
}

const place = '/organizations/{organizationId}';

type Below<Path extends string> = Path extends `${typeof place}${infer Rest}` ? Rest : never;
type Own<Parameters extends TObject> =
  Parameters extends TObject<infer Properties extends TProperties>
    ? TObject<Omit<Properties, 'organizationId'>>
    : never;

type OfPortal<Declared extends PlatformOperation, More extends Partial<PortalOperation>> = Omit<
  Declared,
  'path' | 'parameters' | 'permission' | keyof More
> &
  Omit<
    { readonly path: Below<Declared['path']>; readonly parameters: Own<Declared['parameters']> },
    keyof More
  > &
  More;

/**
 * Converts a platform operation on an organization to a portal operation on the user's own organization. `more` overrides parts of it,
 * above all the permission.
 */
export function ofPortal<
  const Declared extends PlatformOperation,
  const More extends Partial<PortalOperation>,
>(declared: Declared, more: More): OfPortal<Declared, More> {
  const { permission: _ofTokens, path, parameters, ...same } = declared;
  const { organizationId: _ofUser, ...own } = parameters.properties;
  return {
    ...same,
    path: path.slice(place.length),
    parameters: ClosedObject(own),
    ...more,
  } as unknown as OfPortal<Declared, More>;
}
