import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ContractAmounts, OrderContract } from '@kontor/contract';
import { type StoredTerms, termsOf } from '../../../src/features/payroll/computation/terms.ts';

const amounts = {
  listPrice: '3599.99',
  leasingRate: '98.10',
  leasingRateSubsidy: '20.00',
  insuranceRate: '9.90',
  insuranceRateSubsidy: '9.90',
  serviceRate: '5.00',
  serviceRateSubsidy: '0.00',
};
const contract = amounts as OrderContract;
const stored: StoredTerms = { contract, amounts: [], products: null };
const first = { version: 1, from: null, ...amounts } as ContractAmounts;
const second = { ...first, version: 2, from: '2026-10', serviceRate: '7.00' } as ContractAmounts;

const conversion = (terms: StoredTerms, version: number, rate: bigint) =>
  termsOf(terms, { kind: 'salary_conversion', version, rate });

test('a rate follows from the amounts of its version', () => {
  const versions = { ...stored, amounts: [first, second] };
  assert.equal(conversion(stored, 1, 8310n)?.serviceRate, '5.00');
  assert.equal(conversion(versions, 1, 8310n)?.serviceRate, '5.00');
  assert.equal(conversion(versions, 2, 8510n)?.serviceRate, '7.00');
  assert.equal(
    termsOf(stored, { kind: 'employer_subsidy', version: 1, rate: 2990n })?.leasingRateSubsidy,
    '20.00',
  );
});

test('amounts that do not give the rate explain nothing: a handover or a withdrawal has changed them since', () => {
  assert.equal(conversion(stored, 1, 8311n), null);
  assert.equal(conversion(stored, 2, 8510n), null);
  assert.equal(conversion({ ...stored, amounts: [first] }, 2, 8510n), null);
  assert.equal(conversion({ ...stored, contract: null }, 1, 8310n), null);
});

test('the base of a benefit is a quarter of the list price or all of it, rounded down to full 100, for each product', () => {
  const products = [
    { rule: 'quarter', listPrice: '3999.99' },
    { rule: 'full', listPrice: '1050.00' },
    { rule: 'none', listPrice: null },
  ] as const;
  const benefitOf = (terms: StoredTerms, rate: bigint) =>
    termsOf(terms, { kind: 'taxable_benefit', version: 1, rate })?.benefits.map(({ base, amount }) => [
      base,
      amount,
    ]);
  assert.deepEqual(benefitOf(stored, 800n), [['800.00', '8.00']]);
  assert.deepEqual(benefitOf({ ...stored, products }, 1900n), [
    ['900.00', '9.00'],
    ['1000.00', '10.00'],
    ['0.00', '0.00'],
  ]);
});
