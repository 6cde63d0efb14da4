import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../../../../..');

/** The file of the contract that declares an operation, such as `packages/contract/src/divisions.ts`. */
export function declarationOf(id: string): string | undefined {
  return globSync('packages/contract/src/**/*.ts', { cwd: root }).find(file =>
    readFileSync(path.join(root, file), 'utf8').includes(`export const ${id} =`),
  );
}
