import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { followLinks } from './follow-links.ts';
import type { Row } from './table.ts';
import { pinned, versions } from './versions.ts';
import { document, prepareFolder, has, install, run, StepFailed } from './sandbox.ts';

/** A check of the contract without a session. Redocly's `recommended-strict` is another one, in `npm run check`. */
export interface Check {
  readonly name: string;
  readonly version: string;
  readonly needs: string;
  readonly advice: string;
  /** @throws StepFailed when it finds something. */
  inspect(folder: string): Promise<void>;
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

export const checks: readonly Check[] = [
  {
    name: 'kin-openapi',
    version: versions['github.com/getkin/kin-openapi'].slice(1),
    needs: 'go',
    advice: 'Patterns are read by RE2, and examples are validated.',
    async inspect(folder) {
      await writeFile(path.join(folder, 'main.go'), kinProgram);
      await writeFile(path.join(folder, 'go.mod'), 'module check\n\ngo 1.24\n');
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
      'Goes from answer to answer by the links of both contracts; `npm run fuzz` sends over 20,000 single requests.',
    inspect: followLinks,
  },
];

/** Runs a check, and returns its row of the table. */
export async function runCheck(check: Check): Promise<Row> {
  const { name, version, needs, advice, inspect } = check;
  if (!has(needs)) return { name, version, outcome: `not run: no ${needs}`, advice };
  const folder = await prepareFolder(`check-${name.replaceAll(/[^\w-]+/g, '-')}`);
  try {
    await inspect(folder);
    return { name, version, outcome: 'no finding', advice };
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    return { name, version, outcome: `finds something: ${error.message}`, advice };
  }
}
