import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql as statement } from '../../src/db/sql.ts';
import { testDatabase, testNodes } from '../support/database/database.ts';

const skip = (await testNodes()) === null && 'needs a Citus cluster: npm run test:citus';

const planted: [name: string, statement: () => ReturnType<typeof statement>][] = [
  ['asks all organizations', () => statement`SELECT id FROM employee WHERE id = ${'x'}`],
  ['changes rows of all organizations', () => statement`UPDATE tenant SET name = ${'x'} WHERE id = ${'x'}`],
  [
    'hides the organization from the planner',
    () => statement`SELECT id FROM employee WHERE organization_id = (SELECT ${'x'}::text)`,
  ],
];

for (const [name, make] of planted)
  test(`a statement that ${name} fails its test when the database is dropped`, { skip }, async () => {
    const { database, drop } = await testDatabase();
    await database.reads.rows(make());
    await assert.rejects(
      drop(),
      /1 statements are not as every statement must be:\n- (\d tasks|it cannot be planned)/,
    );
  });
