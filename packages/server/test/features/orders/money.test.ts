import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { derive } from '../../../src/features/orders/contract.ts';

/** An amount of up to ten digits before the point, as cents. */
const amounts = fc.bigInt({ min: 0n, max: 999_999_999_999n });

/** Written digit by digit, apart from how the service does it. */
function written(cents: bigint): string {
  return `${cents / 100n}.${cents % 100n < 10n ? '0' : ''}${cents % 100n}`;
}

interface Rates {
  readonly rate: bigint;
  readonly subsidy: bigint;
}

const ratePairs: fc.Arbitrary<Rates> = fc
  .tuple(amounts, amounts)
  .map(([a, b]) => (a > b ? { rate: a, subsidy: b } : { rate: b, subsidy: a }));
const paidByEmployer: fc.Arbitrary<Rates> = amounts.map(rate => ({ rate, subsidy: rate }));

function contractOf(listPrice: bigint, [leasing, insurance, service]: [Rates, Rates, Rates]) {
  return {
    listPrice: written(listPrice),
    leasingRate: written(leasing.rate),
    leasingRateSubsidy: written(leasing.subsidy),
    insuranceRate: written(insurance.rate),
    insuranceRateSubsidy: written(insurance.subsidy),
    serviceRate: written(service.rate),
    serviceRateSubsidy: written(service.subsidy),
  };
}

const one = (rate: bigint, subsidy = 0n): Rates => ({ rate, subsidy });

describe('the taxable benefit', () => {
  const cases: [listPrice: bigint, benefit: string][] = [
    [3_599_00n, '8.00'],
    [399_99n, '0.00'],
    [400_00n, '1.00'],
    [3_200_00n, '8.00'],
    [3_199_99n, '7.00'],
    [999_999_999_999_99n, '2499999999.00'],
  ];
  for (const [listPrice, benefit] of cases)
    test(`of a list price of ${written(listPrice)} is ${benefit}`, () =>
      assert.equal(derive(contractOf(listPrice, [one(100n), one(0n), one(0n)])).taxableBenefit, benefit));

  test('is one per cent of the largest full hundred that is not more than a quarter of the list price', () => {
    fc.assert(
      fc.property(amounts, listPrice => {
        const { taxableBenefit } = derive(contractOf(listPrice, [one(100n), one(0n), one(0n)]));
        const [whole, fraction] = taxableBenefit.split('.') as [string, string];
        assert.equal(fraction, '00');
        const hundred = BigInt(whole) * 100n * 100n;
        assert.ok(hundred * 4n <= listPrice && (hundred + 100n * 100n) * 4n > listPrice);
      }),
    );
  });

  test('is 0.00 where the employer pays all', () => {
    fc.assert(
      fc.property(amounts, fc.tuple(paidByEmployer, paidByEmployer, paidByEmployer), (listPrice, paid) =>
        assert.deepEqual(derive(contractOf(listPrice, paid)), {
          salaryConversion: '0.00',
          taxableBenefit: '0.00',
        }),
      ),
    );
  });
});

describe('the salary conversion', () => {
  test('is the rates less the subsidies, to the cent', () => {
    fc.assert(
      fc.property(amounts, fc.tuple(ratePairs, ratePairs, ratePairs), (listPrice, pairs) => {
        const expected = pairs.reduce((sum, { rate, subsidy }) => sum + rate - subsidy, 0n);
        assert.equal(derive(contractOf(listPrice, pairs)).salaryConversion, written(expected));
      }),
    );
  });
});
