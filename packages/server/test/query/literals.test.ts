import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError, type Field, type FieldType } from '@kontor/contract';
import { isLater, readLiteral } from '../../src/query/literals.ts';

const fieldOf = (type: FieldType): Field => ({
  name: 'it',
  type,
  nullable: true,
  values: ['open', 'Closed'],
});

const rejected: Record<Exclude<FieldType, 'string'>, string[]> = {
  boolean: ['', '1', 'yes', 'truee', ' true'],
  enum: ['', 'OPEN', 'closed', 'other'],
  date: [
    '',
    '2026-02-29',
    '2026-2-1',
    '2026-13-01',
    '2026-00-01',
    '2026-01-00',
    '2026-01-01T00:00:00Z',
    '20260101',
  ],
  'date-time': [
    '',
    '2026-01-01',
    '2026-01-01T00:00:00',
    '2026-01-01T00:00:00+00:00',
    '2026-01-01t00:00:00z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T23:60:00Z',
    '2026-01-01T23:59:60Z',
    '2026-02-30T00:00:00Z',
    '2026-01-01T00:00:00.Z',
    '2026-01-01T00:00:00.0000000000Z',
    '2026-01-01T00:00:00,5Z',
  ],
  number: ['', '1e3', '.5', '5.', '+1', '0x10', 'NaN', 'Infinity', '1,5', '--1'],
  decimal: ['', '1e3', '.5', '5.', '+1', 'NaN', '1_000'],
};

describe('a literal that is no value of its field is 422 and names the field', () => {
  for (const [type, texts] of Object.entries(rejected))
    for (const text of texts)
      it(`${type} ${JSON.stringify(text)}`, () => {
        assert.throws(
          () => readLiteral(fieldOf(type as FieldType), text),
          (error: unknown) =>
            error instanceof ApiError &&
            error.status === 422 &&
            error.code === 'VALIDATION_ERROR' &&
            error.message.startsWith('filter: a value of it must be'),
        );
      });
});

it('an instant with +00:00 is rejected with the form that is accepted', () => {
  assert.throws(() => readLiteral(fieldOf('date-time'), '2026-01-01T00:00:00+00:00'), /Z and not \+00:00\)$/);
});

const accepted: [FieldType, string, string | boolean | null, boolean][] = [
  ['string', 'STRASSE', 'strasse', false],
  ['string', 'Straße', 'strasse', false],
  ['string', '', '', false],
  ['boolean', 'TRUE', true, false],
  ['boolean', 'False', false, false],
  ['enum', 'Closed', 'Closed', false],
  ['date', '2024-02-29', '2024-02-29', false],
  ['date', '0000-01-01', null, false],
  ['date-time', '2026-09-02T08:15:30Z', '2026-09-02T08:15:30.000Z', false],
  ['date-time', '2026-09-02T08:15:30.12Z', '2026-09-02T08:15:30.120Z', false],
  ['date-time', '2026-09-02T08:15:30.123000000Z', '2026-09-02T08:15:30.123Z', false],
  ['date-time', '2026-09-02T08:15:30.123000001Z', '2026-09-02T08:15:30.123Z', true],
  ['date-time', '9999-12-31T23:59:59.999999999Z', '9999-12-31T23:59:59.999Z', true],
  ['date-time', '0000-12-31T23:59:59Z', null, false],
  ['number', '-1.50', '-1.5', false],
  ['number', '9'.repeat(400), 'Infinity', false],
  ['number', `-0.${'0'.repeat(400)}1`, '0', false],
  ['decimal', '9007199254740993.01', '9007199254740993.01', false],
];

describe('a literal is read', () => {
  for (const [type, text, value, more] of accepted)
    it(`as ${type} from ${JSON.stringify(text)}`, () => {
      assert.deepEqual(readLiteral(fieldOf(type), text), { value, more });
    });
});

describe('two instants are compared at full precision', () => {
  it('whatever the number of their decimals', () => {
    assert.equal(isLater('2026-01-01T00:00:00.000000001Z', '2026-01-01T00:00:00Z'), true);
    assert.equal(isLater('2026-01-01T00:00:00.1Z', '2026-01-01T00:00:00.100Z'), false);
    assert.equal(isLater('2026-01-01T00:00:00.09Z', '2026-01-01T00:00:00.1Z'), false);
    assert.equal(isLater('2026-01-01T00:00:01Z', '2026-01-01T00:00:00.999999999Z'), true);
  });
});
