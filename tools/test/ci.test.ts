import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('../../.ci/run', import.meta.url));

/** Stands for npm: prints its arguments in 100 lines, and fails when that is FAILING. */
const npm = `#!/usr/bin/env bash
for line in {1..100}; do echo "npm $* says $line"; done
case "$*" in *test | *test:packages | *test:tools | *test:security) printf '\\n7 passed, 1 failed\\n' ;; esac
[ -n "$KONTOR_TEST_LONG" ] && echo "npm $* has the long forms"
[ "$*" = "$FAILING" ] && exit 3
exit 0
`;

/** What is run, by its name, and what npm is asked for it. */
const parts = {
  check: 'run check',
  planted: '--silent run planted -- --tenth',
  faults: '--silent run faults -- --short',
  clients: '--silent run clients -- --only openapi-typescript,openapi-python-client',
  citus: '--silent run test:citus -- --short',
  packages: '--silent run test:packages',
  tools: '--silent run test:tools',
  security: '--silent run test:security',
  tests: '--silent test',
};

describe('.ci/run', () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'kontor-ci-'));
    await mkdir(path.join(folder, 'bin'));
    await cp(script, path.join(folder, '.ci', 'run'));
    // Nothing is installed by a test.
    for (const [name, text] of Object.entries({ npm, 'apt-get': '#!/bin/sh\nexit 1\n' })) {
      await writeFile(path.join(folder, 'bin', name), text);
      await chmod(path.join(folder, 'bin', name), 0o755);
    }
  });
  after(() => rm(folder, { recursive: true }));

  function run(failing: string) {
    const { PATH } = process.env;
    const env = { ...process.env, PATH: `${path.join(folder, 'bin')}:${PATH}`, FAILING: failing };
    const { status, stdout } = spawnSync('bash', ['.ci/run'], {
      cwd: folder,
      env,
      encoding: 'utf8',
      timeout: 60_000,
    });
    return { status, lines: stdout.trimEnd().split('\n') };
  }

  test('ends with what all tests counted, and 0, when all is well', () => {
    const { status, lines } = run('');
    assert.equal(status, 0);
    assert.equal(lines.at(-1), '28 passed, 4 failed');
    assert.ok(!lines.some(line => line.includes('ailed with')));
    assert.ok(lines.includes('npm --silent test has the long forms'));
  });

  for (const [name, asked] of Object.entries(parts))
    test(`fails when ${name} fails, runs the others all the same, and ends with its last lines`, () => {
      const { status, lines } = run(asked);
      assert.equal(status, 1);
      for (const part of Object.values(parts)) assert.ok(lines.includes(`npm ${part} says 1`), part);
      const end = lines.slice(-70).join('\n');
      assert.match(end, new RegExp(`The end of what ${name} said[^]*says 100\n[^]*${name} failed with 3`));
      assert.deepEqual(lines.slice(-2), [`Failed: ${name}`, '28 passed, 4 failed']);
    });

  test('fails at once without what npm installs', () => {
    const { status, lines } = run('ci --no-audit --no-fund');
    assert.equal(status, 1);
    assert.ok(!lines.includes('npm run check says 1'));
  });
});
