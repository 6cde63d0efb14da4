import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

/** Puts beside every built file but fonts, which are compressed, what it is in brotli and gzip, as small as they can, so that the service only hands it on. */
export function compressed(): Plugin {
  return {
    name: 'kontor-compressed',
    apply: 'build',
    async writeBundle({ dir }) {
      const folder = path.join(dir!, 'assets');
      for (const name of await readdir(folder))
        if (!name.endsWith('.woff2')) await compress(path.join(folder, name));
    },
  };
}

/** Writes a file in brotli and gzip beside it. */
export async function compress(file: string): Promise<void> {
  const bytes = await readFile(file);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, { params }));
  await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }));
}
