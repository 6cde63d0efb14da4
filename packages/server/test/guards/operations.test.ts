import { test } from 'node:test';
import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import * as contract from '@kontor/contract';

const { allOperations } = contract;

const packages = path.join(import.meta.dirname, '../../..');

async function sourcesOf(folder: string): Promise<Map<string, string>> {
  const names = await Array.fromAsync(glob('**/*.ts', { cwd: path.join(packages, folder) }));
  const files = names.map(async name => {
    const file = `${folder}/${name}`;
    return [file, await readFile(path.join(packages, file), 'utf8')] as const;
  });
  return new Map(await Promise.all(files));
}

function fileOf(id: string, declarations: ReadonlyMap<string, string>): string | undefined {
  return [...declarations].find(([, text]) => text.includes(`export const ${id} =`))?.[0];
}

test('every operation has one handler, in the folder that has the name of its subject', async () => {
  const declarations = await sourcesOf('contract/src');
  const sources = await sourcesOf('server/src');
  const faults = allOperations.flatMap(({ id }) => {
    const declared = fileOf(id, declarations);
    if (declared === undefined) return [`${id} is no constant of packages/contract/src`];
    const subject = path.basename(declared.split('/')[2]!, '.ts');
    const bindings = [...sources].filter(([, text]) => new RegExp(`implement\\(\\s*${id},`).test(text));
    const place = `packages/server/src/features/${subject}/routes.ts`;
    if (bindings.length === 0)
      return [`${id} (packages/${declared}) has no handler: add implement(${id}, …) to ${place}`];
    return bindings
      .filter(([file]) => !new RegExp(`/${subject}[/.]`).test(file))
      .map(([file]) => `${id} is bound in packages/${file}: move it to ${place}`);
  });
  assert.deepEqual(faults, []);
});

test('every operation of the contract is in an API', async () => {
  const declarations = await sourcesOf('contract/src');
  const listed = new Set<unknown>(allOperations.map(({ operation }) => operation));
  const unlisted = Object.entries<unknown>(contract)
    .filter(([, value]) => isOperation(value) && !listed.has(value))
    .map(
      ([id]) => `${id} is in no API: add it to the list at the end of packages/${fileOf(id, declarations)}`,
    );
  assert.deepEqual(unlisted, []);
});

function isOperation(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value;
}
