import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { before, describe, test } from 'node:test';
import {
  DivisionCreate,
  DivisionPatch,
  divisionFields,
  EmployeeCreate,
  EmployeePatch,
  employeeFields,
  type FieldRegistry,
} from '@kontor/contract';
import type { TObject } from 'typebox';
import { databaseStore } from '../../src/files/database-store.ts';
import { eraseDataSubject } from '../../src/privacy/erase.ts';
import { exportDataSubject } from '../../src/privacy/export.ts';
import { operator } from '../../src/write/writes.ts';
import { importEmployeesHere } from '../imports/in-process.ts';
import { unzip } from '../privacy/zip.ts';
import { useFixture } from '../support/service/fixture.ts';
import { findTablesWith } from '../support/database/whole-database.ts';

/**
 * Every field that a client can send passes through everything that handles fields. The fields come from the contract, so a new
 * one is tested from the moment it is declared.
 */
const fixture = useFixture();

interface PropertySchema {
  readonly anyOf?: readonly PropertySchema[];
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly maxLength?: number;
  readonly examples?: readonly unknown[];
}

type Values = Record<string, unknown>;

/** A valid value of a field; another one for each number from 0 to 25. */
function valueOf(name: string, property: PropertySchema, n: number): unknown {
  const schema = property.anyOf?.find(one => one.type !== 'null') ?? property;
  const type = [schema.type].flat().find(one => one !== 'null');
  const letter = String.fromCodePoint(65 + n);
  if (name === 'divisionId')
    return [fixture.testData.sales, fixture.testData.support, fixture.testData.north][n % 3];
  if (type === 'boolean') return n % 2 === 0;
  if (type === 'number' || type === 'integer') return 1000 + n;
  if (schema.format === 'idn-email') return `${name}-${letter}@example.com`;
  if (schema.format === 'country') return `Q${letter}`;
  assert.ok(
    type === 'string',
    `valueOf in ${import.meta.filename} makes no value for ${name} yet: add its type`,
  );
  return `${letter}ß ${name}`.slice(0, schema.maxLength);
}

function valuesOf({ properties }: TObject, n: number, without: readonly string[] = []): Values {
  const fields = Object.entries(properties).filter(([name]) => !without.includes(name));
  return Object.fromEntries(
    fields.map(([name, schema]) => [name, valueOf(name, schema as PropertySchema, n)]),
  );
}

/** Those of the values that the resource shows, in one object with the same names. */
const format = (resource: Values, values: Values): Values =>
  Object.fromEntries(Object.keys(values).map(name => [name, resource[name]]));

interface Case {
  readonly collection: string;
  readonly create: TObject;
  readonly patch: TObject;
  readonly fields: FieldRegistry;
  /** Fields that name another resource, which the test gives when it is needed. */
  readonly without: readonly string[];
}

const cases: Case[] = [
  {
    collection: '/employees',
    create: EmployeeCreate,
    patch: EmployeePatch,
    fields: employeeFields,
    without: [],
  },
  {
    collection: '/divisions',
    create: DivisionCreate,
    patch: DivisionPatch,
    fields: divisionFields,
    without: ['parentId'],
  },
];

for (const { collection, create, patch, fields, without } of cases)
  describe(`every field of ${collection}`, () => {
    const tenant = () => ({ tenant: fixture.testData.tenantA });
    let first: Values;
    let second: Values;
    before(async () => {
      const sent = [valuesOf(create, 0, without), valuesOf(create, 1, without)];
      const created: Values[] = [];
      for (const body of sent) {
        const answer = await fixture.client.post<Values>(collection, body, tenant());
        assert.equal(answer.status, 201, answer.bytes.toString());
        assert.deepEqual(format(answer.body, body), body);
        created.push(answer.body);
      }
      [first, second] = created as [Values, Values];
    });

    test('is read as it was created', async () => {
      const { body } = await fixture.client.get<Values>(`${collection}/${first['id']}`);
      assert.deepEqual(body, first);
    });

    for (const [name, field] of fields)
      if (name in create.properties && !without.includes(name))
        test(`selects by ${name} in a filter, and sorts by it`, async () => {
          const literal = field.type === 'string' ? `'${String(first[name])}'` : String(first[name]);
          const found = await fixture.client.get(collection, {
            query: { filter: `${name} = ${literal}`, pageSize: 1000 },
          });
          const ids = found.body.items.map(({ id }: Values) => id);
          assert.ok(ids.includes(first['id']), found.bytes.toString());
          assert.ok(!ids.includes(second['id']));
          for (const [sort, smaller] of [
            [name, true],
            [`-${name}`, false],
          ] as const) {
            const { body } = await fixture.client.get(collection, { query: { sort, pageSize: 1000 } });
            const order = body.items.map(({ id }: Values) => id);
            const [a, b] = [order.indexOf(first['id']), order.indexOf(second['id'])];
            const isSmaller =
              field.type === 'boolean' ? !first[name] : String(first[name]) < String(second[name]);
            assert.equal(a < b, isSmaller === smaller, `${sort}: ${order.join(' ')}`);
          }
        });

    for (const name of Object.keys(patch.properties))
      if (!without.includes(name))
        test(`changes alone when ${name} is updated`, async () => {
          const { body: earlier } = await fixture.client.get<Values>(`${collection}/${first['id']}`);
          const value = valueOf(
            name,
            patch.properties[name] as PropertySchema,
            3 + (earlier[name] === true ? 0 : 1),
          );
          const answer = await fixture.client.patch<Values>(`${collection}/${first['id']}`, {
            [name]: value,
          });
          assert.equal(answer.status, 200, answer.bytes.toString());
          const { body: later } = await fixture.client.get<Values>(`${collection}/${first['id']}`);
          assert.deepEqual(later, { ...earlier, [name]: value, updatedAt: later['updatedAt'] });
        });
  });

describe('every field of an employee', () => {
  const fields = Object.keys(EmployeeCreate.properties);

  test('is imported as it was in the file', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'kontor-fields-'));
    // An import reads only countries that there are.
    const imported = { ...valuesOf(EmployeeCreate, 10), countryCode: 'AT' } as Values;
    const file = path.join(folder, 'people.csv');
    await writeFile(
      file,
      `${fields.join(',')}\n${fields.map(name => `"${String(imported[name])}"`).join(',')}\n`,
    );
    const result = await importEmployeesHere(fixture.sql.database, file, {
      tenant: fixture.testData.tenantA,
    });
    await rm(folder, { recursive: true });
    assert.equal((result!.json as { imported: number }).imported, 1, JSON.stringify(result!.json));
    const { body } = await fixture.client.get('/employees', {
      query: { filter: `email = '${String(imported['email'])}'` },
    });
    assert.deepEqual(format(body.items[0], imported), imported);
    assert.deepEqual(Object.keys(body.items[0]), [...employeeFields.keys()]);
  });

  test('is in the export of the person, and in no table after the erasure', async () => {
    const values = valuesOf(EmployeeCreate, 20);
    const { body: employee } = await fixture.client.post<Values>('/employees', values, {
      tenant: fixture.testData.tenantA,
    });
    const person = { organizationId: fixture.testData.organization, employeeId: String(employee['id']) };
    const files = { store: databaseStore(fixture.sql), timeout: 10_000 };
    const how = { author: operator, now: new Date(), advance() {}, unhurried: true };
    const { zip } = await exportDataSubject({ reads: fixture.sql, writes: fixture.sql, files }, person, how);
    const exported = JSON.parse(
      unzip(await buffer(zip))
        .get('employee.json')!
        .toString(),
    );
    assert.deepEqual(exported.document, employee);
    await eraseDataSubject({ db: fixture.sql, store: files.store }, person, operator);
    for (const [name, value] of Object.entries(values)) {
      const isPersonal = typeof value === 'string' && value.length > 2 && name !== 'divisionId';
      if (isPersonal) assert.deepEqual(await findTablesWith(fixture.sql, value), [], name);
    }
  });
});
