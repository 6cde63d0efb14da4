// After npm ci: takes the C++ headers (67 MB) and the manual out of the package that brings Node, with which nothing is built here.
// It runs on whatever Node npm runs on, so it is plain JavaScript.
import { readFileSync, rmSync } from 'node:fs';

const root = new URL('../', import.meta.url);
const { optionalDependencies } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
for (const name of Object.keys(optionalDependencies))
  for (const part of ['include', 'share'])
    rmSync(new URL(`node_modules/${name}/${part}/`, root), { recursive: true, force: true });
