import { buffer } from 'node:stream/consumers';
import { ApiError, PayrollSettingsInput } from '@kontor/contract';
import { checkSettings, readSettings, storeSettings } from '../../features/payroll/settings.ts';
import { compileBody } from '../../http/request/body-contract.ts';
import { parseJsonObject } from '../../http/request/json.ts';
import { callOf, operator, Writes } from '../../write/writes.ts';
import { findOrganizationOfTenant } from '../organization/store.ts';
import { CommandError, defineDatabaseCommand, optionalArgument } from '../program/command.ts';
import { readWhole } from '../program/files.ts';
import { sheet } from '../program/output.ts';
import { tenantOption } from '../program/values.ts';

const check = compileBody(PayrollSettingsInput);

/** Max MiB of a file with settings. */
const maxMiB = 1;

/** Fields of shown settings that are not set: what `--json` printed can be changed and sent back. */
const shownOnly = ['tenant', 'version', 'changedAt'];

export const payrollSettings = defineDatabaseCommand({
  summary: 'Show the payroll settings of a tenant, or set them from a JSON file',
  example: 'payroll settings settings.json --tenant 64b7e3f0a1c2d3e4f5a6b7c8',
  input: {
    file: optionalArgument('[file]', 'JSON with all settings, - for standard input; absent: show them'),
    tenant: tenantOption,
  },
  check: async ({ file }) =>
    file === undefined || file === '-' ? null : readWanted((await readWhole(file, maxMiB)).bytes),
  async run({ db, stdin }, { file, tenant: tenantId }, checked) {
    const organizationId = await findOrganizationOfTenant(db, tenantId);
    if (file !== undefined) {
      const wanted = checked ?? readWanted(await buffer(stdin));
      await new Writes(db).runWithoutClock(callOf(organizationId, operator), (write, session) =>
        storeSettings(write, session, tenantId, wanted),
      );
    }
    const settings = await readSettings(db, { organizationId, tenantId });
    if (settings === null)
      throw new CommandError(
        'the tenant has no payroll settings yet: docs/payroll.md has an example to set them',
      );
    return { json: settings, text: sheet(settings) };
  },
});

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
