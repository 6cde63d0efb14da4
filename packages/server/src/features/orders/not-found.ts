import { ApiError } from '@kontor/contract';
import type { Call } from '../../http/route.ts';

/** The refusal of an order that whoever calls does not see. @throws ApiError NOT_FOUND. */
export function orderNotFound({ caller }: Pick<Call, 'caller'>): never {
  const credential = caller.actor.type === 'api_key' ? 'key' : 'token';
  throw new ApiError('NOT_FOUND', `No order with this id is visible to the ${credential}`);
}
