import assert from 'node:assert/strict';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import { createTenant } from '../../server/src/features/organizations/store.ts';
import { testKey } from '../../server/test/support/data/test-data.ts';
import { type Company, csvOf, personRow, runHere, useCompanies } from './support/company.ts';

const { fixture, makeCompany } = useCompanies();

const persons = (count: number, city?: string, division?: string) =>
  Array.from({ length: count }, (_, index) => personRow(1001 + index, city, division));

const byNumber = async ({ kontor }: Company) =>
  new Map(
    (await Array.fromAsync(kontor.employees.list())).map(employee => [employee.employeeNumber, employee]),
  );

describe('kontor-sync run', () => {
  test('creates people and their divisions, parents first; a second run needs two requests', async () => {
    const company = await makeCompany();
    await company.write([
      ...persons(30),
      ...persons(3, 'Bonn', 'Einkauf').map(row => [
        `2${row[0]}`,
        ...row.slice(1, 3),
        `x${row[3]}`,
        ...row.slice(4),
      ]),
    ]);
    const first = await company.sync();
    assert.deepEqual([first.applied.creates, first.applied.divisions], [33, 3]);
    const divisions = await Array.fromAsync(company.kontor.divisions.list());
    const north = divisions.find(({ name }) => name === 'Nord')!;
    assert.equal(divisions.find(({ id }) => id === north.parentId)!.name, 'Vertrieb');
    const stored = await byNumber(company);
    assert.equal(stored.get('1001')!.divisionId, north.id);
    assert.deepEqual([stored.get('1030')!.city, stored.get('21001')!.city], ['Berlin', 'Bonn']);
    const second = await company.sync();
    assert.deepEqual([second.requests, second.applied.creates, second.applied.updates], [2, 0, 0]);
    const report = path.join(company.folder, 'report.json');
    assert.equal((await stat(report)).mode & 0o777, 0o600);
    assert.equal((await stat(path.join(company.folder, 'kontor-sync.sqlite'))).mode & 0o777, 0o600);
  });

  test('writes what the file changed, keeps what a person changed, and reports what both changed', async () => {
    const company = await makeCompany();
    await company.write(persons(40));
    await company.sync();
    const before = await byNumber(company);
    const edit = (number: string, body: object) =>
      company.kontor.employees.update(before.get(number)!.id, body);
    await edit('1002', { city: 'Von Hand' });
    await edit('1003', { city: 'Von Hand', lastName: 'Neu' });
    const changed = persons(40).map((row, index) =>
      index === 0 || index === 2 ? personRow(1001 + index, 'Ulm') : row,
    );
    await company.write(changed);
    const report = await company.sync(2);
    assert.deepEqual([report.applied.updates, report.conflicts.length, report.kept.length], [1, 1, 2]);
    const after = await byNumber(company);
    assert.deepEqual(
      ['1001', '1002', '1003'].map(number => after.get(number)!.city),
      ['Ulm', 'Von Hand', 'Von Hand'],
    );
    assert.equal(after.get('1003')!.lastName, 'Neu');
  });

  test('writes the first value of a field that was empty in the file and in Kontor', async () => {
    const company = await makeCompany();
    const body = { email: 'p1002@example.com', firstName: 'Vorname1002', lastName: 'Nachname1002' };
    await company.kontor.employees.create({ ...body, employeeNumber: '1002' });
    const rows = persons(30);
    await company.write([personRow(1001, '', ''), personRow(1002, '', ''), ...rows.slice(2)]);
    assert.equal((await company.sync()).applied.creates, 29);
    const stored = await byNumber(company);
    await company.write([personRow(1001, 'Ulm'), personRow(1002, '', ''), ...rows.slice(2)]);
    assert.equal((await company.sync()).applied.updates, 1);
    await company.kontor.employees.update(stored.get('1002')!.id, { city: 'Von Hand' });
    await company.write([personRow(1001, 'Ulm'), personRow(1002, 'Ulm'), ...rows.slice(2)]);
    const { applied, conflicts } = await company.sync(2);
    assert.deepEqual([applied.updates, conflicts.map(({ field }: any) => field)], [1, ['city']]);
    const after = await byNumber(company);
    assert.equal(after.get('1002')!.city, 'Von Hand');
    assert.equal(after.get('1002')!.divisionId, after.get('1001')!.divisionId);
  });

  test('finds nothing to do in the same file in another order, encoding and form, with other columns', async () => {
    const company = await makeCompany();
    const rows = persons(20, 'Köln', 'Entwicklung');
    await company.write(rows);
    await company.sync();
    const names = ['Mail', 'Extra', 'Abteilung', 'Ort', 'Nachname', 'Nr', 'Vorname'];
    const other = rows
      .toReversed()
      .map(([nr, first, last, mail, city, division]) => [mail!, 'x', division!, city!, last!, nr!, first!]);
    const file = path.join(company.folder, 'people.csv');
    const text = csvOf([['Auswertung'], names, ...other], '\t');
    for (const bytes of [Buffer.from(text, 'latin1'), Buffer.from(`\uFEFF${text}`, 'utf16le')]) {
      await writeFile(file, bytes);
      const { requests, applied } = await company.sync();
      assert.deepEqual([requests, applied.updates + applied.creates], [2, 0]);
    }
  });

  test('stops at the brake, and goes on with the number of people', async () => {
    const company = await makeCompany();
    await company.write(persons(20));
    await company.sync();
    await company.write(persons(20, 'Ulm'));
    const stopped = await company.sync(2);
    assert.deepEqual(
      [stopped.applied, stopped.brake],
      [null, '20 of 20 managed people would be changed and 0 created, more than 10 %'],
    );
    await company.sync(2, '--yes-change', '19');
    const { applied } = await company.sync(0, '--yes-change', '20');
    assert.equal(applied.updates, 20);
  });

  test('stops at a file of another company, whose people are all new', async () => {
    const company = await makeCompany();
    await company.write(persons(20));
    await company.sync();
    const others = persons(20).map(([number, ...row]) => [
      `9${number}`,
      `Z${row[0]}`,
      row[1]!,
      `z${row[2]}`,
      ...row.slice(3),
    ]);
    await company.write(others);
    const stopped = await company.sync(2);
    assert.deepEqual(
      [stopped.applied, stopped.brake],
      [null, '0 of 20 managed people would be changed and 20 created, more than 10 %'],
    );
    const plan = path.join(company.folder, 'plan.json');
    await company.plan();
    const { exitCode, stdout } = await company.run('apply', plan);
    assert.equal(exitCode, 2);
    assert.match(stdout, /^Stopped: .* Nothing was written\. If the file is right, add --yes-change 20$/m);
    assert.equal((await byNumber(company)).size, 20);
    await company.write([...persons(20), ...others.slice(0, 2)]);
    assert.equal((await company.sync()).applied.creates, 2);
    await company.write([...persons(20), ...others]);
    assert.equal((await company.sync(0, '--yes-change', '18')).applied.creates, 18);
  });

  test('creates everybody in the first sync, also after plans that know some people already', async () => {
    const company = await makeCompany();
    const body = { email: 'p1001@example.com', firstName: 'Vorname1001', lastName: 'Nachname1001' };
    await company.kontor.employees.create({ ...body, employeeNumber: '1001', city: 'Berlin' });
    await company.write(persons(20, 'Berlin', ''));
    for (let n = 0; n < 2; n++) assert.deepEqual((await company.plan()).brake, null);
    assert.equal((await company.sync()).applied.creates, 19);
  });

  test('blocks absent people only if the configuration says so, and unblocks those who are back', async () => {
    const company = await makeCompany();
    const byHand = await company.kontor.employees.create({
      email: 'hand@example.com',
      firstName: 'Ina',
      lastName: 'Hand',
    });
    await company.write(persons(60));
    await company.sync();
    await company.write(persons(59));
    assert.equal((await company.sync(2)).absent.length, 1);
    await company.configure({ absent: 'block' });
    assert.equal((await company.sync()).applied.blocks, 1);
    assert.equal((await byNumber(company)).get('1060')!.blocked, true);
    assert.equal((await company.kontor.employees.get(byHand.id)).blocked, false);
    assert.equal((await company.sync()).applied.blocks, 0);
    await company.write(persons(60));
    await company.sync();
    assert.equal((await byNumber(company)).get('1060')!.blocked, false);
  });

  test('blocks nobody while a row cannot be read', async () => {
    const company = await makeCompany();
    await company.configure({ absent: 'block' });
    await company.write(persons(60));
    await company.sync();
    await company.write([...persons(58), ['', 'Ohne', 'Schlüssel', '', '', '']]);
    const report = await company.sync(2);
    assert.deepEqual([report.applied.blocks, report.absent.length], [0, 2]);
  });

  test('names what it cannot read by line and column, and what HR does in the portal', async () => {
    const company = await makeCompany();
    await company.write(persons(30));
    await company.sync();
    const rows = persons(30);
    rows[1]![3] = 'neu@example.com';
    rows[2]![4] = '####';
    rows[3]![0] = '1001';
    await company.write(rows);
    const { rejects, manual } = await company.sync(2);
    assert.deepEqual(
      rejects.map(({ line, column, reason }: any) => [line, column, reason]),
      [
        [2, null, 'line 5 has the same number: export one row for each person'],
        [4, 'Ort', 'the column was too narrow: widen it, and export again'],
        [5, null, 'line 2 has the same number: export one row for each person'],
      ],
    );
    assert.match(manual[0].todo, /change the email to neu@example.com in the portal/);
  });
});

describe('kontor-sync apply', () => {
  test('executes exactly the plan, and skips a row that has moved since', async () => {
    const company = await makeCompany();
    await company.write(persons(40));
    await company.sync();
    await company.write([personRow(1001, 'Ulm'), personRow(1002, 'Ulm'), ...persons(40).slice(2)]);
    const plan = await company.plan();
    assert.deepEqual(
      plan.updates.map(({ changes }) => changes),
      [1, 2].map(() => [{ field: 'city', before: 'Berlin', after: 'Ulm' }]),
    );
    const moved = (await byNumber(company)).get('1002')!;
    await company.kontor.employees.update(moved.id, { city: 'Von Hand' });
    const file = path.join(company.folder, 'plan.json');
    const { stdout, exitCode } = await company.run('apply', file);
    assert.equal(exitCode, 2);
    assert.match(stdout, /1 changed/);
    assert.match(stdout, /Vorname1002 Nachname1002 \(1002\): changed in Kontor since the plan/);
    const cities = await byNumber(company);
    assert.deepEqual([cities.get('1001')!.city, cities.get('1002')!.city], ['Ulm', 'Von Hand']);
    // Once more: the first row is done, the other one is still skipped.
    assert.equal((await company.run('apply', file)).exitCode, 2);
    assert.equal((await company.sync(2)).conflicts.length, 1);
  });
});

describe('a lost state', () => {
  test('adopts what is equal, and writes nothing of what differs', async () => {
    const company = await makeCompany();
    await company.write(persons(30));
    await company.sync();
    await company.configure({ state: 'another.sqlite' });
    await company.write([personRow(1001, 'Ulm'), ...persons(30).slice(1)]);
    const report = await company.sync(2);
    assert.deepEqual(
      [report.applied.updates, report.applied.creates, report.conflicts[0].kind],
      [0, 0, 'first_contact'],
    );
    assert.equal((await byNumber(company)).get('1001')!.city, 'Berlin');
  });
});

describe('kontor-sync resolve', () => {
  const inConflict = async () => {
    const company = await makeCompany();
    await company.write(persons(30));
    await company.sync();
    const stored = await byNumber(company);
    for (const number of ['1001', '1002'])
      await company.kontor.employees.update(stored.get(number)!.id, { city: 'Von Hand' });
    await company.write([personRow(1001, 'Ulm'), personRow(1002, 'Ulm'), ...persons(30).slice(2)]);
    assert.equal((await company.sync(2)).conflicts.length, 2);
    return company;
  };

  test('takes the value of the file for a person and field', async () => {
    const company = await inConflict();
    const { stdout, exitCode } = await company.run(
      'resolve',
      '--take',
      'source',
      '--person',
      '1001',
      '--field',
      'city',
    );
    assert.equal(exitCode, 2);
    assert.match(stdout, /1 resolved, 1 left/);
    const { applied, conflicts } = await company.sync(2);
    assert.deepEqual([applied.updates, conflicts.length], [1, 1]);
    const cities = await byNumber(company);
    assert.deepEqual([cities.get('1001')!.city, cities.get('1002')!.city], ['Ulm', 'Von Hand']);
  });

  test('keeps the division of Kontor, also after the one of the file was created', async () => {
    const company = await makeCompany();
    await company.write(persons(30));
    await company.sync();
    const { id } = await company.kontor.divisions.create({ name: 'Von Hand' });
    const one = (await byNumber(company)).get('1001')!;
    await company.kontor.employees.update(one.id, { divisionId: id });
    const rows = [personRow(1001, 'Berlin', 'Lager'), ...persons(29).slice(1)];
    await company.write([...rows, personRow(1030)]);
    assert.equal((await company.sync(2)).conflicts.length, 1);
    await company.run('resolve', '--take', 'kontor');
    await company.write([...rows, personRow(1030, 'Berlin', 'Lager')]);
    for (const updates of [1, 0]) assert.equal((await company.sync()).applied.updates, updates);
    assert.equal((await byNumber(company)).get('1001')!.divisionId, id);
  });

  test('keeps the value of Kontor until the file changes again', async () => {
    const company = await inConflict();
    assert.equal((await company.run('resolve', '--take', 'kontor')).exitCode, 0);
    assert.equal((await company.sync()).applied.updates, 0);
    await company.write([personRow(1001, 'Kiel'), personRow(1002, 'Ulm'), ...persons(30).slice(2)]);
    assert.equal((await company.sync()).applied.updates, 1);
    assert.equal((await byNumber(company)).get('1001')!.city, 'Kiel');
  });
});

describe('divisions', () => {
  const withKeys = {
    columns: {
      Nr: 'employeeNumber',
      Vorname: 'firstName',
      Nachname: 'lastName',
      Mail: 'email',
      Ort: 'divisionKey',
      Abteilung: 'division',
    },
  } as const;

  test('with a number take the new name of the file, unless a person has renamed them', async () => {
    const company = await makeCompany();
    await company.configure(withKeys);
    await company.write([personRow(1, 'A', 'Vertrieb'), personRow(2, 'B', 'Einkauf')]);
    await company.sync();
    const [one, two] = await Array.fromAsync(company.kontor.divisions.list({ sort: '-name' }));
    await company.kontor.divisions.update(two!.id, { name: 'Von Hand' });
    await company.write([personRow(1, 'A', 'Sales'), personRow(2, 'B', 'Purchase')]);
    const { applied, manual } = await company.sync(2);
    assert.equal(applied.divisions, 1);
    assert.match(manual[0].todo, /the file names this division Purchase/);
    assert.equal((await company.kontor.divisions.get(one!.id)).name, 'Sales');
    assert.equal((await company.kontor.divisions.get(two!.id)).name, 'Von Hand');
  });

  test('are never moved, and one that a person has renamed is not created again', async () => {
    const company = await makeCompany();
    await company.write(persons(20));
    await company.sync();
    const divisions = await Array.fromAsync(company.kontor.divisions.list());
    for (const { id, name } of divisions) await company.kontor.divisions.update(id, { name: `${name} neu` });
    const { applied, kept } = await company.sync();
    assert.deepEqual([applied.divisions, applied.updates, kept.length], [0, 0, 0]);
    assert.equal((await Array.fromAsync(company.kontor.divisions.list())).length, divisions.length);
  });

  test('are created only for people who are written', async () => {
    const company = await makeCompany();
    await company.write([personRow(1), ['Summe', '', '', '', '', 'Gesamt / Anzahl']]);
    const { applied } = await company.sync(2);
    assert.deepEqual([applied.creates, applied.divisions], [1, 2]);
    const names = (await Array.fromAsync(company.kontor.divisions.list())).map(({ name }) => name);
    assert.deepEqual(names.toSorted(), ['Nord', 'Vertrieb']);
  });

  test('whose slash has no blanks are found, but not created', async () => {
    const company = await makeCompany();
    const parts = ['Ein-/Verkauf', 'Vertrieb / Nord', 'Vertrieb/Nord', 'F/E'];
    await company.write(parts.map((division, index) => personRow(index + 1, 'Ulm', division)));
    await company.kontor.divisions.create({ name: 'F/E' });
    const { applied, rejects } = await company.sync(2);
    assert.deepEqual([applied.creates, applied.divisions, rejects.length], [4, 2, 1]);
    assert.equal(
      rejects[0].reason,
      'Kontor has no division Ein-/Verkauf: write "Ein- / Verkauf" if it is a path, or create one of this name in the portal',
    );
    const stored = await byNumber(company);
    assert.equal(stored.get('2')!.divisionId, stored.get('3')!.divisionId);
    assert.notEqual(stored.get('4')!.divisionId, null);
    await company.kontor.divisions.create({ name: 'Ein-/Verkauf' });
    assert.equal((await company.sync(0, '--yes-change', '1')).applied.updates, 1);
  });

  test('that Kontor lacks are rejected where none is created', async () => {
    const company = await makeCompany();
    await company.configure({ createDivisions: false });
    await company.write([personRow(1)]);
    const { rejects, applied } = await company.sync(2);
    assert.equal(applied.creates, 1);
    assert.match(rejects[0].reason, /^Kontor has no division Vertrieb \/ Nord: create it in the portal/);
  });
});

describe('kontor-sync init', () => {
  test('proposes a mapping that works, from options and the environment', async () => {
    const company = await makeCompany();
    const config = path.join(company.folder, 'new.json');
    const file = path.join(company.folder, 'hr.csv');
    await writeFile(
      file,
      csvOf([
        ['Personalnummer', 'Vorname', 'Nachname', 'E-Mail', 'PLZ', 'Gehalt', 'Abteilung', 'Abteilungsnummer'],
        ['7', 'Ina', 'Neu', 'ina@example.com', '01067', '1', 'Lager', 'L1'],
      ]),
    );
    const url = JSON.parse(await readFile(path.join(company.folder, 'kontor-sync.json'), 'utf8')).baseUrl;
    const environment = { KONTOR_API_KEY: company.apiKey };
    const init = await runHere(['init', file, '--config', config, '--url', url], environment);
    assert.equal(init.exitCode, 0, init.stderr);
    assert.match(init.stdout, /Not read: Gehalt$/m);
    assert.match(init.stdout, /Abteilungsnummer → divisionKey/);
    const run = await runHere(['run', file, '--config', config], environment);
    assert.equal(run.exitCode, 0, run.stderr + run.stdout);
    assert.equal((await byNumber(company)).get('7')!.postalCode, '01067');
    assert.equal((await runHere(['init', file, '--config', config, '--url', url], environment)).exitCode, 1);
  });

  test('takes the company and divisions of the key, and does not choose among companies', async () => {
    const company = await makeCompany();
    const { folder, organization, tenant } = company;
    await company.kontor.divisions.create({ name: 'Lager' });
    const [file, config] = ['hr.csv', 'new.json'].map(name => path.join(folder, name));
    await writeFile(file!, csvOf([['E-Mail', 'Nachname']]));
    const url = fixture.service.url;
    const init = async (apiKey: string) => {
      await rm(config!, { force: true });
      return runHere(['init', file!, '--config', config!, '--url', url], { KONTOR_API_KEY: apiKey });
    };
    const written = async () => JSON.parse(await readFile(config!, 'utf8'));
    await init(company.apiKey);
    assert.deepEqual([(await written()).tenant, (await written()).access], [tenant, undefined]);
    const id = (await company.kontor.divisions.list().first())!.id;
    await init(await testKey(fixture.sql, organization, { divisions: [{ tenant, id }] }));
    assert.deepEqual([(await written()).tenant, (await written()).access], [tenant, 'divisions']);
    await createTenant(fixture.sql, organization, 'Empty');
    const { exitCode, stderr } = await init(company.apiKey);
    assert.equal(exitCode, 1);
    assert.equal(
      stderr,
      'kontor-sync: the key has several companies: choose one with --tenant. The portal shows the identifiers under Companies\n',
    );
  });

  test('does not read numbers of divisions without their names', async () => {
    const { folder } = await makeCompany();
    const [file, config] = ['hr.csv', 'new.json'].map(name => path.join(folder, name));
    await writeFile(file!, csvOf([['E-Mail', 'Nachname', 'Abteilungsnummer']]));
    const args = ['init', file!, '--config', config!, '--url', 'http://127.0.0.1:9/v1', '--tenant', 'a'];
    const { exitCode, stdout, stderr } = await runHere(args, { KONTOR_API_KEY: 'a' });
    assert.equal(exitCode, 0, stderr);
    assert.match(stdout, /Not read: Abteilungsnummer$/m);
  });
});

describe('mistakes', () => {
  test('of the configuration are named with line and column', async () => {
    const company = await makeCompany();
    const file = path.join(company.folder, 'kontor-sync.json');
    for (const [text, message] of [
      ['{\n  "baseUrl": "x"\n}', /:2:3: baseUrl does not match .*such as https:/],
      [
        '{\n  "baseUrl": "http://a",\n  "matchBy": "email",\n  "columns": {"a": "mail"}}',
        /:4:15: columns.a must be one of/,
      ],
      ['{"baseUrl": "http://a",\n "absence": "block"}', /:2:2: absence is not a known property/],
      ['{"baseUrl": }', /:1:13: this is not valid JSON/],
    ] as const) {
      await writeFile(file, text);
      const { exitCode, stderr } = await company.run('plan', '-');
      assert.equal(exitCode, 1);
      assert.match(stderr, message);
      assert.equal(stderr.trim().split('\n').length, 1);
    }
  });

  test('of the file name the column that is missing', async () => {
    const company = await makeCompany();
    await writeFile(path.join(company.folder, 'people.csv'), 'Nr;Vorname\n1;Ina');
    assert.match(
      await company.sync(1),
      /has no column Nachname, Mail, Ort, Abteilung; its columns are Nr, Vorname/,
    );
  });

  test('of a plan are named', async () => {
    const company = await makeCompany();
    const file = path.join(company.folder, 'plan.json');
    await company.write(persons(1));
    const wholePlan = JSON.stringify(await company.plan());
    for (const [text, message] of [
      ['{"version": 1}', /is not a whole plan of this version: make it again with kontor-sync plan$/m],
      [wholePlan.replace('"email"', '"mail"'), /is not a whole plan/],
      ['null', /is not a whole plan of this version/],
      ['Nr;Name', /cannot be read as a plan/],
    ] as const) {
      await writeFile(file, text);
      const { exitCode, stderr } = await company.run('apply', file);
      assert.equal(exitCode, 1);
      assert.match(stderr, message);
    }
  });

  test('of the key name the request', async () => {
    const company = await makeCompany();
    await company.write(persons(1));
    const args = [
      'run',
      path.join(company.folder, 'people.csv'),
      '--config',
      path.join(company.folder, 'kontor-sync.json'),
    ];
    const { exitCode, stderr } = await runHere(args, { KONTOR_API_KEY: 'kontor_wrong' });
    assert.equal(exitCode, 1);
    assert.match(stderr, /^kontor-sync: 401 INVALID_API_KEY: .*\(request [0-9a-f-]{36}\)\n$/);
  });
});
