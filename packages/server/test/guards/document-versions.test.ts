import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import type { OpenApiDocument } from '@kontor/contract';
import { divisionResource } from '../../src/features/divisions/mapping.ts';
import { employeeResource } from '../../src/features/employees/mapping.ts';
import { incidentResource } from '../../src/features/incidents/mapping.ts';
import { orderResource } from '../../src/features/orders/mapping.ts';
import { payrollDocumentResource } from '../../src/features/payroll-documents/mapping.ts';

const file = new URL('../../../../openapi/released/public.json', import.meta.url);
const released = JSON.parse(await readFile(file, 'utf8')) as OpenApiDocument;

describe('a document of the last release gets the fields that were added since', () => {
  for (const [path, resource] of [
    ['/divisions/{id}', divisionResource],
    ['/employees/{id}', employeeResource],
    ['/orders/{id}', orderResource],
    ['/incidents/{id}', incidentResource],
    ['/payroll-export-documents/{id}', payrollDocumentResource],
  ] as const)
    test(resource.table, () => {
      const { content } = released.paths[path]!.get!.responses['200'] as {
        content: Record<string, { example: unknown }>;
      };
      const document = resource.parse(JSON.stringify(content['application/json']!.example));
      const missing = Object.keys(resource.schema.properties).filter(name => !(name in document));
      assert.deepEqual(missing, [], `Add to "upgrades" in the mapping.ts of ${path}: ${missing.join(', ')}`);
    });
});
