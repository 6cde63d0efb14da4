import { distribute, findPendingMigrations, migrate } from '../../db/migrate.ts';
import { CommandError, databaseSettings, defineCommand, flag } from '../program/command.ts';

export const migrateCommand = defineCommand({
  summary: 'Migrate the schema to this version, as serve and the other commands do',
  example: 'migrate --dry-run',
  input: {
    dryRun: flag('--dry-run', 'Only list the migrations that are pending'),
    distributed: flag(
      '--distributed',
      'Then distribute the tables over the nodes of a Citus cluster; see docs/scaling.md before',
    ),
  },
  settings: databaseSettings,
  async run(context, { dryRun, distributed }) {
    if (dryRun && distributed) throw new CommandError('use --dry-run or --distributed, not both');
    const { stderr, signal } = context;
    const database = await context.openWithoutMigration({ mustExist: dryRun });
    if (dryRun) {
      const pending = await findPendingMigrations(database);
      const text = pending.length === 0 ? 'Up to date' : `Pending: ${pending.join(', ')}`;
      return { json: { pending }, text };
    }
    const how = { log: (line: string) => void stderr.write(`${line}\n`), signal };
    const applied = await migrate(database, how);
    const text = applied.length === 0 ? 'Up to date' : `Applied ${applied.join(', ')}`;
    if (!distributed) return { json: { applied }, text };
    const tables = await distribute(database, how);
    const more = tables.length === 0 ? 'distributed already' : `distributed ${tables.join(', ')}`;
    return { json: { applied, distributed: tables }, text: `${text}; ${more}` };
  },
});
