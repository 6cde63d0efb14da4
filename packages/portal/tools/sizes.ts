// npm run check:size: what a browser loads before the first page is there, in brotli, against its limits.
import { glob, readFile, stat } from 'node:fs/promises';
import path from 'node:path';

const built = path.join(import.meta.dirname, '../../server/portal');

/** Most bytes of the first route. */
const limits = { js: 200_000, css: 40_000 };

const page = await readFile(path.join(built, 'index.html'), 'utf8');
const names = Array.from(page.matchAll(/\/portal\/assets\/([^"]+)/g), ([, name]) => name!);
// The messages of one language come with the first page; German has the longer ones.
names.push(...(await Array.fromAsync(glob('de-*.js', { cwd: path.join(built, 'assets') }))));
for (const [end, max] of Object.entries(limits)) {
  const files = names.filter(name => name.endsWith(`.${end}`));
  const sizes = await Promise.all(files.map(name => stat(path.join(built, 'assets', `${name}.br`))));
  const size = sizes.reduce((sum, { size }) => sum + size, 0);
  console.log(`${end}: ${(size / 1000).toFixed(1)} of ${max / 1000} kB`);
  if (size > max || size === 0) process.exitCode = 1;
}
