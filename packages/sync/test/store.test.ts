import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { Store } from '../src/store.ts';

test('a full disk is named, and ends the transaction', async t => {
  const folder = await mkdtemp(path.join(tmpdir(), 'kontor-sync-'));
  t.after(() => rm(folder, { recursive: true }));
  class SmallStore extends Store {
    constructor() {
      super(path.join(folder, 'state.sqlite'), { origin: 'a', tables: '', synchronous: 'FULL' });
      this.run('PRAGMA max_page_count = 10');
    }
  }
  const store = new SmallStore();
  t.after(() => store.close());
  const fill = () => store.transaction(() => store.setSetting('a', 'x'.repeat(1_000_000)));
  assert.throws(fill, { name: 'SyncError', message: /state\.sqlite: database or disk is full$/ });
  store.transaction(() => store.setSetting('a', 'b'));
  assert.equal(store.setting('a'), 'b');
});
