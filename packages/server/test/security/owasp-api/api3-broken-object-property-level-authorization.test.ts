import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { exampleRequest } from '../../support/contract/examples.ts';
import {
  type ApisFixture,
  authenticated,
  type DeclaredOperation,
  outcomeOf,
  storedState,
  useApis,
  withBody,
} from './support.ts';

/** Marks what is stored and must never be shown. */
const passwordHash = 'scrypt$a-hash-that-nobody-may-see';

const fixture = useApis(async ({ sql }) => {
  await sql.unsafe(`UPDATE portal_user SET password_hash = '${passwordHash}'`);
});

type Json = Readonly<Record<string, any>>;

/** Names of what only the service sets, in whatever resource. */
const internalNames = [
  'id',
  'organizationId',
  'organization_id',
  'tenantId',
  'createdAt',
  'updatedAt',
  'createdBy',
  'status',
  'version',

  'permissions',
  'role',
  'isAdmin',
  'wholeOrganization',
  'passwordHash',
  'secretHash',
  'doc',
  '__proto__',
  'constructor',
];

/** The properties of a schema, those of its variants too. */
function propertiesOf(schema: Json): string[] {
  const variants = [...(schema['anyOf'] ?? []), ...(schema['oneOf'] ?? [])] as Json[];
  return [...Object.keys(schema['properties'] ?? {}), ...variants.flatMap(propertiesOf)];
}

/** The schema of one line of a batch, or of the whole body. */
function bodySchema({ operation }: DeclaredOperation): Json {
  return operation.batch ? (operation.body as Json)['properties'].items.items : (operation.body as Json);
}

/** What the operation rejects for a body that has one more property; null: nothing. */
async function rejectionOf(declared: DeclaredOperation, name: string): Promise<string | null> {
  const { raw } = await exampleRequest(declared.operation, declared.apiName);
  const example = JSON.parse(String(raw)) as Json;
  const [line] = declared.operation.batch ? (example['items'] as Json[]) : [example];
  // A text, since the property `__proto__` of a literal is none.
  const more = JSON.stringify(line)
    .replace(/^\{/, `{${JSON.stringify(name)}:"x",`)
    .replace(/,\}$/, '}');
  const answer = await fixture.send(declared, fixture.own.rows, {
    raw: declared.operation.batch ? `{"items":[${more}]}` : more,
  });
  const error = declared.operation.batch ? answer.body.items?.[0]?.error : answer.body.error;
  return error?.code === 'UNSUPPORTED_FIELD' && error.message.includes(`"${name}"`) ? 'rejected' : null;
}

describe('a write accepts no property that it does not declare, above all none that the service sets, and changes nothing then', () => {
  for (const declared of withBody)
    test(declared.id, async () => {
      const before = await storedState(fixture);
      const { success } = declared.operation;
      const known = propertiesOf(bodySchema(declared));
      const readOnly = success.body === 'file' ? [] : propertiesOf(success.body as Json);
      const names = new Set([...internalNames, ...readOnly].filter(name => !known.includes(name)));
      for (const name of names) assert.equal(await rejectionOf(declared, name), 'rejected', name);
      assert.deepEqual(await storedState(fixture), before);
    });
});

/** Where a value has a property that its schema does not declare. */
function undeclaredIn(schema: Json, value: unknown, path = ''): string[] {
  const variants = (schema['anyOf'] ?? schema['oneOf']) as Json[] | undefined;
  if (variants) {
    const found = variants.map(variant => undeclaredIn(variant, value, path));
    return found.find(each => each.length === 0) ?? found.flat();
  }
  if (Array.isArray(value))
    return value.flatMap((item, index) => undeclaredIn(schema['items'] ?? {}, item, `${path}[${index}]`));
  if (typeof value !== 'object' || value === null) return [];
  const properties = schema['properties'] as Json | undefined;
  if (properties === undefined) return [`${path}: an object without declared properties`];
  return Object.entries(value).flatMap(([name, inner]) =>
    name in properties ? undeclaredIn(properties[name], inner, `${path}.${name}`) : [`${path}.${name}`],
  );
}

/** Everything stored that must never leave the service: digests of secrets, in the forms that an answer could have them in. */
async function storedSecrets({ sql }: ApisFixture): Promise<string[]> {
  const columns = await sql<{ table: string; column: string; type: string }[]>`
    SELECT table_name::text AS table, column_name::text AS column, data_type::text AS type FROM information_schema.columns
    WHERE table_schema = 'public' AND column_name ~ '(hash|secret|challenge|seed|password)' AND data_type IN ('bytea', 'text')`;
  assert.ok(columns.some(({ table, column }) => `${table}.${column}` === 'api_key.secret_hash'));
  const secrets: string[] = [passwordHash];
  for (const { table, column, type } of columns) {
    const text = type === 'bytea' ? `encode("${column}", 'hex')` : `"${column}"`;
    const rows = await sql.unsafe<{ text: string }>(
      `SELECT DISTINCT ${text} AS text FROM "${table}" WHERE "${column}" IS NOT NULL`,
    );
    for (const { text } of rows.filter(({ text }) => text.length >= 20))
      secrets.push(
        text,
        ...(type === 'bytea'
          ? ['base64', 'base64url'].map(to => Buffer.from(text, 'hex').toString(to as 'hex'))
          : []),
      );
  }
  return secrets;
}

describe('an answer has no property that the contract does not declare, and nothing that is stored of a secret', () => {
  for (const declared of authenticated.filter(({ operation }) => operation.method === 'GET'))
    test(declared.id, async () => {
      const { own } = fixture;
      const answer = await fixture.send(declared, own.rows);
      const { success } = declared.operation;
      if (success.body !== 'file' && answer.status === 200)
        assert.deepEqual(undeclaredIn(success.body as Json, answer.body), []);
      else
        assert.ok(
          ['200', '404 NOT_FOUND', '409 INVALID_STATE_TRANSITION', '422 VALIDATION_ERROR'].includes(
            outcomeOf(answer),
          ),
          outcomeOf(answer),
        );
      const text = answer.bytes.toString('latin1');
      for (const secret of await storedSecrets(fixture))
        assert.ok(!text.includes(secret), 'a secret was shown');
      for (const credential of Object.values(own.credentials))
        assert.ok(!text.includes(credential.split('_').at(-2)!), 'a credential was shown');
    });
});

/** Secrets that an answer shows once, to the client that has made them, public identifiers of passkeys, a length, and a flag with these letters in its name. */
const mayBeShown = [
  'headerRow',
  'minPasswordLength',
  'key',
  'link',
  'challenge',
  'allowCredentials',
  'excludeCredentials',
];

test('no answer declares a property that is named as a secret is, but for those that are shown once', () => {
  const named: string[] = [];
  const visit = (schema: unknown, where: string): void => {
    if (typeof schema !== 'object' || schema === null) return;
    const { properties } = schema as { properties?: Json };
    for (const name of Object.keys(properties ?? {}))
      if (
        /password|secret|hash|token|credential|^key$|^link$|challenge/i.test(name) &&
        !mayBeShown.includes(name)
      )
        named.push(`${where}.${name}`);
    for (const [name, inner] of Object.entries(schema)) visit(inner, `${where}.${name}`);
  };
  for (const { id, operation } of authenticated) visit(operation.success.body, id);
  assert.deepEqual(named, []);
});
