import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { AttackResult } from './attack.ts';

const rounds = 3;
const root = fileURLToPath(new URL('../../', import.meta.url));
const files = ['scope-model', 'hidden-rows', 'many-grants'].map(
  name => `packages/server/test/scope/${name}.test.ts`,
);

/** Compares what random keys see with a plain model, with other organizations and keys each time: the tests of the scope, again and again. */
export async function attackScope(log: (line: string) => void): Promise<AttackResult> {
  const findings: string[] = [];
  let passed = 0;
  for (let round = 1; round <= rounds; round++) {
    const child = spawn(process.execPath, ['tools/test.ts', ...files], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit') as Promise<[number | null]>;
    const output = await text(child.stdout);
    const [status] = await ended;
    passed += Number(/(\d+) passed/.exec(output)?.[1] ?? 0);
    if (status !== 0) findings.push(`round ${round}: ${output.slice(output.indexOf('failing tests'))}`);
    log(`round ${round}: ${status === 0 ? 'as the model says' : 'something differs'}`);
  }
  return { findings, figures: { rounds, 'tests passed': passed } };
}
