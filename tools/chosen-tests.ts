import { glob, stat } from 'node:fs/promises';
import path from 'node:path';

/** There is nothing to run; the message is for the caller. */
export class NoTests extends Error {}

/** The arguments of a run of tests: what is for `node --test`, and the files, of which there is at least one. */
export interface ChosenTests {
  readonly options: readonly string[];
  readonly files: readonly string[];
}

/** The tests of `npm test`. */
const all = 'packages/*/test/**/*.test.ts';
/** Folders among them that take minutes and belong to `npm run test:packages` and `npm run test:security`. */
const apart = [
  'packages/embedded-postgres/test/',
  'packages/server/test/embedded/',
  'packages/server/test/security/',
];

/**
 * The tests that the arguments choose: files, folders with all tests in and below them, and patterns, as seen from `root`;
 * where none is named, those of `npm test`. What begins with `-` is an option.
 * @throws NoTests that names what has no tests.
 */
export async function chooseTests(args: readonly string[], root: string): Promise<ChosenTests> {
  const options = args.filter(argument => argument.startsWith('-'));
  const places = args.filter(argument => !argument.startsWith('-'));
  if (places.length === 0) {
    const files = await findTests(all, root);
    const isApart = (file: string) => apart.some(folder => file.startsWith(path.join(root, folder)));
    return { options, files: files.filter(file => !isApart(file)) };
  }
  const files = await Promise.all(places.map(place => findTests(place, root)));
  return { options, files: [...new Set(files.flat())] };
}

/** Tests of every declaration: a change of the contract or of the schema concerns them all. `hidden-rows` asks each operation. */
const declared = [
  'packages/contract/test',
  'packages/server/test/guards',
  'packages/server/test/examples',
  'packages/server/test/scope/hidden-rows.test.ts',
  'packages/server/test/service',
  'packages/server/test/session',
  'packages/portal/test/messages.test.ts',
  'packages/sdk/test/methods.test.ts',
  'tools/test/contract-diff.test.ts',
];

/** The folders of tests that suffice for changed files: those that mirror their folders, and those of declarations. */
export function findTestsForChange(changed: readonly string[]): string[] {
  const places = changed.flatMap(file => {
    if (isTest(file)) return [file];
    if (/^packages\/(contract\/src|server\/migrations)\//.test(file)) return declared;
    const mirrored = /^packages\/server\/(?:src|test)\/(features\/[\w-]+|[\w-]+)\//.exec(file)?.[1];
    return mirrored === undefined ? [] : [`packages/server/test/${mirrored}`];
  });
  return [...new Set(places)].sort();
}

async function findTests(place: string, root: string): Promise<string[]> {
  const absolute = path.resolve(root, place);
  const found = await stat(absolute).catch(() => null);
  if (found?.isFile() && isTest(place)) return [absolute];
  const folder = found?.isDirectory() ? absolute : null;
  const pattern = folder === null ? place : '**/*.test.ts';
  const files = await Array.fromAsync(glob(pattern, { cwd: folder ?? root }));
  const tests = files.filter(isTest).map(file => path.resolve(folder ?? root, file));
  if (tests.length === 0)
    throw new NoTests(
      `there are no tests in ${place}: name a file (*.test.ts), a folder or a pattern; an option takes its value behind =`,
    );
  return tests.sort();
}

function isTest(file: string): boolean {
  return file.endsWith('.test.ts');
}
