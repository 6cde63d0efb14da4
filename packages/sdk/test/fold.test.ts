import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fold as foldOfService } from '@kontor/contract';
import fc from 'fast-check';
import { fold } from '../src/index.ts';

test('fold() is the folding of the service', () => {
  for (const text of ['STRASSE', 'straße', 'İstanbul', 'Σίσυφος', 'Müller', 'Mu\u0308ller', 'ﬁ'])
    assert.equal(fold(text), foldOfService(text));
  assert.equal(fold('STRASSE'), fold('straße'));
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), text => {
      assert.equal(fold(text), foldOfService(text));
    }),
  );
});
