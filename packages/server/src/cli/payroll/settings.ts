import { buffer } from 'node:stream/consumers';
import { ApiError, PayrollSettingsInput } from '@kontor/contract';
import { previewSettings } from '../../features/payroll/preview.ts';
import {
  checkSettings,
  readSettings,
  showSettings,
  storeSettings,
  type TenantKey,
} from '../../features/payroll/settings.ts';
import { compileBody } from '../../http/request/body-contract.ts';
import { parseJsonObject } from '../../http/request/json.ts';
import { writeAsOperator } from '../../write/writes.ts';
import { findOrganizationOfTenant } from '../organization/store.ts';
import {
  CommandError,
  type DatabaseContext,
  defineDatabaseCommand,
  flag,
  option,
  optionalArgument,
} from '../program/command.ts';
import { confirm, yesOption } from '../program/confirm.ts';
import { readWhole } from '../program/files.ts';
import { listTable, sheet } from '../program/output.ts';
import { parsePeriod, tenantOption } from '../program/values.ts';
import { kindWords } from './words.ts';

const check = compileBody(PayrollSettingsInput);

/** Max MiB of a file with settings. */
const maxMiB = 1;

/** Fields of shown settings that are not set: what `--json` printed can be changed and sent back. */
const shownOnly = ['tenant', 'from', 'version', 'changedAt', 'versions'];

export const payrollSettings = defineDatabaseCommand({
  summary: 'Show the payroll settings of a tenant, or set them from a JSON file',
  example: 'payroll settings settings.json --tenant 64b7e3f0a1c2d3e4f5a6b7c8',
  input: {
    file: optionalArgument('[file]', 'JSON with all settings, - for standard input; absent: show them'),
    tenant: tenantOption,
    from: option('--from <month>', 'First month that the settings count for', parsePeriod),
    changesReleased: flag('--changes-released', 'Also change released months, after a preview'),
    yes: yesOption,
  },
  check: async ({ file }) =>
    file === undefined || file === '-' ? null : readWanted((await readWhole(file, maxMiB)).bytes),
  async run(context, { file, tenant: tenantId, from, changesReleased, yes }, checked) {
    const { db, stdin } = context;
    const organizationId = await findOrganizationOfTenant(db, tenantId);
    const tenant = { organizationId, tenantId };
    if (file !== undefined) {
      const given = checked ?? readWanted(await buffer(stdin));
      const wanted = { ...given, ...(from !== undefined && { from }), changesReleased };
      if (changesReleased) await confirmChanges(context, yes, { tenant, wanted });
      await writeAsOperator(db, organizationId, (write, session) =>
        storeSettings(write, session, { tenantId, wanted }),
      );
    }
    const versions = await readSettings(db, tenant);
    if (versions === null)
      throw new CommandError(
        'the tenant has no payroll settings yet: docs/payroll-api.md has an example to set them',
      );
    const settings = showSettings(versions);
    return { json: settings, text: sheet(settings) };
  },
});

/** Prints what settings change in released months, and asks. @throws CommandError if it is not confirmed */
async function confirmChanges(
  context: DatabaseContext,
  yes: boolean,
  { tenant, wanted }: { tenant: TenantKey; wanted: PayrollSettingsInput },
): Promise<void> {
  const { db, stderr } = context;
  const { differences } = await previewSettings(db, tenant, { wanted, at: new Date() });
  const rows = listTable(differences, 'No released month changes', {
    month: ({ month }) => month,
    kind: ({ kind }) => kindWords[kind],
    persons: ({ persons }) => persons,
    difference: ({ difference }) => difference,
  });
  stderr.write(`${rows}\n\n`);
  if (differences.length === 0) return;
  const question = 'Change these released months? The next run corrects them.';
  await confirm(context, yes, { action: 'a change of released months', question });
}

/** @throws CommandError that names the setting */
function readWanted(bytes: Buffer): PayrollSettingsInput {
  try {
    const given = parseJsonObject(bytes);
    for (const name of shownOnly) delete given[name];
    const wanted = check(given) as PayrollSettingsInput;
    checkSettings(wanted);
    return wanted;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new CommandError(error.message.replace(/^The body/, 'the file'), { cause: error });
  }
}
