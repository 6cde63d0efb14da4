import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fieldsOf, fold, nullable } from '@kontor/contract';
import Type from 'typebox';
import { defineResource, documentEnd, folded, plain, searched } from '../../src/query/resource.ts';

const Thing = Type.Object({
  id: Type.String(),
  name: Type.String(),
  city: nullable(Type.String()),
  size: Type.Integer(),
  parts: Type.Array(Type.String()),
  createdAt: Type.String(),
  updatedAt: Type.String(),
});

const stored = {
  id: plain('id'),
  name: searched('folded_name', 'organization'),
  city: searched('folded_city'),
  size: plain('size', 'integer'),
  createdAt: plain('created_at', 'timestamptz'),
  updatedAt: plain('updated_at', 'timestamptz'),
};
const upgrades = { 2: () => ({}), 3: () => ({}) };
const declared = {
  table: 'thing',
  resourceType: 'thing',
  schema: Thing,
  fields: fieldsOf(Thing),
  upgrades,
};
const resource = defineResource({ ...declared, stored });

const stamps = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-02T00:00:00.000Z' };
/** In another order than the contract's, and with something that is not in it. */
const thing = { ...stamps, parts: ['a'], size: 5, internal: 1, name: 'Größe', city: null, id: 'x' };

describe('a resource', () => {
  test('is written as the contract orders it, with nothing else', () => {
    const { createdAt, updatedAt } = stamps;
    const expected = { id: 'x', name: 'Größe', city: null, size: 5, parts: ['a'], createdAt, updatedAt };
    assert.equal(resource.document(thing), JSON.stringify(expected));
  });

  test('is written in parts that give the same document', () => {
    const parts = [resource.part(thing, 'id', 'city'), resource.part(thing, 'city', 'createdAt')];
    const end = documentEnd(stamps.createdAt, stamps.updatedAt);
    assert.equal(`{${parts.join('')}${end}`, resource.document(thing));
  });

  test('has a column for each given field, folded where declared, and all searched texts in one', () => {
    assert.deepEqual(resource.row({ city: 'Ähren', id: 'x', name: 'Größe' }), {
      id: 'x',
      folded_name: fold('Größe'),
      folded_city: fold('Ähren'),
      search: resource.row({ name: 'Größe', city: 'Ähren' }).search,
      doc_version: 3,
      fold_version: resource.row({}).fold_version,
    });
    assert.equal(resource.row({ name: 'ab', city: null }).search, '\nab\n');
    assert.deepEqual(Object.keys(resource.row({ name: 'a' })).toSorted(), [
      'doc_version',
      'fold_version',
      'folded_name',
      'search',
    ]);
  });

  test('names the types of all columns that follow from it', () => {
    assert.deepEqual(resource.types, {
      id: 'text',
      folded_name: 'text',
      folded_city: 'text',
      size: 'integer',
      created_at: 'timestamptz',
      updated_at: 'timestamptz',
      search: 'text',
      doc_version: 'smallint',
      fold_version: 'smallint',
    });
    const plainOnly = defineResource({
      ...declared,
      stored: { ...stored, name: folded('folded_name'), city: plain('city') },
    });
    assert.ok(!('search' in plainOnly.types));
  });

  test('cannot be declared without a column for a field of its lists', () => {
    const { city: _, ...less } = stored;
    assert.throws(
      () => defineResource({ ...declared, stored: less }),
      /thing has no column for the field city/,
    );
  });
});
