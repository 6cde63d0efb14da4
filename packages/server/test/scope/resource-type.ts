import assert from 'node:assert/strict';
import type { Answer, RequestOptions } from '../support/contract/client.ts';
import type { ModelKey } from '../support/data/scope-model.ts';
import {
  askInWrite,
  askSelecting,
  assertRejected,
  type Case,
  selectionsOf,
  type Target,
  targetsOf,
} from './case.ts';
import type { TestedOrganization } from './organization.ts';
import { pick } from './plan.ts';

/** A kind of resource, as the model knows it and as the API shows it. */
export interface ResourceType<T extends { readonly id: string }> {
  readonly path: string;
  readonly of: (organization: TestedOrganization) => readonly T[];
  readonly canAccess: (key: ModelKey, selected: string | null, one: T) => boolean;
  /** What the model knows of its public document. */
  readonly known: (one: T) => unknown;
  /** The same of a document. */
  readonly shown: (document: any) => unknown;
}

/** True of everything, by a part that is true of nothing: without brackets it would come apart from the scope. */
const everything = { filter: 'createdAt IS NULL OR id IS NOT NULL' };
const queries = [{}, everything, { sort: '-updatedAt' }];

/** Lists show what the key sees, and count it. */
export async function checkLists<T extends { id: string }>(
  tested: Case,
  resourceType: ResourceType<T>,
): Promise<void> {
  const { client, key } = tested;
  for (const selected of selectionsOf(tested))
    for (const query of selected === null ? queries : [pick(queries, tested.write++)]) {
      const answer = await askSelecting(tested, selected, options =>
        client.get(resourceType.path, { ...options, query: { pageSize: 1000, ...query } }),
      );
      if (!answer) continue;
      const expected = resourceType
        .of(key.organization)
        .filter(one => resourceType.canAccess(key, selected, one));
      const listed = answer.body.items.map((item: T) => [item.id, resourceType.shown(item)]);
      assert.deepEqual(
        listed.toSorted(byId),
        expected.map(one => [one.id, resourceType.known(one)] as const).toSorted(byId),
        resourceType.path,
      );
      assert.equal(answer.body.totalElements, expected.length, resourceType.path);
    }
}

const byId = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) => (a < b ? -1 : 1);

/** What a request for one resource is, and what it answers when the resource is seen. */
export interface Operation<T> {
  readonly name: string;
  readonly ask: (target: Target<T>, options: RequestOptions) => Promise<Answer<any>>;
  readonly found: (one: T, answer: Answer<any>) => void;
}

/** Whatever is not seen is NOT_FOUND, and one answer. */
export async function checkTargets<T extends { id: string }>(
  tested: Case,
  resourceType: ResourceType<T>,
  { name, ask, found }: Operation<T>,
): Promise<void> {
  for (const target of targetsOf(tested, resourceType.of)) {
    const asked = await askInWrite(tested, options => ask(target, options));
    if (!asked) continue;
    const { selected, answer } = asked;
    if (target.own && resourceType.canAccess(tested.key, selected, target.own)) found(target.own, answer);
    else assertRejected(tested, `${resourceType.path} ${name}`, answer, [404, 'NOT_FOUND']);
  }
}

export function checkGets<T extends { id: string }>(
  tested: Case,
  resourceType: ResourceType<T>,
): Promise<void> {
  return checkTargets(tested, resourceType, {
    name: 'get',
    ask: ({ id }, options) => tested.client.get(`${resourceType.path}/${id}`, options),
    found(one, { status, body }) {
      assert.equal(status, 200, resourceType.path);
      assert.deepEqual(
        [body.id, resourceType.shown(body)],
        [one.id, resourceType.known(one)],
        resourceType.path,
      );
    },
  });
}

export function assertDownload(answer: Answer<any>, bytes: Buffer): void {
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.bytes, bytes);
}
