import { apis, openApiDocument } from '@kontor/contract';

/** An operation of the document, as far as a request needs it. */
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly [string];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
  readonly responses: Readonly<Record<string, unknown>>;
}

interface Parameter {
  readonly name?: string;
  readonly in?: string;
}

const kinds: Readonly<Record<string, string>> = {
  '/employees': 'employeeId',
  '/divisions': 'divisionId',
  '/orders': 'orderId',
  '/incidents': 'incidentId',
  '/payroll-export-documents': 'documentId',
};

/** The name of the variable with the identifier in a path, such as `employeeId`. */
const variableOf = (path: string) => kinds[/^\/[^/]+/.exec(path)![0]];

/** The script behind an answer checks its status. Requests after a list use its first item. */
function scriptOf(path: string, { responses }: Operation, isList: boolean): string[] {
  const statuses = isList || path === '/health' ? '200' : Object.keys(responses).join(', ');
  const check = `pm.test('answers as documented', () => pm.expect(pm.response.code).to.be.oneOf([${statuses}]));`;
  if (!isList) return [check];
  return [
    check,
    'const [first] = pm.response.json().items;',
    `if (first) pm.collectionVariables.set('${variableOf(path)}', first.id);`,
    `if (first?.tenant) pm.collectionVariables.set('tenantId', first.tenant);`,
  ];
}

function bodyOf({ requestBody }: Operation): object | undefined {
  if (requestBody === undefined) return undefined;
  const json = requestBody.content['application/json'];
  if (json === undefined) return { mode: 'formdata', formdata: [{ key: 'file', type: 'file', src: [] }] };
  const raw = JSON.stringify(json.example, null, 2);
  return { mode: 'raw', raw, options: { raw: { language: 'json' } } };
}

function itemOf(method: string, path: string, operation: Operation): object {
  const isList = method === 'get' && path in kinds;
  const names = (operation.parameters ?? []).filter(parameter => parameter.in === 'query');
  const query = names.map(({ name }) => ({
    key: name,
    value: name === 'dryRun' ? 'true' : '',
    // A write of this collection stores nothing until somebody switches the dry run off.
    disabled: name !== 'dryRun',
  }));
  const segments = path
    .slice(1)
    .split('/')
    .map(part => (part === '{id}' ? `{{${variableOf(path)}}}` : part.replace('{', '{{').replace('}', '}}')));
  const active = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${value}`);
  const raw = ['{{baseUrl}}', ...segments].join('/');
  const body = bodyOf(operation);
  return {
    name: operation.summary,
    event: [{ listen: 'test', script: { type: 'text/javascript', exec: scriptOf(path, operation, isList) } }],
    request: {
      method: method.toUpperCase(),
      header: method === 'post' ? [{ key: 'X-Tenant-ID', value: '{{tenantId}}' }] : [],
      url: {
        raw: active.length === 0 ? raw : `${raw}?${active.join('&')}`,
        host: ['{{baseUrl}}'],
        path: segments,
        query,
      },
      ...(body && { body }),
    },
    response: [],
  };
}

const placeholder = '000000000000000000000000';

/** The requests of the public API as a Postman collection (2.1), which Bruno and others import. */
export function renderCollection(): string {
  const { paths } = openApiDocument(apis.public);
  const folders = new Map<string, object[]>();
  for (const [path, item] of Object.entries(paths))
    for (const [method, operation] of Object.entries(item) as unknown as [string, Operation][]) {
      const [tag] = operation.tags;
      folders.set(tag, [...(folders.get(tag) ?? []), itemOf(method, path, operation)]);
    }
  const identifiers = ['tenantId', 'attachmentId', ...Object.values(kinds)];
  const collection = {
    info: {
      name: 'Kontor',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: {
      type: 'apikey',
      apikey: [
        { key: 'key', value: 'X-API-Key', type: 'string' },
        { key: 'value', value: '{{apiKey}}', type: 'string' },
        { key: 'in', value: 'header', type: 'string' },
      ],
    },
    variable: [
      { key: 'baseUrl', value: 'http://127.0.0.1:8080/v1' },
      { key: 'apiKey', value: '' },
      ...identifiers.map(key => ({ key, value: placeholder })),
    ],
    item: [...folders].map(([name, item]) => ({ name, item })),
  };
  return JSON.stringify(collection);
}
