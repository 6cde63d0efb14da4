import { write } from '../../operation.ts';
import { Order, OrderDecision } from '../../resources/public/order.ts';
import { OrderHandover } from '../../resources/platform/order.ts';
import { ofOrganization, type PlatformOperation } from './operation.ts';

const path = '/organizations/{organizationId}/orders/{id}';

const transition = {
  ...write,
  tag: 'Order transitions',
  permission: 'transitions:write',
  parameters: ofOrganization('Identifier of the order'),
} as const;

const success = <const Text extends string>(description: Text) =>
  ({ status: 200, description, body: Order }) as const;

export const orderTransitionOperations = {
  recordOrderDecision: {
    ...transition,
    path: `${path}/decision`,
    summary: 'Record a decision on an order',
    description:
      'Approves or rejects an order that is `under_review`, for HR that has decided elsewhere or left it to a system: `hrHistory.source` is `automatic`. The rules are those of a decision by the public API.',
    body: OrderDecision,
    success: success('The order with its decision'),
    errors: ['ORDER_ALREADY_DECIDED', 'INVALID_STATE_TRANSITION', 'EMPLOYEE_BLOCKED'],
  },
  makeOrderReady: {
    ...transition,
    path: `${path}/readiness`,
    summary: 'Make an order ready for pickup',
    description: 'Takes an order that is `approved` to `ready_for_pickup`.',
    success: success('The order, which is ready for pickup'),
    errors: ['INVALID_STATE_TRANSITION'],
  },
  handOverOrder: {
    ...transition,
    path: `${path}/handover`,
    summary: 'Hand over an order',
    description:
      'Takes an order that is `ready_for_pickup` to `active`: its contract runs from now on, and gets its days. An order without a contract cannot be handed over.',
    body: OrderHandover,
    success: success('The order, which is active'),
    errors: ['VALIDATION_ERROR', 'INVALID_STATE_TRANSITION'],
  },
  completeOrder: {
    ...transition,
    path: `${path}/completion`,
    summary: 'Complete an order',
    description:
      'Takes an order that is `active` to `completed`: its contract is over. The days of the contract stay as they were agreed, also when it ends early.',
    success: success('The order, which is completed'),
    errors: ['INVALID_STATE_TRANSITION'],
  },
  cancelOrder: {
    ...transition,
    path: `${path}/cancellation`,
    summary: 'Cancel an order',
    description:
      'Takes an order that is `under_review`, `approved` or `ready_for_pickup` to `cancelled`. One that is `active` is completed instead.',
    success: success('The order, which is cancelled'),
    errors: ['INVALID_STATE_TRANSITION'],
  },
  expireOrder: {
    ...transition,
    path: `${path}/expiry`,
    summary: 'Let an order expire',
    description: 'Moves an order from `under_review` to `expired`, as it was not decided in time.',
    success: success('The order, which is expired'),
    errors: ['INVALID_STATE_TRANSITION'],
  },
} as const satisfies Record<string, PlatformOperation>;
