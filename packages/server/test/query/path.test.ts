import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { choosePath, type PathQuestion } from '../../src/query/path.ts';

const million: PathQuestion = {
  estimate: { total: 1_000_000, visible: 1_000_000, range: 1_000_000, units: 0 },
  needed: 100,
  filtered: false,
  restricted: false,
  byDivision: false,
  rangeIndexed: true,
  unitsIndexed: true,
  bounded: false,
  isLoose: false,
};

const list = (change: Partial<Omit<PathQuestion, 'estimate'>>, numbers: Partial<PathQuestion['estimate']>) =>
  choosePath({ ...million, ...change, estimate: { ...million.estimate, ...numbers } });

describe('among a million rows', () => {
  it('the whole organization is read in its order', () => {
    assert.equal(list({}, {}), 'ordered');
  });

  it('a filter that many rows match is looked for in the order', () => {
    assert.equal(list({ filtered: true }, { total: 100_000 }), 'ordered');
  });

  it('a filter that few rows match is matched first', () => {
    assert.equal(list({ filtered: true }, { total: 500 }), 'matched');
    assert.equal(list({ filtered: true }, { total: 0 }), 'matched');
  });

  it('the further the page, the sooner all is matched first', () => {
    assert.equal(list({ filtered: true, needed: 15_000 }, { total: 20_000 }), 'matched');
    assert.equal(list({ filtered: true, needed: 100 }, { total: 20_000 }), 'ordered');
  });

  it('a search without accents is matched first, unless a tenth of the rows match', () => {
    assert.equal(list({ filtered: true, isLoose: true }, { total: 20_000 }), 'matched');
    assert.equal(list({ filtered: true, isLoose: true }, { total: 200_000 }), 'ordered');
  });

  it('a bound on the order itself is a range of its index, however few rows it leaves', () => {
    assert.equal(list({ filtered: true, bounded: true }, { total: 5 }), 'ordered');
  });

  it('a key of few divisions merges them', () => {
    const restricted = { restricted: true, byDivision: true };
    assert.equal(list(restricted, { total: 400, visible: 400, units: 100 }), 'merged');
  });

  it('a key of nine tenths of a tenant goes along the tenant', () => {
    const restricted = { restricted: true, byDivision: true };
    assert.equal(list(restricted, { total: 45_000, visible: 45_000, range: 50_000, units: 45 }), 'ordered');
    assert.equal(
      list(restricted, { total: 45_000, visible: 45_000, range: 50_000, units: 10_000 }),
      'ordered',
    );
  });

  it('a rare match in the scope of many divisions is matched first', () => {
    const restricted = { restricted: true, byDivision: true, filtered: true };
    assert.equal(list(restricted, { total: 3, visible: 45_000, range: 50_000, units: 10_000 }), 'matched');
  });
});
