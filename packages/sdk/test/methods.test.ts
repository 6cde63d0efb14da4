import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { apis, type Operation, writeHeaderOf } from '@kontor/contract';
import { type Kontor, NotFoundError, UnprocessableError } from '../src/index.ts';
import { pdf, useSdkFixture } from './support/fixture.ts';

const fixture = useSdkFixture();
let folder: string;
before(async () => void (folder = await mkdtemp(path.join(tmpdir(), 'kontor-sdk-'))));
after(() => rm(folder, { recursive: true }));

/** A completed incident. */
async function report(kontor: Kontor) {
  const { id: orderId } = await fixture.order();
  return kontor.incidents.create({
    employeeId: fixture.employeeId,
    orderId,
    type: 'damage',
    occurredOn: '2026-09-02',
    description: 'Rahmen gebrochen',
  });
}

/** The resource and the method of an operation: `orders` and `downloadAttachment` for `downloadOrderAttachment`. */
function methodOf(id: string, { path }: Operation): [resource: string, method: string] {
  const resource = path.split('/')[1]!.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const plural = resource.replace(/^./, letter => letter.toUpperCase());
  return [resource, id.replace(plural, '').replace(plural.slice(0, -1), '')];
}

describe('every public operation has a method, which sends what the contract declares, with a key where it accepts one', () => {
  const { operations, recorded } = apis.public;
  for (const [id, operation] of Object.entries(operations).filter(([, { authenticated }]) => authenticated))
    test(id, async () => {
      const sent: string[] = [];
      let hasKey = false;
      const kontor = fixture.kontor({
        hooks: { onRequest: request => void sent.push(`${request.method} ${request.operation}`) },
        fetch(url, init) {
          hasKey = 'idempotency-key' in init.headers;
          return fetch(url, init);
        },
      });
      const [name, method] = methodOf(id, operation);
      const resource = Reflect.get(kontor, name) as object;
      const call = Reflect.get(resource ?? {}, method) as ((...args: unknown[]) => any) | undefined;
      assert.ok(
        call,
        `add the method ${method} to packages/sdk/src/resources/${operation.path.split('/')[1]}.ts`,
      );
      const { parameters, body, upload, fields } = operation;
      const identifiers = Object.keys(parameters.properties).map(() => 'f'.repeat(24));
      const content = upload ? [pdf] : body ? [recorded.operations[id]!.request] : [];
      const answer = call.call(resource, ...identifiers, ...content);
      // Identifiers are unknown, so the service may find nothing. It must not find fault with the request.
      await (fields ? answer.page() : answer).catch((error: unknown) => {
        assert.ok(error instanceof NotFoundError || error instanceof UnprocessableError, String(error));
      });
      assert.equal(sent.at(-1), `${operation.method} ${id}`);
      assert.equal(hasKey, writeHeaderOf(operation, apis.public) === 'Idempotency-Key');
    });

  test('getHealth', async () => {
    assert.equal((await fixture.kontor().health()).status, 'ok');
  });
});

test('a dry run of every write answers what would be stored, and stores nothing', async () => {
  const kontor = fixture.kontor();
  const dryRun = true;
  const nothing = '0'.repeat(24);
  const { id: orderId } = await fixture.order();
  const { id: incidentId } = await report(kontor);
  const { id: employeeId } = await kontor.employees.get(fixture.employeeId);
  const created = [
    await kontor.employees.create(
      { email: 'dry@example.com', firstName: 'Ina', lastName: 'Beispiel' },
      { dryRun },
    ),
    await kontor.divisions.create({ name: 'Probe' }, { dryRun }),
    await kontor.incidents.create({ employeeId, type: 'other' }, { dryRun }),
    await kontor.incidents.uploadAttachment(incidentId, pdf, { dryRun }),
  ];
  assert.deepEqual(new Set(created.map(({ id }) => id)), new Set([nothing]));
  await kontor.employees.update(employeeId, { city: 'Köln' }, { dryRun });
  await kontor.divisions.update(fixture.testData.sales, { name: 'Probe' }, { dryRun });
  await kontor.orders.decide(orderId, { decision: 'rejected' }, { dryRun });
  await kontor.incidents.update(incidentId, { description: 'Probe' }, { dryRun });
  assert.notEqual((await kontor.employees.get(employeeId)).city, 'Köln');
  assert.equal((await kontor.divisions.get(fixture.testData.sales)).name, 'Sales');
  assert.equal((await kontor.orders.get(orderId)).hrHistory, null);
  const incident = await kontor.incidents.get(incidentId);
  assert.deepEqual([incident.description, incident.attachments], ['Rahmen gebrochen', []]);
});

describe('an upload', () => {
  const file = () => path.join(folder, 'Übergabe.pdf');
  before(() => writeFile(file(), pdf));
  const sources = {
    'a path': () => file(),
    bytes: () => new Uint8Array(pdf),
    'a Blob': () => new Blob([pdf]),
    'a File': () => new File([pdf], 'Foto.pdf'),
    'a stream': () => new Blob([pdf]).stream(),
    'a stream of a path': () => createReadStream(file()),
  };
  const names: Record<string, string> = {
    'a path': 'Übergabe.pdf',
    'a stream of a path': 'Übergabe.pdf',
    'a File': 'Foto.pdf',
  };
  for (const [name, source] of Object.entries(sources))
    test(`takes ${name}`, async () => {
      const kontor = fixture.kontor();
      const attached = await kontor.incidents.uploadAttachment((await report(kontor)).id, source());
      assert.deepEqual([attached.fileName, attached.size], [names[name] ?? 'file', pdf.length]);
    });
});

describe('a download', () => {
  test('has its name, its size and its bytes', async () => {
    const { id, attachmentId } = await fixture.orderWithAttachment();
    const { stream, fileName, mediaType, size } = await fixture
      .kontor()
      .orders.downloadAttachment(id, attachmentId);
    assert.deepEqual([fileName, mediaType, size], ['Übergabe "1".pdf', 'application/pdf', pdf.length]);
    assert.deepEqual(await new Response(stream).bytes(), new Uint8Array(pdf));
  });

  test('into a file replaces it as a whole, and leaves nothing else in the folder', async () => {
    const { id, sha256 } = fixture.payrollDocument;
    const place = await mkdtemp(path.join(folder, 'saved-'));
    const to = path.join(place, 'lohn.csv');
    await writeFile(to, 'old');
    const saved = await fixture.kontor().payrollExportDocuments.download(id, { to });
    assert.deepEqual(saved, { path: to, size: fixture.payroll.length, sha256, mediaType: 'text/csv' });
    assert.deepEqual(await readFile(to), fixture.payroll);
    assert.deepEqual(await readdir(place), ['lohn.csv']);
  });

  test('into a file also of an attachment', async () => {
    const { id, attachmentId } = await fixture.orderWithAttachment();
    const to = path.join(folder, 'offer.pdf');
    await fixture.kontor().orders.downloadAttachment(id, attachmentId, { to });
    assert.deepEqual(await readFile(to), pdf);
  });
});

test('withResponse() adds the response and the request identifier, which is a UUID of version 7', async () => {
  const { data, response, requestId } = await fixture
    .kontor()
    .employees.get(fixture.employeeId)
    .withResponse();
  assert.equal(data.id, fixture.employeeId);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('x-request-id'), requestId);
  assert.match(requestId, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const milliseconds = Number.parseInt(requestId.slice(0, 13).replace('-', ''), 16);
  assert.ok(Math.abs(milliseconds - Date.now()) < 60_000);
});

test('a path parameter cannot leave its place in the path', async () => {
  const { employees } = fixture.kontor();
  await assert.rejects(employees.get('../orders'), { status: 400, code: 'INVALID_REFERENCE_ID' });
  await assert.rejects(employees.get(''), TypeError);
});
