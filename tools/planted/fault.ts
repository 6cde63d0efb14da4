import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseSync } from 'oxc-parser';

/** A fault that can be planted: an exact text of the sources, and the text that takes its place. */
export interface Fault {
  readonly name: string;
  /** The rule that the fault breaks. */
  readonly breaks: string;
  /** Occurs exactly once below packages/*\/src. So a file can move without a change here. */
  readonly before: string;
  /** Names only what the same file names. */
  readonly after: string;
  /** Tests that must fail: the ends of their paths, without `.test.ts`. */
  readonly caughtBy: readonly string[];
}

/** A fault with the files that it concerns, as paths from the root of the repository. */
export interface PlacedFault extends Fault {
  readonly file: string;
  readonly tests: readonly string[];
}

/** Why a fault can no longer be planted. */
export class StaleFault extends Error {}

/** The files among which faults are placed. */
export interface Sources {
  /** Texts of the sources by path. */
  readonly texts: ReadonlyMap<string, string>;
  /** Paths of all test files. */
  readonly tests: readonly string[];
}

/** Reads the sources and lists the tests of all packages. */
export async function readSources(root: string): Promise<Sources> {
  const files = await Array.fromAsync(glob('packages/*/src/**/*.{ts,tsx}', { cwd: root }));
  const texts = await Promise.all(
    files.map(async file => [file, await readFile(path.join(root, file), 'utf8')] as const),
  );
  const tests = await Array.fromAsync(glob('packages/*/test/**/*.test.ts', { cwd: root }));
  return { texts: new Map(texts), tests };
}

/** Finds the file and the tests of a fault. @throws StaleFault where its text or a test is not found exactly once. */
export function placeFault(fault: Fault, { texts, tests }: Sources): PlacedFault {
  const { before, after, caughtBy } = fault;
  const files = [...texts].filter(([, text]) => text.includes(before));
  const [[file, text] = [], ...others] = files;
  if (file === undefined || text === undefined) throw new StaleFault(`no source contains: ${before}`);
  if (others.length > 0 || text.indexOf(before) !== text.lastIndexOf(before))
    throw new StaleFault(`more than one place contains: ${before}`);
  const unknown = extractNames(after).find(name => !extractNames(text).includes(name));
  if (unknown !== undefined) throw new StaleFault(`${file} has no name ${unknown}`);
  if (
    parseSync(
      file,
      text.replace(before, () => after),
    ).errors.length > 0
  )
    throw new StaleFault(`${file} could not be parsed with it`);
  return { ...fault, file, tests: caughtBy.map(name => findTest(name, tests)) };
}

function findTest(name: string, tests: readonly string[]): string {
  const [test, ...others] = tests.filter(file => file.endsWith(`/${name}.test.ts`));
  if (test === undefined) throw new StaleFault(`there is no test ${name}`);
  if (others.length > 0) throw new StaleFault(`several tests are named ${name}`);
  return test;
}

/** The names of two or more words: those of this repository, which may have been renamed. */
function extractNames(text: string): string[] {
  return text.match(/\b[a-z]+[A-Z]\w*/g) ?? [];
}
