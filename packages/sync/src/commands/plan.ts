import { attentionCode, countRequests, minutesOf, needsAttention, planText } from '../report.ts';
import { plan, type Result, withSync } from '../sync.ts';
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
    const { quota, requests: requestsOfPlan } = sync.server;
    const requests = countRequests(made);
    const next = requests === 0 ? '' : `. Next: kontor-sync apply ${out}`;
    return {
      text: `${planText(made, quota)}\n${out} has the whole plan${next}`,
      json: { plan: made, requests, minutes: minutesOf(requests, quota), requestsOfPlan },
      exitCode: needsAttention(made) || made.brake !== null ? attentionCode : 0,
    };
  });
}
