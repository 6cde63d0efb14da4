import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { apis, type Operation } from '@kontor/contract';
import { sources } from '../tools/messages.ts';

test('each operation of the portal API is requested by a page', () => {
  const texts = globSync('**/*.{ts,tsx}', { cwd: sources }).map(file =>
    readFileSync(path.join(sources, file), 'utf8'),
  );
  // A file that the browser shows is a link, with the identifiers in its address.
  const linked = texts.flatMap(text =>
    Array.from(text.matchAll(/`\/portal\/api([^`]+)`/g), ([, address]) =>
      address!.replaceAll(/\$\{[^}]*\}/g, '{}'),
    ),
  );
  const isRequested = ({ method, path, success }: Operation) =>
    texts.some(text => text.includes(`'${method} ${path}'`)) ||
    (success.body === 'file' && linked.includes(path.replaceAll(/\{\w+\}/g, '{}')));
  const operations = Object.entries<Operation>(apis.portal.operations);
  assert.deepEqual(
    operations.filter(([, operation]) => !isRequested(operation)).map(([id]) => id),
    [],
    'request them in packages/portal/src: ask(…) in api/queries.ts or in a page',
  );
});
