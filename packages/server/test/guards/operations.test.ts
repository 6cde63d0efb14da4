import { test } from 'node:test';
import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { allOperations, auditActions } from '@kontor/contract';
import { declarationOf } from '../support/contract/declarations.ts';

const packages = path.join(import.meta.dirname, '../../..');

async function serverSources(): Promise<Map<string, string>> {
  const folder = 'server/src';
  const names = await Array.fromAsync(glob('**/*.ts', { cwd: path.join(packages, folder) }));
  const files = names.map(async name => {
    const file = `${folder}/${name}`;
    return [file, await readFile(path.join(packages, file), 'utf8')] as const;
  });
  return new Map(await Promise.all(files));
}

test('every operation has one handler, in the folder that has the name of its subject', async () => {
  const sources = await serverSources();
  const faults = allOperations.flatMap(({ id }) => {
    const declared = declarationOf(id);
    if (declared === undefined) return [`${id} is not a constant of packages/contract/src`];
    const subject = path.basename(declared.split('/')[3]!, '.ts');
    const bindings = [...sources].filter(([, text]) => new RegExp(`implement\\(\\s*${id},`).test(text));
    const place = `packages/server/src/features/${subject}/routes.ts`;
    if (bindings.length === 0)
      return [`${id} (${declared}) has no handler: add implement(${id}, …) to ${place}`];
    return bindings
      .filter(([file]) => !new RegExp(`/${subject}[/.]`).test(file))
      .map(([file]) => `${id} is bound in packages/${file}: move it to ${place}`);
  });
  assert.deepEqual(faults, []);
});

test('every audited action is in the list of actions', async () => {
  const known = new Set<string>(auditActions);
  const faults = [...(await serverSources())].flatMap(([file, text]) =>
    Array.from(text.matchAll(/^.*(?:action|audit|recordExport).*$/gm)).flatMap(([line]) =>
      Array.from(line.matchAll(/'([a-z_]+\.(?!csv|json)[a-z_]+)'/g), ([, action]) => action!)
        .filter(action => !known.has(action))
        .map(action => `packages/${file}: add '${action}' to packages/contract/src/audit/audit-actions.ts`),
    ),
  );
  assert.deepEqual(faults, []);
});
