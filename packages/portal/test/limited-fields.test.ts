import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('../src', import.meta.url));

test('no field cuts or clamps what is typed: limits are those of kit/form/limited-fields.tsx', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(file =>
    file.endsWith('.tsx'),
  );
  const cutting = files.filter(file =>
    /\bNumberInput\b.*from '@mantine|<NumberInput|<(TextInput|Textarea|PasswordInput|input)\b[^>]*\bmaxLength/s.test(
      readFileSync(`${source}/${file}`, 'utf8').replaceAll(/\/\*.*?\*\//gs, ''),
    ),
  );
  assert.deepEqual(cutting, []);
});
