import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ApiError } from '@kontor/contract';
import type { Sql } from '../../support/database/sql.ts';
import { newId } from '../../../src/db/ids.ts';
import { createDivision } from '../../../src/features/divisions/store.ts';
import { createOrganization, createTenant } from '../../../src/features/organizations/store.ts';
import { runAtClock } from '../../../src/write/run-at-clock.ts';
import { operator } from '../../../src/write/writes.ts';
import { testDatabase, type TestDatabase } from '../../support/database/database.ts';

let testing: TestDatabase;
let sql: Sql;
let organizationId: string;
let tenantId: string;

before(async () => {
  testing = await testDatabase();
  sql = testing.database.sql;
  organizationId = await createOrganization(sql, 'Muster');
  tenantId = await createTenant(sql, organizationId, 'Muster GmbH');
});
after(() => testing.drop());

function create(name: string, parentId: string | null = null, tenant = tenantId): Promise<string> {
  return runAtClock(sql, organizationId, operator, (write, session) =>
    createDivision(write, session, { tenantId: tenant, parentId, name }),
  );
}

async function organizationRow() {
  const [row] = await sql<{ clock: Date }[]>`
    SELECT clock FROM organization WHERE id = ${organizationId}`;
  return row!;
}

const rejection = (code: string, status: number) => (error: unknown) =>
  error instanceof ApiError && error.code === code && error.status === status;

describe('a new division', () => {
  test('is its own ancestor and has those of its parent', async () => {
    const root = await create('Stamm');
    const child = await create('Ast', root);
    const leaf = await create('Blatt', child);
    const rows = await sql<{ id: string }[]>`
      SELECT ancestor_id AS id FROM division_ancestor
      WHERE organization_id = ${organizationId} AND division_id = ${leaf}`;
    assert.deepEqual(new Set(rows.map(row => row.id)), new Set([root, child, leaf]));
  });

  test('advances the clock of its organization and stands at that instant', async () => {
    const earlier = await organizationRow();
    const id = await create('Uhrzeit');
    const later = await organizationRow();
    assert.ok(later.clock > earlier.clock);
    const [row] = await sql`SELECT created_at, updated_at FROM division WHERE id = ${id}`;
    assert.deepEqual({ ...row }, { created_at: later.clock, updated_at: later.clock });
    const [entry] = await sql`SELECT at, action, actor FROM audit WHERE target_id = ${id}`;
    assert.deepEqual({ ...entry }, { at: later.clock, action: 'division.create', actor: 'operator' });
  });

  test('comes behind its last sibling', async () => {
    const parent = await create('Reihenfolge');
    const ids = [await create('eins', parent), await create('zwei', parent), await create('drei', parent)];
    await sql`
      UPDATE division SET sort_order = 7.5, doc = replace(doc, '"order":2', '"order":7.5') WHERE id = ${ids[1]!}`;
    ids.push(await create('vier', parent));
    const rows = await sql`SELECT id, sort_order AS o FROM division WHERE parent_id = ${parent}`;
    assert.deepEqual(
      ids.map(id => rows.find(row => row['id'] === id)!['o']),
      [1, 7.5, 3, 8.5],
    );
  });

  test('may not have the name of a sibling in any letter case, but that of a division elsewhere', async () => {
    const parent = await create('Straße');
    await assert.rejects(create('STRASSE'), rejection('DIVISION_NAME_NOT_UNIQUE_ON_SAME_LEVEL', 409));
    await create('straße', parent);
    await create('Straße', null, await createTenant(sql, organizationId, 'Andere GmbH'));
  });

  test('cannot have a parent of another tenant, or one that does not exist', async () => {
    const other = await createTenant(sql, organizationId, 'Dritte GmbH');
    const parent = await create('Fremd', null, other);
    await assert.rejects(create('Kind', parent), rejection('INVALID_REFERENCE', 422));
    await assert.rejects(create('Kind', newId()), rejection('INVALID_REFERENCE', 422));
    await assert.rejects(create('Kind', null, newId()), rejection('INVALID_REFERENCE', 422));
  });

  test('is rejected below the twentieth level', async () => {
    let parent: string | null = null;
    for (let level = 1; level <= 20; level++) parent = await create(`Ebene ${level}`, parent);
    await assert.rejects(create('Ebene 21', parent), rejection('VALIDATION_ERROR', 422));
  });

  test('needs a name of 1 to 200 characters without control characters', async () => {
    for (const name of ['', ' ', 'x'.repeat(201), 'a\u0000b', 'a\nb', '\ud800'])
      await assert.rejects(create(name), rejection('VALIDATION_ERROR', 400), JSON.stringify(name));
    await create('😀'.repeat(200));
  });

  test('changes nothing when it is rejected', async () => {
    const earlier = await organizationRow();
    await assert.rejects(create('Kind', newId()));
    assert.deepEqual(await organizationRow(), earlier);
  });
});

test('a new tenant advances the clock; one of an unknown organization is rejected', async () => {
  const earlier = await organizationRow();
  await createTenant(sql, organizationId, 'Vierte GmbH');
  const later = await organizationRow();
  assert.ok(later.clock > earlier.clock);
  await assert.rejects(createTenant(sql, newId(), 'Keine'), rejection('INVALID_REFERENCE', 422));
});

test('of two sibling divisions of one name that are created at once, one is rejected', async () => {
  const results = await Promise.allSettled([create('Zwilling'), create('ZWILLING')]);
  assert.deepEqual(results.map(result => result.status).toSorted(), ['fulfilled', 'rejected']);
});
