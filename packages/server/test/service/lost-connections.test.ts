import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { newId } from '../../src/db/ids.ts';
import {
  files,
  incidentCounters,
  incidentTestData,
  type IncidentTestData,
} from '../features/incidents/support.ts';
import { type Answer, type ApiClient, apiClient } from '../support/contract/client.ts';
import { checkTables } from '../support/data/divisions.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service/kontor.ts';

/** The service as a process that loses its database sessions, as when PostgreSQL restarts. */
let context: IncidentTestData;
let service: ServiceProcess;
let client: ApiClient;
/** S3 as far as uploads need it; it answers when the test releases it. */
let storage: Server;
let uploading: PromiseWithResolvers<ServerResponse>;

before(async () => {
  context = await incidentTestData();
  uploading = Promise.withResolvers();
  storage = createServer((request, response) => {
    request.resume().on('end', () => uploading.resolve(response));
  }).listen(0, '127.0.0.1');
  await once(storage, 'listening');
  const { port } = storage.address() as AddressInfo;
  service = await startServiceProcess({
    variables: {
      DATABASE_URL: context.database.url,
      FILES_URL: `s3://files?endpoint=${encodeURIComponent(`http://127.0.0.1:${port}`)}`,
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
    },
  });
  client = apiClient(service.url, { key: context.testData.keys.all });
});
after(async () => {
  client.close();
  await service.end('SIGTERM');
  storage.close();
  storage.closeAllConnections();
  await context.close();
});

/** Ends the sessions of the service that are in a transaction, and answers how many. */
async function endTransactions(): Promise<number> {
  const ended = await context.sql`
    SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'kontor service' AND xact_start IS NOT NULL`;
  return ended.length;
}

/** Uploads a file, and answers as soon as the storage has it but has not answered. */
async function upload(id: string): Promise<{ answer: Promise<Answer<any>>; storage: ServerResponse }> {
  uploading = Promise.withResolvers();
  const file = { bytes: files['application/pdf'], fileName: 'a.pdf' };
  const answer = client.upload(`/incidents/${id}/attachments`, file);
  return { answer, storage: await uploading.promise };
}

test('a session that ends between two statements of a write costs that write only', async () => {
  const { id } = await context.reported();
  const lost = await upload(id);
  assert.equal(await endTransactions(), 1);
  assert.equal((await lost.answer).status, 503);
  // What the write did next would have been sent on the connection that is gone.
  lost.storage.end();
  const next = await upload(id);
  next.storage.end();
  assert.equal((await next.answer).status, 201);
  const { attachments } = (await client.get(`/incidents/${id}`)).body;
  assert.deepEqual(attachments, [(await next.answer).body]);
});

test('sessions that end again and again under writes of all resource types lose nothing that was acknowledged', async () => {
  const { sql, testData } = context;
  const employeeId = await context.employee();
  const acknowledged: string[] = [];
  const progress = { ended: 0 };
  const enough = () => progress.ended >= 40;
  async function write(send: () => Promise<Answer<any>>): Promise<void> {
    while (!enough()) {
      const { status, body } = await send();
      assert.ok([200, 201, 503].includes(status), JSON.stringify(body));
      if (status === 201) acknowledged.push(body.id);
    }
  }
  const incident = () => client.post('/incidents', { employeeId, type: 'damage' });
  const division = () => client.post('/divisions', { name: newId(), parentId: testData.sales });
  const person = { firstName: 'A', lastName: 'B', divisionId: testData.north };
  const employee = () => client.post('/employees', { ...person, email: `${newId()}@example.com` });
  const dry = () =>
    client.post('/employees', { ...person, email: 'dry@example.com' }, { query: { dryRun: true } });
  const writers = [incident, division, employee, dry].flatMap(send => [write(send), write(send)]);
  while (!enough()) progress.ended += await endTransactions();
  await Promise.all(writers);
  for (const send of [incident, division, employee, dry]) {
    // The driver fails the first statement on the next connection once more.
    let answer = await send();
    for (let n = 0; n < 20 && answer.status === 503; n++) answer = await send();
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
  }
  const stored = await sql<{ id: string }[]>`
    SELECT id FROM incident UNION ALL SELECT id FROM division UNION ALL SELECT id FROM employee`;
  const ids = new Set(stored.map(row => row.id));
  assert.ok(acknowledged.length > 0);
  assert.deepEqual(
    acknowledged.filter(id => !ids.has(id)),
    [],
  );
  await checkTables(sql, testData.organization);
  const { kept, real } = await incidentCounters(sql, testData.organization);
  assert.deepEqual(kept, real);
});
