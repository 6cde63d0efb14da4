import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Api,
  apis,
  isPublished,
  openApiDocument,
  type PublishedApi,
  type SchemaObject,
} from '@kontor/contract';
import { recordPlatformExamples } from './platform-scenario.ts';
import { recordExamples } from './scenario.ts';

/** Every value that stands as an example in the document, with the path to it. */
function* examplesIn(value: unknown, path = ''): Generator<[path: string, example: unknown]> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, part] of Object.entries(value as SchemaObject))
    if (name === 'example' || (name === 'value' && /\/examples\/\w+$/.test(path))) yield [path, part];
    else yield* examplesIn(part, `${path}/${name}`);
}

/** Every JSON value that was recorded, and each part of what stands by name: headers and path parameters. */
function recordedValues({ recorded }: PublishedApi): Set<string> {
  const { operations, errors, ownErrors, headers } = recorded;
  const ofOperations = Object.values(operations).flatMap(({ path, request, answers }) => [
    ...Object.values(path),
    request,
    ...Object.values(answers),
  ]);
  const others = [errors, ownErrors, headers].flatMap(values => Object.values(values));
  return new Set([...ofOperations, ...others].map(value => JSON.stringify(value)));
}

for (const api of Object.values<Api>(apis).filter(isPublished))
  test(`every example in the document of the ${api.texts.title} is what a service was asked or answered`, () => {
    const values = recordedValues(api);
    const examples = [...examplesIn(openApiDocument(api))];
    assert.ok(examples.length > 60, String(examples.length));
    for (const [path, example] of examples) assert.ok(values.has(JSON.stringify(example)), path);
  });

test('a service gives the recorded answers of the public API today', async () => {
  assert.deepEqual(await recordExamples(), apis.public.recorded);
});

test('a service gives the recorded answers of the platform API today', async () => {
  assert.deepEqual(await recordPlatformExamples(), apis.platform.recorded);
});
