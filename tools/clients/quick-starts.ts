import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type GuideDemo, startDemo } from '../guide-demo.ts';
import { type Block, blocksOf, scriptOf } from '../guides.ts';
import { phpNeeds, standInForComposer } from './php.ts';
import { has, prepareFolder, run, StepFailed } from './sandbox.ts';
import type { Result } from './table.ts';

/** The document with the quick starts, and with the table of generators. */
export const page = fileURLToPath(new URL('../../docs/clients.md', import.meta.url));

/** The part of the document with commands and program of a language. */
interface QuickStart {
  readonly name: string;
  readonly heading: string;
  readonly needs: readonly string[];
  /** Puts commands into the folder that the reader has; answers their place for PATH. */
  readonly prepare?: (folder: string) => Promise<string>;
}

export const quickStarts: readonly QuickStart[] = [
  { name: 'quick-start-python', heading: 'Python', needs: ['python3'] },
  { name: 'quick-start-java', heading: 'Java', needs: ['java', 'mvn', 'python3'] },
  { name: 'quick-start-php', heading: 'PHP', needs: ['python3', ...phpNeeds], prepare: standInForComposer },
];

/** The blocks below a heading of the document, to the next heading. */
export function blocksBelow(text: string, heading: string): Block[] {
  const [section] = new RegExp(`^### ${heading}\\n[^]*?(?=^##|$(?![^]))`, 'm').exec(text) ?? [];
  if (section === undefined) throw new Error(`docs/clients.md has no heading ${heading}`);
  return blocksOf(section);
}

/** The text with the same identifier and number of employees in each run. */
const comparable = (text: string) =>
  text.replaceAll(/\b[0-9a-f]{24}\b/g, 'ID').replaceAll(/^\d{4,}(?= employees$)/gm, 'thousands of');

/** Does what a reader of the quick starts does, one after the other on one demo. */
export async function runQuickStarts(chosen: readonly QuickStart[]): Promise<Result[]> {
  const results: Result[] = [];
  const folder = await prepareFolder('quick-starts');
  const isReady = ({ needs }: QuickStart) => needs.every(has);
  const demo = chosen.some(isReady) ? await startDemo(folder, {}) : null;
  try {
    for (const start of chosen) {
      const { name, needs } = start;
      const missing = needs.filter(program => !has(program));
      const outcome =
        demo === null || missing.length > 0 ? `not run: no ${missing.join(', ')}` : await follow(start, demo);
      console.log(`${name}: ${outcome}`);
      results.push({ name, outcome });
    }
  } finally {
    await demo?.stop();
  }
  return results;
}

/** Writes the program into an empty folder, runs the commands, and compares what they print. */
async function follow({ name, heading, prepare }: QuickStart, demo: GuideDemo): Promise<string> {
  const text = await readFile(page, 'utf8');
  const blocks = blocksBelow(text, heading);
  const folder = await prepareFolder(name);
  for (const { file, text } of blocks) if (file !== null) await writeFile(path.join(folder, file), text);
  const { PATH = '' } = process.env;
  const variables = {
    PATH: prepare ? `${await prepare(folder)}:${PATH}` : PATH,
    KONTOR_URL: demo.here('http://127.0.0.1:8080/v1'),
    KONTOR_API_KEY: demo.key,
  };
  try {
    const printed = await run(folder, ['bash', '-c', `exec 2>&1\n${scriptOf(blocks)}`], { variables });
    const lines = new Set(comparable(printed).split('\n'));
    const expected = blocksOf(text).filter(({ sample }) => sample === 'output');
    const missing = comparable(expected.map(block => block.text).join(''))
      .split('\n')
      .filter(line => !lines.has(line));
    return missing.length === 0 ? 'works' : `does not print: ${missing.join(', ')}`;
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    return `failed: ${error.message}`;
  }
}
