import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, describe, test } from 'node:test';
import { Division, Employee, Incident, Order, PayrollExportDocument } from '@kontor/contract';

const file = new URL('../../docs/specification.md', import.meta.url);

/** Sections by number. */
let sections: ReadonlyMap<string, string>;

before(async () => {
  const parts = (await readFile(file, 'utf8')).split(/^#+ (?=\d)/m).slice(1);
  sections = new Map(parts.map(part => [/^[\d.]*\d/.exec(part)![0], part]));
});

describe('the specification', () => {
  for (const [number, name, { properties }] of [
    ['5.2', 'employees', Employee],
    ['5.3', 'divisions', Division],
    ['5.4', 'orders', Order],
    ['5.5', 'incidents', Incident],
    ['5.6', 'payroll export documents', PayrollExportDocument],
  ] as const)
    test(`writes the fields of ${name} in ${number} as they are, those that may be null with a question mark`, () => {
      const named = new Set(
        Array.from(sections.get(number)!.matchAll(/`(\w+\??)(\[\])?`/g), match => match[1]),
      );
      const fields = Object.entries(properties).filter(([field]) => !common.has(field));
      const written = fields.filter(([field]) => named.has(field) || named.has(`${field}?`));
      assert.ok(written.length > fields.length / 3);
      for (const [field, schema] of written)
        assert.ok(named.has(mayBeNull(schema) ? `${field}?` : field), `${number}: ${field}`);
    });
});

/** The fields of all resources, which 5.1 names. */
const common = new Set(['id', 'createdAt', 'updatedAt']);

function mayBeNull(schema: { type?: unknown; anyOf?: unknown }): boolean {
  return Array.isArray(schema.type) || schema.anyOf !== undefined;
}
