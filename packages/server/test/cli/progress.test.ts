import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { showProgress } from '../../src/cli/program/progress.ts';

test('a bar is rendered on a terminal, and nothing where a program reads', () => {
  const written = (isTTY: boolean, json: boolean) => {
    const stderr = Object.assign(new PassThrough(), {
      isTTY,
      columns: 120,
      rows: 30,
      cursorTo() {},
      clearLine() {},
    });
    const progress = showProgress({ json, stderr: stderr as unknown as NodeJS.WriteStream });
    progress.begin('Activating', 2);
    progress.advance(1);
    progress.step('Sorting');
    progress[Symbol.dispose]();
    return String(stderr.read() ?? '');
  };
  assert.match(written(true, false), /Activating .* 0% [^]*Sorting {2}for 0/);
  assert.equal(written(true, true) + written(false, false), '');
});
