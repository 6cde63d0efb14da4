import assert from 'node:assert/strict';
import { test } from 'node:test';
import { platformPermissions, type PlatformPermission } from '@kontor/contract';
import fc from 'fast-check';
import { noOrganization } from '../../src/auth/caller.ts';
import { revokeToken } from '../../src/auth/platform-tokens.ts';
import { callOf, operator, Writes } from '../../src/write/writes.ts';
import { testToken } from '../support/data/tokens.ts';
import { usePlatform } from './support.ts';
import { atScale } from '../support/service/scale.ts';

const fixture = usePlatform();

type Place = 'own' | 'foreign';

/** What is known of a token without looking. */
interface Modelled {
  readonly text: string;
  readonly permissions: readonly PlatformPermission[];
  readonly worksFor: 'all' | Place | 'none';
  isRevoked: boolean;
  hasEnded: boolean;
}

type Model = Modelled[];
type Command = fc.AsyncCommand<Model, null>;

const organizationOf = (place: Place) =>
  place === 'own' ? fixture.testData.organization : fixture.testData.foreign.organization;
const tenantOf = (place: Place) =>
  place === 'own' ? fixture.testData.tenantA : fixture.testData.foreign.tenant;

/** Requests, each with the permission that it takes. */
const requests = {
  tenants: { permission: 'tenants:read', path: (place: Place) => `/tenants/${tenantOf(place)}` },
  keys: { permission: 'api-keys:read', path: () => '/api-keys' },
  audit: { permission: 'audit:read', path: () => '/audit-entries' },
} as const;

/** What a request with a token must be answered with. */
function expected(token: Modelled, place: Place, permission: PlatformPermission): string {
  if (token.isRevoked || token.hasEnded) return '401 INVALID_TOKEN';
  if (!token.permissions.includes(permission)) return '403 PERMISSION_DENIED';
  return token.worksFor === 'all' || token.worksFor === place ? '200' : '404 NOT_FOUND';
}

/** The answer to every token equals the model, for any request. */
async function check(model: Model): Promise<void> {
  for (const token of model)
    for (const place of ['own', 'foreign'] as const)
      for (const { permission, path } of Object.values(requests)) {
        const address = `/organizations/${organizationOf(place)}${path(place)}`;
        const { status, body } = await fixture.platform.get(address, {
          key: token.text,
        });
        const answered = status === 200 ? '200' : `${status} ${body.error.code}`;
        assert.equal(answered, expected(token, place, permission), address);
      }
}

class Create implements Command {
  readonly worksFor: Modelled['worksFor'];
  readonly permissions: readonly PlatformPermission[];
  constructor(worksFor: Modelled['worksFor'], permissions: readonly PlatformPermission[]) {
    this.worksFor = worksFor;
    this.permissions = permissions;
  }
  check = () => true;
  async run(model: Model) {
    const { worksFor, permissions } = this;
    const organizations = worksFor === 'all' || worksFor === 'none' ? [] : [organizationOf(worksFor)];
    const text = await testToken(fixture.sql, {
      permissions,
      ...(worksFor !== 'all' && { organizations }),
    });
    model.push({ text, permissions, worksFor, isRevoked: false, hasEnded: false });
    await check(model);
  }
  toString = () => `create(${this.worksFor}, ${this.permissions.join(' ')})`;
}

class End implements Command {
  readonly place: number;
  readonly how: 'revoke' | 'expire';
  constructor(place: number, how: 'revoke' | 'expire') {
    this.place = place;
    this.how = how;
  }
  check = (model: Readonly<Model>) => model.length > 0;
  async run(model: Model) {
    const token = model[this.place % model.length]!;
    const id = token.text.split('_')[1]!;
    const { sql } = fixture;
    if (this.how === 'revoke') {
      await new Writes(sql).runWithoutClock(callOf(noOrganization, operator), (write, session) =>
        revokeToken(write, session, id),
      );
      token.isRevoked = true;
    } else {
      // Time passes.
      await sql`UPDATE platform_token SET expires_at = clock_timestamp() WHERE id = ${id}`;
      token.hasEnded = true;
    }
    await check(model);
  }
  toString = () => `${this.how}(${this.place})`;
}

const commands = [
  fc
    .tuple(
      fc.constantFrom<Modelled['worksFor']>('all', 'own', 'foreign', 'none'),
      fc.subarray(Object.keys(platformPermissions) as PlatformPermission[]),
    )
    .map(args => new Create(...args)),
  fc
    .tuple(fc.nat({ max: 5 }), fc.constantFrom<'revoke' | 'expire'>('revoke', 'expire'))
    .map(args => new End(...args)),
];

test('tokens of the platform equal a model, and so does the answer to each request with one', async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 12, size: 'max' }), sequence =>
      fc.asyncModelRun(() => ({ model: [], real: null }), sequence),
    ),
    { numRuns: atScale(5, 10) },
  );
});
