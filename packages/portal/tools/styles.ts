// npm run check:styles: every class is one of a CSS module that its file imports, every rule has a user, and colours are in `theme.ts` only.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { sources } from './messages.ts';

const files = (await readdir(sources, { recursive: true })).filter(name => /\.(?:tsx?|css)$/.test(name));
const texts = new Map<string, string>();
for (const name of files)
  texts.set(path.join(sources, name), await readFile(path.join(sources, name), 'utf8'));

const faults: string[] = [];
const used = new Map<string, Set<string>>();
for (const [file, text] of texts) {
  const name = path.relative(sources, file);
  if (name !== 'theme.ts' && !name.endsWith('.module.css'))
    for (const [literal] of text.matchAll(/className="[^"]*"/g)) faults.push(`${name}: ${literal}`);
  if (name !== 'theme.ts')
    for (const [literal] of text.matchAll(/#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})\b|\b(?:rgb|hsl)a?\(/gi))
      faults.push(`${name}: the colour ${literal} belongs into theme.ts`);
  for (const [, local, from] of text.matchAll(/^import (\w+) from '(.*\.module\.css)'/gm)) {
    const sheet = path.join(path.dirname(file), from!);
    const classes = used.get(sheet) ?? new Set();
    for (const [, member] of text.matchAll(new RegExp(String.raw`\b${local}\.(\w+)(?!.*';$)`, 'gm')))
      classes.add(member!);
    used.set(sheet, classes);
  }
}
for (const [file, text] of texts) {
  if (!file.endsWith('.module.css')) continue;
  const withoutComments = text.replaceAll(/\/\*.*?\*\/|\d\.\d/gs, '');
  const ruled = new Set(Array.from(withoutComments.matchAll(/\.([a-z][\w-]*)/gi), ([, name]) => name!));
  const classes = used.get(file) ?? new Set();
  const name = path.relative(sources, file);
  for (const one of ruled) if (!classes.has(one)) faults.push(`${name}: nothing uses .${one}`);
  for (const one of classes) if (!ruled.has(one)) faults.push(`${name}: no rule for .${one}`);
}
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
