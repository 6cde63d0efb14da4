import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { csharp } from './csharp.ts';
import { followLinks } from './follow-links.ts';
import type { Row, Verdict } from './table.ts';
import { pinned, versions } from './versions.ts';
import { document, folderOf, has, install, run, StepFailed } from './workshop.ts';

/** What looks at the contract without a session. Redocly's `recommended-strict` is one, too: it is part of `npm run check`. */
export interface Judge {
  readonly name: string;
  readonly version: string;
  readonly needs: string;
  readonly advice: string;
  /** The outcome when nothing is found; `no finding` when absent. */
  readonly verdict?: Verdict;
  /** @throws StepFailed when it finds something. */
  look(folder: string): Promise<void>;
}

/** Reads and validates the document, patterns and examples included; patterns are those of RE2. */
const kinProgram = `package main

import (
	"context"
	"os"

	"github.com/getkin/kin-openapi/openapi3"
)

func main() {
	document, err := openapi3.NewLoader().LoadFromFile(os.Args[1])
	if err == nil {
		err = document.Validate(context.Background(), openapi3.EnableExamplesValidation(), openapi3.EnableSchemaPatternValidation())
	}
	if err != nil {
		os.Stderr.WriteString(err.Error() + "\\n")
		os.Exit(1)
	}
}
`;

const ruleset = `extends: [["spectral:oas", all]]
rules: { contact-properties: off, license-url: off }
`;

export const judges: readonly Judge[] = [
  csharp,
  {
    name: 'Spectral, `oas`',
    version: versions['@stoplight/spectral-cli'],
    needs: 'npm',
    advice:
      'All rules of the set, not only the recommended ones, but two: what a contact has, and an address of the licence, which OpenAPI 3.1 excludes beside its identifier.',
    async look(folder) {
      const spectral = { [`@stoplight/spectral-cli`]: versions['@stoplight/spectral-cli'] };
      await writeFile(
        path.join(folder, 'package.json'),
        JSON.stringify({ private: true, dependencies: spectral }),
      );
      await install(folder, ['npm', 'install', '--ignore-scripts']);
      await writeFile(path.join(folder, 'ruleset.yaml'), ruleset);
      const program = path.join(folder, 'node_modules/@stoplight/spectral-cli/dist/index.js');
      const options = ['--ruleset', 'ruleset.yaml', '--fail-severity', 'hint'];
      await run(folder, [process.execPath, program, 'lint', ...options, document]);
    },
  },
  {
    name: 'kin-openapi',
    version: versions['github.com/getkin/kin-openapi'].slice(1),
    needs: 'go',
    advice: 'Patterns are read by RE2, and examples are validated.',
    async look(folder) {
      await writeFile(path.join(folder, 'main.go'), kinProgram);
      await writeFile(path.join(folder, 'go.mod'), 'module judge\n\ngo 1.24\n');
      await install(folder, ['go', 'get', pinned('github.com/getkin/kin-openapi')]);
      await install(folder, ['go', 'mod', 'tidy']);
      await run(folder, ['go', 'run', '.', document]);
    },
  },
  {
    name: 'Schemathesis, stateful',
    version: readFileSync(new URL('../fuzz/requirements.txt', import.meta.url), 'utf8')
      .trim()
      .split('==')[1]!,
    needs: 'python3',
    advice:
      'Goes from answer to answer by the links of both contracts; single requests, over 20,000 of them, are those of `npm run fuzz`.',
    look: followLinks,
  },
];

/** Asks a judge. */
export async function ask(judge: Judge): Promise<Row> {
  const { name, version, needs, advice, verdict = 'no finding', look } = judge;
  if (!has(needs)) return { name, version, outcome: `not run: no ${needs}`, advice };
  const folder = await folderOf(`judge-${name.replaceAll(/[^\w-]+/g, '-')}`);
  try {
    await look(folder);
    return { name, version, outcome: verdict, advice };
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    return { name, version, outcome: `finds something: ${error.message}`, advice };
  }
}
