import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { usePlatform } from './support.ts';
import { atScale } from '../support/service/scale.ts';

const fixture = usePlatform();

/** What is known of a key without looking. */
interface Modelled {
  readonly id: string;
  readonly text: string;
  readonly name: string;
  /** Which division it sees, or all. */
  readonly canAccess: 'all' | 'sales' | 'support';
  status: 'active' | 'inactive' | 'deleted';
  hasEnded: boolean;
  /** Whether it was made to end by itself, as its successor is then. */
  readonly isTemporary: boolean;
  /** Whether it ends by itself some time. */
  expires: boolean;
  /** The key that replaces it. */
  successor: string | null;
}

/** The keys in the order in which they were made. */
type Model = Modelled[];
type Command = fc.AsyncCommand<Model, null>;

const pathOf = (suffix = '') => `/organizations/${fixture.testData.organization}/api-keys${suffix}`;

function listedStatus({ status, hasEnded }: Modelled): string {
  return status === 'active' && hasEnded ? 'expired' : status;
}

/** Asks with a key until the answer equals the model: what was changed holds everywhere within a second (specification.md 1.4). */
async function answersAs(key: Modelled): Promise<void> {
  const works = listedStatus(key) === 'active';
  const { testData, client } = fixture;
  const until = performance.now() + 1000;
  for (;;) {
    const { status, body } = await client.get('/divisions', { key: key.text });
    if (status === (works ? 200 : 401)) {
      if (!works) return assert.equal(body.error.code, 'INVALID_API_KEY');
      const seen = body.items.map(({ id }: { id: string }) => id).toSorted();
      const { sales, north, support, lager } = testData;
      const expected = { all: [sales, north, support, lager], sales: [sales, north], support: [support] };
      return assert.deepEqual(seen, expected[key.canAccess].toSorted());
    }
    assert.ok(performance.now() < until, `${listedStatus(key)} after a second: ${status}`);
  }
}

/** All data of the keys, by both APIs, equals the model. */
async function check(model: Model): Promise<void> {
  await Promise.all(
    model.map(async key => {
      await answersAs(key);
      const { body } = await fixture.own.get(pathOf(`/${key.id}`));
      const { status, name, expiresAt } = body;
      assert.deepEqual([status, name, expiresAt !== null], [listedStatus(key), key.name, key.expires]);
    }),
  );
  const ids = model.map(({ id }) => id);
  if (ids.length === 0) return;
  const query = { filter: `id IN (${ids.join(', ')})`, pageSize: 1000 };
  assert.equal((await fixture.own.get(pathOf(), { query })).body.totalElements, ids.length);
}

class Create implements Command {
  readonly canAccess: Modelled['canAccess'];
  readonly expires: boolean;
  readonly dryRun: boolean;
  constructor(canAccess: Modelled['canAccess'], expires: boolean, dryRun: boolean) {
    this.canAccess = canAccess;
    this.expires = expires;
    this.dryRun = dryRun;
  }
  check = () => true;
  async run(model: Model) {
    const { canAccess, expires, dryRun } = this;
    const { tenantA, sales, support } = fixture.testData;
    const grants = [{ tenant: tenantA, divisions: [canAccess === 'sales' ? sales : support] }];
    const name = `key ${model.length}`;
    const body = {
      name,
      ...(canAccess === 'all' ? { wholeOrganization: true } : { grants }),
      ...(expires && { expiresAt: '2099-01-01T00:00:00Z' }),
    };
    const answer = await fixture.own.post(pathOf(), body, { query: { dryRun } });
    assert.equal(answer.status, dryRun ? 200 : 201);
    if (!dryRun) {
      const { id, key: text } = answer.body;
      const made = { name, canAccess, isTemporary: expires, expires, successor: null };
      model.push({ id, text, ...made, status: 'active', hasEnded: false });
    }
    await check(model);
  }
  toString = () =>
    `create(${this.canAccess}${this.expires ? ', ends' : ''}${this.dryRun ? ', dry run' : ''})`;
}

/** A command on one of the keys that there are, by its place. */
abstract class OnKey implements Command {
  readonly place: number;
  readonly dryRun: boolean;
  constructor(place: number, dryRun: boolean) {
    this.place = place;
    this.dryRun = dryRun;
  }
  check = (model: Readonly<Model>) => model.length > 0;
  async run(model: Model) {
    await this.on(model[this.place % model.length]!, model);
    await check(model);
  }
  abstract on(key: Modelled, model: Model): Promise<void>;
}

const changes = {
  deactivate: { method: 'POST', suffix: '/deactivation', status: 'inactive' },
  reactivate: { method: 'POST', suffix: '/reactivation', status: 'active' },
  delete: { method: 'DELETE', suffix: '', status: 'deleted' },
} as const;

class Change extends OnKey {
  readonly change: keyof typeof changes;
  constructor(place: number, change: keyof typeof changes, dryRun: boolean) {
    super(place, dryRun);
    this.change = change;
  }
  override async on(key: Modelled) {
    const { method, suffix, status } = changes[this.change];
    const rejected = key.status === 'deleted' && status !== 'deleted';
    const query = { dryRun: this.dryRun };
    const answer = await fixture.own.request(method, pathOf(`/${key.id}${suffix}`), { query });
    assert.equal(answer.body.error?.code ?? answer.status, rejected ? 'INVALID_STATE_TRANSITION' : 200);
    if (rejected) return;
    assert.equal(answer.body.status, listedStatus({ ...key, status }));
    if (!this.dryRun) key.status = status;
  }
  override toString = () => `${this.change}(${this.place}${this.dryRun ? ', dry run' : ''})`;
}

class Replace extends OnKey {
  readonly graceSeconds: number;
  constructor(place: number, graceSeconds: number, dryRun: boolean) {
    super(place, dryRun);
    this.graceSeconds = graceSeconds;
  }
  override async on(key: Modelled, model: Model) {
    const { graceSeconds, dryRun } = this;
    const successor = model.find(({ id }) => id === key.successor);
    const works = listedStatus(key) === 'active' && (!successor || successor.status === 'deleted');
    const answer = await fixture.own.post(
      pathOf(`/${key.id}/replacement`),
      { graceSeconds },
      { query: { dryRun } },
    );
    const expected = !works ? 'INVALID_STATE_TRANSITION' : dryRun ? 200 : 201;
    assert.equal(answer.body.error?.code ?? answer.status, expected);
    if (!works || dryRun) return;
    const { id, key: text } = answer.body;
    model.push({ ...key, id, text, expires: key.isTemporary, successor: null });
    Object.assign(key, { successor: id, expires: true, hasEnded: graceSeconds === 0 });
  }
  override toString = () => `replace(${this.place}, ${this.graceSeconds}${this.dryRun ? ', dry run' : ''})`;
}

const place = fc.nat({ max: 7 });
const dryRun = fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.constant(true));
const commands = [
  fc
    .tuple(fc.constantFrom<Modelled['canAccess']>('all', 'sales', 'support'), fc.boolean(), dryRun)
    .map(args => new Create(...args)),
  fc
    .tuple(place, fc.constantFrom<keyof typeof changes>('deactivate', 'reactivate', 'delete'), dryRun)
    .map(args => new Change(...args)),
  fc.tuple(place, fc.constantFrom(0, 3600), dryRun).map(args => new Replace(...args)),
];

test('API keys equal a model, and so does the answer to each request with one', async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 15, size: 'max' }), sequence =>
      fc.asyncModelRun(() => ({ model: [], real: null }), sequence),
    ),
    { numRuns: atScale(5, 10) },
  );
});
