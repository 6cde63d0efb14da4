import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('../src', import.meta.url));

/** The files of components, without their comments. */
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.tsx'))
  .map(file => ({
    file,
    text: readFileSync(`${source}/${file}`, 'utf8').replaceAll(/\/\*.*?\*\//gs, ''),
  }));

const filesWith = (pattern: RegExp) => files.filter(({ text }) => pattern.test(text)).map(({ file }) => file);

test('no field cuts or clamps what is typed: limits are those of kit/form/limited-fields.tsx', () => {
  const cutting =
    /\bNumberInput\b.*from '@mantine|<NumberInput|<(TextInput|Textarea|PasswordInput|input)\b[^>]*\bmaxLength/s;
  assert.deepEqual(filesWith(cutting), []);
});

test('a form with such fields is a LimitedForm, which is not sent while one is out of its limits', () => {
  const limited = filesWith(/<(TextField|TextArea|NumberField)\b/);
  assert.ok(limited.length > 5);
  assert.deepEqual(
    filesWith(/<form\b/).filter(file => limited.includes(file)),
    [],
  );
});
