import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Command } from 'commander';
import { loadCommands } from '../../src/cli/commands.ts';
import { declareCommands } from '../../src/cli/program/program.ts';
import { settings } from '../../src/config.ts';
import { newId } from '../../src/db/ids.ts';
import { employeeRow } from '../../src/features/employees/mapping.ts';
import { createTenant } from '../../src/features/organizations/store.ts';
import { insertEmployees } from '../../src/features/employees/store.ts';
import { ApiKeyAuthenticator } from '../../src/auth/api-keys.ts';
import { runAtClock } from '../../src/write/run-at-clock.ts';
import { operator } from '../../src/write/writes.ts';
import { emptyDatabase, type TestDatabase } from '../support/database/database.ts';
import { employeeData, storeEmployees } from '../support/data/employees.ts';
import { errorLine } from '../../src/cli/program/run.ts';
import { kontorHere } from './in-process.ts';

const commands = await loadCommands();
const pepper = 'x'.repeat(32);
let testing: TestDatabase;
let folder: string;
let variables: Record<string, string>;

before(async () => {
  testing = await emptyDatabase();
  folder = await mkdtemp(path.join(tmpdir(), 'kontor-commands-'));
  variables = { DATABASE_URL: testing.url, KONTOR_DATA_DIR: folder, KONTOR_KEY_PEPPER: pepper };
  organizationId = (await json('organization', 'create', '--name', 'Muster')).id as string;
  tenantId = (await json('tenant', 'create', '--organization', organizationId, '--name', 'Muster GmbH'))
    .id as string;
});
after(async () => {
  await testing.drop();
  await rm(folder, { recursive: true });
});

let organizationId: string;
let tenantId: string;

/** Runs a command with --json and answers the one object that it printed. */
async function json(...args: string[]): Promise<Record<string, unknown>> {
  const run = await kontorHere([...args, '--json'], variables);
  assert.equal(run.code, 0, run.stderr);
  assert.match(run.stdout, /^\{.*\}\n$/);
  assert.equal(run.stderr, '');
  return JSON.parse(run.stdout) as Record<string, unknown>;
}

/** Runs a command that must fail, and answers its one line. */
async function rejected(...args: string[]): Promise<string> {
  const run = await kontorHere(args, variables);
  assert.equal(run.code, 1, run.stdout);
  assert.equal(run.stdout, '');
  assert.match(run.stderr, /^error: [^\n]+\n$/);
  return run.stderr;
}

const idPattern = /^[0-9a-f]{24}$/;

async function createDivision(name: string, tenant = tenantId): Promise<string> {
  return (await json('division', 'create', '--tenant', tenant, '--name', name)).id as string;
}

describe('every command', () => {
  test('belongs to a group with a description', async () => {
    for (const group of new Set(
      commands
        .map(({ name }) => name.split(' '))
        .filter(words => words.length > 1)
        .map(([word]) => word!),
    ))
      assert.doesNotMatch((await kontorHere([group, '--help'], {})).stdout, new RegExp(`^${group}$`, 'm'));
  });

  for (const { name, settings: names, input = {}, rejectedSettings = [] } of commands)
    test(`${name} --help names its options and the variables of its settings`, async () => {
      const run = await kontorHere([...name.split(' '), '--help'], {});
      assert.equal(run.code, 0);
      const flags = Object.values(input).map(parameter => parameter.flags.split(' ')[0]!);
      for (const flag of [...flags, '--json']) assert.ok(run.stdout.includes(flag), flag);
      for (const setting of names) {
        const row = settings[setting];
        if (!('option' in row)) continue;
        const isRejected = rejectedSettings.includes(setting);
        assert.equal(run.stdout.includes(`--${row.option} <`), !isRejected, row.option);
        if (isRejected) continue;
        assert.ok(run.stdout.replaceAll(/\s+/g, ' ').includes(`variable ${row.variable}`), row.variable);
      }
    });

  for (const { name } of commands)
    test(`${name} --help has its sections in the one order`, async () => {
      const { stdout } = await kontorHere([...name.split(' '), '--help'], {});
      const order = ['Usage', 'Arguments', 'Options', 'Settings', 'Example'];
      const sections = stdout.match(/^[A-Z]\w+(?=:( |$))/gm)!;
      assert.deepEqual(
        sections,
        order.filter(section => sections.includes(section)),
      );
      assert.ok(sections.includes('Options') && sections.at(-1) === 'Example');
    });

  test('has its help, its name and its completion without a command or the contract being loaded', async () => {
    const report = `import { registerHooks } from 'node:module';
      const loaded = [];
      registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
      process.on('exit', () => console.error(loaded.join('\\n')));`;
    const hooks = `data:text/javascript,${encodeURIComponent(report)}`;
    const loadedBy = async (...args: string[]) => {
      const program = fileURLToPath(new URL('../../bin/kontor.js', import.meta.url));
      return (await promisify(execFile)(process.execPath, ['--import', hooks, program, ...args])).stderr;
    };
    for (const args of [['--version'], ['--help'], ['help', 'key'], ['key', 'list', '--help']])
      assert.doesNotMatch(
        await loadedBy(...args),
        /packages\/contract|\/cli\/access\/|\/db\/(?!servers\/database-url)/,
        args.join(' '),
      );
    assert.doesNotMatch(await loadedBy('completion', 'bash'), /packages\/contract|\/cli\/access\//);
  });

  test('rejects an unknown command or option with one line and exit code 1', async () => {
    for (const args of [
      ['nothing'],
      ['key', 'nothing'],
      ['migrate', '--nothing'],
      ['migrate', 'nothing'],
      ['organization', 'create'],
      ['tenant', 'create', '--organization', 'x', '--name', 'y'],
      ['migrate', '--log-level', 'loud'],
    ])
      await rejected(...args);
  });

  test('names an unknown option before a missing one', async () => {
    assert.match(
      await rejected('organization', 'create', '--nam', 'x'),
      /unknown option '--nam'\. Did you mean --name\?/,
    );
    assert.match(await rejected('organization', 'create'), /required option '--name <name>' not specified/);
  });

  test('has an example that it takes', async () => {
    const called: string[] = [];
    for (const { name, example } of commands) {
      const program = new Command('kontor').configureOutput({ writeErr() {}, outputError() {} });
      declareCommands(program, commands, async definition => void called.push(definition.name));
      const words = example.match(/"[^"]*"|\S+/g)!.map(word => word.replaceAll('"', ''));
      await program.parseAsync(words, { from: 'user' });
      assert.equal(called.at(-1), name);
    }
  });

  test('has its help behind "help" too', async () => {
    const help = await kontorHere(['key', 'create', '--help'], {});
    assert.match(help.stdout, /\nExample:\n {2}kontor key create .*\n$/);
    assert.equal((await kontorHere(['help', 'key', 'create'], {})).stdout, help.stdout);
    assert.equal(
      (await kontorHere(['help', 'key'], {})).stdout,
      (await kontorHere(['key', '--help'], {})).stdout,
    );
  });

  test('names the variable whose value is invalid', async () => {
    const line = 'PORT is invalid: expected a whole number from 0 to 65535';
    const run = await kontorHere(['serve'], { ...variables, PORT: 'x' }, '');
    assert.deepEqual([run.code, run.stderr], [1, `error: ${line}\n`]);
    // Where a log is read by programs, an error is a line of it.
    const logged = await kontorHere(['serve'], { ...variables, PORT: 'x' });
    const { level, msg } = JSON.parse(logged.stderr) as { level: string; msg: string };
    assert.deepEqual([logged.code, level, msg], [1, 'fatal', line]);
  });

  test('names the argument or option whose value is invalid', async () => {
    assert.match(
      await rejected('key', 'show', 'x'),
      /^error: 'x' is invalid for <id>: expected the 12 letters/,
    );
    const page = await rejected('employee', 'list', '--tenant', organizationId, '--page', 'x');
    assert.match(page, /^error: 'x' is invalid for --page <number>: expected a whole number/);
  });

  test('names the form of a day where a time is invalid', async () => {
    const args = ['key', 'create', '--organization', organizationId, '--name', 'k', '--all'];
    assert.match(await rejected(...args, '--expires', 'yesterday'), /a day such as 2027-01-31/);
  });

  test('is confirmed where it is final: by a person, or by --yes without a terminal', async () => {
    const [{ id: key }, { id: kept }] = [
      await json('key', 'create', '--organization', organizationId, '--name', 'a', '--all'),
      await json('key', 'create', '--organization', organizationId, '--name', 'b', '--all'),
    ];
    assert.match(await rejected('key', 'delete', String(key)), /a deletion is final.*--yes/);
    const no = await kontorHere(['key', 'delete', String(kept)], variables, 'n\n');
    assert.deepEqual([no.code, no.stderr.includes('not confirmed')], [1, true]);
    const yes = await kontorHere(['key', 'delete', String(key)], variables, 'y\n');
    assert.deepEqual([yes.code, yes.stdout], [0, `Deleted key ${key}\n`]);
    assert.equal((await json('key', 'show', String(kept))).status, 'active');
    const permission = ['--permission', 'organizations:read'];
    const { id: token } = await json('platform-token', 'create', '--name', 't', '--all', ...permission);
    assert.match(await rejected('platform-token', 'revoke', String(token)), /a revocation is final.*--yes/);
  });

  test('reports in one line that the database is unreachable', async () => {
    const run = await kontorHere(['key', 'list', '--database-url', 'postgres://x@127.0.0.1:1/x'], variables);
    assert.equal(run.code, 1);
    assert.match(run.stderr, /^error: the database cannot be used now: [^\n]+\n$/);
  });

  test('reports in one line that the disk is full', async () => {
    const full = await writeFile('/dev/full', 'text').catch((error: unknown) => error);
    assert.match(errorLine(full, false), /^error: the disk is full: [^\n]+$/);
  });

  test('an import writes rejected rows for its owner only, and leaves alone what others put into the folder', async () => {
    const file = path.join(folder, 'people.csv');
    await writeFile(file, 'email,lastName\nno-address,Muster\n');
    const foreign = path.join(folder, 'people.rejected.csv.partial');
    const target = path.join(folder, 'foreign-target');
    await writeFile(target, 'kept');
    await symlink(target, foreign);
    const run = await kontorHere(['import', 'employees', file, '--tenant', tenantId], variables);
    assert.equal(run.code, 2, run.stderr);
    const written = path.join(folder, 'people.rejected.csv');
    assert.equal((await stat(written)).mode & 0o777, 0o600);
    assert.match(await readFile(written, 'utf8'), /no-address,Muster,2,/);
    assert.equal(await readFile(target, 'utf8'), 'kept');
  });

  test('prints the stack of an error with the log level debug only', async () => {
    const run = await kontorHere(['key', 'show', '000000000000', '--log-level', 'debug'], variables);
    assert.match(run.stderr, /\n {4}at /);
  });
});

test('migrate answers the migrations that it applied: none once the schema is up to date', async () => {
  assert.deepEqual(await json('migrate'), { applied: [] });
  const fresh = await emptyDatabase();
  const { pending } = await json('migrate', '--dry-run', '--database-url', fresh.url);
  const { applied } = await json('migrate', '--database-url', fresh.url);
  assert.deepEqual(pending, applied);
  assert.deepEqual(await json('migrate', '--dry-run', '--database-url', fresh.url), { pending: [] });
  assert.ok(Array.isArray(applied) && applied.includes('0001_organizations'));
  await fresh.drop();
});

describe('organization, tenant and division create', () => {
  test('answer the new identifier, also on a database without tables', () => {
    assert.match(organizationId, idPattern);
    assert.match(tenantId, idPattern);
  });

  test('division create takes a parent of the same tenant; identifiers may be in upper case', async () => {
    const parent = await createDivision('Vertrieb');
    const args = ['division', 'create', '--tenant', tenantId.toUpperCase(), '--name', 'Innen', '--parent'];
    const { id } = await json(...args, parent.toUpperCase());
    const [row] = await testing.database.sql`SELECT parent_id FROM division WHERE id = ${id}`;
    assert.equal(row!['parent_id'], parent);
  });

  test('report an invalid name, organization, tenant or parent', async () => {
    await createDivision('Doppelt');
    const division = ['division', 'create', '--tenant', tenantId, '--name'];
    assert.match(await rejected(...division, 'DOPPELT'), /name/);
    assert.match(await rejected(...division, 'x', '--parent', newId()), /parent/);
    assert.match(await rejected('division', 'create', '--tenant', newId(), '--name', 'x'), /no tenant/);
    assert.match(
      await rejected('tenant', 'create', '--organization', newId(), '--name', 'x'),
      /no organization/,
    );
    assert.match(await rejected('organization', 'create', '--name', ''), /name/);
  });
});

describe('key', () => {
  async function authenticate(key: string) {
    const keys = new ApiKeyAuthenticator(testing.database, Buffer.from(pepper));
    const found = await keys.authenticate(key);
    await keys.close();
    return found !== null && 'actor' in found ? found : null;
  }
  const create = (...args: string[]) =>
    json('key', 'create', '--organization', organizationId, '--name', 'Abgleich', ...args);

  test('create answers identifier and key, which works; the database and the list never show it', async () => {
    const created = await create('--all', '--quota', '5/10');
    assert.deepEqual(Object.keys(created), ['id', 'key']);
    const key = created['key'] as string;
    const found = await authenticate(key);
    assert.deepEqual(found?.quota, { requests: 5, seconds: 10 });
    assert.equal(found.scope.grants, 'all');
    const { keys } = await json('key', 'list', '--organization', organizationId);
    const stored = await testing.database.sql`SELECT k.*, encode(secret_hash, 'escape') FROM api_key k`;
    const secret = key.split('_')[2]!;
    assert.ok(!JSON.stringify([keys, stored]).includes(secret));
  });

  test('create grants tenants as a whole, and those with --division only these divisions', async () => {
    const other = await json('tenant', 'create', '--organization', organizationId, '--name', 'Andere GmbH');
    const otherId = other['id'] as string;
    const division = await createDivision('Lager', otherId);
    const created = await create('--tenant', tenantId, '--tenant', otherId, '--division', division);
    const grants = (await authenticate(created['key'] as string))?.scope.grants;
    assert.ok(Array.isArray(grants));
    assert.deepEqual(
      grants.toSorted((a, b) => (a.tenantId < b.tenantId ? -1 : 1)),
      [
        { tenantId, divisions: 'all' },
        { tenantId: otherId, divisions: [division] },
      ].toSorted((a, b) => (a.tenantId < b.tenantId ? -1 : 1)),
    );
  });

  test('create rejects grants outside the organization, none, or both kinds, and an invalid quota', async () => {
    const other = (await json('organization', 'create', '--name', 'Fremd')).id as string;
    const foreign = (await json('tenant', 'create', '--organization', other, '--name', 'Fremd GmbH'))
      .id as string;
    const division = await createDivision('Fremdes', foreign);
    const own = ['key', 'create', '--organization', organizationId, '--name', 'x'];
    assert.match(await rejected(...own, '--tenant', foreign), /no tenant/);
    assert.match(await rejected(...own, '--division', division), /no division/);
    assert.match(await rejected(...own), /--all/);
    assert.match(await rejected(...own, '--all', '--tenant', tenantId), /--all/);
    assert.match(
      await rejected(...own, '--all', '--quota', '0/60'),
      /quota.*1 to 999999999 requests in 1 to 86400 seconds/,
    );
    assert.match(
      await rejected('key', 'create', '--organization', newId(), '--name', 'x', '--all'),
      /no organization/,
    );
    const tenant = await json('tenant', 'create', '--organization', organizationId, '--name', 'Weitere GmbH');
    const stray = await createDivision('Streuner');
    assert.match(
      await rejected(...own, '--tenant', tenant['id'] as string, '--division', stray),
      /does not name/,
    );
  });

  test('create rejects a pepper that is not the one of the database', async () => {
    const args = ['key', 'create', '--organization', organizationId, '--name', 'x', '--all'];
    const run = await kontorHere(args, { ...variables, KONTOR_KEY_PEPPER: 'y'.repeat(32) });
    assert.equal(run.code, 1);
    assert.match(run.stderr, /^error: [^\n]*KONTOR_KEY_PEPPER[^\n]*\n$/);
  });

  test('list answers what is public of the keys', async () => {
    const organization = (await json('organization', 'create', '--name', 'Liste')).id as string;
    const { id } = await json(
      'key',
      'create',
      '--organization',
      organization,
      '--name',
      'N',
      '--all',
      '--permission',
      'orders:write',
      'employees:read',
      '--quota',
      '1/2',
    );
    const { keys } = await json('key', 'list', '--organization', organization);
    assert.ok(Array.isArray(keys));
    const { createdAt, ...key } = keys[0] as Record<string, unknown>;
    assert.match(createdAt as string, /^\d{4}-.*Z$/);
    assert.deepEqual(key, {
      id,
      name: 'N',
      status: 'active',
      organizationId: organization,
      wholeOrganization: true,
      grants: [],
      permissions: ['employees:read', 'orders:write'],
      quota: { requests: 1, seconds: 2 },
      expiresAt: null,
      lastUsedAt: null,
    });
  });

  test('deactivate, reactivate and delete answer the new status; a deleted key stays deleted', async () => {
    const { id, key } = (await create('--all')) as { id: string; key: string };
    assert.deepEqual(await json('key', 'deactivate', id), { id, status: 'inactive' });
    assert.equal(await authenticate(key), null);
    assert.deepEqual(await json('key', 'reactivate', id), { id, status: 'active' });
    assert.equal((await authenticate(key))?.actor.id, id);
    assert.deepEqual(await json('key', 'delete', id, '--yes'), { id, status: 'deleted' });
    assert.equal(await authenticate(key), null);
    assert.match(await rejected('key', 'reactivate', id), /deleted/);
    assert.match(await rejected('key', 'deactivate', '000000000000'), /no key/);
    assert.match(await rejected('key', 'deactivate', key), /12 letters/);
    const actions = await testing.database.sql`SELECT action FROM audit WHERE target_id = ${id} ORDER BY at`;
    assert.deepEqual(
      actions.map(row => row['action']),
      ['key.create', 'key.deactivate', 'key.reactivate', 'key.delete'],
    );
  });
});

describe('employee activate', () => {
  async function insert(count: number, tenant: string): Promise<string[]> {
    const ids = Array.from({ length: count }, () => newId());
    const rows = ids.map(id => employeeRow(id, employeeData({ tenant })));
    await runAtClock(testing.database.sql, organizationId, operator, write => {
      insertEmployees(rows.map(row => ({ write, row })));
    });
    return ids;
  }

  test('activates one employee once, without touching document, updatedAt or clock', async () => {
    const [id] = (await insert(1, tenantId)) as [string];
    const state = async () => {
      const [row] = await testing.database.sql`
        SELECT e.doc, e.updated_at, o.clock, e.activated_at IS NOT NULL AS activated
        FROM employee e JOIN organization o ON o.id = e.organization_id WHERE e.id = ${id}`;
      return { ...row };
    };
    const earlier = await state();
    assert.deepEqual(await json('employee', 'activate', id.toUpperCase()), { activated: 1 });
    assert.deepEqual(await state(), { ...earlier, activated: true });
    assert.deepEqual(await json('employee', 'activate', id), { activated: 0 });
    const audited = await testing.database.sql`
      SELECT FROM audit WHERE target_id = ${id} AND action = 'employee.activate'`;
    assert.equal(audited.length, 1);
  });

  test('activates all employees of a tenant and no others', async () => {
    const tenant = async (name: string) =>
      (await json('tenant', 'create', '--organization', organizationId, '--name', name)).id as string;
    const [own, other] = [await tenant('Aktive GmbH'), await tenant('Passive GmbH')];
    await insert(3, own);
    await insert(2, other);
    assert.deepEqual(await json('employee', 'activate', '--tenant', own), { activated: 3 });
    const rows = await testing.database
      .sql`SELECT FROM employee WHERE tenant_id = ${other} AND activated_at IS NULL`;
    assert.equal(rows.length, 2);
  });

  test('rejects an unknown employee or tenant, and neither or both of them', async () => {
    assert.match(await rejected('employee', 'activate', newId()), /no employee/);
    assert.match(await rejected('employee', 'activate', '--tenant', newId()), /no tenant/);
    assert.match(await rejected('employee', 'activate'), /--tenant/);
    assert.match(await rejected('employee', 'activate', newId(), '--tenant', tenantId), /--tenant/);
  });
});

describe('employee email', () => {
  test('changes the work email, with the history and the audit of the operator', async () => {
    const id = newId();
    const row = employeeRow(id, employeeData({ tenant: tenantId }));
    await runAtClock(testing.database.sql, organizationId, operator, write => {
      insertEmployees([{ write, row }]);
    });
    assert.deepEqual(await json('employee', 'email', id, 'neu.cli@example.com'), {
      id,
      email: 'neu.cli@example.com',
    });
    const [stored] = await testing.database.sql`
      SELECT e.email_key, c.actor, c.changes FROM employee e JOIN employee_change c ON c.employee_id = e.id WHERE e.id = ${id}`;
    const changes = { email: [JSON.parse(`{${row.head.slice(1, -1)}}`).email, 'neu.cli@example.com'] };
    assert.deepEqual({ ...stored }, { email_key: 'neu.cli@example.com', actor: 'operator', changes });
    assert.match(await rejected('employee', 'email', newId(), 'a@example.com'), /no employee/);
    assert.match(await rejected('employee', 'email', id, 'a'), /expected an email address/);
  });
});

describe('import employees with a new email of a stored employee', () => {
  const imported = async (name: string, args: readonly string[], typed?: string) => {
    const { sql } = testing.database;
    const tenant = await createTenant(sql, organizationId, name);
    const mia = { tenant, firstName: 'Mia', lastName: 'Fischer' };
    await storeEmployees(sql, organizationId, [
      { ...mia, employeeNumber: '1', email: `${name}1@alt.example` },
      { ...mia, employeeNumber: '2', email: `${name}2@alt.example` },
    ]);
    const file = path.join(await mkdtemp(path.join(tmpdir(), 'kontor-emails-')), 'people.csv');
    const lines = [1, 2, 3].map(number => `${name}${number}@neu.example,${number}\n`);
    await writeFile(file, `email,employeeNumber\n${lines.join('')}`);
    const run = await kontorHere(
      ['import', 'employees', file, '--tenant', tenant, ...args],
      variables,
      typed,
    );
    await rm(path.dirname(file), { recursive: true });
    const stored = await sql<{ email: string }[]>`
      SELECT doc::jsonb ->> 'email' AS email FROM employee WHERE tenant_id = ${tenant} ORDER BY employee_number`;
    return { ...run, emails: stored.map(({ email }) => email.replace(name, '')) };
  };

  test('asks a person about each, and changes those with yes alone', async () => {
    const { code, stdout, stderr, emails } = await imported('ask', [], 'n\ny\n');
    const question =
      'Line 2: Mia Fischer (1) has the email ask1@alt.example. Change it to ask1@neu.example? [y/N]';
    assert.ok(stderr.includes(question), stderr);
    assert.deepEqual([code, emails], [2, ['1@alt.example', '2@neu.example', '3@neu.example']]);
    assert.match(stdout, /^Imported 1 employee, created 0 divisions\nChanged 1 email\nRejected 1 row: /);
  });

  test('changes all with --change-emails, and none where nobody can be asked', async () => {
    const all = await imported('all', ['--change-emails']);
    assert.deepEqual([all.code, all.emails], [0, ['1@neu.example', '2@neu.example', '3@neu.example']]);
    const none = await imported('none', []);
    assert.deepEqual([none.code, none.emails], [2, ['1@alt.example', '2@alt.example', '3@neu.example']]);
  });
});

describe('a call that is wrong whatever the database has', () => {
  const id = '64b7e3f0a1c2d3e4f5a6b7c8';
  const here = fileURLToPath(import.meta.url);
  for (const [args, message] of [
    ['import employees -', 'name either a tenant with --tenant, or an organization'],
    [`import employees - --tenant ${id} --map a=email --map a=city`, '--map names a column twice'],
    [`import employees missing.csv --tenant ${id}`, 'there is no file missing.csv'],
    [`import orders missing.jsonl --tenant ${id}`, 'there is no file missing.jsonl'],
    [`import payroll-document --tenant ${id} --period 2026-11 --format csv`, 'needs its file'],
    [`import payroll-document missing.csv --tenant ${id} --period 2026-11 --format csv`, 'there is no file'],
    ['employee activate', 'name either one employee, or a tenant'],
    ['employee list', 'name --organization or --tenant'],
    [`employee list --tenant ${id} --filter colour=1`, 'colour'],
    [`order attach ${id} ${here}`, 'is not a PDF'],
    [`order end ${id} --last-day 2026-12-31`, 'name --last-day and --reason, or --withdraw alone'],
    [`order end ${id} --withdraw --reason leaver`, 'name --last-day and --reason, or --withdraw alone'],
    [`order end ${id} --last-day 2026-02-30 --reason leaver`, '.*expected a day of the calendar'],
    [`payroll settings ${here} --tenant ${id}`, 'JSON'],
    [`payroll run --tenant ${id} --period 2026-11 --format csv --dry-run --release`, 'give either --dry-run'],
    [`key create --organization ${id} --name a`, 'the key needs a scope'],
    ['platform-token create --name a --permission organizations:read', 'the token needs a scope'],
    ['audit list', 'name either --organization, or --platform'],
    ['audit list --platform --filter colour=1', 'colour'],
    ['audit export --platform --filter colour=1', 'colour'],
    ['audit retention --platform --days 1 --for-ever', 'give either --days, or --for-ever'],
    [`audit prune --platform --organization ${id}`, 'name either --organization, or --platform'],
    [`user invite --organization ${id} --email a@example.com --permission HR`, 'say --hr-all or --hr-tenant'],
  ] as const)
    test(`creates no embedded database: ${args.replace(here, 'FILE')}`, async () => {
      const data = path.join(folder, 'not-created');
      const run = await kontorHere(args.split(' '), { KONTOR_DATA_DIR: data, KONTOR_KEY_PEPPER: pepper });
      assert.equal(run.code, 1, run.stdout);
      assert.match(run.stderr, new RegExp(`^error: .*${message}`));
      assert.equal(existsSync(data), false);
    });
});
