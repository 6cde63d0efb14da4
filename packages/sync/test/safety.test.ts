import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { PassThrough } from 'node:stream';
import { describe, test } from 'node:test';
import { Kontor } from '@kontor/sdk';
import { faultProxy } from '../../sdk/test/support/fault-proxy.ts';
import { runProgram } from '../src/cli.ts';
import { State } from '../src/state.ts';
import { type Company, csvOf, personRow, useCompanies } from './support/company.ts';

const { fixture, makeCompany } = useCompanies();

const rowsOf = (count: number, city?: string) =>
  Array.from({ length: count }, (_, index) => personRow(index + 1, city));

const personOf = async ({ kontor }: Company, number: string) =>
  (await Array.fromAsync(kontor.employees.list())).find(({ employeeNumber }) => employeeNumber === number)!;

/** Runs a function on the state of a company, between two commands. */
function withState<T>({ folder }: Company, run: (state: State) => T): T {
  const state = new State(path.join(folder, 'kontor-sync.sqlite'), fixture.service.url);
  try {
    return run(state);
  } finally {
    state.close();
  }
}

describe('two rows', () => {
  test('of one person, one with the number and one with the email, are both rejected', async () => {
    const company = await makeCompany();
    await company.write(rowsOf(30));
    await company.sync();
    const { id } = await personOf(company, '1');
    await company.kontor.employees.update(id, { city: 'Von Hand' });
    const twins = [personRow(1, 'Ulm').with(3, ''), personRow(1, 'Kiel').with(0, '')];
    await company.write([...twins, ...rowsOf(30).slice(1)]);
    const { applied, conflicts, rejects, absent } = await company.sync(2);
    assert.deepEqual([applied.updates, conflicts, absent], [0, [], []]);
    assert.deepEqual(
      rejects.map(({ line, reason }: any) => [line, reason]),
      [
        [2, 'line 3 is the same person: export one row for each person'],
        [3, 'line 2 is the same person: export one row for each person'],
      ],
    );
  });
});

describe('a create that is repeated', () => {
  test('does not take for agreed what a person has changed in the meantime', async () => {
    const company = await makeCompany();
    await company.write(rowsOf(3));
    await company.sync();
    const employee = await personOf(company, '1');
    const body = {
      email: 'p4@example.com',
      firstName: 'Vorname4',
      lastName: 'Nachname4',
      employeeNumber: '4',
      city: 'Berlin',
    };
    const { apiKey, kontor } = company;
    const writer = new Kontor({ apiKey, baseUrl: fixture.service.url, tenant: null });
    const created = await writer.employees.create(body, { idempotencyKey: 'lost' });
    assert.equal(created.updatedAt, created.createdAt);
    await kontor.employees.update(created.id, { city: 'Von Hand', phoneNumber: '1' });
    const { email: _, ...sources } = body;
    const name = 'Vorname4';
    withState(company, state =>
      state.addIntent({
        key: 'lost',
        created: Date.now(),
        write: { kind: 'employee', id: null, version: null, body, sources, references: {}, name },
      }),
    );
    await company.write([...rowsOf(3), personRow(4, 'Berlin', '')]);
    assert.equal((await company.sync(2)).conflicts.length, 1);
    await company.write([...rowsOf(3), personRow(4, 'Ulm', '')]);
    const { applied, conflicts } = await company.sync(2, '--yes-change', '1');
    assert.deepEqual([applied.updates, conflicts.length], [0, 1]);
    assert.equal((await personOf(company, '4')).city, 'Von Hand');
    assert.equal((await personOf(company, '1')).updatedAt, employee.updatedAt);
  });
});

describe('a create of a clock that was two days ahead', () => {
  test('is not repeated, as the service may have forgotten its key', async () => {
    const company = await makeCompany();
    await company.write(rowsOf(3));
    await company.sync();
    const body = { email: 'p4@example.com', firstName: 'Ina', lastName: 'Neu' };
    const write = {
      kind: 'employee',
      id: null,
      version: null,
      body,
      sources: {},
      references: {},
      name: 'Ina',
    } as const;
    const created = Date.now() + 48 * 60 * 60 * 1000;
    withState(company, state => state.addIntent({ key: 'ahead', created, write }));
    await company.sync();
    assert.equal(await personOf(company, '4'), undefined);
    assert.equal((await Array.fromAsync(company.kontor.employees.list())).length, 3);
  });
});

describe('an update', () => {
  test('that a proxy answers with 404 is repeated, and its person is still known', async t => {
    const proxy = await faultProxy(fixture.service.url);
    t.after(() => proxy.close());
    const company = await makeCompany(proxy.url);
    await company.write(rowsOf(30));
    await company.sync();
    await company.write([personRow(1, 'Ulm'), ...rowsOf(30).slice(1)]);
    proxy.next = ({ method }) => (method === 'PATCH' ? 'missing' : null);
    assert.match(await company.sync(1), /404 UNEXPECTED_ANSWER/);
    proxy.next = () => null;
    const { applied, manual } = await company.sync();
    assert.deepEqual([applied.updates + applied.creates, manual], [0, []]);
    assert.equal((await personOf(company, '1')).city, 'Ulm');
  });

  test('of a version that Kontor no longer has, as after a restore, reads everything again', async () => {
    const company = await makeCompany();
    await company.write(rowsOf(30));
    await company.sync();
    const state = new DatabaseSync(path.join(company.folder, 'kontor-sync.sqlite'));
    state.exec(`UPDATE mirror SET doc = json_set(doc, '$.updatedAt', '2099-01-01T00:00:00.000Z');
      UPDATE setting SET value = '2099-01-01T00:00:00.000Z/' || substr(value, 26) WHERE name LIKE 'checkpoint%'`);
    state.close();
    await company.write([personRow(1, 'Ulm'), ...rowsOf(30).slice(1)]);
    assert.equal((await company.sync(2)).applied.skipped.length, 1);
    assert.equal((await company.sync()).applied.updates, 1);
    assert.equal((await personOf(company, '1')).city, 'Ulm');
  });
});

describe('absent people', () => {
  test('are not blocked while a row has a number that cannot be read, and an unknown email', async () => {
    const company = await makeCompany();
    await company.configure({ absent: 'block' });
    await company.write(rowsOf(60));
    await company.sync();
    await company.write([
      personRow(1).with(0, '1.0').with(2, 'Neu').with(3, 'neu@example.com'),
      ...rowsOf(60).slice(1),
    ]);
    const { applied, absent, manual } = await company.sync(2);
    assert.deepEqual([applied.blocks, applied.creates, absent.length], [0, 0, 1]);
    assert.equal(manual[0].todo, '1 row cannot be read, so nobody is blocked: correct the file');
  });
});

describe('a report', () => {
  test('that cannot be written hides no write, and is named', async () => {
    const company = await makeCompany();
    const file = path.join(company.folder, 'report.json');
    await mkdir(file);
    await company.write(rowsOf(3));
    const { exitCode, stdout, stderr } = await company.run('run', path.join(company.folder, 'people.csv'));
    assert.equal(exitCode, 1);
    assert.match(stdout, /^Done: 3 people created/m);
    assert.ok(stderr.startsWith(`kontor-sync: ${file} cannot be written: `), stderr);
    assert.deepEqual(
      (await readdir(company.folder)).filter(name => name.endsWith('.partial')),
      [],
    );
  });

  test('has the name of its state, so that another configuration in the folder has another one', async () => {
    const company = await makeCompany();
    await company.write(rowsOf(3));
    await company.sync();
    const first = await readFile(path.join(company.folder, 'report.json'), 'utf8');
    await company.configure({ state: 'south.sqlite' });
    await company.write([personRow(1, 'Ulm')]);
    await company.sync(2);
    assert.equal(await readFile(path.join(company.folder, 'report.json'), 'utf8'), first);
    const second = JSON.parse(await readFile(path.join(company.folder, 'south-report.json'), 'utf8'));
    assert.equal(second.conflicts.length, 1);
  });
});

describe('kontor-sync init', () => {
  test('writes the key of another configuration into another file', async () => {
    const { folder } = await makeCompany();
    const file = path.join(folder, 'people.csv');
    await writeFile(file, csvOf([['E-Mail', 'Nachname']]));
    for (const name of ['north', 'south']) {
      const [stdin, stderr] = [new PassThrough(), new PassThrough()].map(stream =>
        Object.assign(stream, { isTTY: true }),
      );
      const terminal: any = { stdin, stdout: new PassThrough(), stderr, environment: {} };
      const config = path.join(folder, `${name}.json`);
      const options = ['--config', config, '--url', fixture.service.url, '--tenant', 'a'.repeat(24)];
      const done = runProgram(terminal, ['init', file, ...options]);
      await once(stderr!, 'data');
      stdin!.write(`kontor_${name}\n`);
      assert.equal(await done, 0);
    }
    for (const name of ['north', 'south'])
      assert.equal(await readFile(path.join(folder, `${name}.key`), 'utf8'), `kontor_${name}\n`);
  });
});
