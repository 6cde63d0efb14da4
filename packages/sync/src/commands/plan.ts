import { countRequests } from '../report.ts';
import { plan, planResult, type Result, withSync } from '../sync.ts';
import type { Terminal } from '../terminal.ts';
import { writeJson } from '../write-file.ts';

/** `kontor-sync plan people.csv`: compares, and writes the plan. */
export function planCommand(
  terminal: Terminal,
  file: string,
  { config, out }: { readonly config: string; readonly out: string },
): Promise<Result> {
  return withSync(terminal, config, async sync => {
    const made = await plan(sync, file);
    await writeJson(out, made);
    const result = planResult(made, sync.server);
    const next = countRequests(made) === 0 ? '' : `. Next: kontor-sync apply ${out}`;
    return { ...result, text: `${result.text}\n${out} has the whole plan${next}` };
  });
}
