import Type, { type Static } from 'typebox';
import { incidentTypes } from '../incidents.ts';
import { Money } from '../money.ts';
import { ContractVersion } from '../orders/contracts.ts';
import { read } from '../operation.ts';
import { ofOrganization, platformOperation } from '../platform-operation.ts';
import { ofPortal } from '../portal-operation.ts';
import { Day, Flag, Id, NamedObject, nullable, Period, Values } from '../schema.ts';
import { PayrollKind } from './settings.ts';

const PreviewedLeave = NamedObject(
  'PreviewedLeave',
  'A leave from an order, new or instead of a recorded one',
  {
    incidentId: nullable(Id('Incident whose leave it replaces; null: a new one')),
    type: Values('IncidentType', incidentTypes, 'Type of the leave'),
    effectiveFrom: Day('First day'),
    effectiveTo: nullable(Day('Last day; null: not known')),
    bikeReturned: Type.Optional(nullable(Flag('Whether the bike is given back for the leave', false))),
  },
);

export const OrderPayrollChange = NamedObject(
  'OrderPayrollChange',
  'Changes of an order that are only considered; empty: the order as it is',
  {
    lastDay: Type.Optional(
      nullable(Day('Last day of the contract; null: as agreed, without an early end', '2026-12-31')),
    ),
    version: Type.Optional(ContractVersion),
    withdrawnVersion: Type.Optional(Id('Version of the contract to be withdrawn')),
    leave: Type.Optional(PreviewedLeave),
  },
);
export type OrderPayrollChange = Static<typeof OrderPayrollChange>;

export const previewQuestions = ['before_contract', 'far', 'takes_back', 'paid_elsewhere'] as const;

export const OrderPayrollPreview = NamedObject(
  'OrderPayrollPreview',
  'What payroll exports of an order, with changes that are not stored',
  {
    firstPeriod: nullable(Period('First month that payroll exports; null: payroll is not set up', '2026-01')),
    released: nullable(Period('Last released month; null before a release')),
    lastDay: nullable(Day('Last day of the contract; null without one', '2026-12-31')),
    amounts: Type.Array(
      NamedObject('OrderPayrollAmount', 'What runs export of a month', {
        month: Period('Month'),
        kind: PayrollKind,
        amount: Money(
          2,
          'In a released month, what the next run corrects: negative comes back. Else what its run exports',
        ),
      }),
      { description: 'By month and kind, up to ten years ahead; a month without an amount is not listed' },
    ),
    questions: Type.Array(
      Values(
        'OrderPayrollQuestion',
        previewQuestions,
        'A day lies before the contract, or over a year from the present month; released amounts come back; an amount was paid elsewhere, where it must be settled',
      ),
      { description: 'What is unusual in the changes, to be confirmed before they are recorded' },
    ),
  },
);
export type OrderPayrollPreview = Static<typeof OrderPayrollPreview>;

export const previewOrderPayroll = platformOperation({
  ...read,
  method: 'POST',
  changesNothing: true,
  tag: 'Payroll',
  permission: 'payroll:read',
  path: '/organizations/{organizationId}/orders/{id}/payroll-preview',
  summary: 'Preview the amounts of an order',
  description:
    'Computes what payroll would export of an order after an early end, a version or a leave: corrections of released months, and the months up to the last day. Nothing is stored. Changes after the cut-off day enter the run after the next one.',
  parameters: ofOrganization('Identifier of the order'),
  body: OrderPayrollChange,
  success: { status: 200, description: 'The amounts', body: OrderPayrollPreview },
  errors: ['VALIDATION_ERROR', 'INVALID_REFERENCE', 'INVALID_STATE_TRANSITION'],
});

export const previewPortalOrderPayroll = ofPortal(previewOrderPayroll, {
  permission: 'HR',
  selectsTenant: true,
});
