import type { Cast, Sent, Stage } from './recorder.ts';

const outdated = { 'if-match': '"2026-09-02T08:15:30.123Z"' };
const key = (n: number) => ({ 'idempotency-key': `0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a2${n}` });

/** Rejections that `If-Match` and `Idempotency-Key` add: another version, another request under a used key, a repeat out of scope. */
export async function safeWrites(stage: Stage, cast: Cast): Promise<void> {
  await ofVersions(stage, cast);
  await ofRepeats(stage, cast);
}

async function ofVersions({ client, recorder }: Stage, { division, employee }: Cast): Promise<void> {
  recorder.header('ETag', await client.get(`/employees/${employee}`));
  const patches: [string, Sent][] = [
    ['updateEmployee', { path: { id: employee }, body: { city: 'Kiel' } }],
    ['updateDivision', { path: { id: division }, body: { costCenter: '4799' } }],
  ];
  for (const [operation, sent] of patches)
    await recorder.reject(client, operation, [409, 'INVALID_STATE_TRANSITION'], {
      ...sent,
      headers: outdated,
      own: true,
    });
}

async function ofRepeats({ client, recorder, sql, testData }: Stage, cast: Cast): Promise<void> {
  const { sales, support, keys } = testData;
  const person = { email: 'jana.vogt@example.com', firstName: 'Jana', lastName: 'Vogt', divisionId: sales };
  const asSales = { headers: key(0), key: keys.sales };
  const employeeId = (await client.post('/employees', person, asSales)).body.id as string;
  recorder.header('Idempotency-Replayed', await client.post('/employees', person, asSales));
  await sql`UPDATE employee SET activated_at = now() WHERE id = ${employeeId}`;
  const division = { name: 'Vertrieb Ost', parentId: sales };
  const divisionId = (await client.post('/divisions', division, { ...asSales, headers: key(1) })).body
    .id as string;
  const incident = { employeeId, type: 'damage' };
  await client.post('/incidents', incident, { ...asSales, headers: key(2) });

  await client.patch(`/employees/${employeeId}`, { divisionId: support });
  await client.patch(`/divisions/${divisionId}`, { parentId: support });
  for (const [n, [operation, body]] of Object.entries({
    createEmployee: person,
    createDivision: division,
    createIncident: incident,
  }).entries())
    await recorder.reject(client, operation, [404, 'NOT_FOUND'], {
      ...asSales,
      body,
      headers: key(n),
      own: true,
    });

  const file = { fileName: 'schaden.png', bytes: Buffer.from('89504e470d0a1a0a', 'hex') };
  const others: [string, Sent][] = [
    ['createEmployee', { body: { ...person, city: 'Bonn' } }],
    ['decideOrder', { path: { id: cast.decided }, body: { decision: 'approved' } }],
    ['uploadIncidentAttachment', { path: { id: cast.incident }, file }],
  ];
  for (const [operation, sent] of others)
    await recorder.reject(client, operation, [422, 'VALIDATION_ERROR'], { ...asSales, ...sent, own: true });
}
