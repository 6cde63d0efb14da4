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
  summary: 'Check stored data; with --repair, rebuild derived data. The service can keep running',
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
    const counts = { repaired: 0, repairable: 0, lost: 0 };
    const kept: Finding[] = [];
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
      for await (const finding of findings) {
        counts[finding.outcome]++;
        if (kept.length < maxKept) kept.push(finding);
      }
    }
    return reportResult(organizations.length, counts, kept);
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

function reportResult(
  organizations: number,
  { repaired, repairable, lost }: Readonly<Record<Finding['outcome'], number>>,
  findings: readonly Finding[],
): CommandResult {
  const all = repaired + repairable + lost;
  const where = count(organizations, 'organization');
  const lines = findings
    .slice(0, maxListed)
    .map(({ outcome, kind, target, problem }) => `${outcome.padEnd(10)}  ${kind} ${target}: ${problem}`);
  if (all > lines.length) lines.push(`… and ${all - lines.length} more`);
  if (all === 0) lines.push(`The stored data of ${where} are consistent`);
  else
    lines.push(
      `${count(all, 'problem')} in ${where}: ${repaired} repaired, ${repairable} repairable, ${lost} lost`,
    );
  if (repairable > 0) lines.push('Run kontor verify --repair to rebuild what is repairable');
  return {
    json: { organizations, repaired, repairable, lost, findings },
    text: lines.join('\n'),
    exitCode: repairable + lost > 0 ? attentionCode : 0,
  };
}
