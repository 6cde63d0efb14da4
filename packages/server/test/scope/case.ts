import assert from 'node:assert/strict';
import { newId } from '../../src/db/ids.ts';
import type { Answer, ApiClient, RequestOptions } from '../support/contract/client.ts';
import { maySelect, type ModelKey } from '../support/data/scope-model.ts';
import { testKey } from '../support/data/test-data.ts';
import { placeOf, type Real, type TestedOrganization } from './organization.ts';
import { type KeyPlan, pick } from './plan.ts';

export interface TestedKey extends ModelKey {
  readonly organization: TestedOrganization;
  readonly text: string;
}

/** A key with what it is asked about. */
export interface Case {
  readonly client: ApiClient;
  readonly key: TestedKey;
  /** What is of this organization must look to the key as if it did not exist. */
  readonly other: TestedOrganization;
  /** The first rejection of each kind, which all others must be like; shared by all keys. */
  readonly rejections: Map<string, unknown>;
  /** How many tenants have been selected so far. */
  write: number;
}

/** Whether a write is tried out by a dry run or made; what it answers is the same but for the status of a create. */
export interface Mode {
  readonly dryRun: boolean;
}

/** A grant of a division that its tenant does not have is one of the whole tenant. */
export async function makeKey(
  { sql }: Real,
  organization: TestedOrganization,
  plan: KeyPlan,
): Promise<TestedKey> {
  if (plan === 'all') return { organization, grants: plan, text: await testKey(sql, organization.id, plan) };
  const chosen = plan.map(grant => placeOf(organization, pick(organization.tenants, grant.tenant), grant));
  const grants = [...new Map(chosen.map(grant => [`${grant.tenant} ${grant.division}`, grant])).values()];
  const text = await testKey(sql, organization.id, {
    tenants: grants.filter(grant => grant.division === null).map(grant => grant.tenant),
    divisions: grants.flatMap(({ tenant, division }) =>
      division === null ? [] : [{ tenant, id: division }],
    ),
  });
  return { organization, grants, text };
}

/** All that a key may select, and what it may not: nothing, the tenants of both organizations, and none that exists. */
export function selectionsOf({ key, other }: Case): (string | null)[] {
  return [null, ...key.organization.tenants, other.tenants[0]!, newId()];
}

/** Nothing, a tenant that the key may select, and now and then one that it may not, alternating. */
function nextSelection(tested: Case): string | null {
  const write = tested.write++;
  const isAllowed = (selected: string | null) => selected !== null && maySelect(tested.key, selected);
  const tenants = selectionsOf(tested).filter(selected => selected !== null);
  if (write % 7 === 6)
    return pick(
      tenants.filter(tenant => !isAllowed(tenant)),
      write,
    );
  return write % 2 === 0 ? null : pick(tenants.filter(isAllowed), write >> 1);
}

/**
 * The places to create something in. A dry run tries all; for good only two are made, alternating, so that the
 * organization stays small and its tree under 20 levels.
 */
export function placesToTry<T>({ write }: Case, all: readonly T[], { dryRun }: Mode): readonly T[] {
  return dryRun ? all : [pick(all, write), pick(all, write + 1)];
}

type Ask = (options: RequestOptions) => Promise<Answer<any>>;

/** Asks with this selection, and checks the rejection where the selection must be rejected: then it answers null. */
export async function askSelecting(
  tested: Case,
  selected: string | null,
  ask: Ask,
): Promise<Answer<any> | null> {
  const { key } = tested;
  const answer = await ask({ key: key.text, ...(selected !== null && { tenant: selected }) });
  if (selected === null || maySelect(key, selected)) return answer;
  assertRejected(tested, 'selection', answer, [403, 'TENANT_NOT_IN_SCOPE']);
  return null;
}

/** The same with the next selection, which is answered too. */
export async function askInWrite(
  tested: Case,
  ask: Ask,
): Promise<{ selected: string | null; answer: Answer<any> } | null> {
  const selected = nextSelection(tested);
  const answer = await askSelecting(tested, selected, ask);
  return answer && { selected, answer };
}

/** Checks a rejection: whatever its reason, all of a kind are one answer, in code, message and headers. */
export function assertRejected(
  { rejections }: Case,
  kind: string,
  { status, headers, body }: Answer<any>,
  rejection: [status: number, code: string],
): void {
  assert.deepEqual([status, body?.error?.code], rejection, kind);
  const { 'x-request-id': _id, date: _date, ratelimit: _left, ...same } = headers;
  const shape = { message: body.error.message, headers: same, names: Object.keys(headers).toSorted() };
  const name = `${kind} ${rejection[1]}`;
  if (!rejections.has(name)) rejections.set(name, shape);
  assert.deepEqual(shape, rejections.get(name), name);
}

/** Something that a key asks for by its identifier; null stands for what is not of its organization. */
export interface Target<T> {
  readonly id: string;
  readonly own: T | null;
}

/** All that there is, something of the other organization, and something that does not exist. */
export function targetsOf<T extends { id: string }>(
  { key, other }: Case,
  of: (organization: TestedOrganization) => readonly T[],
): Target<T>[] {
  return [
    ...of(key.organization).map(own => ({ id: own.id, own })),
    ...of(other)
      .slice(0, 2)
      .map(({ id }) => ({ id, own: null })),
    { id: newId(), own: null },
  ];
}
