import { readFile } from 'node:fs/promises';
import type { Update } from '../employees.ts';
import type { Plan } from '../plan.ts';
import { stoppedText } from '../report.ts';
import { apply, isStopped, report, type Result, withSync } from '../sync.ts';
import { SyncError } from '../sync-error.ts';
import type { Terminal } from '../terminal.ts';

/** `kontor-sync apply plan.json`: executes exactly this plan. */
export async function applyCommand(
  terminal: Terminal,
  file: string,
  { config, yesChange }: { readonly config: string; readonly yesChange: number },
): Promise<Result> {
  const plan = await readPlan(file);
  return withSync(terminal, config, async sync => {
    if (isStopped(plan, yesChange)) return report(sync, plan, null, [stoppedText(plan)]);
    return report(sync, plan, await apply(sync, plan), []);
  });
}

async function readPlan(file: string): Promise<Plan> {
  let plan: Partial<Plan> | null;
  try {
    plan = JSON.parse(await readFile(file, 'utf8')) as Partial<Plan> | null;
  } catch (error) {
    throw new SyncError(`${file} cannot be read as a plan: ${(error as Error).message}`);
  }
  const { divisions, creates, updates, blocks, absent, conflicts, kept, rejects, manual } = plan ?? {};
  const lists = [divisions?.creates, divisions?.renames, creates, updates, blocks, absent, conflicts, kept];
  const isPlan = plan?.version === 1 && [...lists, rejects, manual].every(Array.isArray);
  const isWhole = (change: Partial<Update> | null) => Boolean(change?.id && Array.isArray(change.changes));
  if (isPlan && [...updates!, ...blocks!].every(isWhole) && creates!.every(create => create?.body?.['email']))
    return plan as Plan;
  throw new SyncError(`${file} is not a whole plan of this version: make it again with kontor-sync plan`);
}
