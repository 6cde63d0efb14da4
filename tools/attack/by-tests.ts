import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Attack } from './attack.ts';

const rounds = 3;
const root = fileURLToPath(new URL('../../', import.meta.url));

/** An attack that tests of the service make already: their long forms, several times. */
export function attackByTests(...names: readonly string[]): Attack {
  const files = names.map(name => `packages/server/test/${name}.test.ts`);
  return async log => {
    const findings: string[] = [];
    let passed = 0;
    for (let round = 1; round <= rounds; round++) {
      const child = spawn(process.execPath, ['tools/test-long.ts', ...files], {
        cwd: root,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const ended = once(child, 'exit') as Promise<[number | null]>;
      const output = await text(child.stdout);
      const [status] = await ended;
      passed += Number(/(\d+) passed/.exec(output)?.[1] ?? 0);
      if (status !== 0) findings.push(`round ${round}: ${output.slice(output.indexOf('failing tests'))}`);
      log(`round ${round}: ${status === 0 ? 'held' : 'a test failed'}`);
    }
    return { findings, figures: { rounds, 'tests passed': passed } };
  };
}
