// cspell:disable
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Employee, type EmployeeImportRow } from '@kontor/contract';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { exportOf } from '../support/contract/exports.ts';
import { Random } from '../../../tabular/test/generator/random.ts';
import { columns as kinds, makeCell } from '../../../tabular/test/generator/values.ts';
import { createOrganization, createTenant } from '../../src/features/organizations/store.ts';
import { describeProblems } from '../../src/imports/problems.ts';
import { importEmployeesHere } from '../imports/in-process.ts';
import { importSteps } from '../support/data/employee-imports.ts';
import { storeEmployees } from '../support/data/employees.ts';
import { atScale } from '../support/service/scale.ts';
import { testDivision } from '../support/data/test-data.ts';
import { signedInUser } from '../support/data/users.ts';
import { usePortal } from './support.ts';

let steps: ReturnType<typeof importSteps>;
let key: string;
let folder: string;
const fixture = usePortal(async ({ sql, portal, testData }) => {
  const hr = { permissions: ['HR' as const], hrTenants: null };
  key = (await signedInUser(sql, testData.organization, hr)).secret;
  steps = importSteps(portal, key);
});
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'kontor-cases-'));
});
after(() => rm(folder, { recursive: true }));

async function company(staff: readonly Partial<Employee>[] = []): Promise<string> {
  const { sql, testData } = fixture;
  const tenant = await createTenant(sql.database.writes, testData.organization, `Muster ${Math.random()}`);
  const named = staff.map(person => ({ firstName: 'Mia', lastName: 'Fischer', tenant, ...person }));
  await storeEmployees(sql, testData.organization, named);
  return tenant;
}

async function employeesOf(tenant: string): Promise<Employee[]> {
  const rows = await fixture.sql<{ doc: string }[]>`
    SELECT doc FROM employee WHERE tenant_id = ${tenant} ORDER BY employee_number, email_key`;
  return rows.map(({ doc }) => JSON.parse(doc) as Employee);
}

/** The same columns of all employees, as texts. */
async function valuesOf(tenant: string, fields: readonly (keyof Employee)[]): Promise<string[]> {
  return (await employeesOf(tenant)).map(person => fields.map(field => person[field]).join(' '));
}

/** Emails are unique in the organization: another company can have those of this one now. */
async function release(tenant: string): Promise<void> {
  await fixture.sql`UPDATE employee SET email_key = id WHERE tenant_id = ${tenant}`;
}

/** Imports a file with the command into a company of another organization. Returns it with the rejected lines and their reasons. */
async function command(
  bytes: Buffer,
  options: object = {},
): Promise<{ tenant: string; rejected: [line: number, reason: string][] }> {
  const { sql } = fixture;
  const tenant = await createTenant(sql, await createOrganization(sql, 'Muster'), 'Muster GmbH');
  const file = path.join(folder, 'people.csv');
  await writeFile(file, bytes);
  const outcome = await importEmployeesHere(sql.database, file, { tenant, ...options });
  const { rejectedFile } = outcome!.json as { rejectedFile: string | null };
  if (rejectedFile === null) return { tenant, rejected: [] };
  const text = await readFile(rejectedFile, 'utf8');
  const [, delimiter = ','] = /(.)"?line"?\1"?reason"?\n/.exec(text) ?? [];
  const [, ...rows] = parse(text, { delimiter, relax_column_count: true, record_delimiter: '\n' });
  return { tenant, rejected: rows.map((row: string[]) => [Number(row.at(-2)), row.at(-1)!]) };
}

/** The rows that the portal does not import by itself, as the command describes them. */
async function problemsOf(id: string): Promise<[line: number, reason: string][]> {
  const rows = await Promise.all(
    (['error', 'question'] as const).map(view => steps.rows(id, view, { pageSize: 100 })),
  );
  return rows
    .flat()
    .toSorted((one, other) => one.line - other.line)
    .map(({ line, problems }) => [line, describeProblems(problems, 'en')]);
}

const compared = [
  'employeeNumber',
  'email',
  'firstName',
  'lastName',
  'postalCode',
  'city',
  'countryCode',
  'phoneNumber',
  'blocked',
  'additionalInfo',
] as const;

const inputFile = (name: string) => readFile(new URL(`../imports/files/${name}.csv`, import.meta.url));

describe('the portal and the command read the same', () => {
  for (const [name, rows, problems] of [
    ['sep', ['7001 Jürgen Groß 01067 Dresden +49 351 1', '7002 Käthe Weiß 80331 München '], []],
    [
      'short',
      ['7001 Jürgen Groß 01067 Dresden +49 351 1', '7002 Käthe Weiß 80331 München ', '7003 Ole Olsen   '],
      [],
    ],
    ['blank', ['7001 Jürgen Groß 01067 Dresden +49 351 1', '7002 Käthe Weiß 80331 München '], []],
    [
      'mixed',
      ['7001 Jürgen Groß 01067 Dresden +49 351 1'],
      [
        [
          3,
          'the byte 0xE4 (line 3, character 7) is not UTF-8 like the rest of the file; correct the character',
        ],
      ],
    ],
    ['title', ['7001 Jürgen Groß 01067 Dresden +49 351 1', '7002 Käthe Weiß 80331 München '], []],
    ['twice', ['7001 J G   1'], []],
  ] as const)
    test(`file ${name}.csv`, async () => {
      const bytes = await inputFile(name);
      const tenant = await company();
      const { id } = await steps.plan(tenant, bytes);
      assert.deepEqual(await problemsOf(id), problems);
      await steps.apply(id);
      const fields = [
        'employeeNumber',
        'firstName',
        'lastName',
        'postalCode',
        'city',
        'phoneNumber',
      ] as const;
      assert.deepEqual(await valuesOf(tenant, fields), rows);
      const other = await command(bytes, name === 'twice' ? { ignore: ['Telefon (2)'] } : {});
      assert.deepEqual(other.rejected, problems);
      assert.deepEqual(await valuesOf(other.tenant, compared), await valuesOf(tenant, compared));
      await release(tenant);
    });

  test('words for yes, no and countries', async () => {
    const bytes = await inputFile('words');
    const tenant = await company();
    await steps.apply((await steps.plan(tenant, bytes)).id);
    const other = await command(bytes);
    for (const each of [tenant, other.tenant])
      assert.deepEqual(await valuesOf(each, ['employeeNumber', 'blocked', 'countryCode']), [
        '7001 false DE',
        '7002 true DE',
        '7003 false DE',
      ]);
  });

  test('titles above the header: the names are in row 2, which a user can change', async () => {
    const uploaded = await steps.upload(await company(), await inputFile('title'));
    const { mapping, rows, columns, missing } = await steps.details(uploaded.body.id);
    assert.equal(mapping.headerRow, 2);
    assert.deepEqual(
      rows.map(({ line }) => line),
      [1, 3, 4, 5],
    );
    assert.deepEqual([columns[5]!.name, columns[5]!.samples, missing], ['Ort', ['Dresden', 'München'], []]);
    const { body } = await fixture.portal.get(`/employee-imports/${uploaded.body.id}`, {
      key,
      query: { headerRow: 0 },
    });
    assert.deepEqual(
      [body.mapping.headerRow, body.mapping.columns, body.missing],
      [null, [], ['email', 'firstName', 'lastName']],
    );
    assert.deepEqual(body.columns[0].samples, [
      'Mitarbeiterliste Stand 01.11.2026',
      'Personalnummer',
      '7001',
    ]);
  });

  test('two columns of one name are told apart', async () => {
    const uploaded = await steps.upload(await company(), await inputFile('twice'));
    const { columns } = await steps.details(uploaded.body.id);
    assert.deepEqual(
      columns.slice(4).map(({ name, isExact }) => [name, isExact]),
      [
        ['Telefon', true],
        ['Telefon (2)', null],
      ],
    );
  });

  test('files of any dialect, with damaged values, titles, blank and ragged rows', async t => {
    const kindOf = new Map(kinds.map(([name, , kind]) => [name, kind]));
    for (let seed = 1; seed <= atScale(25, 400); seed++) {
      const random = new Random(seed);
      const header = ['Personalnummer', 'E-Mail', 'Vorname', 'Nachname', 'Land', 'PLZ', 'Bemerkung'];
      const cell = (name: string) => makeCell(kindOf.get(name)!, random).written;
      const rows = Array.from({ length: 12 }, (_, n) => [
        cell('Personalnummer'),
        random.once(10) ? 'p1@example.com' : `p${n}@example.com`,
        cell('Vorname') || 'Mia',
        cell('Nachname') || 'Fischer',
        random.once(2) ? cell('Land') : '',
        cell('PLZ'),
        cell('Bemerkung'),
        ...random.pick([[], [], [''], ['zu viel']]),
      ]);
      const titles = random.pick([[], [], [['Liste der Mitarbeiter']]]);
      const delimiter = random.pick([';', ',', '\t']);
      const text = stringify([...titles, header, [], ...rows], {
        delimiter,
        record_delimiter: random.pick(['\n', '\r\n']),
        quoted: random.once(3),
        quoted_match: /[\r\n]/,
      });
      const bytes = random.pick([
        Buffer.from(text),
        Buffer.from(`\uFEFF${text}`),
        Buffer.from(`\uFEFF${text}`, 'utf16le'),
      ]);
      await t.test(`file ${seed}`, async () => {
        const tenant = await company();
        const { id, status, failure } = await steps.plan(tenant, bytes);
        assert.equal(status, 'planned', JSON.stringify(failure));
        const other = await command(bytes);
        assert.deepEqual(other.rejected, await problemsOf(id), text);
        await steps.apply(id);
        assert.deepEqual(await valuesOf(other.tenant, compared), await valuesOf(tenant, compared));
        await release(tenant);
      });
    }
  });
});

describe('a row about a stored person', () => {
  const marriage = async () => {
    const tenant = await company([
      {
        employeeNumber: '10001',
        email: 'bjoern.adler@musterwerk.example',
        firstName: 'Björn',
        lastName: 'Adler',
      },
    ]);
    const planned = await steps.plan(tenant, await inputFile('marriage'));
    return { ...planned, tenant };
  };

  test('with another email asks about the email alone: without an answer it stays, and its other fields are imported', async () => {
    const { tenant, id, counts } = await marriage();
    assert.deepEqual([counts?.changes, counts?.questions, counts?.accepted], [1, 1, 0]);
    const [row] = await steps.rows(id, 'change');
    assert.deepEqual(
      [row!.changes, row!.problems.map(({ code, column }) => [code, column])],
      [[{ field: 'lastName', before: 'Adler', after: 'Weiß' }], [['changed_email', 'E-Mail']]],
    );
    assert.deepEqual(await steps.rows(id, 'question'), [row]);
    await steps.apply(id, { confirmedChanges: 1 });
    assert.deepEqual(await valuesOf(tenant, ['lastName', 'email']), ['Weiß bjoern.adler@musterwerk.example']);
    await release(tenant);
  });

  test('with another email gets it after a confirmed answer, in the history and the audit', async () => {
    const { tenant, id } = await marriage();
    const [{ line, problems }] = (await steps.rows(id, 'question')) as [EmployeeImportRow];
    await steps.answer(id, { answer: 'leave_out', lines: [line] });
    const answered = await steps.answer(id, { answer: 'import', lines: [line] });
    assert.deepEqual([answered.counts?.changes, answered.counts?.accepted], [1, 1]);
    await steps.apply(id, { confirmedChanges: 1 });
    assert.deepEqual(await valuesOf(tenant, ['lastName', 'email']), [`Weiß ${problems[0]!.found}`]);
    const [applied] = await steps.rows(id, 'applied');
    assert.deepEqual(
      applied!.changes.map(({ field }) => field),
      ['email', 'lastName'],
    );
    const { sql } = fixture;
    const [audited] =
      await sql`SELECT fields FROM audit WHERE target_id = ${applied!.employeeId} ORDER BY at DESC`;
    assert.deepEqual(audited!['fields'], ['lastName', 'email']);
    await release(tenant);
  });

  test('with another email and nothing else is a question, and another person who has the email by then keeps it', async () => {
    const [before, after] = [`alt${seedMail()}`, `neu${seedMail()}`];
    const tenant = await company([{ employeeNumber: '1', email: before }]);
    const { id, counts } = await steps.plan(tenant, `Personalnummer;E-Mail\n1;${after}\n`);
    assert.deepEqual([counts?.changes, counts?.questions, counts?.unchanged], [0, 1, 0]);
    const answered = await steps.answer(id, { answer: 'import' });
    assert.deepEqual([answered.counts?.changes, answered.counts?.accepted], [1, 1]);
    const { sql, testData } = fixture;
    await storeEmployees(sql, testData.organization, [{ email: after.toUpperCase() }]);
    await steps.apply(id, { confirmedChanges: 1 });
    const [row] = await steps.rows(id, 'skipped');
    assert.deepEqual([row!.reason, await valuesOf(tenant, ['email'])], ['taken', [before]]);
  });

  for (const lastName of ['Neu', 'Alt'])
    test(`with the number of another person is a question: Ute Alt, Bea ${lastName}`, async () => {
      const tenant = await company([
        { employeeNumber: '1', email: `alt${seedMail()}`, firstName: 'Ute', lastName: 'Alt' },
      ]);
      const planned = await steps.plan(
        tenant,
        `Personalnummer;E-Mail;Vorname;Nachname\n1;neu${seedMail()};Bea;${lastName}\n`,
      );
      assert.deepEqual([planned.counts?.questions, planned.counts?.changes], [1, 0]);
      const [row] = await steps.rows(planned.id, 'question');
      assert.deepEqual(
        [row!.problems.map(({ code }) => code), row!.answer],
        [['number_reused', 'changed_email'], null],
      );
      await steps.apply(planned.id);
      assert.deepEqual(await valuesOf(tenant, ['firstName']), ['Ute']);
    });

  test('has no question and no change where its cell equals the stored value, whatever it looks like', async () => {
    const stored = {
      employeeNumber: '4,9E+11',
      postalCode: '1067',
      city: 'MÃ¼nchen',
      additionalInfo: '####',
      phoneNumber: "'=1",
      street: 'Ju\u0308rgenweg 1',
    };
    const tenant = await company([stored]);
    const names = Object.keys(stored).join(';');
    const { counts } = await steps.plan(
      tenant,
      `${names}\n${Object.values(stored).join(';').normalize('NFC')}\n`,
    );
    assert.deepEqual([counts?.unchanged, counts?.errors, counts?.questions], [1, 0, 0]);
  });

  test('loses no field to a damaged value', async () => {
    const tenant = await company([{ employeeNumber: '1', phoneNumber: '+49 1', city: 'Ulm' }]);
    const { id } = await steps.plan(tenant, 'Personalnummer;Telefon;Zusatz;Ort\n="1";4,9E+11;#NV;Köln\n');
    const [row] = await steps.rows(id, 'change');
    assert.deepEqual(
      row!.notices.map(({ code, column, found }) => [code, column, found]),
      [
        ['rounded_number', 'Telefon', '4,9E+11'],
        ['formula_error', 'Zusatz', '#NV'],
      ],
    );
    await steps.apply(id, { confirmedChanges: 1 });
    assert.deepEqual(await valuesOf(tenant, ['phoneNumber', 'additionalInfo', 'city']), ['+49 1  Köln']);
  });
});

let mails = 0;
const seedMail = () => `${++mails}.${process.pid}@example.com`;

describe('questions', () => {
  const header = 'E-Mail;Vorname;Nachname;PLZ;Land;Ort;Abteilung';

  async function asked(division = 'Nord') {
    const { sql, testData } = fixture;
    const tenant = await company();
    const place = { organizationId: testData.organization, tenantId: tenant };
    const sales = await testDivision(sql, place, 'Vertrieb');
    const north = await testDivision(sql, { ...place, parentId: sales }, 'Nord');
    const rows = [
      `${seedMail()};A;Eins;1067;;;`,
      `${seedMail()};B;Zwei;1010;Österreich;;`,
      `${seedMail()};C;Drei;;;MÃ¼nchen;`,
      `${seedMail()};D;Vier;;;;${division}`,
    ];
    return { tenant, north, planned: await steps.plan(tenant, `${header}\n${rows.join('\n')}\n`) };
  }

  test('have suggestions, are accepted or left out, and accepted ones are imported', async () => {
    const { tenant, north, planned } = await asked();
    const { id } = planned;
    assert.deepEqual([planned.counts?.questions, planned.counts?.adds], [3, 1]);
    const questions = await steps.rows(id, 'question');
    assert.deepEqual(
      questions.map(({ line, problems: [problem] }) => [
        line,
        problem!.code,
        problem!.found,
        problem!.suggestion,
      ]),
      [
        [2, 'short_postal_code', '1067', '01067'],
        [4, 'garbled_text', 'MÃ¼nchen', 'München'],
        [5, 'proposed_division', 'Nord', 'Vertrieb / Nord'],
      ],
    );
    const all = await steps.answer(id, { answer: 'import' });
    assert.deepEqual([all.counts?.questions, all.counts?.accepted, all.counts?.adds], [3, 3, 4]);
    const fewer = await steps.answer(id, { answer: 'leave_out', lines: [4] });
    assert.deepEqual([fewer.counts?.accepted, fewer.counts?.adds], [2, 3]);
    assert.deepEqual(
      (await steps.rows(id, 'question')).map(({ kind, answer }) => [kind, answer]),
      [
        ['add', 'import'],
        ['question', 'leave_out'],
        ['add', 'import'],
      ],
    );
    const { counts } = await steps.apply(id);
    assert.equal(counts?.applied, 3);
    assert.deepEqual((await valuesOf(tenant, ['lastName', 'postalCode', 'divisionId'])).toSorted(), [
      'Eins 01067 ',
      `Vier  ${north}`,
      'Zwei 1010 ',
    ]);
  });

  for (const name of ['vertrieb nord', 'Vertrieb > Nord', 'Vertrieb/ Nord', 'NORD'])
    test(`find the one division that can be meant: ${name}`, async () => {
      const { planned, north } = await asked(name);
      const row = (await steps.rows(planned.id, 'question')).find(({ line }) => line === 5);
      const added = (await steps.rows(planned.id, 'add')).find(({ line }) => line === 5);
      const meant = row?.problems[0]?.suggestion ?? added?.changes.at(-1)?.after;
      assert.equal(meant, 'Vertrieb / Nord', north);
    });

  test('422 VALIDATION_ERROR: a line has no question; 409 INVALID_STATE_TRANSITION: the import is applied', async () => {
    const { planned } = await asked();
    const answer = (body: object) =>
      fixture.portal.post(`/employee-imports/${planned.id}/answers`, body, { key });
    const unknown = await answer({ answer: 'import', lines: [2, 3] });
    assert.deepEqual(
      [unknown.status, unknown.body.error.message],
      [422, 'lines: the import has no question in line 3'],
    );
    assert.equal((await steps.settled(planned.id)).counts?.accepted, 0);
    await steps.apply(planned.id);
    assert.equal((await answer({ answer: 'import' })).status, 409);
  });
});

test('the rows with errors are downloaded, corrected in Excel and uploaded again', async () => {
  const tenant = await company();
  const [first, second] = [seedMail(), seedMail()];
  const long = '97O70 zu lang für eine Postleitzahl';
  const file = Buffer.from(
    [
      'sep=;',
      'Stand 1.11.;;;',
      'E-Mail;Vorname;Nachname;Personalnummer;PLZ',
      `${first};Jörg;Groß;="00701";${long}`,
      `${seedMail()};Gut;Gut;702;97070`,
      `${second};Ute;Müller;703;1067`,
      `kaputt;"x"y;z;704;`,
    ].join('\r\n'),
    'latin1',
  );
  const planned = await steps.plan(tenant, file);
  assert.deepEqual([planned.counts?.adds, planned.counts?.errors, planned.counts?.questions], [1, 2, 1]);
  const bytes = await steps.errors(planned.id, 'de');
  const postcode = 'PLZ: eine deutsche Postleitzahl hat fünf Ziffern, nicht „1067“; vermutlich „01067“';
  const quote =
    'ein Anführungszeichen steht in einem Wert (Zeile 7, Zeichen 11); den Wert in Anführungszeichen setzen und das Zeichen verdoppeln';
  assert.deepEqual(parse(bytes, { bom: true, delimiter: ';' }), [
    ['E-Mail', 'Vorname', 'Nachname', 'Personalnummer', 'PLZ', 'Fehler'],
    [first, 'Jörg', 'Groß', '="00701"', long, 'PLZ: höchstens 20 Zeichen eingeben'],
    [second, 'Ute', 'Müller', '703', '1067', postcode],
    ['kaputt;"x"y;z;704;', '', '', '', '', quote],
  ]);
  assert.match(
    (await steps.errors(planned.id, 'en')).toString(),
    /^\uFEFF[^\r]*;Errors\r\n.*enter at most 20 characters/,
  );
  await steps.apply(planned.id);
  const corrected = bytes.toString().replace(long, '97070').replace(';1067;', ';01067;');
  const again = await steps.plan(tenant, corrected);
  assert.deepEqual([again.counts?.adds, again.counts?.errors], [2, 1]);
  const [left] = parse(await steps.errors(again.id, 'de'), { bom: true, delimiter: ';' });
  assert.deepEqual(left, ['E-Mail', 'Vorname', 'Nachname', 'Personalnummer', 'PLZ', 'Fehler']);
  await steps.apply(again.id);
  assert.deepEqual(await valuesOf(tenant, ['employeeNumber', 'postalCode']), [
    '00701 97070',
    '702 97070',
    '703 01067',
  ]);
});

describe('an export', () => {
  test('goes in again as unchanged, also of persons without a number', async () => {
    const tenant = await company([
      { employeeNumber: '1', email: seedMail() },
      { employeeNumber: null, email: seedMail(), countryCode: 'AT', postalCode: '1010' },
      { employeeNumber: '3', email: seedMail(), firstName: null, lastName: null },
    ]);
    const { bytes } = await fixture.portal.post(
      '/employees/export',
      exportOf(Object.keys(Employee.properties), { filter: `tenant = ${tenant}` }),
      { key },
    );
    const uploaded = await steps.upload(tenant, bytes);
    assert.equal((await steps.details(uploaded.body.id)).mapping.matchBy, 'email');
    await steps.post(uploaded.body.id, 'discard');
    for (const matchBy of ['email', 'employeeNumber']) {
      const { id, counts } = await steps.plan(tenant, bytes, mapping => ({ ...mapping, matchBy }));
      assert.deepEqual([counts?.unchanged, counts?.errors, counts?.adds], [3, 0, 0], matchBy);
      await steps.post(id, 'discard');
    }
  });
});
