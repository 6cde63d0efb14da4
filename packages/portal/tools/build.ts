// npm run portal: builds the pages into packages/server/portal, from where the service hands them out. With --if-changed, only when what they
// are made of has changed since.
import { createHash } from 'node:crypto';
import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const folder = path.join(import.meta.dirname, '..');
const built = path.join(folder, '../server/portal');
const stamp = path.join(built, 'made-of.txt');

/** Files and folders that the pages are made of. */
const parts = [
  'src',
  'tools',
  'index.html',
  'package.json',
  'vite.config.ts',
  '../contract/src',
  '../../package-lock.json',
];

/** A digest of all that the pages are made of. */
async function digest(): Promise<string> {
  const hash = createHash('sha256');
  for (const file of (await Promise.all(parts.map(filesOf))).flat())
    hash.update(`${file}\n`).update(await readFile(path.join(folder, file)));
  return hash.digest('hex');
}

async function filesOf(part: string): Promise<string[]> {
  if (path.extname(part) !== '') return [part];
  const entries = await readdir(path.join(folder, part), { recursive: true, withFileTypes: true });
  const files = entries.filter(entry => entry.isFile());
  return files.map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name))).sort();
}

/** Vite collects the licences of scripts only. */
async function addLicenses(): Promise<void> {
  const font = fileURLToPath(import.meta.resolve('@fontsource-variable/inter/LICENSE'));
  const licenses = { 'Inter (OFL-1.1)': font, 'Lucide (ISC)': path.join(folder, 'tools/lucide-license.txt') };
  for (const [name, file] of Object.entries(licenses))
    await appendFile(path.join(built, 'licenses.md'), `\n## ${name}\n\n${await readFile(file, 'utf8')}`);
}

const wanted = await digest();
const present = await readFile(stamp, 'utf8').catch(() => null);
if (!process.argv.includes('--if-changed') || present !== wanted) {
  // Standard output belongs to what comes after, such as the demo.
  console.error('Building the pages of the portal …');
  await build({ configFile: path.join(folder, 'vite.config.ts'), logLevel: 'error' });
  await addLicenses();
  await writeFile(stamp, wanted);
}
