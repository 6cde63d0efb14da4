import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { pace, showProgress } from '../../src/cli/program/progress.ts';

test('long work shows its rate and the time that is left', () => {
  const work = { total: 100e6, unit: 'MB' } as const;
  assert.equal(pace({ ...work, done: 25e6, milliseconds: 10_000 }), '2.5 MB/s, 30 s left');
  assert.equal(pace({ ...work, done: 1e6, milliseconds: 10_000 }), '0.1 MB/s, 16 min 30 s left');
  const employees = { total: 1_000_000, unit: 'employees', done: 10_000, milliseconds: 60_000 } as const;
  assert.equal(pace(employees), '167 employees/s, 1 h 39 min left');
  assert.equal(pace({ ...work, done: 1e6, milliseconds: 100 }), '');
});

test('a bar is drawn where somebody watches, and nothing where a program reads', () => {
  const written = (isTTY: boolean, json: boolean) => {
    const stderr = Object.assign(new PassThrough(), {
      isTTY,
      columns: 120,
      rows: 30,
      cursorTo() {},
      clearLine() {},
    });
    const progress = showProgress(
      { json, stderr: stderr as unknown as NodeJS.WriteStream },
      { step: 'Activating', total: 2, unit: 'employees' },
    );
    progress.advance(1);
    progress.step('Sorting');
    progress[Symbol.dispose]();
    return String(stderr.read() ?? '');
  };
  assert.match(written(true, false), /Activating/);
  assert.equal(written(true, true) + written(false, false), '');
});
