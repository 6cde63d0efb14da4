import Type, { type Static } from 'typebox';
import { Money } from '../money.ts';
import { PayrollActor } from '../payroll/settings.ts';
import {
  Day,
  Id,
  Instant,
  Integer,
  NamedObject,
  nullable,
  optionals,
  orNull,
  Period,
  Text,
  Values,
} from '../schema.ts';

/** Rates of a month, and the shares of the employer. */
export const agreedAmounts = {
  leasingRate: Money(2, 'Leasing rate a month'),
  leasingRateSubsidy: Money(2, "Employer's share of the leasing rate"),
  insuranceRate: Money(2, 'Insurance rate a month'),
  insuranceRateSubsidy: Money(2, "Employer's share of the insurance rate"),
  serviceRate: Money(2, 'Service rate a month'),
  serviceRateSubsidy: Money(2, "Employer's share of the service rate"),
};

/** They follow from the others. */
const derivedAmounts = {
  salaryConversion: Money(2, 'Monthly salary conversion: rates less subsidies'),
  taxableBenefit: Money(
    2,
    'Taxable benefit a month: 1 % of a quarter of the list price rounded down to full 100; 0.00 where the employer pays all',
  ),
};

const listPrice = Money(2, 'List price with tax');

export const OrderContract = NamedObject('OrderContract', 'The contract of an order', {
  contractNumber: nullable(
    Text('Number of the contract', 'LV-2026-000123', { minLength: 1, maxLength: 200 }),
  ),
  startDate: nullable(Day('First day', '2026-10-01')),
  endDate: nullable(Day('Last day', '2029-09-30')),
  termMonths: Integer('Term in months', 36, { minimum: 1 }),
  currency: Text('Currency (ISO 4217)', 'EUR', { pattern: '^[A-Z]{3}$' }),
  listPrice,
  purchasePrice: Money(2, 'Purchase price'),
  residualValue: nullable(Money(2, 'Calculated value at the end of the term')),
  ...agreedAmounts,
  ...derivedAmounts,
});
export type OrderContract = Static<typeof OrderContract>;

/** The amounts that a change of a contract may name, and those of its handover. */
const changedAmounts = { listPrice, ...agreedAmounts };

export const handoverAmounts = { ...changedAmounts, purchasePrice: Money(2, 'Purchase price') };

const unchanged = <const Properties extends Record<string, ReturnType<typeof Money>>>(
  properties: Properties,
) =>
  Object.fromEntries(Object.entries(properties).map(([name, amount]) => [name, nullable(amount)])) as {
    [Name in keyof Properties]: ReturnType<typeof nullable<Properties[Name]>>;
  };

export const contractEndReasons = [
  'leaver',
  'purchase',
  'returned',
  'theft',
  'total_loss',
  'death',
  'other',
] as const;

const end = {
  lastDay: Day(
    'Last day of the contract, not before the first and not after the agreed last day',
    '2026-12-31',
  ),
  reason: Values(
    'ContractEndReason',
    contractEndReasons,
    'Why the contract ends early: the employee leaves, buys the bike or has given it back, it was stolen or destroyed, the employee has died',
  ),
};

const comment = nullable(
  Text('Comment, which the public API never shows', 'Rad am 12. abgegeben', { maxLength: 2000 }),
);

export const ContractEnd = NamedObject('ContractEnd', 'An early end of a contract', {
  ...end,
  comment: Type.Optional(comment),
});
export type ContractEnd = Static<typeof ContractEnd>;

export const OrderCompletion = NamedObject(
  'OrderCompletion',
  'The early end of the contract, if it ended early. `reason` and `comment` need `lastDay`',
  {
    lastDay: Type.Optional(end.lastDay),
    reason: Type.Optional({ ...end.reason, default: 'returned' }),
    comment: Type.Optional(comment),
  },
);
export type OrderCompletion = Static<typeof OrderCompletion>;

export const ContractVersion = NamedObject(
  'ContractVersion',
  'Amounts of a contract that change with a month; an absent one stays as it is then. At least one is required',
  {
    from: Period('First month with these amounts: a month of the contract', '2027-01'),
    ...optionals(changedAmounts),
    comment: Type.Optional(comment),
  },
);
export type ContractVersion = Static<typeof ContractVersion>;

const recorded = {
  comment,
  recordedAt: Instant('When it was recorded'),
  recordedBy: PayrollActor,
  withdrawnAt: nullable(Instant('When it was withdrawn; null while it holds')),
  withdrawnBy: orNull(PayrollActor, 'The caller that withdrew it'),
};

export const RecordedEnd = NamedObject('RecordedEnd', 'An early end as it was recorded', {
  ...end,
  ...recorded,
});
export type RecordedEnd = Static<typeof RecordedEnd>;

const version = Integer('Number of the version. The amounts of the handover are version 1', 2, {
  minimum: 1,
});

export const RecordedVersion = NamedObject(
  'RecordedVersion',
  'A version as it was recorded. An amount that is null stays as it was',
  {
    id: Id('Identifier of the version'),
    version,
    from: Period('First month with these amounts', '2027-01'),
    ...unchanged(changedAmounts),
    ...recorded,
  },
);
export type RecordedVersion = Static<typeof RecordedVersion>;

export const ContractAmounts = NamedObject('ContractAmounts', 'All amounts of a contract from a month on', {
  from: nullable(Period('First month with these amounts; null: from the beginning', '2027-01')),
  version,
  ...changedAmounts,
  ...derivedAmounts,
});
export type ContractAmounts = Static<typeof ContractAmounts>;

/** Ends, versions and amounts are few: a contract has at most 100 of each. */
export const ContractRecord = NamedObject(
  'ContractRecord',
  'What was recorded about a contract since its handover',
  {
    agreedEndDate: nullable(
      Day('Last day without an early end; null without a contract or an agreed day', '2029-09-30'),
    ),
    endHistory: Type.Array(RecordedEnd, {
      description: 'Early ends, the latest last. The last one holds unless it was withdrawn',
    }),
    versions: Type.Array(RecordedVersion, {
      description: 'Versions in the order in which they were recorded',
    }),
    amounts: Type.Array(ContractAmounts, {
      description:
        'The amounts that hold, by their first month, the earliest first; empty without a contract',
    }),
  },
);
export type ContractRecord = Static<typeof ContractRecord>;
