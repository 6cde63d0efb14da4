import assert from 'node:assert/strict';
import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import type { Employee, Incident, Order } from '@kontor/contract';
import fc from 'fast-check';
import { files } from '../features/incidents/support.ts';
import { multipart } from '../support/contract/client.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { storeEmployees } from '../support/data/employees.ts';
import { storeIncident, storeReporter } from '../support/data/incidents.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service/kontor.ts';
import { orderInput, storeOrders } from '../support/data/orders.ts';
import { atScale } from '../support/service/scale.ts';
import { insertTestData, type TestData } from '../support/data/test-data.ts';
import { type Cut, cutHeader, cuttingProxy } from './cutting-proxy.ts';
import { databaseOnOwnServer, setStandby } from './standby.ts';

/*
 * Clients send writes through a proxy that cuts connections anywhere, and repeat them until they are answered, while a fault happens: the
 * service is killed and started again, or the standby stands still and an administrator cancels a commit that waits for it. Afterwards the
 * database tells: no key has stored two resources, none that was acknowledged is lost, no edit is overwritten.
 */
const runs = atScale(2, 10);
const steps = atScale(40, 100);
const clients = 4;

let testing: TestDatabase;
let testData: TestData;
let proxy: Awaited<ReturnType<typeof cuttingProxy>>;
/** The service, or the one that is being started in its place. */
let service: Promise<ServiceProcess>;
let port: number;

const start = async () => {
  const started = await startServiceProcess({ variables: { DATABASE_URL: testing.url } });
  port = Number(new URL(started.url).port);
  return started;
};

async function killService(): Promise<ServiceProcess> {
  await (await service).end('SIGKILL');
  return start();
}

/** Commits wait for a standby that there is not, until one of them is cancelled: it is visible then, and on one server only. */
async function stopStandby(): Promise<ServiceProcess> {
  const { sql } = testing.database;
  const running = service;
  await setStandby(sql, '*');
  for (let waiting: unknown[] = []; waiting.length === 0;)
    waiting = await sql`
      SELECT pg_cancel_backend(pid) FROM pg_stat_activity
      WHERE wait_event = 'SyncRep' AND query = 'COMMIT' AND application_name = 'kontor service' LIMIT 1`;
  await setStandby(sql, '');
  return running;
}

/** What happens in a run, and where. */
const faults = {
  'the service is killed': { happen: killService, open: testDatabase },
  'the standby stands still': { happen: stopStandby, open: databaseOnOwnServer },
};

interface Answered {
  readonly status: number;
  readonly isReplayed: boolean;
  readonly etag: string | undefined;
  readonly body: any;
}

interface Sending {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
}

/** Sends a request on a connection of its own. @throws Error when the connection is cut */
function send({ method, path, headers, body }: Sending, cut: Cut | null): Promise<Answered> {
  const { promise, resolve, reject } = Promise.withResolvers<Answered>();
  const outgoing = request(`${proxy.url}/v1${path}`, {
    method,
    agent: false,
    headers: {
      ...(cut && { [cutHeader]: `${cut.side} ${cut.bytes}` }),
      'x-api-key': testData.keys.all,
      'content-type': 'application/json',
      ...headers,
    },
  });
  outgoing.on('error', reject);
  outgoing.on('response', response => {
    const { etag, 'idempotency-replayed': replayed } = response.headers;
    const status = response.statusCode!;
    json(response).then(body => resolve({ status, isReplayed: replayed === 'true', etag, body }), reject);
  });
  outgoing.end(body);
  return promise;
}

/** Sends the request again until it is answered: first with these cuts, then without. */
async function sendUntilAnswered(sending: Sending, cuts: readonly Cut[]): Promise<Answered> {
  for (let n = 0; ; n++) {
    const answer = await send(sending, cuts[n] ?? null).catch(() => null);
    if (answer !== null && answer.status !== 503) return answer;
    await service;
  }
}

/** The answers that clients have received. */
interface Acknowledged {
  /** By the mark of a write: the type and the identifier of its resource. */
  readonly stored: Map<string, { readonly type: Create['type']; readonly id: string }>;
  readonly edits: { readonly employee: string; readonly mark: string }[];
}

interface Create {
  readonly kind: 'create';
  readonly type: 'employee' | 'incident' | 'attachment' | 'decision';
  readonly cuts: readonly Cut[];
  /** How many send it at once. */
  readonly times: 1 | 2 | 32;
}

interface Edit {
  readonly kind: 'edit';
  readonly employee: number;
  readonly cuts: readonly Cut[];
}

/** Resources that the writes of a run refer to. */
interface Cast {
  readonly reporter: string;
  readonly incident: string;
  readonly edited: readonly string[];
  /** Files from before the run. */
  readonly files: ReadonlySet<string>;
}

async function filesOf(): Promise<Set<string>> {
  const rows = await testing.database.sql<{ id: string }[]>`SELECT DISTINCT file_id AS id FROM file_slice`;
  return new Set(rows.map(({ id }) => id));
}

async function castOf(): Promise<Cast> {
  const { sql } = testing.database;
  const place = { organization: testData.organization, tenant: testData.tenantA };
  const reporter = await storeReporter(sql, place);
  const [...edited] = await storeEmployees(sql, place.organization, [
    { tenant: place.tenant },
    { tenant: place.tenant },
  ]);
  const incident = await storeIncident(sql, place, { employeeId: reporter, attachments: [] });
  return {
    reporter,
    incident: incident.id,
    edited: edited.map(({ id }) => id),
    files: await filesOf(),
  };
}

async function sendingOf(type: Create['type'], mark: string, cast: Cast): Promise<Sending> {
  const headers = { 'idempotency-key': mark };
  const json = (path: string, body: object): Sending => ({
    method: 'POST',
    path,
    headers,
    body: JSON.stringify(body),
  });
  switch (type) {
    case 'employee': {
      const email = `${mark}@example.com`;
      return json('/employees', { email, firstName: 'A', lastName: mark, divisionId: testData.sales });
    }
    case 'incident':
      return json('/incidents', { employeeId: cast.reporter, type: 'other', description: mark });
    case 'decision': {
      const target = { organizationId: testData.organization, tenantId: testData.tenantA };
      const input = orderInput({ employeeId: cast.reporter });
      const [order] = await storeOrders(testing.database.sql, target, [input]);
      return json(`/orders/${order!.id}/decision`, { decision: 'approved', comment: mark });
    }
    case 'attachment': {
      const file = { bytes: files['application/pdf'], fileName: `${mark}.pdf` };
      const { raw, contentType } = await multipart(file);
      return {
        method: 'POST',
        path: `/incidents/${cast.incident}/attachments`,
        headers: { ...headers, 'content-type': contentType },
        body: raw,
      };
    }
  }
}

async function create({ type, cuts, times }: Create, cast: Cast, acknowledged: Acknowledged): Promise<void> {
  const mark = crypto.randomUUID();
  const sending = await sendingOf(type, mark, cast);
  const answers = await Promise.all(Array.from({ length: times }, () => sendUntilAnswered(sending, cuts)));
  // An incident has at most 20 attachments.
  if (type === 'attachment' && answers.every(({ status }) => status === 409)) return;
  const [first] = answers;
  for (const answer of answers) {
    assert.equal(answer.status, type === 'decision' ? 200 : 201, JSON.stringify(answer.body));
    assert.equal(answer.body.id, first!.body.id);
  }
  assert.ok(answers.filter(({ isReplayed }) => !isReplayed).length <= 1, 'one key was stored twice');
  acknowledged.stored.set(mark, { type, id: first!.body.id });
}

/** Appends a mark to a text that others edit, too. A conflict means to read and to append again, unless the mark is there. */
async function edit({ employee, cuts }: Edit, { edited }: Cast, acknowledged: Acknowledged): Promise<void> {
  const id = edited[employee % edited.length]!;
  const path = `/employees/${id}`;
  const mark = crypto.randomUUID().slice(0, 6);
  for (;;) {
    const read = await sendUntilAnswered({ method: 'GET', path }, []);
    const text = (read.body.additionalInfo ?? '') as string;
    if (text.split(' ').includes(mark)) break;
    // The text has at most 1,000 characters.
    if (text.length > 990) return;
    const body = JSON.stringify({ additionalInfo: `${text} ${mark}`.trim() });
    const patch: Sending = { method: 'PATCH', path, headers: { 'if-match': read.etag! }, body };
    const answer = await sendUntilAnswered(patch, cuts);
    if (answer.status === 200) break;
    assert.equal(answer.status, 409, JSON.stringify(answer.body));
    assert.ok(answer.etag !== undefined && answer.etag !== read.etag);
  }
  acknowledged.edits.push({ employee: id, mark });
}

async function checkStored(acknowledged: Acknowledged, cast: Cast): Promise<void> {
  const { sql } = testing.database;
  const docsOf = async <Document>(table: string): Promise<Document[]> => {
    const rows = await sql.unsafe<{ doc: string }>(`SELECT doc FROM ${table}`);
    return rows.map(({ doc }) => JSON.parse(doc) as Document);
  };
  const employees = await docsOf<Employee>('employee');
  const incidents = await docsOf<Incident>('incident');
  const attachments = incidents.flatMap(incident => incident.attachments);
  const orders = await docsOf<Order>('employee_order');
  const marked: Record<Create['type'], (mark: string) => { id: string }[]> = {
    employee: mark => employees.filter(({ lastName }) => lastName === mark),
    incident: mark => incidents.filter(({ description }) => description === mark),
    attachment: mark => attachments.filter(({ fileName }) => fileName === `${mark}.pdf`),
    decision: mark => orders.filter(({ hrHistory }) => hrHistory?.comment === mark),
  };
  for (const [mark, { type, id }] of acknowledged.stored)
    assert.deepEqual(
      marked[type](mark).map(resource => resource.id),
      [id],
      `${type} ${mark}`,
    );
  const named = new Set(attachments.map(({ id }) => id));
  const orphans = [...(await filesOf())].filter(id => !cast.files.has(id) && !named.has(id));
  assert.deepEqual(orphans, [], 'files without an attachment');
  for (const { employee, mark } of acknowledged.edits) {
    const { additionalInfo } = employees.find(({ id }) => id === employee)!;
    const found = (additionalInfo ?? '').split(' ').filter(word => word === mark);
    assert.deepEqual(found, [mark], `edit ${mark} of ${employee}`);
  }
}

const cut = fc.record({
  side: fc.constantFrom('request' as const, 'answer' as const),
  bytes: fc.oneof(fc.nat(1200), fc.constant(0)),
});
const cuts = fc.array(cut, { maxLength: 3 });
const step: fc.Arbitrary<Create | Edit> = fc.oneof(
  fc.record({
    kind: fc.constant('create' as const),
    type: fc.constantFrom('employee', 'incident', 'attachment', 'decision'),
    cuts,
    times: fc.oneof({ weight: 12, arbitrary: fc.constantFrom(1, 2) }, fc.constant(32)),
  }) as fc.Arbitrary<Create>,
  fc.record({ kind: fc.constant('edit' as const), employee: fc.nat(1), cuts }),
);

for (const [name, { happen, open }] of Object.entries(faults))
  describe(name, () => {
    before(async () => {
      testing = await open();
      testData = await insertTestData(testing.database.sql);
      service = start();
      await service;
      proxy = await cuttingProxy(() => port);
    });
    after(async () => {
      proxy?.close();
      await (await service)?.end('SIGTERM');
      await testing?.drop();
    });

    test(
      'a repeated write is stored once, an acknowledged one is kept, and no edit overwrites another one',
      { timeout: atScale(120_000, 600_000) },
      () =>
        fc.assert(
          fc.asyncProperty(
            fc.array(step, { minLength: steps, maxLength: steps }),
            // In the long form two runs of five.
            fc.nat(atScale(1, 4)).map(n => (n <= 1 ? Math.floor(steps / 3) : Infinity)),
            (all, faultAt) => runSteps(all, { faultAt, happen }),
          ),
          { numRuns: runs, endOnFailure: true },
        ),
    );
  });

async function runSteps(
  all: readonly (Create | Edit)[],
  { faultAt, happen }: { faultAt: number; happen: () => Promise<ServiceProcess> },
): Promise<void> {
  const acknowledged: Acknowledged = { stored: new Map(), edits: [] };
  const cast = await castOf();
  const waiting = all.values();
  let done = 0;
  const client = async () => {
    for (const each of waiting) {
      if (++done === faultAt) service = happen();
      await (each.kind === 'edit' ? edit(each, cast, acknowledged) : create(each, cast, acknowledged));
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  await service;
  await checkStored(acknowledged, cast);
}
