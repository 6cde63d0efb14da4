import { isUnavailable } from '../db/failure.ts';
import { importOrders } from '../features/orders/import/import.ts';
import { organizationOfTenant } from '../features/organizations/store.ts';
import { CommandError, databaseSettings, defineCommand, parseId } from './command.ts';
import { watchFile } from './progress.ts';

/** Exit code of an import that left rows out. */
const rejectedCode = 2;

export const importOrdersCommand = defineCommand({
  name: 'import orders',
  summary: 'Import orders of employees of a tenant, all valid rows together or none',
  arguments: [
    {
      name: '<file>',
      description: 'JSONL in UTF-8: an order a line, its employee by employeeId, employeeNumber or email',
    },
  ],
  options: [
    { flags: '--tenant <id>', description: 'The tenant of the employees', required: true, parse: parseId },
  ],
  settings: databaseSettings,
  async run(context, { arguments: [argument], options }) {
    const file = argument as string;
    const { writes: db } = await context.openDatabase();
    const tenantId = options.tenant as string;
    const organizationId = await organizationOfTenant(db, tenantId);
    if (organizationId === null) throw new CommandError(`there is no tenant ${tenantId}`);
    const target = { organizationId, tenantId };
    const source = await watchFile(file, context);
    try {
      const outcome = await importOrders(db, { target, file, ...source, signal: context.signal });
      const { imported, decided, rejected, rejectedFile } = outcome;
      const lines = [`Imported ${count(imported, 'order')}`];
      if (decided > 0) lines.push(`Decided ${count(decided, 'order')} by the rule of the tenant`);
      if (rejectedFile !== null) lines.push(`Rejected ${count(rejected, 'row')}: see ${rejectedFile}`);
      const exitCode = rejected > 0 ? rejectedCode : 0;
      return { json: { imported, decided, rejected, rejectedFile }, text: lines.join('\n'), exitCode };
    } catch (error) {
      throw isUnavailable(error) ? lost(error) : error;
    } finally {
      source.close();
    }
  },
});

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}

function lost(error: unknown): CommandError {
  return new CommandError(
    'the connection to the database was lost and the import broken off; run it again: should the orders be in, they are rejected as duplicates',
    { cause: error },
  );
}
