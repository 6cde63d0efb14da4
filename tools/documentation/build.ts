import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { apis } from '@kontor/contract';
import { compress } from '../../packages/portal/tools/compressed.ts';
import { referenceAddress } from '../../packages/server/src/http/response/documentation.ts';
import { renderChangelog } from './changelog.ts';
import { renderGuides } from './guides.ts';
import { renderReference } from './reference.ts';

const repository = path.join(import.meta.dirname, '../..');
const docs = path.join(repository, 'docs');
const scalar = path.join(import.meta.dirname, 'scalar');

/** Builds the references, the guides and the change log, with compressed forms. Their paths are their addresses in the service. */
export async function buildDocumentation(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  const pages = { ...renderReferences(), ...(await renderTexts()) };
  for (const [name, text] of Object.entries(pages)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
    await compress(file);
  }
  await addScalar(folder);
}

function renderReferences(): Record<string, string> {
  const files = Object.values(apis).flatMap(api => {
    const address = referenceAddress(api);
    const { page, start } = renderReference(api);
    return [
      [`${address}.html`, page],
      [`${address}/start.js`, start],
    ];
  });
  return Object.fromEntries(files) as Record<string, string>;
}

async function renderTexts(): Promise<Record<string, string>> {
  const guides = new Map<string, string>();
  for (const name of await readdir(docs))
    if (name.endsWith('.md')) guides.set(name, await readFile(path.join(docs, name), 'utf8'));
  const changelog = await readFile(path.join(repository, 'CHANGELOG.md'), 'utf8');
  const files = Object.entries({ ...renderGuides(guides), ...renderChangelog(changelog) });
  return Object.fromEntries(files.map(([name, text]) => [`docs/${name}`, text]));
}

/** Adds the script of the reference. Brotli would take ten seconds for it. */
async function addScalar(folder: string): Promise<void> {
  const compressed = await readFile(path.join(scalar, 'scalar.js.gz'));
  await writeFile(path.join(folder, 'scalar.js.gz'), compressed);
  await writeFile(path.join(folder, 'scalar.js'), await promisify(gunzip)(compressed));
  await writeFile(path.join(folder, 'scalar-license.txt'), await readFile(path.join(scalar, 'LICENSE')));
}
