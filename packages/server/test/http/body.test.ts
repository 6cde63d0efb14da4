import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Answer as Received } from '../support/contract/client.ts';
import { employeeId, newEmployee, type StubService, stubService } from './stub-service.ts';

let service: StubService;
before(async () => (service = await stubService()));
after(() => service.close());

const json = { 'content-type': 'application/json' };
const create = (raw: string | Buffer) => service.client.request('POST', '/employees', { headers: json, raw });
const createWith = (more: object) => create(JSON.stringify({ ...newEmployee, ...more }));
const patch = (body: unknown) => service.client.patch(`/employees/${employeeId}`, body);

function assertRejected(answer: Received<any>, code: string, message?: RegExp): void {
  assert.equal(answer.status, 400);
  assert.equal(answer.body.error.code, code);
  if (message) assert.match(answer.body.error.message, message);
}

/** The text of a valid body, with more members written as they are. */
const bodyText = (members: string) => JSON.stringify(newEmployee).replace('}', `,${members}}`);

describe('POST /employees 400 VALIDATION_ERROR: the text of the body', () => {
  const texts: Record<string, [raw: string | Buffer, message: RegExp]> = {
    empty: ['', /empty/],
    'no JSON': ['{', /not valid JSON at line 1, column 2$/],
    'two values': ['{} {}', /at line 1, column 4$/],
    'a trailing comma': ['{"a":1,}', /at line 1, column 8$/],
    'a comment': ['{}//', /at line 1, column 3$/],
    'no comma': ['{\n "a": 1\n "b": 2}', /at line 3, column 2$/],
    'single quotes': ["{'a': 1}", /at line 1, column 2$/],
    'a bad escape': ['{"a":"\\x"}', /at line 1, column 8$/],
    'a text without end': ['{"a":"b', /at line 1, column 8$/],
    'a number with a zero in front': ['{"a":01}', /at line 1, column 7$/],
    // Node quotes the body in these messages, and then names no place.
    'a word that is none, which is not quoted': ['{"city": Geheim}', /^The body is not valid JSON$/],
    'no value, with a place in the text': [
      '{"city": x at position 1 (line 1 column 2)}',
      /^The body is not valid JSON$/,
    ],
    'an array': ['[]', /must be a JSON object/],
    null: ['null', /must be a JSON object/],
    'a string': ['"x"', /must be a JSON object/],
    'a number': ['1', /must be a JSON object/],
    'invalid UTF-8': [Buffer.from('{"firstName":"M\xfcller"}', 'latin1'), /UTF-8/],
    'UTF-16': [Buffer.from(JSON.stringify(newEmployee), 'utf16le'), /JSON/],
    'a raw NUL': [bodyText('"city":"a\0b"'), /not valid JSON at line 1, column \d+$/],
    'an escaped NUL': [bodyText('"city":"a\\u0000b"'), /"city" has a NUL/],
    'an escaped NUL in a name': [bodyText('"ci\\u0000ty":"x"'), /name of a property has a NUL/],
    'a lone high surrogate': [bodyText('"street":"a","city":"\\ud83d"'), /"city" has half of a surrogate/],
    'a lone low surrogate': [bodyText('"city":"\\ude00x"'), /surrogate/],
    'a NUL in a list': [bodyText('"city":["a","\\u0000"]'), /"city" has a NUL/],
    'surrogates in the wrong order': [bodyText('"city":"\\ude00\\ud83d"'), /surrogate/],
    'a lone surrogate in a name': [bodyText('"\\ud83d":"x"'), /name of a property has half of a surrogate/],
    'a property twice': [bodyText('"city":"a","street":"b","city":"a"'), /"city" twice/],
    'a property twice, once with escapes': [bodyText('"city":"a","c\\u0069ty":"b"'), /"city" twice/],
    'a property twice deep inside': [bodyText('"x":[{"a":{"b":1,"c":2,"b":3}}]'), /"b" twice/],
    'a property twice called __proto__': [bodyText('"__proto__":1,"__proto__":2'), /"__proto__" twice/],
    'nesting without end': [`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, /nested/],
  };
  for (const [name, [raw, message]] of Object.entries(texts))
    test(name, async () => assertRejected(await create(raw), 'VALIDATION_ERROR', message));
});

describe('POST /employees 201', () => {
  test('with a byte order mark, in UTF-8', async () => {
    assert.equal((await create(`\ufeff${JSON.stringify(newEmployee)}`)).status, 201);
  });

  test('escaped surrogate pairs and quotes arrive as they are meant', async () => {
    await create(bodyText('"city":"\\ud83d\\ude00 \\"x\\" \\\\","street":"{\\"city\\":1}, []"'));
    const body = service.calls.at(-1)!.body as Record<string, unknown>;
    assert.equal(body['city'], '😀 "x" \\');
    assert.equal(body['street'], '{"city":1}, []');
  });

  test('an identifier in upper case reaches the handler in lower case; null stays null', async () => {
    await createWith({ divisionId: employeeId.toUpperCase() });
    assert.equal((service.calls.at(-1)!.body as any).divisionId, employeeId);
    await createWith({ divisionId: null });
    assert.equal((service.calls.at(-1)!.body as any).divisionId, null);
  });
});

describe('POST /employees 400: the contract of the body', () => {
  test('UNSUPPORTED_FIELD: unknown and read-only properties, and the message names them', async () => {
    for (const name of ['nickname', 'id', 'createdAt', 'tenant', 'constructor', 'toString', 'Email', ''])
      assertRejected(await createWith({ [name]: 'x' }), 'UNSUPPORTED_FIELD', new RegExp(`"${name}"`));
    assertRejected(await create(bodyText('"__proto__":{}')), 'UNSUPPORTED_FIELD', /"__proto__"/);
  });

  test('UNSUPPORTED_FIELD: a long name is shortened in the message', async () => {
    const answer = await createWith({ ['x'.repeat(100_000)]: 1 });
    assertRejected(answer, 'UNSUPPORTED_FIELD');
    assert.ok(answer.body.error.message.length < 300);
  });

  test('UNSUPPORTED_FIELD comes before all else that is wrong, however many properties are unknown', async () => {
    const unknown = Array.from({ length: 100 }, (_, i) => [`x${i}`, i]);
    const body = { firstName: 'x'.repeat(1000), ...Object.fromEntries(unknown) };
    assertRejected(await create(JSON.stringify(body)), 'UNSUPPORTED_FIELD', /"x0"/);
  });

  test('UNSUPPORTED_FIELD: the message has the name that was probably meant, and all that there are', async () => {
    const { message } = (await createWith({ firstname: 'x', nickname: 'y' })).body.error;
    assert.match(message, /^"firstname" \(did you mean firstName\?\), "nickname" cannot be set here\. /);
    assert.match(message, / Allowed: email, firstName, lastName, .*, divisionId$/);
  });

  test('UNSUPPORTED_FIELD: a patch of nothing else is not called empty', async () => {
    const { message } = (await patch({ tenant: employeeId })).body.error;
    assert.match(message, /^"tenant" cannot be set here\. Allowed: firstName, [^;]*$/);
  });

  test('all violations are in one message, the first three named and the others counted', async () => {
    const { message } = (
      await createWith({ city: 1, blocked: 'x', countryCode: 'de', street: 2, email: 'x' })
    ).body.error;
    assert.match(message, /^email must be [^;]+; street must be [^;]+; city must be [^;]+; and 2 more$/);
    const { error } = (await createWith({ nickname: 'x', city: 1 })).body;
    assert.equal(error.code, 'UNSUPPORTED_FIELD');
    assert.match(error.message, /^"nickname" cannot be set here.*; city must be a string or null$/);
  });

  test('an identifier that is none comes with what else is wrong; the first violation has the code', async () => {
    const { error } = (await createWith({ divisionId: 'x', city: 1 })).body;
    assert.deepEqual(
      [error.code, error.message],
      ['VALIDATION_ERROR', 'city must be a string or null; divisionId must be 24 hexadecimal characters'],
    );
  });

  test('VALIDATION_ERROR: what is required is missing', async () => {
    assertRejected(
      await create('{"email":"a@example.com","lastName":"x"}'),
      'VALIDATION_ERROR',
      /^firstName is required/,
    );
    assertRejected(await create('{}'), 'VALIDATION_ERROR', /^email, firstName and lastName are required/);
    assertRejected(
      await create('{"divisionId":"x"}'),
      'VALIDATION_ERROR',
      /^email, firstName and lastName are required; divisionId must be 24 hexadecimal characters/,
    );
  });

  const wrong: [more: object, message: RegExp][] = [
    [{ firstName: null }, /^firstName must be a string/],
    [{ firstName: 1 }, /^firstName must be a string/],
    [{ firstName: '' }, /^firstName must not be empty/],
    [{ firstName: 'x'.repeat(201) }, /^firstName must have at most 200 characters/],
    [{ email: 'x' }, /^email must be a valid email address/],
    [{ email: 'a@b@example.com' }, /^email must be a valid email address/],
    [{ email: `${'x'.repeat(250)}@a.de` }, /^email must have at most 254 characters/],
    [{ email: `a@${'a.'.repeat(1000)} ` }, /^email must have at most 254 characters/],
    [{ privateEmail: 'x y@example.com' }, /^privateEmail must be a valid email address/],
    [{ blocked: 'true' }, /^blocked must be true or false/],
    [{ blocked: null }, /^blocked must be true or false/],
    [{ countryCode: 'de' }, /^countryCode must be/],
    [{ countryCode: 'DEU' }, /^countryCode must be/],
    [{ city: {} }, /^city must be a string or null/],
    [{ divisionId: 5 }, /^divisionId must be a string or null/],
    [{ employeeNumber: 'x'.repeat(65) }, /^employeeNumber must have at most 64 characters/],
  ];
  for (const [more, message] of wrong)
    test(`VALIDATION_ERROR: ${JSON.stringify(more).slice(0, 50)}`, async () =>
      assertRejected(await createWith(more), 'VALIDATION_ERROR', message));

  test('INVALID_REFERENCE_ID: a string that is no identifier', async () => {
    for (const divisionId of ['', 'x', `${employeeId}0`, `${employeeId}\n`])
      assertRejected(await createWith({ divisionId }), 'INVALID_REFERENCE_ID', /^divisionId /);
  });

  test('lengths are counted in code points, not in UTF-16 units nor in what is seen as one character', async () => {
    assert.equal((await createWith({ firstName: '😀'.repeat(200) })).status, 201);
    assertRejected(await createWith({ firstName: '😀'.repeat(201) }), 'VALIDATION_ERROR', /at most 200/);
    const resourceType = '👨‍👩‍👧‍👦'; // seven code points
    assert.equal((await createWith({ firstName: resourceType.repeat(28) })).status, 201);
    assertRejected(await createWith({ firstName: resourceType.repeat(29) }), 'VALIDATION_ERROR');
    assertRejected(await createWith({ firstName: 'e\u0301'.repeat(101) }), 'VALIDATION_ERROR');
  });
});

describe('PATCH /employees/{id} 400', () => {
  test('VALIDATION_ERROR: an empty object', async () =>
    assertRejected(await patch({}), 'VALIDATION_ERROR', /at least one/));

  for (const name of ['id', 'email', 'tenant', 'createdAt', 'updatedAt', 'activatedAt'])
    test(`UNSUPPORTED_FIELD: ${name}`, async () =>
      assertRejected(
        await patch({ [name]: null, blocked: true }),
        'UNSUPPORTED_FIELD',
        new RegExp(`"${name}"`),
      ));
});
