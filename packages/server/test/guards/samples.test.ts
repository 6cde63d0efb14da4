import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { apis, type Operation } from '@kontor/contract';
import { compileBody } from '../../src/http/request/body-contract.ts';
import { sampleBody } from '../support/contract/samples.ts';

describe('the sample body of each portal operation fits its contract', () => {
  for (const [id, { body }] of Object.entries<Operation>(apis.portal.operations))
    if (body)
      test(id, () => {
        const sample = sampleBody(id, body) as Record<string, unknown>;
        assert.doesNotThrow(
          () => compileBody(body)(sample),
          `${id}: write a sample in packages/server/test/support/contract/samples.ts`,
        );
      });
});
