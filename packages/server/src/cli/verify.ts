import { openFiles } from '../files/open.ts';
import { type Check, checks, type Finding } from '../consistency/finding.ts';
import { rowsToVerify, verify } from '../consistency/verify.ts';
import {
  type DatabaseContext,
  CommandError,
  type CommandResult,
  databaseSettings,
  defineCommand,
  parseId,
} from './command.ts';
import { type ListedOrganization, readOrganizations } from './look/store.ts';
import { showProgress } from './progress.ts';

/** Most findings that are kept for `--json`, and that are listed; all are counted. */
const shownMaximum = 10_000;
const listedMaximum = 100;

/** The exit code when problems are left. */
const problemsCode = 2;

export const verifyCommand = defineCommand({
  name: 'verify',
  summary: 'Check what is stored against itself, and rebuild derived data; the service may run meanwhile',
  options: [
    { flags: '--organization <id>', description: 'Only this organization', parse: parseId },
    { flags: '--only <check...>', description: `Only these: ${checks.join(', ')}`, parse: parseCheck },
    { flags: '--repair', description: 'Rebuild search columns, counters and ancestors' },
  ],
  settings: [...databaseSettings, 'filesUrl', 'fileTimeout'],
  async run(context, { options }) {
    const { writes: db } = await context.openDatabase();
    const organizations = await readOrganizations(db, (options.organization as string | undefined) ?? null);
    if (organizations.length === 0 && options.organization !== undefined)
      throw new CommandError(`there is no organization ${options.organization as string}`);
    const chosen = new Set<Check>((options.only as Check[] | undefined) ?? checks);
    const report = new Report();
    const files = await openFiles(context.config, db);
    try {
      for (const organization of organizations) {
        const progress = await watch(context, organization);
        const findings = verify({
          db,
          organizationId: organization.id,
          checks: chosen,
          repair: options.repair === true,
          files: chosen.has('files') ? files : null,
          advance: progress.advance,
        });
        try {
          for await (const finding of findings) report.add(finding);
        } finally {
          progress.close();
        }
      }
    } finally {
      files.close();
    }
    return report.result(organizations.length);
  },
});

async function watch(context: DatabaseContext, { id, name }: ListedOrganization) {
  const { writes: db } = await context.openDatabase();
  const rows = await rowsToVerify(db, id);
  let done = 0;
  const progress = showProgress(context, { step: `Verifying ${name}`, total: rows, unit: 'rows' });
  return {
    ...progress,
    advance(amount: number) {
      done += amount;
      progress.advance(amount);
      if (done >= rows) progress.step(`Counting what ${name} has`);
    },
  };
}

/** What was found, counted by what became of it. */
class Report {
  readonly #findings: Finding[] = [];
  readonly #counts = { repaired: 0, repairable: 0, lost: 0 };

  add(finding: Finding): void {
    this.#counts[finding.outcome]++;
    if (this.#findings.length < shownMaximum) this.#findings.push(finding);
  }

  result(organizations: number): CommandResult {
    const { repairable, lost } = this.#counts;
    const json = { organizations, ...this.#counts, findings: this.#findings };
    return { json, text: this.#text(organizations), exitCode: repairable + lost > 0 ? problemsCode : 0 };
  }

  #text(organizations: number): string {
    const { repaired, repairable, lost } = this.#counts;
    const all = repaired + repairable + lost;
    const where = `${organizations} ${organizations === 1 ? 'organization' : 'organizations'}`;
    if (all === 0) return `All that is stored of ${where} agrees`;
    const found = this.#findings
      .slice(0, listedMaximum)
      .map(({ outcome, kind, target, problem }) => `${outcome.padEnd(10)}  ${kind} ${target}: ${problem}`);
    const more = all > found.length ? [`… and ${all - found.length} more`] : [];
    const advice = repairable > 0 ? ['kontor verify --repair puts right what is repairable'] : [];
    const sums = `${all} ${all === 1 ? 'problem' : 'problems'} in ${where}: ${repaired} repaired, ${repairable} repairable, ${lost} lost`;
    return [...found, ...more, sums, ...advice].join('\n');
  }
}

function parseCheck(text: string): string {
  if (!(checks as readonly string[]).includes(text))
    throw new CommandError(`expected one of ${checks.join(', ')}`);
  return text;
}
