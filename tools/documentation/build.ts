import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type Api, apis, isPublished } from '@kontor/contract';
import { compress } from '../../packages/portal/tools/compressed.ts';
import { referenceAddress } from '../../packages/server/src/http/response/documentation.ts';
import { renderFeed, renderPage } from './changelog.ts';
import { renderDocument, renderMarkdown } from './markdown.ts';
import { renderReference, renderStart } from './reference.ts';

const repository = path.join(import.meta.dirname, '../..');

/** Builds the references, the guides with their pictures and the change log, with compressed forms. Their paths are their addresses in the service. */
export async function buildDocumentation(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  const texts = [...renderReferences(), ...(await renderGuides()), ...(await renderChangelog())];
  for (const [name, text] of texts) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
    await compress(file);
  }
  // Pictures are compressed already.
  await cp(path.join(repository, 'docs/portal'), path.join(folder, 'docs/portal'), { recursive: true });
  await addScalar(folder);
}

/** A file below the folder of the build, with its text. */
type Built = readonly [name: string, text: string];

function renderReferences(): Built[] {
  return Object.values<Api>(apis)
    .filter(isPublished)
    .flatMap(api => {
      const address = referenceAddress(api);
      return [[`${address}.html`, renderReference(api)] as const, [`${address}/start.js`, renderStart(api)]];
    });
}

const navigation =
  '    <p><a href="guides">All guides</a> · <a href="../docs">API reference</a> · <a href="changelog">Change log</a></p>\n';
const germanNavigation = '    <p><a href="guides" hreflang="en">Alle Anleitungen (Englisch)</a></p>\n';

async function renderGuides(): Promise<Built[]> {
  const docs = path.join(repository, 'docs');
  const files = (await readdir(docs)).filter(name => name.endsWith('.md'));
  const addresses = files.map(
    file => [file, file === 'README.md' ? 'guides' : file.replace(/\.md$/, '')] as const,
  );
  const served = new Map([...addresses, ['CHANGELOG.md', 'changelog']]);
  const renderGuide = async ([file, address]: Built): Promise<Built> => {
    const text = await readFile(path.join(docs, file), 'utf8');
    const title = `Kontor: ${/^# (.*)/.exec(text)![1]!}`;
    const isGerman = address.endsWith('-de');
    return [
      `docs/${address}.html`,
      renderDocument({
        title,
        ...(isGerman && { language: 'de' as const }),
        body: (isGerman ? germanNavigation : navigation) + renderMarkdown(text, served),
      }),
    ];
  };
  return Promise.all(addresses.map(renderGuide));
}

async function renderChangelog(): Promise<Built[]> {
  const changelog = await readFile(path.join(repository, 'CHANGELOG.md'), 'utf8');
  return [
    ['docs/changelog.html', renderPage(changelog)],
    ['docs/changelog.atom', renderFeed(changelog)],
  ];
}

/** Adds the script of the reference, which Scalar builds. Brotli would take ten seconds for it. */
async function addScalar(folder: string): Promise<void> {
  const scalar = path.join(import.meta.dirname, 'scalar');
  const compressed = await readFile(path.join(scalar, 'scalar.js.gz'));
  await writeFile(path.join(folder, 'scalar.js.gz'), compressed);
  await writeFile(path.join(folder, 'scalar.js'), await promisify(gunzip)(compressed));
  await writeFile(path.join(folder, 'scalar-license.txt'), await readFile(path.join(scalar, 'LICENSE')));
}
