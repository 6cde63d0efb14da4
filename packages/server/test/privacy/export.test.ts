import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { databaseStore } from '../../src/files/database-store.ts';
import type { FileStore } from '../../src/files/file-store.ts';
import { auditActions, Employee, Incident, Order } from '@kontor/contract';
import { exportDataSubject } from '../../src/privacy/export.ts';
import { technical } from '../../src/privacy/index-page.ts';
import { fieldWords, valueWords } from '../../src/privacy/index-words.ts';
import { operator } from '../../src/write/writes.ts';
import { storeEmployees } from '../support/data/employees.ts';
import { useFixture } from '../support/service/fixture.ts';
import { type DataSubject, storeDataSubject } from '../support/data/person.ts';
import { storeAnswer, storePayrollEntry } from '../support/data/payroll-runs.ts';
import { unzip } from './zip.ts';

let dataSubject: DataSubject;
const fixture = useFixture(async ready => {
  dataSubject = await storeDataSubject(ready, {
    employee: { firstName: 'Zoë', lastName: '<b>Müller</b>', privateEmail: 'zoe@example.org', city: 'Köln' },
    incident: { description: 'Sturz am "Ring" & Bruch' },
    contractEnd: { lastDay: '2018-09-30', reason: 'death', comment: 'Anruf der Familie' },
    mark: 'Vertrag <1>',
  });
  // Somebody else, of whom nothing may be in it.
  await storeDataSubject(ready, { employee: { lastName: 'Nachbar' }, mark: 'neighbour' });
});

interface Exported {
  readonly files: ReadonlyMap<string, Buffer>;
  readonly problems: readonly (string | null)[];
  readonly zip: Buffer;
}

/** The parts of an export on a file store. */
const on = (store: FileStore) => ({
  reads: fixture.sql,
  writes: fixture.sql,
  files: { store, timeout: 10_000 },
});

async function exported(
  id = dataSubject.id,
  store: FileStore = databaseStore(fixture.sql),
): Promise<Exported> {
  const owner = { organizationId: fixture.testData.organization, employeeId: id };
  const how = { author: operator, now: new Date('2026-11-22T10:00:00Z'), advance() {}, unhurried: true };
  const made = await exportDataSubject(on(store), owner, how);
  const zip = await buffer(made.zip);
  return { files: unzip(zip), problems: made.files.map(({ problem }) => problem), zip };
}

const json = (files: Exported['files'], name: string) => JSON.parse(files.get(name)!.toString());

describe('an export', () => {
  test('has the person, orders, incidents and what was done, as the API shows it and with what is kept beside that', async () => {
    const { files } = await exported();
    const { body: employee } = await fixture.client.get(`/employees/${dataSubject.id}`);
    const { body: order } = await fixture.client.get(`/orders/${dataSubject.orderId}`);
    const { body: incident } = await fixture.client.get(`/incidents/${dataSubject.incidentId}`);
    assert.deepEqual(json(files, 'employee.json').document, employee);
    assert.match(json(files, 'employee.json').internal.activated_at, /^20/);
    assert.deepEqual(
      json(files, 'orders.json').map((one: any) => one.document),
      [order],
    );
    const [end] = json(files, 'orders.json')[0].internal.contract_record.endHistory;
    assert.deepEqual([end.reason, end.comment], ['death', 'Anruf der Familie']);
    assert.deepEqual(
      json(files, 'incidents.json').map((one: any) => one.document),
      [incident],
    );
    const done = new Set(json(files, 'audit.json').map((entry: any) => `${entry.action} ${entry.target_id}`));
    for (const action of [
      `employee.create ${dataSubject.id}`,
      `order.attach ${dataSubject.orderId}`,
      `incident.attach ${dataSubject.incidentId}`,
      `employee.export ${dataSubject.id}`,
    ])
      assert.ok(done.has(action), action);
  });

  test('has the amounts that payroll exported, each with what it was computed from', async () => {
    const { organization, tenantA: tenantId } = fixture.testData;
    const { id, orderId } = await storeDataSubject(fixture, { mark: 'payroll' });
    await storePayrollEntry(fixture.sql, {
      organization,
      tenantId,
      employeeId: id,
      orderId,
      month: '2019-08',
    });
    const { files } = await exported(id);
    const [{ entry, basis }] = json(files, 'payroll.json');
    assert.deepEqual([entry.month, entry.cents, entry.order_id], ['2019-08', 8310, orderId]);
    assert.deepEqual(basis, { contractNumber: 'LV-7', salaryConversion: '83.10' });
    assert.match(
      files.get('index.html')!.toString(),
      /<td dir="auto"[^>]*>August 2019<\/td><td dir="auto"[^>]*>Entgeltumwandlung<\/td><td dir="auto"[^>]*>83,10\s€<\/td>/,
    );
    assert.deepEqual(json((await exported()).files, 'payroll.json'), []);
  });

  test('has the answers to questions of payroll, and what was agreed about a leave', async () => {
    const { organization } = fixture.testData;
    const { id, incidentId } = await storeDataSubject(fixture, { mark: 'leave' });
    await fixture.sql`
      UPDATE incident SET bike_returned = true, leave_comment = 'Rate bar' WHERE organization_id = ${organization} AND id = ${incidentId}`;
    await storeAnswer(fixture.sql, organization, id, 'Elternzeit bis Mai');
    const { files } = await exported(id);
    const [{ code, reason, acknowledged_by }] = json(files, 'payroll-answers.json');
    assert.deepEqual([code, reason, acknowledged_by.name], ['leave_open', 'Elternzeit bis Mai', 'operator']);
    const [{ internal }] = json(files, 'incidents.json');
    assert.deepEqual([internal.bike_returned, internal.leave_comment], [true, 'Rate bar']);
    const page = files.get('index.html')!.toString();
    assert.match(
      page,
      /<td dir="auto"[^>]*>Leave without a last day<\/td><td dir="auto"[^>]*>Elternzeit bis Mai<\/td>/,
    );
    assert.match(page, /<dt>Comment on the leave<\/dt>\s*<dd dir="auto">Rate bar<\/dd>/);
  });

  test('has the bytes of all files of the person, under names that every system takes', async () => {
    const { files, problems } = await exported();
    const order = files.get(`files/${dataSubject.orderFile.id}-Vertrag _1_ contract.pdf`);
    const incident = files.get(`files/${dataSubject.incidentFile.id}-Vertrag _1_ evidence.pdf`);
    assert.deepEqual([order, incident], [dataSubject.orderFile.bytes, dataSubject.incidentFile.bytes]);
    assert.deepEqual(problems, [null, null]);
  });

  test('has a page in plain words, in which nothing of the person is markup', async () => {
    const page = (await exported()).files.get('index.html')!.toString();
    const [german, english] = page.split('<main id="en"') as [string, string];
    assert.match(english, /<dt>First name<\/dt>\s*<dd dir="auto">Zoë<\/dd>/);
    assert.match(german, /<dt>Vorname<\/dt>\s*<dd dir="auto">Zoë<\/dd>/);
    assert.match(page, /&lt;b&gt;Müller&lt;\/b&gt;/);
    assert.match(page, /Sturz am &quot;Ring&quot; &amp; Bruch/);
    assert.match(english, /<dt>Leasing rate a month<\/dt>\s*<dd dir="auto">€98\.10<\/dd>/);
    assert.match(german, /<dt>Leasingrate im Monat<\/dt>\s*<dd dir="auto">98,10\s€<\/dd>/);
    assert.match(page, /href="files\/[0-9a-f]{24}-Vertrag%20_1_%20contract.pdf"/);
    assert.match(english, /Made on 22 November 2026 at 11:00\./);
    assert.match(german, /Erstellt am 22\. November 2026 um 11:00\./);
    assert.match(german, /Verantwortlich für Ihre Daten ist [^.]+\./);
    assert.match(german, /<dt>Letzter Tag<\/dt>\s*<dd dir="auto">30\. September 2018<\/dd>/);
    assert.match(german, /Anruf der Familie/);
    assert.doesNotMatch(page, /<b>|undefined|\[object|activated_at|NaN|\{&quot;/);
  });

  test('has words in both languages for each field and each value of the person, the orders and the incidents', () => {
    const nameless: string[] = [];
    const check = (schema: any, document: string, name: string): void => {
      const { anyOf, items, properties, enum: values = [] } = schema;
      for (const part of anyOf ?? []) check(part, document, name);
      if (items) check(items, document, name);
      for (const [field, own] of Object.entries(properties ?? {})) {
        if (technical.has(field)) continue;
        if (!(fieldWords[`${document}.${field}`] ?? fieldWords[field])) nameless.push(`${document}.${field}`);
        check(own, document, field);
      }
      const words = valueWords[`${document}.${name}`] ?? valueWords[name] ?? {};
      for (const value of values as string[])
        if (!words[value]) nameless.push(`${document}.${name} ${value}`);
    };
    check(Employee, 'employee', '');
    check(Order, 'order', '');
    check(Incident, 'incident', '');
    for (const action of auditActions)
      if (/^(employee|order|incident)\.(?!export_list)/.test(action) && !valueWords['action']![action])
        nameless.push(action);
    assert.deepEqual(nameless, []);
  });

  test('has nothing of other data subjects', async () => {
    const { zip } = await exported();
    assert.equal(zip.includes('neighbour'), false);
    assert.equal(zip.includes('Nachbar'), false);
  });

  test('of an employee without orders and incidents is whole, too', async () => {
    const [anonymous] = await storeEmployees(fixture.sql, fixture.testData.organization, [{ tenant: null }]);
    const { files } = await exported(anonymous!.id);
    assert.deepEqual([json(files, 'orders.json'), json(files, 'incidents.json')], [[], []]);
    assert.match(files.get('index.html')!.toString(), /Nothing is stored\./);
  });

  test('of an unknown employee is NOT_FOUND', async () => {
    await assert.rejects(exported('0123456789abcdef01234567'), { code: 'NOT_FOUND' });
    const { foreign } = fixture.testData;
    const [other] = await storeEmployees(fixture.sql, foreign.organization, [{ tenant: foreign.tenant }]);
    await assert.rejects(exported(other!.id), { code: 'NOT_FOUND' });
  });

  test('goes on without missing bytes, and reports them', async () => {
    const { open } = databaseStore(fixture.sql);
    const holed = { ...databaseStore(fixture.sql) };
    holed.open = async file => (file.id === dataSubject.orderFile.id ? null : open(file));
    const { files, problems } = await exported(dataSubject.id, holed);
    assert.deepEqual(problems, ['missing', null]);
    const page = files.get('index.html')!.toString();
    assert.ok(page.includes(`<li>${dataSubject.orderFile.id}: it is no longer there</li>`), page);
    assert.ok(page.includes(`<li>${dataSubject.orderFile.id}: nicht mehr vorhanden</li>`), page);
  });

  test('gives changed bytes as they are, and reports them', async () => {
    const other = { ...databaseStore(fixture.sql), open: async () => Readable.from([Buffer.from('other')]) };
    const { problems } = await exported(dataSubject.id, other);
    assert.deepEqual(problems, ['damaged', 'damaged']);
  });

  test('ends with the error of a file store that fails', async () => {
    const broken = {
      ...databaseStore(fixture.sql),
      open: async () =>
        new Readable({
          read() {
            this.destroy(new Error('the disk is gone'));
          },
        }),
    };
    await assert.rejects(exported(dataSubject.id, broken), /the disk is gone/);
  });

  test('holds a piece of a file in memory, however large that is', async () => {
    const chunk = Buffer.alloc(64 * 1024);
    const chunks = 4096;
    const stored = `"size":${chunk.length * chunks}`;
    for (const table of ['employee_order', 'incident'])
      await fixture.sql.unsafe(
        `UPDATE ${table} SET doc = regexp_replace(doc, '"size":[0-9]+', '${stored}', 'g')`,
      );
    let max = 0;
    const before = process.memoryUsage().arrayBuffers;
    const large: FileStore = {
      ...databaseStore(fixture.sql),
      open: async () => Readable.from(repeated(chunk, chunks)),
    };
    const owner = { organizationId: fixture.testData.organization, employeeId: dataSubject.id };
    const advance = () => void (max = Math.max(max, process.memoryUsage().arrayBuffers - before));
    const how = { author: operator, now: new Date(), advance, unhurried: true };
    const made = await exportDataSubject(on(large), owner, how);
    let size = 0;
    for await (const bytes of made.zip) size += (bytes as Buffer).length;
    assert.ok(size > 2 * chunks * chunk.length, `${size} bytes`);
    assert.ok(max < (chunks * chunk.length) / 2, `${max} bytes in memory`);
  });
});

async function* repeated(chunk: Buffer, times: number): AsyncGenerator<Buffer> {
  for (let n = 0; n < times; n++) yield Buffer.from(chunk);
}
