import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { format } from 'prettier';
import { apis, openApiDocument } from '@kontor/contract';
import { documentFiles, publishedApis } from './documents.ts';
import { renderCollection } from './generate/collection.ts';
import { renderCommands } from './generate/commands.ts';
import { commonPasswords } from './generate/common-passwords.ts';
import { renderConfigurationPage } from './generate/configuration.ts';
import { renderErrorsPage } from './generate/errors.ts';
import { renderLlms } from './generate/llms.ts';
import { renderSdkContract } from './generate/sdk.ts';

/** Every generated file, with what makes its text. */
const generated: Record<string, () => string> = {
  ...Object.fromEntries(
    publishedApis.map(name => [documentFiles[name], () => JSON.stringify(openApiDocument(apis[name]))]),
  ),
  'docs/configuration.md': renderConfigurationPage,
  'docs/errors.md': renderErrorsPage,
  'llms.txt': renderLlms,
  'packages/sdk/src/contract.ts': renderSdkContract,
  'openapi/public.postman_collection.json': renderCollection,
  'packages/server/data/commands.json': renderCommands,
  'packages/server/data/common-passwords.txt': commonPasswords,
};

const root = new URL('../', import.meta.url);

/** Puts objects and lists of JSON on one line where they fit: a third fewer lines, and easier to read. */
async function arrange(path: string, text: string): Promise<string> {
  return path.endsWith('.json') ? format(text, { parser: 'json', printWidth: 140 }) : text;
}

/** Writes the generated files, or, with `--check`, names those that differ from what would be written. */
async function main(check: boolean): Promise<void> {
  const drifted: string[] = [];
  for (const [name, make] of Object.entries(generated)) {
    const path = fileURLToPath(new URL(name, root));
    const text = await arrange(path, make());
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
