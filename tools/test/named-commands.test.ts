import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { type Known, unknownCommands } from '../named-commands.ts';
import { commands } from '../../packages/server/src/cli/commands.ts';
import { declareCommands } from '../../packages/server/src/cli/program/program.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (file: string) => readFile(path.join(root, file), 'utf8');

async function known(): Promise<Known> {
  const { scripts } = JSON.parse(await read('package.json')) as { scripts: Record<string, string> };
  const kontor = new Command('kontor');
  declareCommands(kontor, commands, async () => {});
  return { kontor, scripts: Object.keys(scripts) };
}

test('every command that a document names is one, with options that it has', async () => {
  const there = await known();
  const unknown: string[] = [];
  let named = 0;
  for await (const file of glob(['*.md', 'docs/**/*.md', 'packages/*/*.md'], { cwd: root })) {
    const text = await read(file);
    named += text.match(/\bkontor [a-z]/g)?.length ?? 0;
    for (const command of unknownCommands(text, there)) unknown.push(`${file}: ${command}`);
  }
  assert.deepEqual(unknown, []);
  assert.ok(named > 50, `only ${named} commands are named`);
});

test('commands and options that there are not are found', async () => {
  const there = await known();
  for (const wrong of [
    'Try `kontor nonsense`.',
    'Try `npx kontor key lst`.',
    'Try `kontor key list --all`.',
    'Try `npm run nonsense`.',
    '```sh run\nID=$(npx kontor key create \\\n  --organisation x --json | cat)\n```\n',
  ])
    assert.equal(unknownCommands(wrong, there).length, 1, wrong);
  for (const right of [
    '`kontor key rotate KEY --grace 7d`',
    '`kontor key`',
    '`kontor --help`',
    '`npm run check`',
  ])
    assert.deepEqual(unknownCommands(right, there), [], right);
});
