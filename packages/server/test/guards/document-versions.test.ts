import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { apis, type OpenApiDocument } from '@kontor/contract';
import { divisionResource } from '../../src/features/divisions/mapping.ts';
import { employeeResource } from '../../src/features/employees/mapping.ts';
import { incidentResource } from '../../src/features/incidents/mapping.ts';
import { orderResource } from '../../src/features/orders/mapping.ts';
import { payrollDocumentResource } from '../../src/features/payroll-documents/mapping.ts';

const file = new URL('../../../../openapi/released/public.json', import.meta.url);
const released = JSON.parse(await readFile(file, 'utf8')) as OpenApiDocument;

describe('a document of the last release gets the fields that were added since', () => {
  const { operations } = apis.public.recorded;
  for (const [name, path, resource] of [
    ['getDivision', '/divisions/{id}', divisionResource],
    ['getEmployee', '/employees/{id}', employeeResource],
    ['getOrder', '/orders/{id}', orderResource],
    ['getIncident', '/incidents/{id}', incidentResource],
    ['getPayrollExportDocument', '/payroll-export-documents/{id}', payrollDocumentResource],
  ] as const)
    test(resource.table, () => {
      const { content } = released.paths[path]!.get!.responses['200'] as {
        content: Record<string, { schema: { $ref: string } }>;
      };
      const schema = content['application/json']!.schema.$ref.split('/').at(-1)!;
      const had = Object.keys(released.components.schemas[schema]!['properties'] as object);
      const present = Object.entries(operations[name]!.answers[200] as object);
      const stored = Object.fromEntries(present.filter(([field]) => had.includes(field)));
      const document = resource.parse(JSON.stringify(stored));
      const missing = Object.keys(resource.schema.properties).filter(name => !(name in document));
      assert.deepEqual(missing, [], `Add to "upgrades" in the mapping.ts of ${path}: ${missing.join(', ')}`);
    });
});
