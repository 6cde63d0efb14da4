import { openDatabase } from '../database/connect.ts';
import { migrate } from '../database/migrate.ts';
import { type CommandDefinition, databaseSettings } from './command.ts';
import { databasePlace } from './session.ts';

export const migrateCommand: CommandDefinition = {
  name: 'migrate',
  summary: 'Bring the schema of the database to this version; serve and the other commands do so too',
  settings: databaseSettings,
  async run({ config, stderr, signal }) {
    const database = await openDatabase({ ...databasePlace(config), poolSize: 1, owner: 'command' });
    try {
      const applied = await migrate(database, { log: line => void stderr.write(`${line}\n`), signal });
      const text = applied.length === 0 ? 'Up to date' : `Applied ${applied.join(', ')}`;
      return { json: { applied }, text };
    } finally {
      await database.close();
    }
  },
};
