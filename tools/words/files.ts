import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Finding, findForbidden } from './names.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** The words themselves, what is generated, and clients in other languages. */
const excluded =
  /^(tools\/words\/|tools\/clients\/sessions\/|openapi\/|packages\/server\/data\/|packages\/server\/test\/support\/s3|tools\/test\/words\.test|docs\/errors\.md)/;

/** The forbidden words of all files that are written by hand. */
export async function findAllForbidden(): Promise<(Finding & { readonly file: string })[]> {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: repository });
  const files = [...new Set(listed.toString().split('\0'))]
    .filter(file => /\.(ts|tsx|js|sql|md|css)$|locales\/\w+\.json$/.test(file) && !excluded.test(file))
    .sort();
  const found = await Promise.all(
    files.map(async file => {
      const text = await readFile(path.join(repository, file), 'utf8').catch(() => '');
      return findForbidden(file, text).map(finding => ({ ...finding, file }));
    }),
  );
  return found.flat();
}
