import { oneOf } from '../../config.ts';
import { type Check, checks, type Finding } from '../../consistency/finding.ts';
import { countRowsToVerify, verify } from '../../consistency/verify.ts';
import { openFiles } from '../../files/open.ts';
import { findOrganization, type ListedOrganization, readOrganizations } from '../organization/store.ts';
import {
  attentionCode,
  type CommandResult,
  type DatabaseContext,
  defineDatabaseCommand,
  fileSettings,
  flag,
  option,
  repeatedOption,
} from '../program/command.ts';
import { count } from '../program/output.ts';
import { type Progress, showProgress } from '../program/progress.ts';
import { parseId } from '../program/values.ts';

/** Max findings that are kept for `--json`, and that are listed; all are counted. */
const maxKept = 10_000;
const maxListed = 100;

export const verifyCommand = defineDatabaseCommand({
  summary: 'Check stored data; with --repair, rebuild derived data. The service can run meanwhile',
  example: 'verify --only payroll',
  input: {
    organization: option('--organization <id>', 'Only this organization', parseId),
    only: repeatedOption('--only <check...>', `Only these: ${checks.join(', ')}`, oneOf(checks)),
    repair: flag('--repair', 'Rebuild search columns, counters and ancestors'),
  },
  settings: fileSettings,
  async run(context, { organization: id, only, repair }) {
    const { db, config } = context;
    const organizations =
      id === undefined ? await readOrganizations(db, null) : [await findOrganization(db, id)];
    const chosen = new Set<Check>(only.length === 0 ? checks : only);
    const report = new Report();
    using files = await openFiles(config, db);
    for (const organization of organizations) {
      using progress = await showVerification(context, organization);
      const findings = verify({
        db,
        organizationId: organization.id,
        checks: chosen,
        repair,
        files: chosen.has('files') ? files : null,
        advance: progress.advance,
      });
      for await (const finding of findings) report.add(finding);
    }
    return report.result(organizations.length);
  },
});

/** Shows a bar over the rows of an organization, then that its counters are checked. */
async function showVerification(
  context: DatabaseContext,
  { id, name }: ListedOrganization,
): Promise<Progress> {
  const total = await countRowsToVerify(context.db, id);
  const progress = showProgress(context);
  progress.begin(`Verifying ${name}`, total);
  let done = 0;
  return {
    ...progress,
    advance(amount) {
      done += amount;
      progress.advance(amount);
      if (done >= total) progress.step(`Counting what ${name} has`);
    },
  };
}

/** Collects findings, counted by their outcome. */
class Report {
  readonly #findings: Finding[] = [];
  readonly #counts = { repaired: 0, repairable: 0, lost: 0 };

  add(finding: Finding): void {
    this.#counts[finding.outcome]++;
    if (this.#findings.length < maxKept) this.#findings.push(finding);
  }

  result(organizations: number): CommandResult {
    const { repairable, lost } = this.#counts;
    const json = { organizations, ...this.#counts, findings: this.#findings };
    return { json, text: this.#text(organizations), exitCode: repairable + lost > 0 ? attentionCode : 0 };
  }

  #text(organizations: number): string {
    const { repaired, repairable, lost } = this.#counts;
    const all = repaired + repairable + lost;
    const where = count(organizations, 'organization');
    if (all === 0) return `The stored data of ${where} are consistent`;
    const found = this.#findings
      .slice(0, maxListed)
      .map(({ outcome, kind, target, problem }) => `${outcome.padEnd(10)}  ${kind} ${target}: ${problem}`);
    const more = all > found.length ? [`… and ${all - found.length} more`] : [];
    const advice = repairable > 0 ? ['Run kontor verify --repair to rebuild what is repairable'] : [];
    const sums = `${count(all, 'problem')} in ${where}: ${repaired} repaired, ${repairable} repairable, ${lost} lost`;
    return [...found, ...more, sums, ...advice].join('\n');
  }
}
