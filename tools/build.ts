// npm run build: builds the files that the service sends as they are, the pages of the portal and the documentation. With --if-changed, it
// builds only what differs from its sources.
import { createHash } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('..', import.meta.url));

interface Part {
  readonly name: string;
  readonly folder: string;
  /** Files and folders that it is made of. */
  readonly sources: readonly string[];
  readonly build: (folder: string) => Promise<void>;
}

const parts: readonly Part[] = [
  {
    name: 'the pages of the portal',
    folder: 'packages/server/portal',
    sources: [
      'packages/portal/src',
      'packages/portal/tools',
      'packages/portal/index.html',
      'packages/portal/package.json',
      'packages/portal/vite.config.ts',
      'packages/contract/src',
      'package-lock.json',
    ],
    // Vite takes a moment to load, also when there is nothing to build.
    build: async folder => (await import('../packages/portal/tools/build.ts')).buildPortal(folder),
  },
  {
    name: 'the documentation',
    folder: 'packages/server/documentation',
    sources: [
      'docs',
      'CHANGELOG.md',
      'tools/documentation',
      'packages/contract/src/apis',
      'packages/portal/tools/compressed.ts',
      'packages/server/src/http/response/documentation.ts',
      'packages/server/src/lib/html.ts',
      'package-lock.json',
    ],
    build: async folder => (await import('./documentation/build.ts')).buildDocumentation(folder),
  },
];

/** A digest of all that a part is made of. */
async function digestOf({ sources }: Part): Promise<string> {
  const hash = createHash('sha256');
  for (const file of (await Promise.all(sources.map(filesOf))).flat())
    hash.update(`${file}\n`).update(await readFile(path.join(repository, file)));
  return hash.digest('hex');
}

async function filesOf(source: string): Promise<string[]> {
  const place = path.join(repository, source);
  if ((await stat(place)).isFile()) return [source];
  const entries = await readdir(place, { recursive: true, withFileTypes: true });
  const files = entries.filter(entry => entry.isFile());
  return files.map(({ parentPath, name }) => path.relative(repository, path.join(parentPath, name))).sort();
}

for (const part of parts) {
  const folder = path.join(repository, part.folder);
  const stamp = path.join(folder, 'made-of.txt');
  const wanted = await digestOf(part);
  const present = await readFile(stamp, 'utf8').catch(() => null);
  if (process.argv.includes('--if-changed') && present === wanted) continue;
  // Standard output belongs to what comes after, such as the demo.
  console.error(`Building ${part.name} …`);
  await part.build(folder);
  await writeFile(stamp, wanted);
}
