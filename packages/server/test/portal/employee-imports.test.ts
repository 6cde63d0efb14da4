import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Employee, type EmployeeImportDetails } from '@kontor/contract';
import { parse } from 'csv-parse/sync';
import { exportOf } from '../support/contract/exports.ts';
import { createTenant } from '../../src/features/organizations/store.ts';
import { employeeImportRemoval } from '../../src/features/employees/portal-import/removal.ts';
import { databaseStore } from '../../src/files/database-store.ts';
import { eraseDataSubject } from '../../src/privacy/erase.ts';
import { readStoredRows } from '../../src/privacy/stored-rows.ts';
import { operator } from '../../src/write/writes.ts';
import { runOnce } from '../jobs/support.ts';
import { importSteps } from '../support/data/employee-imports.ts';
import { storeEmployees } from '../support/data/employees.ts';
import { waitForLocks } from '../support/database/locks.ts';
import { testDivision } from '../support/data/test-data.ts';
import { signedInUser } from '../support/data/users.ts';
import { usePortal } from './support.ts';

let steps: ReturnType<typeof importSteps>;
let others: ReturnType<typeof importSteps>;
let petra: string;
const fixture = usePortal(async ({ sql, portal, testData }) => {
  const user = async (name: string) => {
    const hr = { name, permissions: ['HR' as const], hrTenants: null };
    return (await signedInUser(sql, testData.organization, hr)).secret;
  };
  petra = await user('Petra Lang');
  steps = importSteps(portal, petra);
  others = importSteps(portal, await user('Jonas Meier'));
});

/** A company of its own, as it has one open import at a time. */
async function company(
  staff: readonly Partial<Employee>[] = [],
): Promise<{ tenant: string; stored: Employee[] }> {
  const { sql, testData } = fixture;
  const tenant = await createTenant(sql.database.writes, testData.organization, `Muster ${Math.random()}`);
  const stored = await storeEmployees(
    sql,
    testData.organization,
    staff.map(person => ({ firstName: 'Mia', lastName: 'Fischer', tenant, ...person })),
  );
  return { tenant, stored };
}

async function employeesOf(tenant: string): Promise<Employee[]> {
  const rows = await fixture.sql<{ doc: string }[]>`
    SELECT doc FROM employee WHERE tenant_id = ${tenant} ORDER BY employee_number`;
  return rows.map(({ doc }) => JSON.parse(doc) as Employee);
}

const outcome = ({ status, body }: { status: number; body: any }) =>
  `${status} ${body?.error?.code ?? body?.status}`;

let mails = 0;
const mail = () => `person.${process.pid}.${++mails}@example.com`;

describe('a file', () => {
  for (const [name, file, encoding, delimiter] of [
    ['UTF-8 and ;', Buffer.from('E-Mail;Vorname;Nachname;Ort\n@;Jörg;Groß;Köln\n'), 'utf-8', ';'],
    [
      'UTF-8 with a byte order mark and ,',
      Buffer.from('\ufeffE-Mail,Vorname,Nachname,Ort\r\n@,Jörg,Groß,Köln\r\n'),
      'utf-8',
      ',',
    ],
    [
      'Windows-1252 and ;',
      Buffer.from('E-Mail;Vorname;Nachname;Ort\r\n@;Jörg;Groß;Köln\r\n', 'latin1'),
      'windows-1252',
      ';',
    ],
    [
      'Windows-1252 and , in quotes',
      Buffer.from('"E-Mail","Vorname","Nachname; Titel","Ort"\r\n"@","Jörg","Groß","Köln"\r\n', 'latin1'),
      'windows-1252',
      ',',
    ],
  ] as const)
    test(`of ${name} is read and stored as it is written`, async () => {
      const { tenant } = await company();
      const bytes = Buffer.from(file.toString('latin1').replace('@', mail()), 'latin1');
      const planned = await steps.plan(tenant, bytes, mapping => ({
        ...mapping,
        columns: ['email', 'firstName', 'lastName', 'city'].map((field, column) => ({
          column,
          field,
          emptyClears: false,
        })),
      }));
      assert.deepEqual([planned.encoding, planned.delimiter, planned.counts?.adds], [encoding, delimiter, 1]);
      const applied = await steps.apply(planned.id);
      assert.deepEqual([applied.status, applied.counts?.applied], ['applied', 1]);
      const [person] = await employeesOf(tenant);
      assert.deepEqual([person!.firstName, person!.lastName, person!.city], ['Jörg', 'Groß', 'Köln']);
    });

  const failure = (reason: string, place: object = {}) => ({
    reason,
    line: null,
    column: null,
    found: null,
    format: null,
    ...place,
  });
  for (const [name, file, expected] of [
    ['only a header', 'email;firstName\n', failure('no_rows')],
    ['only line breaks', '\n\r\n\n', failure('no_rows')],
    ['only rows of separators', ';;\n;;\n', failure('no_rows')],
    [
      '201 columns',
      `email;${Array.from({ length: 200 }, (_, n) => `c${n}`).join(';')}\n1\n`,
      failure('too_many_columns'),
    ],
    [
      'a quote in the header that never ends',
      'email;"Ort\na;b\n',
      failure('unclosed_quote', { line: 1, column: 7, found: '"' }),
    ],
    ['pages', '%PDF-1.7\n%%EOF\n', failure('other_format', { format: 'pdf' })],
    ['a workbook', 'PK\x03\x04[Content_Types].xml', failure('other_format', { format: 'xlsx' })],
    [
      'a table in HTML',
      '<table><tr><td>email</td></tr></table>',
      failure('other_format', { format: 'html' }),
    ],
    [
      'letters of MS-DOS',
      Buffer.from('email;Ort\na@example.com;K\x94ln\n', 'latin1'),
      failure('unknown_encoding', { line: 2, column: 16, found: '0x94' }),
    ],
  ] as const)
    test(`with ${name} is failed and says why, and another one can be uploaded`, async () => {
      const { tenant } = await company();
      for (let n = 0; n < 2; n++) {
        const { status, body } = await steps.upload(tenant, file);
        assert.deepEqual([status, body.status], [201, 'failed']);
        assert.deepEqual(body.failure, expected);
      }
    });

  for (const [first, hasHeader] of [
    ['Personalnummer;Ort;Sonstiges', true],
    ['Sonstiges;Standort;E-Mail', true],
    ['Sonstiges;Standort;Gruppe', false],
    ['Mia;Fischer;Ulm', false],
    ['mia@example.com;Ort;Name', false],
    ['10001;Ort;Name', false],
    ['01.02.2026;Ort;Name', false],
    ['1.234,50;Ort;Name', false],
    ['+49 731 1234-0;Ort;Name', false],
  ] as const)
    test(`that begins with ${first} is proposed ${hasHeader ? 'with' : 'without'} a header`, async () => {
      const { tenant } = await company();
      const { body } = await steps.upload(tenant, `${first}\na;b;c\n`);
      assert.equal(body.status, 'uploaded');
      const { mapping, columns } = await steps.details(body.id);
      assert.equal(mapping.headerRow, hasHeader ? 1 : null);
      assert.deepEqual(
        columns.map(({ name, samples }) => [name, samples]),
        first.split(';').map((name, index) => {
          const value = ['a', 'b', 'c'][index];
          return hasHeader ? [name, [value]] : ['', [name, value]];
        }),
      );
    });

  const byPosition = (headerRow: 1 | null) => () => ({
    headerRow,
    matchBy: 'email',
    columns: (['email', 'firstName', 'lastName'] as const).map((field, column) => ({
      column,
      field,
      emptyClears: false,
    })),
  });

  test('without a header has a person in its first row, and none is kept as the name of a column', async () => {
    const { sql } = fixture;
    const { tenant } = await company();
    const named = await steps.plan(tenant, `Konto;Team;Nach\n${mail()};y;z\n`, byPosition(1));
    await steps.apply(named.id);
    const [mia, ben] = [mail(), mail()];
    const { id, counts } = await steps.plan(tenant, `${mia};Mia;Fischer\n${ben};Ben;\n`, byPosition(null));
    assert.deepEqual([counts?.adds, counts?.errors], [1, 1]);
    assert.deepEqual(
      (await steps.rows(id, 'add')).map(({ line, name }) => [line, name]),
      [[1, 'Mia Fischer']],
    );
    assert.deepEqual(await steps.problems(id), [[2, '', 'missing']]);
    const [stored] = await sql`SELECT header FROM employee_import WHERE id = ${id}`;
    assert.deepEqual(stored!.header, ['', '', '']);
    await steps.apply(id);
    // The next file with a header is mapped as the last one with a header.
    const [saved] = await sql`SELECT mapping FROM employee_import_mapping WHERE tenant_id = ${tenant}`;
    assert.deepEqual(
      saved!.mapping.columns.map(({ name }: { name: string }) => name),
      ['Konto', 'Team', 'Nach'],
    );
    assert.ok((await employeesOf(tenant)).some(({ email }) => email === mia));
  });

  test('whose first row has unknown names has a header if the user says so, and the next file has it by itself', async () => {
    const { tenant } = await company();
    const file = () => `Konto;Rufname 1;Familie\n${mail()};Mia;Fischer\n`;
    const { id, counts } = await steps.plan(tenant, file(), byPosition(1));
    assert.deepEqual([counts?.adds, counts?.errors], [1, 0]);
    await steps.apply(id);
    const { body } = await steps.upload(tenant, file());
    const { mapping } = await steps.details(body.id);
    assert.deepEqual(mapping, byPosition(1)());
  });

  test('whose first row seems to have names has none if the user says so', async () => {
    const { tenant } = await company();
    const file = 'Ort;Mia;Fischer\n';
    const { status, body } = await steps.upload(tenant, `${file}${mail()};Ben;Weber\n`);
    assert.deepEqual([status, (await steps.details(body.id)).mapping.headerRow], [201, 1]);
    await steps.post(body.id, 'plan', byPosition(null)());
    const { counts } = await steps.settled(body.id);
    assert.deepEqual([counts?.adds, counts?.errors], [1, 1]);
  });

  test('422 VALIDATION_ERROR: a row with an email address is not taken for a header', async () => {
    const { tenant } = await company();
    const { body } = await steps.upload(tenant, `mia@example.com;Mia;Fischer\n${mail()};Ben;Weber\n`);
    const asked = await steps.post(body.id, 'plan', byPosition(1)());
    assert.equal(outcome(asked), '422 VALIDATION_ERROR');
    assert.doesNotMatch(JSON.stringify(asked.body), /Mia|mia@/);
  });

  test('with a quote that never ends is failed by the plan, with the line', async () => {
    const { tenant } = await company();
    const rows = Array.from({ length: 30 }, (_, n) => `p${n}@example.com;a\n`).join('');
    const failed = await steps.plan(tenant, `email;Ort\n${rows}x@example.com;"never\nends\n`);
    const place = { line: 32, column: 15, found: '"' };
    assert.deepEqual([failed.status, failed.failure], ['failed', failure('unclosed_quote', place)]);
  });

  test('that is an export changes nothing, and has no line or formula that a value begins', async () => {
    const additionalInfo = [
      'a\n=1+1',
      'a\r=1+1',
      'a\r\n=1+1',
      '=1+1',
      ' =1+1',
      '\u00a0=1+1',
      '＝1+1',
      '-\n"',
      '@,;',
    ];
    const { tenant, stored } = await company(
      additionalInfo.map((text, n) => ({ email: mail(), employeeNumber: `F${n}`, additionalInfo: text })),
    );
    const { status, bytes } = await fixture.portal.post(
      '/employees/export',
      exportOf(Object.keys(Employee.properties), { filter: `tenant = ${tenant}` }),
      { key: petra },
    );
    assert.equal(status, 200);
    // A spreadsheet ends a line at each kind of line break.
    const [, ...lines] = parse(bytes, {
      bom: true,
      delimiter: ';',
      relax_column_count: true,
      record_delimiter: ['\r\n', '\n', '\r'],
    });
    assert.deepEqual(lines.map(([id]) => id).sort(), stored.map(({ id }) => id).sort());
    for (const cell of lines.flat()) assert.doesNotMatch(cell, /^\s*[=+\-@＝＋－＠]/);
    const { counts } = await steps.plan(tenant, bytes);
    assert.deepEqual([counts?.unchanged, counts?.errors], [lines.length, 0]);
  });

  test('without bytes or over 5 MiB is rejected', async () => {
    const { tenant } = await company();
    assert.equal(outcome(await steps.upload(tenant, '')), '400 MISSING_ATTACHMENT');
    const large = Buffer.alloc(5 * 1024 * 1024, 'x');
    assert.equal(outcome(await steps.upload(tenant, large)), '413 PAYLOAD_TOO_LARGE');
  });

  test('of almost 5 MiB is planned whole', async () => {
    const { tenant } = await company();
    const filler = 'x'.repeat(5000);
    const count = 1040;
    const rows = Array.from({ length: count }, (_, n) => `big.${n}@example.com;A;B;${filler}\n`);
    const { counts, status } = await steps.plan(
      tenant,
      `email;firstName;lastName;Roman\n${rows.join('')}`,
      mapping => mapping,
    );
    assert.deepEqual([status, counts?.adds], ['planned', count]);
  });
});

describe('columns', () => {
  test('are proposed by their names, then as the company used them last', async () => {
    const { tenant } = await company();
    const file = `Personal-Nr.;Mail;Vorname;Name;PLZ;Straße;Abteilung;gesperrt;;Team\n`;
    const row = `1;${mail()};A;B;10115;2;;false;;x\n`;
    const { body } = await steps.upload(tenant, file + row);
    const { mapping, columns, fields } = await steps.details(body.id);
    const proposed = mapping.columns.map(({ column, field }) => [columns[column]!.name, field]);
    assert.deepEqual(proposed, [
      ['Personal-Nr.', 'employeeNumber'],
      ['Mail', 'email'],
      ['Vorname', 'firstName'],
      ['Name', 'lastName'],
      ['PLZ', 'postalCode'],
      ['Straße', 'street'],
      ['Abteilung', 'divisionId'],
      ['gesperrt', 'blocked'],
    ]);
    assert.equal(mapping.matchBy, 'employeeNumber');
    assert.deepEqual(columns[5], { name: 'Straße', samples: ['2'], isExact: true });
    assert.deepEqual(
      fields.find(({ field }) => field === 'lastName'),
      { field: 'lastName', isRequired: true, isClearable: false },
    );
    const chosen = {
      headerRow: 1,
      matchBy: 'email' as const,
      columns: [
        { column: 1, field: 'email' as const, emptyClears: false },
        { column: 9, field: 'city' as const, emptyClears: true },
      ],
    };
    const proposedNext = async () => {
      const next = await steps.upload(tenant, `Team;Vorname;Mail;Ort\nx;y;z;w\n`);
      const { mapping: proposal } = await steps.details(next.body.id);
      await steps.post(next.body.id, 'discard');
      return proposal;
    };
    assert.equal((await steps.post(body.id, 'plan', chosen)).status, 200);
    await steps.settled(body.id);
    await steps.post(body.id, 'discard');
    // A plan was a trial.
    assert.deepEqual(
      (await proposedNext()).columns.map(({ field }) => field),
      ['divisionId', 'firstName', 'email', 'city'],
    );
    await steps.apply((await steps.plan(tenant, file + row, () => chosen)).id);
    assert.deepEqual(await proposedNext(), {
      headerRow: 1,
      matchBy: 'email',
      columns: [
        { column: 0, field: 'city', emptyClears: true },
        { column: 2, field: 'email', emptyClears: false },
      ],
    });
  });

  test('that cannot be mapped so are rejected, and the import waits for others', async () => {
    const { tenant } = await company();
    const { body } = await steps.upload(tenant, 'email;Ort\na@example.com;b\n');
    const column = (position: number, field: string, emptyClears = false) => ({
      column: position,
      field,
      emptyClears,
    });
    for (const [columns, matchBy, words] of [
      [[column(0, 'email'), column(2, 'city')], 'email', /no column 2/],
      [[column(0, 'email'), column(1, 'email')], 'email', /once/],
      [[column(0, 'email'), column(0, 'city')], 'email', /once/],
      [[column(1, 'city')], 'email', /must fill email/],
      [[column(0, 'email'), column(1, 'lastName', true)], 'email', /cannot clear lastName/],
      [[column(0, 'employeeNumber', true)], 'employeeNumber', /cannot clear employeeNumber/],
    ] as const) {
      const answer = await steps.post(body.id, 'plan', { headerRow: 1, matchBy, columns });
      assert.equal(outcome(answer), '422 VALIDATION_ERROR');
      assert.match(answer.body.error.message, words);
    }
    assert.equal((await steps.settled(body.id)).status, 'uploaded');
  });
});

describe('a plan', () => {
  test('has adds, changes with old and new values, unchanged rows, and changes nothing', async () => {
    const known = { employeeNumber: '1', city: 'Bonn', phoneNumber: '+49 1', additionalInfo: 'x' };
    const { tenant, stored } = await company([
      { ...known },
      { ...known, employeeNumber: '2' },
      { employeeNumber: '3' },
    ]);
    const file = [
      'employeeNumber;email;firstName;lastName;city;phoneNumber;additionalInfo',
      `1;${stored[0]!.email.toUpperCase()};;;Köln;;`,
      `2;;Mia; Fischer ;Bonn;'+49 1;x`,
      `9;${mail()};Neu;Neuer;;;`,
    ].join('\r\n');
    const planned = await steps.plan(tenant, file, ({ columns, ...mapping }) => ({
      ...mapping,
      columns: columns.map(column => ({ ...column, emptyClears: column.field === 'additionalInfo' })),
    }));
    assert.deepEqual(planned.counts, {
      employees: 3,
      adds: 1,
      changes: 1,
      errors: 0,
      unchanged: 1,
      questions: 0,
      accepted: 0,
      applied: 0,
      skipped: 0,
    });
    const [change] = await steps.rows(planned.id, 'change');
    assert.deepEqual([change!.line, change!.employeeId, change!.name], [2, stored[0]!.id, 'Mia Fischer']);
    assert.deepEqual(change!.changes, [
      { field: 'city', before: 'Bonn', after: 'Köln' },
      { field: 'additionalInfo', before: 'x', after: null },
    ]);
    const [add] = await steps.rows(planned.id, 'add');
    assert.deepEqual([add!.line, add!.name, add!.employeeId], [4, 'Neu Neuer', null]);
    assert.deepEqual(await employeesOf(tenant), stored);
    const applied = await steps.apply(planned.id, { confirmedChanges: 1 });
    assert.deepEqual([applied.status, applied.counts?.applied], ['applied', 2]);
    const [first, second, third, added] = await employeesOf(tenant);
    assert.deepEqual([first!.city, first!.additionalInfo, first!.phoneNumber], ['Köln', null, '+49 1']);
    assert.deepEqual([second, third], [stored[1], stored[2]]);
    assert.deepEqual([added!.lastName, added!.blocked, added!.tenant], ['Neuer', false, tenant]);
    const { sql } = fixture;
    const audit = await sql<{ action: string; actor: string; fields: string[] }[]>`
      SELECT action, actor_name AS actor, fields FROM audit WHERE target_id IN (${first!.id}, ${added!.id})
        AND actor_type = 'user' ORDER BY action`;
    assert.deepEqual(
      audit.map(({ action, actor, fields }) => [action, actor, fields]),
      [
        ['employee.create', 'Petra Lang', []],
        ['employee.update', 'Petra Lang', ['city', 'additionalInfo']],
      ],
    );
  });

  test('has each error with its line and column, and applies the other rows', async () => {
    const { sql, testData } = fixture;
    const [foreign] = await storeEmployees(sql, testData.organization, [
      { tenant: testData.tenantB, employeeNumber: '1' },
    ]);
    const { tenant, stored } = await company([{ employeeNumber: '1' }, { employeeNumber: '2' }]);
    const place = { organizationId: testData.organization, tenantId: tenant };
    const sales = await testDivision(sql, place, 'Vertrieb');
    await testDivision(sql, { ...place, parentId: sales }, 'Nord');
    await testDivision(sql, place, 'Vertrieb / Nord');
    const file = [
      'Nr;Mail;Vor;Nach;PLZ;Land;Bereich;Sperre',
      `1;${stored[1]!.email};;;;;;`,
      `2;${mail()};;;;;;`,
      `3;${foreign!.email};A;B;;;;`,
      `4;${mail()};;B;;;;`,
      `5;no address;A;B;${'9'.repeat(21)};Nirgendwo;Süd;vielleicht`,
      `6;${mail()};A;B;;;Vertrieb / Nord;`,
      `7;twice@example.com;A;B;;;;`,
      `8;TWICE@example.com;A;B;;;;`,
      `;${mail()};A;B;;;;`,
      `10;${mail()};A;B;;;;;zu viel`,
      `11;${mail()};A;"B"C;;;;`,
      `12;${mail()};A\0;B;;;;`,
      `13;${mail()};A;B;53111;DE;${sales.toUpperCase()};WAHR;;`,
      `14;${mail()};A;B;;;vertrieb;`,
      '15;twice no address;A;B;;;;',
      '16;twice no address;A;B;;;;',
    ].join('\n');
    const fields = [
      'employeeNumber',
      'email',
      'firstName',
      'lastName',
      'postalCode',
      'countryCode',
      'divisionId',
      'blocked',
    ];
    const planned = await steps.plan(tenant, file, () => ({
      headerRow: 1,
      matchBy: 'employeeNumber',
      columns: fields.map((field, column) => ({ column, field, emptyClears: false })),
    }));
    assert.deepEqual(await steps.problems(planned.id), [
      [2, 'Mail', 'taken'],
      [4, 'Mail', 'taken'],
      [5, 'Vor', 'missing'],
      [6, 'Mail', 'invalid'],
      [6, 'PLZ', 'too_long'],
      [6, 'Land', 'not_country'],
      [6, 'Bereich', 'unknown_division'],
      [6, 'Sperre', 'not_boolean'],
      [7, 'Bereich', 'ambiguous_division'],
      [8, 'Mail', 'repeated'],
      [9, 'Mail', 'repeated'],
      [11, null, 'surplus_cell'],
      [12, null, 'quote'],
      [13, null, 'nul'],
      [16, 'Mail', 'invalid'],
      [17, 'Mail', 'invalid'],
    ]);
    const [{ problems }] = (await steps.rows(planned.id, 'error')).filter(({ line }) => line === 6) as [any];
    assert.deepEqual(problems[1], {
      code: 'too_long',
      column: 'PLZ',
      field: 'postalCode',
      found: '9'.repeat(21),
      suggestion: null,
      limit: 20,
      line: null,
      position: null,
    });
    const adds = await steps.rows(planned.id, 'add');
    assert.deepEqual(
      adds.map(({ line, changes }) => [line, changes.find(({ field }) => field === 'divisionId')?.after]),
      [
        // Without a number it is found by its email.
        [10, undefined],
        [14, 'Vertrieb'],
        [15, 'Vertrieb'],
      ],
    );
    const applied = await steps.apply(planned.id);
    assert.deepEqual([applied.counts?.applied, applied.counts?.errors], [3, 12]);
    const added = (await employeesOf(tenant)).filter(({ divisionId }) => divisionId === sales);
    assert.deepEqual(
      added.map(({ employeeNumber, blocked }) => [employeeNumber, blocked]),
      [
        ['13', true],
        ['14', false],
      ],
    );
  });

  test('matches by email, and staff who are absent from the file stay as they are', async () => {
    const { tenant, stored } = await company([{ employeeNumber: '1' }, { employeeNumber: '2' }]);
    const file = `email;employeeNumber\n${stored[0]!.email};2\n${stored[1]!.email};7\n`;
    const planned = await steps.plan(tenant, file, mapping => ({ ...mapping, matchBy: 'email' }));
    // Number 2 is free only once the second row is applied.
    assert.deepEqual(await steps.problems(planned.id), [[2, 'employeeNumber', 'taken']]);
    await steps.apply(planned.id, { confirmedChanges: 1 });
    const [first, second] = await employeesOf(tenant);
    assert.deepEqual(first, stored[0]);
    assert.equal(second!.employeeNumber, '7');
  });

  test('has pages, and a division that is cleared or left has its path', async () => {
    const { sql, testData } = fixture;
    const { tenant } = await company();
    const place = { organizationId: testData.organization, tenantId: tenant };
    const divisionId = await testDivision(sql, { ...place }, 'Werk');
    const staff = Array.from({ length: 7 }, (_, n) => ({ tenant, divisionId, employeeNumber: `${n}` }));
    await storeEmployees(sql, testData.organization, staff);
    const file = `employeeNumber;Abteilung\n${staff.map(({ employeeNumber }) => `${employeeNumber};\n`).join('')}`;
    const planned = await steps.plan(tenant, file, ({ columns, ...mapping }) => ({
      ...mapping,
      columns: columns.map(column => ({ ...column, emptyClears: column.field === 'divisionId' })),
    }));
    const page = await steps.rows(planned.id, 'change', { page: 3, pageSize: 3 });
    assert.deepEqual(
      page.map(({ line, changes }) => [line, changes]),
      [[8, [{ field: 'divisionId', before: 'Werk', after: null }]]],
    );
    await steps.apply(planned.id, { confirmedChanges: 7 });
    assert.ok((await employeesOf(tenant)).every(employee => employee.divisionId === null));
  });
});

describe('an apply', () => {
  test('needs the number of changes where more than a tenth would change', async () => {
    const staff = Array.from({ length: 20 }, (_, n) => ({ employeeNumber: `${n}` }));
    const { tenant } = await company(staff);
    const changed = (count: number) =>
      `employeeNumber;city\n${staff
        .slice(0, count)
        .map(({ employeeNumber }) => `${employeeNumber};Ulm\n`)
        .join('')}`;
    const few = await steps.plan(tenant, changed(2));
    assert.equal(few.needsConfirmation, false);
    await steps.post(few.id, 'discard');
    const many = await steps.plan(tenant, changed(3));
    assert.equal(many.needsConfirmation, true);
    for (const body of [{}, { confirmedChanges: 2 }]) {
      const answer = await steps.post(many.id, 'apply', body);
      assert.equal(outcome(answer), '422 VALIDATION_ERROR');
      assert.match(answer.body.error.message, /confirmedChanges must be 3/);
    }
    assert.equal((await steps.apply(many.id, { confirmedChanges: 3 })).counts?.applied, 3);
  });

  test('of a mapping that another user has changed since is rejected, and changes nothing', async () => {
    const { tenant } = await company([{ employeeNumber: '1', city: 'Ulm' }]);
    const planned = await steps.plan(tenant, 'employeeNumber;city\n1;Köln\n');
    const { mapping: seen } = await steps.details(planned.id);
    const [number, city] = seen.columns;
    const changed = { ...seen, columns: [number, { ...city!, field: 'street' }] };
    assert.equal((await steps.post(planned.id, 'plan', changed)).status, 200);
    await steps.settled(planned.id);
    const confirmed = { confirmedChanges: 1 };
    const late = await steps.post(planned.id, 'apply', { ...confirmed, mapping: seen });
    assert.equal(outcome(late), '409 INVALID_STATE_TRANSITION');
    assert.deepEqual(
      (await employeesOf(tenant)).map(person => [person.city, person.street]),
      [['Ulm', null]],
    );
    assert.equal((await steps.apply(planned.id, { ...confirmed, mapping: changed })).status, 'applied');
  });

  test('skips and reports rows that changed since the plan', async () => {
    const { portal } = fixture;
    const { tenant, stored } = await company(
      Array.from({ length: 3 }, (_, n) => ({ employeeNumber: `${n}` })),
    );
    const late = mail();
    const file = [
      'employeeNumber;email;firstName;lastName;city',
      '0;;;;Ulm',
      '1;;;;Ulm',
      `7;${late};A;B;`,
      `8;${mail()};'=cmd();B;`,
    ].join('\n');
    const planned = await steps.plan(tenant, file);
    const { sql, testData } = fixture;
    const { secret: key } = await signedInUser(sql, testData.organization, {
      permissions: ['HR'],
      hrTenants: null,
    });
    await portal.patch(`/employees/${stored[0]!.id}`, { phoneNumber: '1' }, { key });
    await storeEmployees(sql, testData.organization, [{ tenant, email: late }]);
    const { counts, id } = await steps.apply(planned.id, { confirmedChanges: 2 });
    assert.deepEqual([counts?.applied, counts?.skipped], [2, 2]);
    const skipped = await steps.rows(id, 'skipped');
    assert.deepEqual(
      skipped.map(({ line, reason }) => [line, reason]),
      [
        [2, 'changed'],
        [4, 'taken'],
      ],
    );
    const [first] = await employeesOf(tenant);
    assert.deepEqual([first!.city, first!.phoneNumber], [null, '1']);
    const { bytes } = await portal.get(`/employee-imports/${id}/report`, { key });
    const lines = bytes.toString().split('\r\n');
    assert.equal(
      lines[0],
      '\uFEFFline;employeeId;name;effect;outcome;reason;field;before;after;column;problem;value;suggestion',
    );
    assert.ok(lines.includes(`2;${stored[0]!.id};Mia Fischer;change;skipped;changed;city;;Ulm;;;;`));
    // A formula of the file is none in the report.
    assert.match(bytes.toString(), /;firstName;;'=cmd\(\);/);
  });

  test('has a report, and the audit says who downloaded it', async () => {
    const { sql, portal } = fixture;
    const { tenant } = await company();
    const { id } = await steps.plan(tenant, `email;firstName;lastName\n${mail()};A;B\n`);
    assert.equal((await portal.get(`/employee-imports/${id}/report`, { key: petra })).status, 200);
    const entries = await sql<{ name: string }[]>`
      SELECT actor_name AS name FROM audit WHERE target_id = ${id} AND action = 'employee_import.export'`;
    assert.deepEqual(
      entries.map(({ name }) => name),
      ['Petra Lang'],
    );
  });

  test('is done once by two users, and the second one reads who did it', async () => {
    const { tenant } = await company();
    const planned = await steps.plan(tenant, `email;firstName;lastName\n${mail()};A;B\n`);
    const [one, other] = await Promise.all([
      steps.post(planned.id, 'apply'),
      others.post(planned.id, 'apply'),
    ]);
    assert.deepEqual([one.status, other.status], [200, 200]);
    const { counts, appliedBy } = await others.settled(planned.id);
    assert.equal(counts?.applied, 1);
    assert.equal(one.body.appliedBy.name, appliedBy?.name);
    assert.equal(other.body.appliedBy.name, appliedBy?.name);
    const [{ n }] = (await fixture.sql`
      SELECT count(*)::int AS n FROM audit WHERE target_id = ${planned.id} AND action = 'employee_import.apply'`) as [
      any,
    ];
    assert.equal(n, 1);
  });
});

describe('states', () => {
  test('a company has one open import, also of two uploads at once', async () => {
    const { tenant } = await company();
    const file = `email\n${mail()}\n`;
    const answers = await Promise.all([steps.upload(tenant, file), others.upload(tenant, file)]);
    assert.deepEqual(answers.map(outcome).toSorted(), ['201 uploaded', '409 DUPLICATE_RESOURCE']);
    assert.equal(outcome(await steps.upload(tenant, file)), '409 DUPLICATE_RESOURCE');
  });

  test('an import without a plan has no report', async () => {
    const { tenant } = await company();
    const { body } = await steps.upload(tenant, `email;firstName;lastName\n${mail()};A;B\n`);
    for (const file of ['report', 'rows-with-errors']) {
      const answer = await fixture.portal.get(`/employee-imports/${body.id}/${file}`, { key: petra });
      assert.equal(outcome(answer), '409 INVALID_STATE_TRANSITION');
    }
  });

  test('a discarded import has neither file nor rows', async () => {
    const { sql } = fixture;
    const { tenant } = await company();
    const { id } = await steps.plan(tenant, `email;firstName;lastName\n${mail()};A;B\n`);
    assert.equal(outcome(await steps.post(id, 'discard')), '200 discarded');
    assert.equal(outcome(await steps.post(id, 'discard')), '200 discarded');
    const left = await sql`SELECT import_id FROM employee_import_file WHERE import_id = ${id}
      UNION ALL SELECT import_id FROM employee_import_row WHERE import_id = ${id}`;
    assert.equal(left.length, 0);
  });
});

describe('a user who loses the permission HR', () => {
  /** So many batches of 100 that the loss is stored before the last one: a batch may overtake it while it waits. */
  const changes = 1000;

  /** An import of these changes that another user has begun, and that stops after the first rows. */
  async function stopped(lose: (userId: string) => Promise<unknown>) {
    const { sql, portal, testData } = fixture;
    const { tenant, stored } = await company(
      Array.from({ length: changes }, (_, n) => ({ employeeNumber: `${n}` })),
    );
    const hr = { name: 'Lea Lost', permissions: ['HR' as const], hrTenants: [tenant] };
    const { user, secret } = await signedInUser(sql, testData.organization, hr);
    const { id } = await steps.plan(
      tenant,
      `employeeNumber;city\n${stored.map(({ employeeNumber }) => `${employeeNumber};Ulm`).join('\n')}\n`,
    );
    // The first batch waits for the clock, and the loss for the first batch.
    const waiting: Promise<unknown>[] = [];
    await sql.begin(async locking => {
      await locking`SELECT FROM organization WHERE id = ${testData.organization} FOR UPDATE`;
      await importSteps(portal, secret).post(id, 'apply', { confirmedChanges: changes });
      // Stands for the batch, which answers nobody.
      waiting.push(new Promise(() => {}));
      await waitForLocks(sql, waiting);
      waiting.push(lose(user.id));
      await waitForLocks(sql, waiting);
    });
    await waiting[1];
    return { tenant, id, one: await steps.settled(id) };
  }
  const inOrganization = () => fixture.testData.organization;

  for (const [how, lose] of [
    [
      'as the permission is taken',
      (id: string) =>
        fixture.sql`UPDATE portal_user SET permissions = '{IT}', hr_tenants = NULL
        WHERE organization_id = ${inOrganization()} AND id = ${id}`,
    ],
    [
      'for the company',
      (id: string) =>
        fixture.sql`UPDATE portal_user SET hr_tenants = ${[fixture.testData.tenantA]}
        WHERE organization_id = ${inOrganization()} AND id = ${id}`,
    ],
    [
      'as the user is deactivated',
      (id: string) =>
        fixture.sql`UPDATE portal_user SET deactivated_at = now()
        WHERE organization_id = ${inOrganization()} AND id = ${id}`,
    ],
  ] as const)
    test(`${how} applies no further row, and another user applies the rest`, async () => {
      const { id, one } = await stopped(lose);
      const { status, failure, counts } = one;
      assert.deepEqual([status, failure?.reason], ['failed', 'permission']);
      // The batch that waits, and those that begin before the permission is taken.
      assert.ok(counts!.applied % 100 === 0 && counts!.applied > 0, String(counts!.applied));
      assert.ok(counts!.applied < changes, String(counts!.applied));
      assert.equal((await steps.rows(id, 'applied', { pageSize: 1 })).length, 1);
      const ended = await steps.apply(id);
      assert.deepEqual(
        [ended.status, ended.failure, ended.counts?.applied, ended.appliedBy?.name],
        ['applied', null, changes, 'Petra Lang'],
      );
    });

  test('409 DUPLICATE_RESOURCE: another import is open when the rest is applied', async () => {
    const { tenant, id } = await stopped(
      user =>
        fixture.sql`UPDATE portal_user SET deactivated_at = now() WHERE organization_id = ${inOrganization()} AND id = ${user}`,
    );
    const open = await steps.upload(tenant, 'email\na@example.com\n');
    assert.equal(outcome(await steps.post(id, 'apply')), '409 DUPLICATE_RESOURCE');
    await steps.post(open.body.id, 'discard');
    assert.equal((await steps.apply(id)).status, 'applied');
  });

  test('409 INVALID_STATE_TRANSITION: a plan that stopped leaves nothing to apply', async () => {
    const { tenant } = await company();
    const { id } = await steps.plan(tenant, `email;firstName;lastName\n${mail()};A;B\n`);
    // As a plan leaves it whose user lost the permission.
    await fixture.sql`
      UPDATE employee_import SET status = 'failed', counts = NULL, ended_at = now(),
        failure = '{"reason":"permission","line":null,"column":null}'
      WHERE organization_id = ${inOrganization()} AND id = ${id}`;
    assert.equal(outcome(await steps.post(id, 'apply')), '409 INVALID_STATE_TRANSITION');
  });
});

describe('personal data', () => {
  test('are removed with an import that has expired', async () => {
    const { sql, testData } = fixture;
    const { tenant } = await company();
    const { id } = await steps.plan(tenant, `email;firstName;lastName\n${mail()};A;B\n`);
    await runOnce(sql, employeeImportRemoval);
    assert.equal((await steps.settled(id)).status, 'planned');
    await sql`UPDATE employee_import SET expires_at = now() WHERE organization_id = ${testData.organization} AND id = ${id}`;
    await runOnce(sql, employeeImportRemoval);
    for (const table of ['employee_import_file', 'employee_import_row'])
      assert.equal((await sql.unsafe(`SELECT FROM ${table} WHERE import_id = '${id}'`)).length, 0);
    assert.equal((await steps.upload(tenant, 'email\na\n')).status, 201);
  });

  test('of an erased person are erased from reports, and open imports of the company are discarded', async () => {
    const { sql, testData } = fixture;
    const { tenant, stored } = await company([{ employeeNumber: '1' }]);
    const file = 'employeeNumber;city\n1;Ulm\n';
    const applied = await steps.plan(tenant, file);
    await steps.apply(applied.id, { confirmedChanges: 1 });
    const open = await steps.plan(tenant, 'employeeNumber;city\n1;Köln\n');
    const key = { organizationId: testData.organization, employeeId: stored[0]!.id };
    await eraseDataSubject({ db: sql.database.writes, store: databaseStore(sql) }, key, operator);
    const [row] = await steps.rows(applied.id, 'applied');
    assert.deepEqual([row!.name, row!.changes, row!.problems], [null, [], []]);
    assert.equal((await steps.settled(open.id)).status, 'discarded');
    const left = await sql`SELECT FROM employee_import_file WHERE import_id = ${open.id}
      UNION ALL SELECT FROM employee_import_row WHERE import_id = ${open.id}`;
    assert.equal(left.length, 0);
  });

  test('of an erased person discard the open imports of other companies that have the person in a row', async () => {
    const { sql, testData } = fixture;
    const email = mail();
    const { stored } = await company([{ employeeNumber: '1', email }]);
    const [elsewhere, unconcerned] = [await company(), await company()];
    const header = 'employeeNumber;email;firstName;lastName';
    const concerned = await steps.plan(
      elsewhere.tenant,
      `${header}\n5;${mail()};A;B\n7;${email.toUpperCase()};Zoë;Doppelt\n`,
    );
    // The number is that of another person there.
    const other = await steps.plan(unconcerned.tenant, `${header}\n1;${mail()};Ali;Fremd\n`);
    const key = { organizationId: testData.organization, employeeId: stored[0]!.id };
    await eraseDataSubject({ db: sql.database.writes, store: databaseStore(sql) }, key, operator);
    const { status, fileName } = await steps.settled(concerned.id);
    assert.deepEqual([status, fileName], ['discarded', '']);
    const left = await sql`SELECT FROM employee_import_file WHERE import_id = ${concerned.id}
      UNION ALL SELECT FROM employee_import_row WHERE import_id = ${concerned.id}`;
    assert.equal(left.length, 0);
    assert.equal((await steps.settled(other.id)).status, 'planned');
    assert.equal((await steps.upload(elsewhere.tenant, 'email\na\n')).status, 201);
  });

  test('of an erased person are in no name of a file or column that is left', async () => {
    const { sql, testData } = fixture;
    const { tenant, stored } = await company([{ firstName: 'Zoë', lastName: 'Doppelt', city: 'Ulm' }]);
    const mapping = {
      headerRow: 1,
      matchBy: 'email',
      columns: [{ column: 0, field: 'email', emptyClears: false }],
    };
    // A user takes a row without an email address for a header.
    const { body } = await steps.upload(tenant, 'Zoë;Doppelt;Ulm\na;b;c\n', 'Zoë Doppelt.csv');
    await steps.post(body.id, 'plan', mapping);
    await steps.settled(body.id);
    await steps.post(body.id, 'discard');
    const key = { organizationId: testData.organization, employeeId: stored[0]!.id };
    const left = async () =>
      JSON.stringify([
        await sql`SELECT file_name, header FROM employee_import WHERE tenant_id = ${tenant}`,
        await sql`SELECT mapping FROM employee_import_mapping WHERE tenant_id = ${tenant}`,
      ]);
    assert.match(await left(), /Doppelt/);
    await eraseDataSubject({ db: sql.database.writes, store: databaseStore(sql) }, key, operator);
    assert.equal(await left(), '[[{"file_name":"","header":[]}],[]]');
    assert.equal((await steps.settled(body.id)).fileName, '');
  });

  test('of a person are exported and erased from rows that match nobody, and from rows of files after an erasure', async () => {
    const { sql, testData } = fixture;
    const email = mail();
    const { tenant, stored } = await company([{ employeeNumber: '1', email }]);
    const { tenant: elsewhere } = await company();
    const other = mail();
    const header = 'employeeNumber;email;firstName;lastName;city';
    const byEmail = (mapping: EmployeeImportDetails['mapping']) => ({ ...mapping, matchBy: 'email' });
    // In another company the email is taken, and here the number, by a row about someone else and by one without an email.
    const files = [
      await steps.plan(elsewhere, `${header}\n7;${email.toUpperCase()};Zoë;Doppelt;Bonn\n`),
      await steps.plan(tenant, `${header}\n1;${other};Ali;Fremd;Bern\n1;;Zoë;Namenlos;Wien\n`, byEmail),
    ];
    const problems = await Promise.all(files.map(({ id }) => steps.problems(id)));
    assert.deepEqual(problems, [
      [[2, 'email', 'taken']],
      [
        [2, 'employeeNumber', 'repeated'],
        [3, 'employeeNumber', 'repeated'],
      ],
    ]);
    await sql`UPDATE employee_import SET status = 'applied' WHERE id = ANY(${files.map(({ id }) => id)})`;
    const key = { organizationId: testData.organization, employeeId: stored[0]!.id };
    const exported = async () =>
      (await readStoredRows(sql.database.reads, key.organizationId, key.employeeId))!.imports.map(
        ({ name, line }) => [name, line],
      );
    assert.deepEqual(await exported(), [
      ['Zoë Doppelt', 2],
      ['Mia Fischer', 3],
    ]);
    const erase = () =>
      eraseDataSubject({ db: sql.database.writes, store: databaseStore(sql) }, key, operator);
    await erase();
    assert.deepEqual(await exported(), [[null, 3]]);
    const left = async () => {
      const rows = await Promise.all(files.map(({ id }) => steps.rows(id, 'error')));
      const cells =
        await sql`SELECT cells, notices FROM employee_import_row WHERE import_id = ANY(${files.map(({ id }) => id)})`;
      return JSON.stringify([rows, cells]);
    };
    assert.doesNotMatch(await left(), /Doppelt|Namenlos|Fremd/);
    // A file after the erasure has the person by the email that is left.
    const late = await steps.plan(tenant, `email;city\n${key.employeeId}@erased.invalid;Graz\n`);
    await steps.apply(late.id, { confirmedChanges: 1 });
    assert.deepEqual((await steps.rows(late.id, 'applied'))[0]!.changes[0]!.after, 'Graz');
    await erase();
    assert.deepEqual((await steps.rows(late.id, 'applied'))[0]!.changes, []);
  });
});
