import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import { files, incidentTestData, type IncidentTestData } from '../features/incidents/support.ts';
import { type ApiClient, apiClient } from '../support/contract/client.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service/kontor.ts';
import { waitForLocks } from '../support/database/locks.ts';
import { startS3, type TestS3 } from '../support/servers/s3.ts';

const timeout = 60_000;

let context: IncidentTestData;
let s3: TestS3;
before(async () => {
  context = await incidentTestData();
  s3 = await startS3();
});
after(async () => {
  await s3.close();
  await context.close();
});
beforeEach(async () => {
  assert.deepEqual(await left(), nothing);
  await forgetStore();
});

/** Without files, either store may be the first one again. */
const forgetStore = () => context.sql`DELETE FROM setting WHERE name = 'files'`;

const nothing = { slices: 0, pending: 0, objects: [] as string[] };

/** What there is of files, apart from what incidents refer to: none does in these tests. */
async function left(): Promise<typeof nothing> {
  const [row] = await context.sql<{ slices: number; pending: number }[]>`
    SELECT (SELECT count(*)::int FROM file_slice) AS slices, (SELECT count(*)::int FROM file_pending) AS pending`;
  return { ...row!, objects: await s3.objects() };
}

function start(store: 'database' | 's3'): Promise<ServiceProcess> {
  const variables = store === 's3' ? { FILES_URL: s3.url, ...s3.credentials } : undefined;
  return startServiceProcess({ variables: { DATABASE_URL: context.database.url, ...variables } });
}

/** Kills the service and waits until PostgreSQL has rolled back what it had begun. */
async function kill(service: ServiceProcess): Promise<void> {
  await service.end('SIGKILL');
  for (;;) {
    const sessions = await context.sql`
      SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'kontor service'`;
    if (sessions.length === 0) return;
  }
}

/** Kills the service when the bytes of an upload are stored and all but its commit is done. */
async function killBeforeCommit(service: ServiceProcess, client: ApiClient): Promise<void> {
  const { sql, testData } = context;
  const { id } = await context.reported();
  const pdf = { bytes: files['application/pdf'], fileName: 'a.pdf' };
  await sql.begin(async transaction => {
    await transaction`UPDATE organization SET clock = clock WHERE id = ${testData.organization}`;
    const upload = client.upload(`/incidents/${id}/attachments`, pdf);
    upload.catch(() => {});
    await waitForLocks(sql, [upload]);
    await service.end('SIGKILL');
    await assert.rejects(upload, { code: 'ECONNRESET' });
  });
  await kill(service);
  const incident = await context.client.get(`/incidents/${id}`);
  assert.deepEqual(incident.body.attachments, []);
}

test('kill -9 of an upload into the database leaves nothing', { timeout }, async () => {
  const service = await start('database');
  const client = apiClient(service.url, { key: context.testData.keys.all });
  await killBeforeCommit(service, client);
  client.close();
  assert.deepEqual(await left(), nothing);
});

test('kill -9 of an upload into S3 leaves nothing once a service has swept', { timeout }, async () => {
  const service = await start('s3');
  const client = apiClient(service.url, { key: context.testData.keys.all });
  await killBeforeCommit(service, client);
  client.close();
  const { objects, ...rows } = await left();
  assert.deepEqual([objects.length, rows], [1, { slices: 0, pending: 1 }]);
  await context.sql`UPDATE file_pending SET at = now() - interval '1 minute'`;
  const next = await start('s3');
  while ((await left()).pending > 0);
  assert.deepEqual(await left(), nothing);
  await next.end('SIGTERM');
});

test('kill -9 while a body is on its way leaves nothing, in either store', { timeout }, async () => {
  for (const store of ['database', 's3'] as const) {
    const service = await start(store);
    const { id } = await context.reported();
    const socket = connect({ port: Number(new URL(service.url).port), host: '127.0.0.1' });
    socket.on('error', () => {});
    const head = [
      `POST /v1/incidents/${id}/attachments HTTP/1.1`,
      'Host: x',
      `X-API-Key: ${context.testData.keys.all}`,
      'Content-Type: multipart/form-data; boundary=x',
      'Content-Length: 1000000',
    ];
    const part = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n%PDF-';
    await new Promise<void>(resolve => {
      socket.write(`${head.join('\r\n')}\r\n\r\n${part}${'x'.repeat(400_000)}`, () => resolve());
    });
    await kill(service);
    socket.destroy();
    assert.deepEqual(await left(), nothing);
  }
});
