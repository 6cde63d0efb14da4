import { sentRequestId } from './settled.ts';
import { asking, type Stage, upload } from './stage.ts';

interface Operation {
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly takes?: 'json' | 'file';
  readonly isList?: true;
}

const anonymous = 'f'.repeat(24);

/** The operations of `/v1` as they are published. */
const operations: readonly Operation[] = [
  { name: 'listEmployees', method: 'GET', path: '/v1/employees', isList: true },
  { name: 'createEmployee', method: 'POST', path: '/v1/employees', takes: 'json' },
  { name: 'getEmployee', method: 'GET', path: `/v1/employees/${anonymous}` },
  { name: 'updateEmployee', method: 'PATCH', path: `/v1/employees/${anonymous}`, takes: 'json' },
  { name: 'listDivisions', method: 'GET', path: '/v1/divisions', isList: true },
  { name: 'createDivision', method: 'POST', path: '/v1/divisions', takes: 'json' },
  { name: 'getDivision', method: 'GET', path: `/v1/divisions/${anonymous}` },
  { name: 'updateDivision', method: 'PATCH', path: `/v1/divisions/${anonymous}`, takes: 'json' },
  { name: 'listOrders', method: 'GET', path: '/v1/orders', isList: true },
  { name: 'getOrder', method: 'GET', path: `/v1/orders/${anonymous}` },
  { name: 'decideOrder', method: 'POST', path: `/v1/orders/${anonymous}/decision`, takes: 'json' },
  {
    name: 'downloadOrderAttachment',
    method: 'GET',
    path: `/v1/orders/${anonymous}/attachments/${anonymous}`,
  },
  { name: 'listIncidents', method: 'GET', path: '/v1/incidents', isList: true },
  { name: 'createIncident', method: 'POST', path: '/v1/incidents', takes: 'json' },
  { name: 'getIncident', method: 'GET', path: `/v1/incidents/${anonymous}` },
  { name: 'updateIncident', method: 'PATCH', path: `/v1/incidents/${anonymous}`, takes: 'json' },
  {
    name: 'uploadIncidentAttachment',
    method: 'POST',
    path: `/v1/incidents/${anonymous}/attachments`,
    takes: 'file',
  },
  {
    name: 'listPayrollExportDocuments',
    method: 'GET',
    path: '/v1/payroll-export-documents',
    isList: true,
  },
  { name: 'getPayrollExportDocument', method: 'GET', path: `/v1/payroll-export-documents/${anonymous}` },
  {
    name: 'downloadPayrollExportDocument',
    method: 'GET',
    path: `/v1/payroll-export-documents/${anonymous}/download`,
  },
  { name: 'getHealth', method: 'GET', path: '/v1/health' },
];

/** A rejection of each stage of the way of a request, of every operation that can give it. */
export async function rejections(stage: Stage): Promise<void> {
  for (const operation of operations) {
    await ofHeaders(stage, operation);
    await ofContract(stage, operation);
  }
  await ofKeys(stage);
  await ofRules(stage);
  await ofRoutes(stage);
  await ofProtocol(stage);
}

async function ofHeaders(stage: Stage, { name, method, path, takes }: Operation): Promise<void> {
  const send = (rule: string, headers: Record<string, string | string[]>) =>
    asking(stage)(`${name}: ${rule}`, method, path, takes === 'json' ? {} : undefined, headers);
  await send('X-Request-ID is no UUID', { 'X-Request-ID': 'one' });
  await send('a condition', { 'If-Match': '"a"' });
  await send('an Accept that excludes all', { Accept: 'audio/ogg' });
  await send('X-Tenant-ID is no identifier', { 'X-Tenant-ID': 'one' });
  await send('X-Tenant-ID twice', { 'X-Tenant-ID': [stage.testData.tenantA, stage.testData.tenantB] });
  await send('the tenant of others', { 'X-Tenant-ID': stage.testData.foreign.tenant });
  await stage.wire.send(`${name}: no key`, method, path, { headers: { 'X-Request-ID': sentRequestId } });
}

async function ofContract(stage: Stage, { name, method, path, takes, isList }: Operation): Promise<void> {
  const ask = asking(stage);
  const send = (rule: string, target: string, body?: unknown, headers = {}) =>
    ask(`${name}: ${rule}`, method, target, body ?? (takes === 'json' ? {} : undefined), headers);
  await send('an unknown parameter', `${path}?surprise=1`);
  await send('bad percent-encoding', `${path}?a=%zz`);
  if (path.includes(anonymous)) {
    await send('no identifier in the path', path.replace(anonymous, 'one'));
    await send('bad percent-encoding in the path', path.replace(anonymous, '%zz'));
    await send('nobody has the identifier', path, takes === 'json' ? { decision: 'approved' } : undefined);
  }
  if (isList)
    for (const query of [
      'filter=(',
      'filter=surprise=1',
      'filter=createdAt%20CONTAINS%201',
      'sort=a,b',
      'page=0',
    ])
      await send(query, `${path}?${query}`);
  if (takes === 'json') {
    await send('an unknown property', path, { surprise: 1 });
    await send('text', path, {}, { 'Content-Type': 'text/plain' });
  }
  if (takes !== undefined) await send('a dry run that is neither', `${path}?dryRun=1`);
  if (takes === 'file') {
    await upload(stage, `${name}: nobody has the incident`, path);
    await send('JSON', path, {});
  }
}

async function ofKeys(stage: Stage): Promise<void> {
  const ask = asking(stage);
  const withKey = (name: string, key: string) =>
    ask(name, 'GET', '/v1/employees', undefined, { 'X-API-Key': key });
  await withKey('a key of another form', 'secret');
  await withKey('a key that nobody has', `${stage.keys.all.slice(0, 30)}${'x'.repeat(40)}`);
  await withKey('the last of a quota', stage.keys.spent);
  await withKey('a quota that is spent', stage.keys.spent);
}

async function ofRules(stage: Stage): Promise<void> {
  const { testData } = stage;
  const ask = asking(stage);
  const person = { email: 'maria.schulz@example.com', firstName: 'Maria', lastName: 'Schulz' };
  await ask('a tenant that cannot be inferred', 'POST', '/v1/employees', person);
  await ask('an email twice', 'POST', '/v1/employees', { ...person, divisionId: testData.north });
  await ask('a division of others', 'POST', '/v1/employees', {
    ...person,
    divisionId: testData.foreign.division,
  });
  await ask('a division that is none', 'POST', '/v1/employees', { ...person, divisionId: 'one' });
  await ask('a sibling of the name', 'POST', '/v1/divisions', { name: 'NORTH', parentId: testData.sales });
  await ask('a cycle', 'PATCH', `/v1/divisions/${testData.sales}`, { parentId: testData.north });
  const range = 'createdAtFrom=2026-09-02T00:00:00Z&createdAtTo=2026-09-01T00:00:00Z';
  await ask('from after to', 'GET', `/v1/employees?${range}`);
}

async function ofRoutes(stage: Stage): Promise<void> {
  const ask = asking(stage);
  for (const [method, path] of [
    ['GET', '/nothing'],
    ['GET', '/v1/nothing'],
    ['GET', '/employees'],
    ['GET', '/v1/employees/'],
    ['DELETE', `/v1/employees/${anonymous}`],
    ['PUT', '/v1/employees'],
    ['HEAD', '/v1/employees'],
    ['OPTIONS', '/v1/employees'],
    ['GET', '/v1/%zz'],
    ['GET', '/livez'],
    ['GET', '/metrics'],
  ] as const)
    await ask(`${method} ${path}`, method, path);
}

async function ofProtocol({ wire }: Stage): Promise<void> {
  await wire.sendRaw('no HTTP', 'nonsense\r\n\r\n');
  await wire.sendRaw('no Host', 'GET /v1/health HTTP/1.1\r\nConnection: close\r\n\r\n');
  await wire.sendRaw(
    'the end of a body is missing',
    'POST /v1/employees HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n',
  );
}
