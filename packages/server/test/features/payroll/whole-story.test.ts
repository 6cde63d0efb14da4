import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Order, PayrollExportDocument, PayrollRun } from '@kontor/contract';
import { usePlatform } from '../../platform/support.ts';
import { type ReadLine, readCsv, readLodas, readLug } from './formats/readers.ts';
import { bodyOf, Steps } from './steps.ts';
import { settingsInput } from './support.ts';

const fixture = usePlatform(prepare);
const steps = new Steps(fixture);
const formats = ['csv', 'datev_lodas', 'datev_lug'];

let tenant: string;
/** Sales with North below it, and the warehouse beside them. */
let places: { sales: string; north: string; warehouse: string };
/** API keys of the tenant and of single divisions. */
let keys: { tenant: string; sales: string; north: string; warehouse: string };
let bike: Order;

async function prepare(): Promise<void> {
  tenant = bodyOf(await fixture.own.post(steps.at('/tenants'), { name: 'Beispiel GmbH' }), 201).id;
  const key = await createKey(null);
  const sales = await createDivision(key, { name: 'Vertrieb', costCenter: '4711' });
  const north = await createDivision(key, { name: 'Vertrieb Nord', parentId: sales });
  const warehouse = await createDivision(key, { name: 'Lager', costCenter: '4712' });
  places = { sales, north, warehouse };
  keys = {
    tenant: key,
    sales: await createKey([sales]),
    north: await createKey([north]),
    warehouse: await createKey([warehouse]),
  };
  const settings = { ...settingsInput, firstPeriod: '2025-01' };
  bodyOf(await fixture.own.post(steps.at(`/tenants/${tenant}/payroll-settings`), settings));
}

async function createKey(divisions: string[] | null): Promise<string> {
  const body = { name: 'Lohnbüro', grants: [{ tenant, divisions }] };
  return bodyOf(await fixture.own.post(steps.at('/api-keys'), body), 201).key;
}

async function createDivision(key: string, division: object): Promise<string> {
  return bodyOf(await fixture.client.post('/divisions', division, { key }), 201).id;
}

async function hire(employee: { lastName: string; employeeNumber: string; divisionId: string }) {
  const email = `${employee.employeeNumber}@example.com`;
  const body = { email, firstName: 'Änne', ...employee };
  const { id } = bodyOf(await fixture.client.post('/employees', body, { key: keys.tenant }), 201);
  bodyOf(await fixture.own.post(steps.at(`/employees/${id}/activation`), undefined));
  return id as string;
}

interface ReadDocument {
  readonly document: PayrollExportDocument;
  readonly lines: readonly ReadLine[];
}

/** Downloads all documents of a run with a key of the tenant, and reads each by the reader of its format. */
async function readDocuments(run: PayrollRun): Promise<ReadDocument[]> {
  const read: ReadDocument[] = [];
  for (const { id } of run.documents) {
    const { document, bytes } = await steps.download(id, keys.tenant);
    const { format } = document;
    const lines =
      format === 'csv' ? readCsv(bytes) : (format === 'datev_lodas' ? readLodas : readLug)(bytes).lines;
    assert.equal(lines.length, document.rowCount);
    assert.equal(document.tenant, tenant);
    read.push({ document, lines });
  }
  return read;
}

/** `1234 2025-09 3010 on 4711: -8310` */
const amountOf = ({ personnelNumber, month, wageType, cents, costCenter }: ReadLine) =>
  `${personnelNumber} ${month} ${wageType} on ${costCenter}: ${cents}`;

/** Asserts that the files of each format have these amounts together. */
function assertAmounts(documents: readonly ReadDocument[], expected: readonly string[]): void {
  for (const format of formats) {
    const ofFormat = documents.filter(({ document }) => document.format === format);
    const amounts = ofFormat.flatMap(({ lines }) => lines.map(amountOf));
    assert.deepEqual(amounts.toSorted(), expected.toSorted(), format);
  }
}

const release = (period: string, divisionId?: string) =>
  steps.release(tenant, { period, formats, ...(divisionId !== undefined && { divisionId }) });

const filesOf = (documents: readonly ReadDocument[]) =>
  documents.map(({ document: { fileName, period } }) => `${fileName} of ${period}`);

/** Identifiers of the documents that a key lists. It gets exactly these one by one, too. */
async function visibleTo(key: string, all: readonly string[]): Promise<string[]> {
  const { items } = bodyOf(
    await fixture.client.get('/payroll-export-documents', { key, query: { pageSize: 100 } }),
  );
  const listed = (items as PayrollExportDocument[]).map(({ id }) => id).toSorted();
  for (const id of all)
    for (const path of ['', '/download']) {
      const { status } = await fixture.client.get(`/payroll-export-documents/${id}${path}`, { key });
      assert.equal(status, listed.includes(id) ? 200 : 404, `${id}${path}`);
    }
  return listed;
}

const tenantDocuments: string[] = [];

test('two runs in a row export the orders that were handed over, in every format alike', async () => {
  const schulz = { lastName: 'Schulz', employeeNumber: '1234', divisionId: places.north };
  const employeeId = await hire(schulz);
  bike = await steps.takeInAndHandOver({ employeeId, number: 'LV-1', startDate: '2025-09-01' }, keys.sales);
  const first = await release('2025-09');
  const september = await readDocuments(first);
  assert.deepEqual(filesOf(september), [
    'lohn-beispiel-gmbh-10001-2025-09.csv of 2025-09',
    'lodas-beispiel-gmbh-10001-2025-09.txt of 2025-09',
    'lug-beispiel-gmbh-10001-2025-09.txt of 2025-09',
  ]);
  assertAmounts(september, ['1234 2025-09 3010 on 4711: -8310', '1234 2025-09 3020 on 4711: 800']);

  const other = await hire({ lastName: 'Gülşen', employeeNumber: '99', divisionId: places.warehouse });
  await steps.takeInAndHandOver(
    { employeeId: other, number: 'LV-2', startDate: '2025-10-16' },
    keys.warehouse,
  );
  // Windows-1252 has no ş, and the files of DATEV have no names.
  const second = await release('2025-10');
  const october = await readDocuments(second);
  assertAmounts(october, [
    '1234 2025-10 3010 on 4711: -8310',
    '1234 2025-10 3020 on 4711: 800',
    '99 2025-10 3010 on 4712: -4289',
    '99 2025-10 3020 on 4712: 800',
  ]);
  tenantDocuments.push(...[...first.documents, ...second.documents].map(({ id }) => id));
});

test('a leave that is reported later corrects the month in the third run', async () => {
  const { client } = fixture;
  const key = keys.sales;
  const { employeeId, id: orderId } = bike;
  const leave = { employeeId, orderId, type: 'unpaid_leave', effectiveFrom: '2025-10-12' };
  const draft = bodyOf(await client.post('/incidents', leave, { key }), 201);
  assert.equal(draft.status, 'draft');
  const report = { occurredOn: '2025-10-12', effectiveTo: '2025-10-18', description: 'Unbezahlter Urlaub' };
  const reported = bodyOf(await client.patch(`/incidents/${draft.id}`, report, { key }));
  assert.equal(reported.status, 'completed');

  const third = await release('2025-11');
  const november = await readDocuments(third);
  assert.deepEqual(filesOf(november), [
    'lohn-beispiel-gmbh-10001-2025-11.csv of 2025-11',
    'lodas-beispiel-gmbh-10001-2025-11.txt of 2025-11',
    'lug-beispiel-gmbh-10001-2025-11-korrektur-2025-10.txt of 2025-10',
    'lug-beispiel-gmbh-10001-2025-11.txt of 2025-11',
  ]);
  // 7 of 31 days of 83.10 come back; the benefit of the month stays.
  assertAmounts(november, [
    '1234 2025-10 3010 on 4711: 1876',
    '1234 2025-11 3010 on 4711: -8310',
    '1234 2025-11 3020 on 4711: 800',
    '99 2025-11 3010 on 4712: -8310',
    '99 2025-11 3020 on 4712: 800',
  ]);
  tenantDocuments.push(...third.documents.map(({ id }) => id));
});

test('a key of a division gets the documents of a run for its division, and none of the tenant', async () => {
  assert.deepEqual(await visibleTo(keys.sales, tenantDocuments), []);
  const ofDivision = await release('2025-12', places.sales);
  const documents = await readDocuments(ofDivision);
  assertAmounts(documents, ['1234 2025-12 3010 on 4711: -8310', '1234 2025-12 3020 on 4711: 800']);
  for (const { document } of documents) {
    assert.equal(document.divisionId, places.sales);
    const { bytes } = await steps.download(document.id, keys.sales);
    assert.equal(bytes.length, document.size);
  }
  // The run of the tenant exports the rest only.
  const ofTenant = await release('2025-12');
  assertAmounts(await readDocuments(ofTenant), [
    '99 2025-12 3010 on 4712: -8310',
    '99 2025-12 3020 on 4712: 800',
  ]);
  tenantDocuments.push(...ofTenant.documents.map(({ id }) => id));

  const divisionDocuments = ofDivision.documents.map(({ id }) => id).toSorted();
  const all = [...tenantDocuments, ...divisionDocuments].toSorted();
  assert.deepEqual(await visibleTo(keys.tenant, all), all);
  assert.deepEqual(await visibleTo(keys.sales, all), divisionDocuments);
  for (const key of [keys.north, keys.warehouse]) assert.deepEqual(await visibleTo(key, all), []);
});
