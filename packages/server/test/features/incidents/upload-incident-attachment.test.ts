import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { Incident } from '@kontor/contract';
import { databaseStore } from '../../../src/files/database-store.ts';
import { FileStoreError, type FileStore, FileStoreTooSlow } from '../../../src/files/file-store.ts';
import { apiClient } from '../../support/contract/client.ts';
import { overtaken, waitForLocks } from '../../support/database/locks.ts';
import { testToken } from '../../support/data/tokens.ts';
import { startService } from '../../support/service/service.ts';
import { advance, files, incidentTestData, type IncidentTestData, wholeState } from './support.ts';

let context: IncidentTestData;
before(async () => (context = await incidentTestData()));
after(() => context.close());

const pdf = { bytes: files['application/pdf'], fileName: 'anzeige.pdf' };

const upload = (id: string, options = {}, file: typeof pdf | FormData = pdf) =>
  context.client.upload(`/incidents/${id}/attachments`, file, options);

const read = async (id: string): Promise<Incident> => (await context.client.get(`/incidents/${id}`)).body;

describe('uploadIncidentAttachment 201', () => {
  for (const [mediaType, bytes] of Object.entries(files))
    test(`answers the attachment of a ${mediaType}, which the incident then shows`, async () => {
      const before = await context.reported();
      const answer = await upload(before.id, {}, { bytes, fileName: 'Ä b.bin' });
      assert.equal(answer.status, 201);
      assert.equal(answer.headers.location, `/v1/incidents/${before.id}`);
      const { id, createdAt, ...rest } = answer.body;
      assert.deepEqual(rest, { fileName: 'Ä b.bin', mediaType, size: bytes.length });
      const after = await read(before.id);
      assert.deepEqual(after, { ...before, attachments: [answer.body], updatedAt: createdAt });
      assert.ok(after.updatedAt > before.updatedAt);
      const [row] = await context.sql`SELECT attachment_sha256 AS sums FROM incident WHERE id = ${before.id}`;
      assert.deepEqual(row?.['sums'], { [id]: createHash('sha256').update(bytes).digest('hex') });
      const stream = await databaseStore(context.sql).open({
        organizationId: context.testData.organization,
        id,
        size: bytes.length,
        sha256: null,
      });
      assert.deepEqual(Buffer.concat(await stream!.toArray()), bytes);
    });

  test('keeps them in the order in which they came, also when the report becomes a draft', async () => {
    const { id } = await context.reported();
    for (const fileName of ['1.pdf', '2.pdf']) await upload(id, {}, { ...pdf, fileName });
    await context.client.patch(`/incidents/${id}`, { occurredOn: null });
    assert.deepEqual(
      (await read(id)).attachments.map(attachment => attachment.fileName),
      ['1.pdf', '2.pdf'],
    );
  });

  test('audits the upload without the name of the file', async () => {
    const { id } = await context.reported();
    await upload(id);
    const [row] = await context.sql`
      SELECT fields FROM audit WHERE target_id = ${id} AND action = 'incident.attach'`;
    assert.deepEqual(row?.['fields'], ['attachments']);
  });
});

describe('uploadIncidentAttachment 200 with dryRun', () => {
  test('is answered while other uploads wait for their write', async () => {
    const { sql, testData } = context;
    const reports = await Promise.all([context.reported(), context.reported(), context.reported()]);
    const [first, second, third] = reports.map(report => report.id);
    let waiting: ReturnType<typeof upload>[] = [];
    const answered: number[] = [];
    await sql.begin(async transaction => {
      await transaction`UPDATE organization SET clock = clock WHERE id = ${testData.organization}`;
      waiting = [upload(first!), upload(second!)];
      // The other one waits in the service.
      await waitForLocks(sql, [Promise.race(waiting)]);
      for (const one of waiting) void one.then(({ status }) => answered.push(status));
      assert.equal((await upload(third!, { query: { dryRun: true } })).status, 200);
      assert.deepEqual(answered, []);
    });
    for (const one of waiting) assert.equal((await one).status, 201);
  });
});

const rejection = async (
  id: string,
  expected: [status: number, code: string],
  options = {},
  file?: typeof pdf | FormData,
) => {
  const before = await wholeState(context.sql);
  for (const more of [{}, { query: { dryRun: true } }]) {
    const answer = await upload(id, { ...options, ...more }, file);
    assert.deepEqual([answer.status, answer.body.error.code], expected);
  }
  assert.equal(await wholeState(context.sql), before);
};

function form(parts: [name: string, bytes: Buffer][]): FormData {
  const data = new FormData();
  for (const [name, bytes] of parts) data.append(name, new Blob([new Uint8Array(bytes)]), 'a.pdf');
  return data;
}

describe('uploadIncidentAttachment 400, 413 and 415', () => {
  test('400 MISSING_ATTACHMENT without a file and for an empty one', async () => {
    const { id } = await context.reported();
    await rejection(id, [400, 'MISSING_ATTACHMENT'], {}, form([]));
    await rejection(id, [400, 'MISSING_ATTACHMENT'], {}, form([['file', Buffer.alloc(0)]]));
  });

  test('400 VALIDATION_ERROR for a second file', async () => {
    const { id } = await context.reported();
    const parts = form([
      ['file', pdf.bytes],
      ['file', pdf.bytes],
    ]);
    await rejection(id, [400, 'VALIDATION_ERROR'], {}, parts);
  });

  test('415 UNSUPPORTED_MEDIA_TYPE by content, whatever the name declares', async () => {
    const { id } = await context.reported();
    await rejection(
      id,
      [415, 'UNSUPPORTED_MEDIA_TYPE'],
      {},
      { ...pdf, bytes: Buffer.from('MZ no document') },
    );
  });
});

describe('uploadIncidentAttachment 409', () => {
  test('INVALID_STATE_TRANSITION for a draft', async () => {
    const { id } = await context.reported({ description: null });
    await rejection(id, [409, 'INVALID_STATE_TRANSITION']);
  });

  for (const status of ['in_progress', 'resolved', 'rejected', 'cancelled'] as const)
    test(`INVALID_STATE_TRANSITION once it is ${status}`, async () => {
      const { id } = await context.reported();
      await advance(context.sql, id, status);
      await rejection(id, [409, 'INVALID_STATE_TRANSITION']);
    });

  test('INVALID_STATE_TRANSITION for the 21st; of 8 uploads as the 20th, exactly one is kept with its bytes', async () => {
    const { id } = await context.reported();
    for (let n = 0; n < 19; n++) assert.equal((await upload(id)).status, 201);
    const answers = await Promise.all(Array.from({ length: 8 }, () => upload(id)));
    const statuses = answers.map(answer => answer.status).toSorted();
    assert.deepEqual(statuses, [201, ...Array.from({ length: 7 }, () => 409)]);
    const { attachments } = await read(id);
    assert.equal(attachments.length, 20);
    const stored = await context.sql`
      SELECT file_id AS id FROM file_slice WHERE file_id = ANY(${attachments.map(one => one.id)})`;
    assert.equal(stored.length, 20);
    await rejection(id, [409, 'INVALID_STATE_TRANSITION']);
  });

  test('a rejection after the wait for a write leaves no file', async () => {
    const { sql, testData } = context;
    const { id } = await context.reported();
    const slices = async () => (await sql`SELECT count(*)::int AS n FROM file_slice`)[0]!['n'];
    const before = await slices();
    const [answer] = await overtaken(
      sql,
      testData.organization,
      () => [upload(id)],
      transaction =>
        transaction`UPDATE incident SET status = 'draft', doc = replace(doc, 'completed', 'draft') WHERE id = ${id}`,
    );
    assert.deepEqual([answer!.status, answer!.body.error.code], [409, 'INVALID_STATE_TRANSITION']);
    assert.equal(await slices(), before);
  });
});

describe('uploadIncidentAttachment and attachIncidentFile with a file store that fails', () => {
  const failing: [code: string, status: number, error: Error][] = [
    ['BAD_GATEWAY', 502, new FileStoreError('away')],
    ['GATEWAY_TIMEOUT', 504, new FileStoreTooSlow('late')],
  ];
  for (const [code, status, error] of failing)
    test(`${status} ${code}, nothing is stored and the file is forgotten`, async () => {
      const discarded: string[] = [];
      const store: FileStore = {
        put: () => Promise.reject(error),
        open: () => Promise.resolve(null),
        discard: async file => void discarded.push(file.id),
        list() {
          throw new Error('nothing is listed');
        },
        removing() {
          throw new Error('nothing is removed');
        },
      };
      const service = await startService(context.sql, { files: { store, timeout: 1000 } });
      const client = apiClient(service.url, { key: context.testData.keys.all });
      const key = await testToken(context.sql);
      const platform = apiClient(service.managementUrl, { api: 'platform', key });
      try {
        const { id } = await context.reported();
        const before = await wholeState(context.sql);
        const path = `/incidents/${id}/attachments`;
        for (const answer of [
          await client.upload(path, pdf),
          await platform.upload(`/organizations/${context.testData.organization}${path}`, pdf),
        ])
          assert.deepEqual([answer.status, answer.body.error.code], [status, code]);
        assert.equal(await wholeState(context.sql), before);
        assert.equal(discarded.length, 2);
        const dry = await client.upload(`/incidents/${id}/attachments`, pdf, { query: { dryRun: true } });
        assert.equal(dry.status, 200);
      } finally {
        client.close();
        platform.close();
        await service.stop();
      }
    });
});
