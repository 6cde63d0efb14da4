import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { apis, openApiDocument } from '@kontor/contract';
import { declaredErrors, exempt, findUntested } from '../declared-codes.ts';

const document = openApiDocument(apis.public);
const all = new Set(findUntested(document, new Set()));

describe('the declared answers that no test shows', () => {
  test('are all but the exempt ones when nothing was answered', () => {
    const missing = findUntested(document, new Set());
    assert.ok(missing.includes('createEmployee 409 DUPLICATE_RESOURCE'));
    assert.ok(missing.includes('listEmployees 422 VALIDATION_ERROR'));
    for (const success of ['createEmployee 200', 'createEmployee 201', 'listEmployees 200'])
      assert.ok(missing.includes(success), success);
    for (const error of declaredErrors(document)) assert.equal(missing.includes(error), !exempt.has(error));
  });

  test('are none when every one was answered', () => {
    assert.deepEqual(findUntested(document, all), []);
  });

  test('have one when the operation answered the code with another status only', () => {
    const seen = new Set([...all].filter(answer => answer !== 'listEmployees 422 VALIDATION_ERROR'));
    assert.deepEqual(findUntested(document, seen), ['listEmployees 422 VALIDATION_ERROR']);
  });

  test('are exempt only where they are declared', () => {
    const documents = Object.values(apis).map(api => openApiDocument(api));
    const declared = new Set(documents.flatMap(declaredErrors));
    for (const error of exempt.keys()) assert.ok(declared.has(error), error);
  });
});
