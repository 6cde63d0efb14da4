import { readFileSync } from 'node:fs';

const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
const { version, gitHead } = JSON.parse(manifest) as { version: string; gitHead?: string };

/** This version of Kontor. The commit is that of the packed package; sources that run in a repository have none. */
export const build = { version, commit: gitHead ?? 'unknown' } as const;
