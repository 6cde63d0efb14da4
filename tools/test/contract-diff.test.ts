import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { apis, openApiDocument } from '@kontor/contract';
import { type Break, findBreaks, findLostErrors, findUnannounced, readDocument } from '../contract-diff.ts';
import { releasedFiles } from '../documents.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const released = await readDocument(path.join(repository, releasedFiles.public));
const releasedPlatform = await readDocument(path.join(repository, releasedFiles.platform));

// The document as plain JSON, to be damaged at will.
type Json = any;

/** The breaks of a document by a change of it. */
async function breaksOf(document: Json, plant: (document: Json) => void): Promise<Break[]> {
  const changed = structuredClone(document);
  plant(changed);
  return findBreaks(document, changed);
}

const listOf = (document: Json) => document.paths['/employees'].get;
const schemaOf = (document: Json, name: string) => document.components.schemas[name];
/** The codes of an answer, which its examples are named after. */
const codesOf = (response: Json): Json => response.content['application/json'].examples;

/** One breaking change each, and where it must be reported; that of a shared schema at the first operation that has it. */
const breaking: Record<string, [where: string, plant: (document: Json) => void]> = {
  'a removed operation': ['PATCH /employees/{id}', d => delete d.paths['/employees/{id}'].patch],
  'a removed path': ['/employees/{id}', d => delete d.paths['/employees/{id}']],
  'a removed parameter': ['GET /employees', d => listOf(d).parameters.shift()],
  'a removed status': ['GET /employees', d => delete listOf(d).responses[403]],
  'a removed header of an answer': ['GET /employees', d => delete listOf(d).responses[200].headers.RateLimit],
  'a removed error code': [
    'POST /employees',
    d => delete codesOf(d.paths['/employees'].post.responses[409]).DUPLICATE_RESOURCE,
  ],
  'a removed error code of all lists': [
    'GET /employees',
    d => delete codesOf(d.components.responses.ListBadRequest).UNSUPPORTED_SORT_FIELD,
  ],
  'a removed field of an answer': [
    'GET /employees',
    d => {
      delete schemaOf(d, 'Employee').properties.city;
      schemaOf(d, 'Employee').required = schemaOf(d, 'Employee').required.filter((n: string) => n !== 'city');
    },
  ],
  'a field of an answer that may be absent': ['GET /employees', d => schemaOf(d, 'Employee').required.pop()],
  'a wider type in an answer': [
    'GET /employees',
    d => (schemaOf(d, 'Employee').properties.blocked.type = ['boolean', 'null']),
  ],
  'a field that a request must have': [
    'POST /employees',
    d => schemaOf(d, 'EmployeeCreate').required.push('city'),
  ],
  'a field that a request may no longer have': [
    'PATCH /employees/{id}',
    d => delete schemaOf(d, 'EmployeePatch').properties.city,
  ],
  'a narrower type in a request': [
    'PATCH /employees/{id}',
    d => (schemaOf(d, 'EmployeePatch').properties.city.type = 'string'),
  ],
  'a narrower bound in a request': [
    'POST /employees',
    d => (schemaOf(d, 'EmployeeCreate').properties.firstName.maxLength = 3),
  ],
  'a narrower bound of a parameter': [
    'GET /employees',
    d => (listOf(d).parameters.find((p: Json) => p.name === 'pageSize').schema.maximum = 500),
  ],
  // One of each other resource type, so that the last released document is known to have them all.
  'an order that lost a state': ['GET /orders', d => schemaOf(d, 'OrderStatus').enum.pop()],
  'an incident that cannot be changed': [
    'PATCH /incidents/{id}',
    d => delete d.paths['/incidents/{id}'].patch,
  ],
  'a division that must have a cost center': [
    'POST /divisions',
    d => schemaOf(d, 'DivisionCreate').required.push('costCenter'),
  ],
  'a payroll file of one media type less': [
    'GET /payroll-export-documents/{id}/download',
    d => delete d.paths['/payroll-export-documents/{id}/download'].get.responses[200].content['text/csv'],
  ],
};

const harmless: Record<string, (document: Json) => void> = {
  'an added path': d => (d.paths['/staff'] = structuredClone(d.paths['/employees'])),
  'an added field of an answer': d => (schemaOf(d, 'Employee').properties.nickname = { type: 'string' }),
  'an added optional field of a request': d =>
    (schemaOf(d, 'EmployeePatch').properties.nickname = { type: 'string' }),
  'another description': d => (listOf(d).description = 'Answers the employees.'),
};

describe('the contract against the last released one', { concurrency: 2 }, () => {
  for (const [name, [where, plant]] of Object.entries(breaking)) {
    test(`${name} is a breaking change`, async () => {
      const places = (await breaksOf(released, plant)).map(found => found.where);
      assert.ok(places.includes(where), `found: ${places.join(', ')}`);
    });
  }

  for (const [name, plant] of Object.entries(harmless)) {
    test(`${name} is no breaking change`, async () => assert.deepEqual(await breaksOf(released, plant), []));
  }
});

describe('the platform API is compared with its own release', () => {
  const planted: Record<string, [where: string, plant: (document: Json) => void]> = {
    'a removed operation': [
      'POST /organizations/{organizationId}/tenants',
      d => delete d.paths['/organizations/{organizationId}/tenants'].post,
    ],
    'a removed error code': [
      'POST /organizations/{organizationId}/api-keys',
      d =>
        delete codesOf(d.paths['/organizations/{organizationId}/api-keys'].post.responses[422])
          .INVALID_REFERENCE,
    ],
    'a removed field of an answer': [
      'GET /organizations',
      d => {
        const { properties, required } = schemaOf(d, 'Organization');
        delete properties.name;
        required.splice(required.indexOf('name'), 1);
      },
    ],
  };

  for (const [name, [where, plant]] of Object.entries(planted))
    test(`${name} is a breaking change`, async () => {
      const places = (await breaksOf(releasedPlatform, plant)).map(found => found.where);
      assert.ok(places.includes(where), `found: ${places.join(', ')}`);
    });
});

describe('an error code that the document did not have', () => {
  /** The breaks when it is answered by a new operation, or by one that was there. */
  async function breaksOfCode(isNew: boolean): Promise<string[]> {
    const document: Json = structuredClone(released);
    const create = document.paths['/employees'].post;
    const added = isNew ? { ...structuredClone(create), operationId: 'createPerson' } : create;
    if (isNew) document.paths['/staff'] = { post: added };
    const examples = codesOf(added.responses[409]);
    examples.TOO_YOUNG = examples.DUPLICATE_RESOURCE;
    schemaOf(document, 'ErrorCode').enum.push('TOO_YOUNG');
    return (await findBreaks(released, document)).map(({ what }) => what);
  }

  test('is no breaking change where only a new operation answers it', async () =>
    assert.deepEqual(await breaksOfCode(true), []));
  test('is one where an operation answers it that was there', async () =>
    assert.match(String(await breaksOfCode(false)), /gained values: 'TOO_YOUNG'/));
});

describe('an error code that an operation no longer answers', () => {
  const document = openApiDocument(apis.public);
  const without = (drop: (document: Json) => void): string[] => {
    const changed: Json = structuredClone(document);
    drop(changed);
    return findLostErrors(document, changed).map(({ where, what }) => `${where} ${what}`);
  };

  test('is a breaking change of that operation', () => {
    const lost = without(d => {
      delete d.paths['/employees'].post.responses[409].content['application/json'].examples
        .DUPLICATE_RESOURCE;
    });
    assert.deepEqual(lost, ['POST /employees No longer: createEmployee 409 DUPLICATE_RESOURCE']);
  });

  test('is one of every operation that shares the answer', () => {
    const lost = without(d => {
      const { examples } = d.components.responses.Forbidden.content['application/json'];
      d.paths['/employees'].post.responses[409].content['application/json'].examples.TENANT_NOT_IN_SCOPE =
        examples.TENANT_NOT_IN_SCOPE;
      delete examples.TENANT_NOT_IN_SCOPE;
    });
    const sharing = Object.values<Json>(document.paths)
      .flatMap(item => Object.values<Json>(item))
      .filter(({ responses }) => responses[403]?.$ref === '#/components/responses/Forbidden');
    assert.ok(sharing.length > 1);
    assert.equal(lost.length, sharing.length);
  });

  test('is one break, that of the enum, where no operation has the code', async () => {
    const changed: Json = structuredClone(document);
    delete changed.components.responses.Forbidden.content['application/json'].examples.TENANT_NOT_IN_SCOPE;
    assert.deepEqual(findLostErrors(document, changed), []);
    const { enum: codes } = schemaOf(changed, 'ErrorCode');
    codes.splice(codes.indexOf('TENANT_NOT_IN_SCOPE'), 1);
    const breaks = (await findBreaks(released, changed)).map(({ what }) => what);
    assert.equal(breaks.length, 1);
    assert.match(breaks[0]!, /Enum lost values: TENANT_NOT_IN_SCOPE/);
  });

  test('is none where nothing is lost, nor from the released document to this one', () => {
    assert.deepEqual(findLostErrors(document, document), []);
    assert.deepEqual(findLostErrors(released, document), []);
  });
});

describe('a breaking change in the changelog', () => {
  const broken = [{ where: 'GET /employees', what: 'Operation was removed.' }];
  const accepts = (changelog: string) => findUnannounced(broken, changelog, ['2026-01-01']).length === 0;

  test('is announced by a new dated entry that has Breaking and names the operation', () => {
    assert.ok(accepts('# Changelog\n\n## 2026-02-01\n\n- **Breaking**: `GET /employees` is gone.\n'));
  });
  test('is not announced by an entry that the release had already', () => {
    assert.ok(!accepts('## 2026-01-01\n\n- **Breaking**: `GET /employees` is gone.\n'));
  });
  test('is not announced by an entry without a date', () => {
    assert.ok(!accepts('## Soon\n\n- **Breaking**: `GET /employees` is gone.\n'));
  });
  test('is not announced by an entry without Breaking', () => {
    assert.ok(!accepts('## 2026-02-01\n\n- `GET /employees` is gone.\n'));
  });
  test('is not announced by an entry about another operation', () => {
    assert.ok(!accepts('## 2026-02-01\n\n- **Breaking**: `POST /employees` is gone.\n'));
  });
});
