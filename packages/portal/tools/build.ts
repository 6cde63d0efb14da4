import { appendFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const portal = path.join(import.meta.dirname, '..');

/** Builds the pages, with compressed forms and the licences of what they contain. */
export async function buildPortal(folder: string): Promise<void> {
  await build({
    configFile: path.join(portal, 'vite.config.ts'),
    logLevel: 'error',
    build: { outDir: folder },
  });
  await addLicenses(folder);
}

/** Vite collects the licences of scripts only. */
async function addLicenses(folder: string): Promise<void> {
  const font = fileURLToPath(import.meta.resolve('@fontsource-variable/inter/LICENSE'));
  const licenses = { 'Inter (OFL-1.1)': font, 'Lucide (ISC)': path.join(portal, 'tools/lucide-license.txt') };
  for (const [name, file] of Object.entries(licenses))
    await appendFile(path.join(folder, 'licenses.md'), `\n## ${name}\n\n${await readFile(file, 'utf8')}`);
}
