import { planText } from '../report.ts';
import { apply, plan, report, type Result, stoppedBy, withSync } from '../sync.ts';
import type { Terminal } from '../terminal.ts';

/** `kontor-sync run people.csv`: plans and applies within the brake, for cron. */
export function runCommand(
  terminal: Terminal,
  file: string,
  { config, yesChange }: { readonly config: string; readonly yesChange: number },
): Promise<Result> {
  return withSync(terminal, config, async sync => {
    const made = await plan(sync, file);
    const isStopped = stoppedBy(made, yesChange) !== null;
    const text = planText(isStopped ? made : { ...made, brake: null }, sync.server.quota);
    return report(sync, made, isStopped ? null : await apply(sync, made), [text]);
  });
}
