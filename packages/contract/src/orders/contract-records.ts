import { type Static } from 'typebox';
import { ContractEnd, ContractRecord, ContractVersion } from './contracts.ts';
import { Order } from './orders.ts';
import { read, write } from '../operation.ts';
import { ofOrganization, platformOperation } from '../platform-operation.ts';
import { ofPortal } from '../portal-operation.ts';
import { ClosedObject, Id, NamedObject } from '../schema.ts';

export const OrderWithRecord = NamedObject(
  'OrderWithRecord',
  'An order as the public API shows it, and what was recorded about its contract',
  { order: Order, contractRecord: ContractRecord },
);
export type OrderWithRecord = Static<typeof OrderWithRecord>;

const path = '/organizations/{organizationId}/orders/{id}';

const tag = 'Order contracts';

const recording = {
  ...write,
  tag,
  permission: 'transitions:write',
  parameters: ofOrganization('Identifier of the order'),
} as const;

const success = <const Text extends string>(description: Text) =>
  ({ status: 200, description, body: OrderWithRecord }) as const;

export const getOrderContractRecord = platformOperation({
  ...read,
  path: `${path}/contract-record`,
  tag,
  summary: 'Get the contract record of an order',
  description:
    'Reads the early ends and versions of the contract of an order, with their authors, and the amounts of each month. The public API shows only the end and the amounts of today.',
  permission: 'orders:read',
  parameters: ofOrganization('Identifier of the order'),
  success: success('The order and its record'),
});

export const recordContractEnd = platformOperation({
  ...recording,
  path: `${path}/contract-end`,
  summary: 'Record the early end of a contract',
  description:
    'Sets the last day of the contract of an order that is `active` or `completed`. Again with other values changes the end. Payroll computes the last month by days, and the next run takes back released amounts of later days. The scheduled job completes the order after its last day.',
  body: ContractEnd,
  success: success('The order with its new last day, and the record'),
  errors: ['VALIDATION_ERROR', 'INVALID_STATE_TRANSITION'],
});

export const withdrawContractEnd = platformOperation({
  ...recording,
  method: 'DELETE',
  path: `${path}/contract-end`,
  summary: 'Withdraw the early end of a contract',
  description:
    'Restores the last day that was agreed before any early end. The record keeps the withdrawn end. The state of the order stays.',
  success: success('The order with its agreed last day, and the record'),
  errors: ['INVALID_STATE_TRANSITION'],
});

export const recordContractVersion = platformOperation({
  ...recording,
  path: `${path}/contract-versions`,
  summary: 'Change the amounts of a contract',
  description:
    'Changes amounts of the contract of an order that is `active` or `completed` from a month on. The public API shows the amounts of today: amounts of a later month follow on its first day (UTC). Payroll computes each month with its amounts, and the next run corrects released months.',
  body: ContractVersion,
  success: success('The order and its record with the version'),
  errors: ['VALIDATION_ERROR', 'INVALID_STATE_TRANSITION'],
});

export const withdrawContractVersion = platformOperation({
  ...recording,
  method: 'DELETE',
  path: `${path}/contract-versions/{versionId}`,
  summary: 'Withdraw a version of a contract',
  description:
    'Withdraws a version, even of released months, which the next run corrects. The record keeps it. Other versions hold.',
  parameters: ClosedObject({
    ...recording.parameters.properties,
    versionId: Id('Identifier of the version'),
  }),
  success: success('The order and its record without the version'),
  errors: ['VALIDATION_ERROR', 'INVALID_STATE_TRANSITION'],
});

const ofHrDesk = { permission: 'HR', selectsTenant: true } as const;

export const recordPortalContractEnd = ofPortal(recordContractEnd, ofHrDesk);

export const withdrawPortalContractEnd = ofPortal(withdrawContractEnd, ofHrDesk);

export const recordPortalContractVersion = ofPortal(recordContractVersion, ofHrDesk);

export const withdrawPortalContractVersion = ofPortal(withdrawContractVersion, ofHrDesk);
