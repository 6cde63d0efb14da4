import { fold } from '@kontor/contract';
import { dryRunId } from '../../db/ids.ts';
import type { Queryable } from '../../db/session.ts';
import { emailKey } from '../../lib/email-key.ts';
import type { CallOf } from '../../http/handlers.ts';
import type { Scope } from '../../auth/scope.ts';
import { accepted, decideEach, type Entry, type WriteKind } from '../../write/writes.ts';
import { checkUnique } from './duplicates.ts';
import { employeeRow } from './record.ts';
import { newEmployee, placeNewEmployee, placeWithoutTree, type TreeFacts } from './rules.ts';
import * as store from './store.ts';

/** A call that creates an employee of this identifier. */
export interface Create {
  readonly call: CallOf<'createEmployee'>;
  readonly id: string;
}

/** What creates depend on. */
interface Found {
  /** What the placement of each depends on; null where its request says it all. */
  readonly trees: readonly (TreeFacts | null)[];
  readonly holders: readonly store.Holder[];
}

/** Creates of employees: those of one transaction are one statement. */
export const employeeCreate: WriteKind<Create, Found, string> = {
  targets: ({ call: { body } }) => [
    `e-mail ${emailKey(body.email)}`,
    ...(typeof body.employeeNumber === 'string' ? [`number ${body.employeeNumber}`] : []),
  ],
  async read(db, inputs) {
    const bodies = inputs.map(({ call }) => call.body);
    const emails = bodies.map(body => emailKey(body.email));
    const numbers = bodies.flatMap(body => body.employeeNumber ?? []).map(fold);
    const { organizationId } = inputs[0]!.call.scope;
    const [trees, holders] = await Promise.all([
      readTrees(db, inputs),
      store.readHolders(db, organizationId, emails, numbers),
    ]);
    return { trees, holders };
  },
  change(entries, { trees, holders }) {
    const planned = decideEach(entries, (entry, index) => plan(entry, trees[index]!, holders));
    const docs = store.insertEmployees(accepted(planned)).values();
    return planned.map(outcome => ('error' in outcome ? outcome : { result: docs.next().value! }));
  },
};

/** What the tree says of each place; those that ask the same ask once. */
function readTrees(db: Queryable, inputs: readonly Create[]): Promise<(TreeFacts | null)[]> {
  const asked: { scope: Scope; divisionId: string | null; tree: Promise<TreeFacts> }[] = [];
  const trees = inputs.map(async ({ call: { scope, tenant, body } }) => {
    const divisionId = body.divisionId ?? null;
    if (placeWithoutTree(scope, tenant, divisionId)) return null;
    const same = asked.find(each => each.scope === scope && each.divisionId === divisionId);
    const tree = same?.tree ?? store.readTree(db, scope, divisionId);
    if (!same) asked.push({ scope, divisionId, tree });
    return tree;
  });
  return Promise.all(trees);
}

function plan(
  { turn, input: { call, id } }: Entry<Create>,
  tree: TreeFacts | null,
  holders: readonly store.Holder[],
): store.Insertion {
  const { scope, tenant, body } = call;
  const divisionId = body.divisionId ?? null;
  const place =
    tree === null
      ? placeWithoutTree(scope, tenant, divisionId)!
      : placeNewEmployee(scope, tenant, divisionId, tree);
  const data = newEmployee(body, place);
  checkUnique(id, data, holders);
  return { turn, row: employeeRow(id, data, turn.dryRun ? dryRunId : id) };
}
