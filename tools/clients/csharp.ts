import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Judge } from './judges.ts';
import { makeWithOpenApiGenerator } from './openapi-generator.ts';
import { versions } from './versions.ts';
import { StepFailed } from './workshop.ts';

/** Where to look in what was generated, and what must stand there. */
const places: readonly [file: string, what: string, pattern: RegExp][] = [
  ['Model/OrderContract.cs', 'money is text', /public string ListPrice \{ get; set; \}/],
  ['Model/OrderProduct.cs', 'money is text', /public string NetAmount \{ get; set; \}/],
  ['Model/Division.cs', 'the order of divisions is a double', /public double Order \{ get; set; \}/],
  ['Model/OrderStatus.cs', 'enums have their values', /UnderReview for value: under_review/],
  [
    'Model/EmployeePatch.cs',
    'absent is not null',
    /PhoneNumberOption\.IsSet\)[^;]*!= null\)[^;]*;\s+else\s+writer\.WriteNull/,
  ],
  ['Api/EmployeesApi.cs', 'bounds of createdAt are text', /Option<string> createdAtFrom = default/],
  ['Api/PayrollExportDocumentsApi.cs', 'a download is a stream', /IOk<System\.IO\.Stream\?>/],
  [
    'Api/PayrollExportDocumentsApi.cs',
    'a download accepts files',
    /"text\/csv",\s+"text\/plain",\s+"application\/json"/,
  ],
  [
    'Api/OrdersApi.cs',
    'errors are typed',
    /INotFound<[\w.]*ErrorEnvelope\?>, INotAcceptable<[\w.]*ErrorEnvelope\?>/,
  ],
];

/** The client in C#, for which there is no .NET at hand: it is generated, and read where generators have stumbled. */
export const csharp: Judge = {
  name: 'OpenAPI Generator, csharp',
  version: versions['openapi-generator-cli'],
  needs: 'python3',
  verdict: 'generated and read, not built',
  advice:
    'Make the key an `ApiKeyToken` with the prefix `""`, or it sends `Bearer ` in front of it; leave out `AddRetryPolicy`, which sends writes again. Absent and null are told apart by `Option`.',
  async look(folder) {
    await makeWithOpenApiGenerator(folder, 'csharp', ['--package-name', 'Kontor']);
    for (const [file, what, pattern] of places) {
      const text = await readFile(path.join(folder, 'client/src/Kontor', file), 'utf8');
      if (!pattern.test(text)) throw new StepFailed(`not so in ${file}: ${what}`);
    }
  },
};
