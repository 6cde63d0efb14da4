import Type, { type Static } from 'typebox';
import { PayrollSettlementCreate, createPayrollSettlement } from './receipts.ts';
import { PayrollActor, PayrollSettingsInput, setPayrollSettings } from './settings.ts';
import { read, write } from '../operation.ts';
import { ofOrganization, platformOperation } from '../platform-operation.ts';
import { ofPortal } from '../portal-operation.ts';
import { ClosedObject, Id, Instant, NamedObject, nullable, orNull, Text, Values } from '../schema.ts';

const text = (description: string, maxLength: number, example: string) =>
  Text(description, example, { minLength: 1, maxLength });

const statuses = ['open', 'confirmed', 'rejected'] as const;

const PayrollSettingChange = NamedObject('PayrollSettingChange', 'A setting that a proposal changes', {
  field: text('Setting', 100, 'kinds.taxableBenefit.wageType'),
  before: nullable(Text('Value in force; null: none', '3020')),
  after: nullable(Text('Proposed value; null: none', '3021')),
});
export type PayrollSettingChange = Static<typeof PayrollSettingChange>;

const comment = nullable(text('Comment of the decision', 500, 'Mit dem Steuerbüro geklärt'));

export const PayrollProposal = NamedObject(
  'PayrollProposal',
  'A settlement or settings that another caller than the proposer confirms or rejects',
  {
    id: Id('Unique identifier'),
    tenant: Id('Tenant'),
    status: Values('PayrollProposalStatus', statuses, 'State; only a confirmed one has an effect'),
    employeeId: nullable(Id('Employee of the settlement; null for settings')),
    employeeName: nullable(text('Name; null for an employee who is out of reach', 401, 'Petra Lang')),
    settlement: orNull(PayrollSettlementCreate, 'Proposed settlement; null: it is about settings'),
    settings: orNull(PayrollSettingsInput, 'Proposed settings; null: it is about a settlement'),
    changes: Type.Array(PayrollSettingChange, { description: 'What the settings change' }),
    proposedBy: PayrollActor,
    proposedAt: Instant('When it was proposed'),
    decidedBy: orNull(PayrollActor, 'Who confirmed or rejected it; null while it is open'),
    decidedAt: nullable(Instant('When that was')),
    comment,
  },
);
export type PayrollProposal = Static<typeof PayrollProposal>;

export const payrollProposalsMaximum = 100;

export const PayrollProposalList = NamedObject(
  'PayrollProposalList',
  `The last ${payrollProposalsMaximum} proposals, newest first`,
  { items: Type.Array(PayrollProposal) },
);

export const PayrollProposalDecision = NamedObject('PayrollProposalDecision', 'A decision about a proposal', {
  decision: Values('PayrollProposalOutcome', ['confirmed', 'rejected'], 'Decision'),
  comment: Type.Optional(comment),
});
export type PayrollProposalDecision = Static<typeof PayrollProposalDecision>;

const ofTenant = '/organizations/{organizationId}/tenants/{id}';
const writing = { ...write, tag: 'Payroll', permission: 'payroll:write' } as const;
const proposed = { status: 201, description: 'The proposal', body: PayrollProposal } as const;

export const proposePayrollSettlement = platformOperation({
  ...writing,
  path: `${createPayrollSettlement.path}/proposals`,
  summary: 'Propose a settlement',
  description:
    'Proposes a settlement, which has an effect when another caller confirms it. Where the settings have `changesBySecondActor`, a settlement needs that.',
  parameters: createPayrollSettlement.parameters,
  body: PayrollSettlementCreate,
  success: proposed,
  errors: ['VALIDATION_ERROR', 'INVALID_REFERENCE', 'INVALID_STATE_TRANSITION'],
});

export const proposePayrollSettings = platformOperation({
  ...writing,
  path: `${ofTenant}/payroll-settings/proposals`,
  summary: 'Propose payroll settings',
  description:
    'Proposes settings, which count when another caller confirms them, unless other settings were stored since. Where the settings in force have `changesBySecondActor`, a change needs that.',
  parameters: setPayrollSettings.parameters,
  body: PayrollSettingsInput,
  success: proposed,
  errors: ['VALIDATION_ERROR'],
});

export const listPayrollProposals = platformOperation({
  ...read,
  tag: 'Payroll',
  permission: 'payroll:read',
  path: `${ofTenant}/payroll-proposals`,
  summary: 'List the payroll proposals of a tenant',
  description: `Lists the last ${payrollProposalsMaximum} proposals, the newest first.`,
  parameters: ofOrganization('Identifier of the tenant'),
  query: ClosedObject({
    status: Type.Optional(
      Type.Enum([...statuses], { type: 'string', description: 'Only proposals in this state' }),
    ),
  }),
  success: { status: 200, description: 'The proposals', body: PayrollProposalList },
});

export const decidePayrollProposal = platformOperation({
  ...writing,
  permission: 'payroll:release',
  path: '/organizations/{organizationId}/payroll-proposals/{id}/decision',
  summary: 'Confirm or reject a payroll proposal',
  description:
    'Confirms a proposal of another caller, which has its effect in the same transaction, or rejects one. A decision is final.',
  parameters: ofOrganization('Identifier of the proposal'),
  body: PayrollProposalDecision,
  success: { status: 200, description: 'The decided proposal', body: PayrollProposal },
  errors: ['VALIDATION_ERROR', 'INVALID_REFERENCE', 'INVALID_STATE_TRANSITION'],
});

export const proposePortalPayrollSettlement = ofPortal(proposePayrollSettlement, {
  permission: 'PAYROLL_RUN',
});

export const proposePortalPayrollSettings = ofPortal(proposePayrollSettings, {
  permission: 'COMPANY_ADMIN',
});

export const listPortalPayrollProposals = ofPortal(listPayrollProposals, { permission: 'HR' });

export const decidePortalPayrollProposal = ofPortal(decidePayrollProposal, {
  permission: 'PAYROLL_RELEASE',
  needsFreshSignIn: true,
});
