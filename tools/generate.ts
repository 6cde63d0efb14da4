import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { openApiDocument } from '@kontor/contract';
import { configurationPage } from './generate/configuration.ts';
import { errorsPage } from './generate/errors.ts';

/** Every generated file, with what makes its text. */
const generated: Record<string, () => string> = {
  'openapi.json': () => `${JSON.stringify(openApiDocument(), null, 2)}\n`,
  'docs/configuration.md': configurationPage,
  'docs/errors.md': errorsPage,
};

const root = new URL('../', import.meta.url);

/** Writes the generated files, or, with `--check`, names those that differ from what would be written. */
async function main(check: boolean): Promise<void> {
  const drifted: string[] = [];
  for (const [name, make] of Object.entries(generated)) {
    const path = fileURLToPath(new URL(name, root));
    const text = make();
    const present = await readFile(path, 'utf8').catch(() => null);
    if (present === text) continue;
    drifted.push(name);
    if (!check) await writeFile(path, text);
  }
  if (!check)
    return console.log(drifted.length === 0 ? 'Nothing to write' : `Written: ${drifted.join(', ')}`);
  if (drifted.length === 0) return console.log('The generated files are up to date');
  console.error(`Out of date: ${drifted.join(', ')}. Run "npm run generate" and commit the result.`);
  process.exitCode = 1;
}

await main(process.argv.includes('--check'));
