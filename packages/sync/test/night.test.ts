import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import { State } from '../src/state.ts';
import { type Company, personRow, useCompanies } from './support/company.ts';

const { fixture, makeCompany } = useCompanies();

const count = 300;
const rows = Array.from({ length: count }, (_, index) => personRow(index, 'Berlin', 'Lager'));

/** A night changes 13 cities and 13 divisions in the file. 6 persons are absent, and 4 are new. */
const isAbsent = (number: number) => number % 50 === 49;
const night = [
  ...rows
    .map((row, number) =>
      number < 13 ? row.with(4, 'Ulm') : number < 26 ? row.with(5, 'Vertrieb / Nord') : row,
    )
    .filter((_, number) => !isAbsent(number)),
  ...[300, 301, 302, 303].map(number => personRow(number, 'Ulm', 'Lager')),
];
const editedByHand = [40, 41, 42];

const persons = async ({ kontor }: Company) =>
  (await Array.fromAsync(kontor.employees.list())).sort(
    (one, other) => Number(one.employeeNumber) - Number(other.employeeNumber),
  );

/** Edits people by hand, and runs the night. */
async function runNight(company: Company, absent: 'report' | 'block') {
  await company.configure({ absent });
  await company.write(rows);
  await company.sync();
  for (const number of editedByHand)
    await company.kontor.employees.update((await persons(company))[number]!.id, { city: 'Von Hand' });
  const before = await persons(company);
  await company.write(night);
  return { before, report: await company.sync(absent === 'report' ? 2 : 0) };
}

describe('a night with changed, absent, new and edited people', () => {
  for (const absent of ['report', 'block'] as const)
    test(`writes exactly the changes of the file, with absent people as in "absent": "${absent}"`, async () => {
      const company = await makeCompany();
      const { before, report } = await runNight(company, absent);
      const isBlocking = absent === 'block';
      const { updates, creates, blocks, divisions } = report.applied;
      assert.deepEqual([updates, creates, blocks, divisions], [26, 4, isBlocking ? 6 : 0, 2]);
      assert.deepEqual([report.kept.length, report.absent.length], [3, isBlocking ? 0 : 6]);
      const ids = new Map(
        (await Array.fromAsync(company.kontor.divisions.list())).map(({ name, id }) => [name, id]),
      );
      const expected = before.map((person, number) => ({
        ...person,
        ...(number < 13 && { city: 'Ulm' }),
        ...(number >= 13 && number < 26 && { divisionId: ids.get('Nord')! }),
        ...(isAbsent(number) && { blocked: isBlocking }),
      }));
      const after = await persons(company);
      const isWritten = (number: number) => number < 26 || (isBlocking && isAbsent(number));
      assert.deepEqual(
        after
          .slice(0, count)
          .map((person, number) =>
            isWritten(number) ? { ...person, updatedAt: before[number]!.updatedAt } : person,
          ),
        expected,
      );
      assert.deepEqual(
        after.slice(count).map(({ employeeNumber }) => employeeNumber),
        ['300', '301', '302', '303'],
      );
      const second = await company.sync(isBlocking ? 0 : 2);
      assert.deepEqual([second.requests, second.applied.updates, second.applied.creates], [2, 0, 0]);
    });

  test('is shown with the names of people and divisions', async () => {
    const company = await makeCompany();
    await company.write(rows.slice(0, 20));
    await company.sync();
    await company.write([personRow(0, 'Berlin', 'Vertrieb / Nord'), ...rows.slice(1, 21)]);
    const args = [path.join(company.folder, 'people.csv'), '--out', path.join(company.folder, 'plan.json')];
    const { stdout } = await company.run('plan', ...args);
    for (const line of [
      'division Vertrieb / Nord',
      'create   Vorname20 Nachname20 (20)',
      'change   Vorname0 Nachname0 (0): division "Lager" → "Vertrieb / Nord"',
    ])
      assert.ok(stdout.includes(`  ${line}\n`), stdout);
    assert.match(stdout, /^ +1 new person\n +1 changed person$/m);
    assert.match(stdout, /Next: kontor-sync apply/);
    await company.run('apply', args[2]!);
    const again = await company.run('run', args[0]!);
    assert.deepEqual(again, {
      exitCode: 0,
      stderr: '',
      stdout: '21 people in the file, 21 in Kontor\nNothing to do\n',
    });
  });

  test('is not run while another process has the state', async () => {
    const company = await makeCompany();
    const file = path.join(company.folder, 'kontor-sync.sqlite');
    const state = new State(file, fixture.service.url);
    try {
      await company.write(rows);
      assert.equal(
        await company.sync(1),
        `kontor-sync: ${file} is in use: wait until the other kontor-sync has ended\n`,
      );
    } finally {
      state.close();
    }
    assert.deepEqual(await persons(company), []);
  });
});
