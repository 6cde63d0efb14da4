import { planText } from '../report.ts';
import { apply, isStopped, plan, report, type Result, withSync } from '../sync.ts';
import type { Terminal } from '../terminal.ts';

/** `kontor-sync run people.csv`: plans and applies within the brake, for cron. */
export function runCommand(
  terminal: Terminal,
  file: string,
  { config, yesChange }: { readonly config: string; readonly yesChange: number },
): Promise<Result> {
  return withSync(terminal, config, async sync => {
    const made = await plan(sync, file);
    const stopped = isStopped(made, yesChange);
    const text = planText(stopped ? made : { ...made, brake: null }, sync.server.quota);
    return report(sync, made, stopped ? null : await apply(sync, made), [text]);
  });
}
