import { openDatabase } from '../db/connect.ts';
import { distribute, migrate } from '../db/migrate.ts';
import { databaseSettings, defineCommand } from './command.ts';
import { databasePlace } from './session.ts';

export const migrateCommand = defineCommand({
  name: 'migrate',
  summary: 'Bring the schema of the database to this version; serve and the other commands do so too',
  options: [
    {
      flags: '--distributed',
      description: 'Then distribute the tables over the nodes of a Citus cluster; see docs/scaling.md before',
    },
  ],
  settings: databaseSettings,
  async run({ config, stderr, signal }, { options }) {
    const database = await openDatabase({ ...databasePlace(config), poolSize: 1, owner: 'command' });
    try {
      const how = { log: (line: string) => void stderr.write(`${line}\n`), signal };
      const applied = await migrate(database, how);
      const text = applied.length === 0 ? 'Up to date' : `Applied ${applied.join(', ')}`;
      if (options.distributed !== true) return { json: { applied }, text };
      const distributed = await distribute(database, how);
      const more = distributed.length === 0 ? 'distributed already' : `distributed ${distributed.join(', ')}`;
      return { json: { applied, distributed }, text: `${text}; ${more}` };
    } finally {
      await database.close();
    }
  },
});
