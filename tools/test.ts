// npm test: runs the tests against an embedded PostgreSQL of their own. Arguments choose files, folders or patterns of tests,
// and options of node --test; --changed chooses the tests that suffice for the files that differ from the last commit.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { startTestCluster } from '../packages/server/test/support/database/cluster.ts';
import { findTestsForChange } from './chosen-tests.ts';
import { runTests } from './run-tests.ts';

const args = process.argv
  .slice(2)
  .flatMap(argument => (argument === '--changed' ? findTestsOfChange() : [argument]));
process.exitCode = await runTests(() => startTestCluster(), args);

/** The tests of the files that differ from the last commit, which it prints; all tests when it knows of none. */
function findTestsOfChange(): string[] {
  const list = (...words: string[]) =>
    execFileSync('git', words, { encoding: 'utf8' }).split('\n').filter(Boolean);
  const changed = [
    ...list('diff', '--name-only', '--relative', 'HEAD'),
    ...list('ls-files', '--others', '--exclude-standard'),
  ];
  const places = findTestsForChange(changed).filter(place => existsSync(place));
  console.log(
    places.length === 0
      ? 'No test folder belongs to the change: all tests'
      : `Tests of the change: ${places.join(' ')}`,
  );
  return places;
}
