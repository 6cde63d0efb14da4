// npm run examples: asks a live service for every example of the contract and writes down what it answers. Needs no more than the
// tests do. Run `npm run generate` afterwards, which puts the answers into openapi.json.
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { recordExamples } from '../packages/server/test/examples/scenario.ts';

const file = fileURLToPath(new URL('../packages/contract/src/openapi/recorded.ts', import.meta.url));

const head = `// Written by \`npm run examples\` from the answers of a live service, whose identifiers and instants are replaced by fixed ones.
import type { Recorded } from './recording.ts';

export const recorded: Recorded = `;

const recorded = await recordExamples();
const options = { ...(await resolveConfig(file)), parser: 'typescript' };
await writeFile(file, await format(`${head}${JSON.stringify(recorded)};\n`, options));
console.log(
  `Written: ${Object.keys(recorded.exchanges).length} operations, ${Object.keys(recorded.errors).length} errors`,
);
