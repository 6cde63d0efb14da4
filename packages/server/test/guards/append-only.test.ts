import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { sql } from '../../src/db/sql.ts';
import { deletionStatement } from '../../src/features/organizations/owned-tables.ts';
import { change, checkAppendOnly, forbiddenChanges, removal } from '../support/database/append-only.ts';
import { testDatabase } from '../support/database/database.ts';

/** Every database of a test checks in the end what was sent to it (support/database/database.ts); here that the check finds faults. */

/** As the deletion of an organization sends it. */
const deletion = deletionStatement(
  { name: 'payroll_entry', columns: ['id'], key: ['id'], references: [], ownReferences: [] },
  'any',
  1,
).text;

describe('a statement that changes the audit or the ledger of payroll is found out', () => {
  const planted = [
    'UPDATE audit SET fields = $1 WHERE organization_id = $2',
    'UPDATE ONLY public.audit a SET n = 1',
    'DELETE FROM audit WHERE organization_id = $1',
    'DELETE FROM audit WHERE organization_id = $1 AND at < $2',
    removal.replace('AND at < $3', ''),
    `${removal} ORDER BY 1`,
    deletion.replace('"payroll_entry"', 'payroll_entry'),
    deletion.replace(' AND ("id")', ' OR ("id")'),
    'delete\n  from "audit"',
    'TRUNCATE audit',
    'UPDATE payroll_entry SET cents = 0 WHERE organization_id = $1',
    'DELETE FROM payroll_entry WHERE organization_id = $1 AND run_id = $2',
    'UPDATE payroll_basis SET basis = $1 WHERE organization_id = $2',
    'MERGE INTO audit USING other ON true WHEN MATCHED THEN DELETE',
    'WITH gone AS (DELETE FROM audit WHERE organization_id = $1 RETURNING at) SELECT count(*) FROM gone',
  ];
  for (const text of planted)
    test(text.replaceAll(/\s+/g, ' '), () => assert.throws(() => checkAppendOnly([text]), /for ever/));

  test('and not one that reads or adds', () => {
    const fine = [
      'INSERT INTO audit (organization_id) VALUES ($1)',
      'SELECT * FROM audit WHERE organization_id = $1',
      'DELETE FROM audit_retention WHERE organization_id = $1',
      'UPDATE organization SET name = $1',
      'INSERT INTO payroll_entry (organization_id) VALUES ($1)',
      'DELETE FROM payroll_draft_entry WHERE organization_id = $1',
      `\n${removal} `,
      deletion,
    ];
    assert.deepEqual(forbiddenChanges(fine), []);
  });

  test('when the database of a test is dropped, whichever client has sent it', async () => {
    const { database, drop } = await testDatabase();
    await database.writes.run(sql`UPDATE audit SET n = 2 WHERE organization_id = ${'a'}`);
    await assert.rejects(drop(), /for ever:\nUPDATE audit SET n = 2/);
  });
});

test('in the sources only the retention of the audit names it to remove entries, and nothing changes one', async () => {
  const root = new URL('../../src/', import.meta.url);
  const changing: string[] = [];
  for await (const file of glob('**/*.ts', { cwd: root })) {
    const text = await readFile(new URL(file, root), 'utf8');
    if (change.test(text)) changing.push(file);
  }
  assert.deepEqual(changing, ['features/audit/retention.ts']);
});
