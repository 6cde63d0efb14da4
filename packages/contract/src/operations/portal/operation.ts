import type { Operation } from '../../operation.ts';
import type { PortalPermission } from '../../resources/platform/user.ts';

/** An operation of the portal API. Without a permission it is open to every user. */
export interface PortalOperation extends Operation {
  readonly permission?: PortalPermission;
}
