import { type createEmployee, fold } from '@kontor/contract';
import type { CallOf } from '../../http/implement.ts';
import type { Scope } from '../../auth/scope.ts';
import { dryRunId } from '../../db/ids.ts';
import type { Queryable } from '../../db/session.ts';
import { emailKey } from '../../lib/email-key.ts';
import { accepted, decideEach, type Entry, type WriteKind } from '../../write/writes.ts';
import { employeeRow } from './mapping.ts';
import { newEmployee, placeNewEmployee, placeWithoutTree, type TreeFacts } from './rules.ts';
import * as store from './store.ts';

export interface Create {
  readonly call: Pick<CallOf<typeof createEmployee>, 'scope' | 'tenant' | 'body'>;
  readonly id: string;
}

interface Found {
  /** The tree for each call; null when the place does not depend on it. */
  readonly trees: readonly (TreeFacts | null)[];
  readonly holders: readonly store.Holder[];
}

/** Creates of one transaction share one statement. */
export const employeeCreate: WriteKind<Create, Found, string> = {
  targets: ({ call: { body } }) => [
    `email ${emailKey(body.email)}`,
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

/** Reads the tree of each place. Equal reads share one query. */
function readTrees(db: Queryable, inputs: readonly Create[]): Promise<(TreeFacts | null)[]> {
  const reads: { scope: Scope; divisionId: string | null; tree: Promise<TreeFacts> }[] = [];
  const trees = inputs.map(async ({ call: { scope, tenant, body } }) => {
    const { divisionId = null } = body;
    if (placeWithoutTree(scope, tenant, divisionId)) return null;
    const same = reads.find(read => read.scope === scope && read.divisionId === divisionId);
    if (same) return same.tree;
    const tree = store.readTree(db, scope, divisionId);
    reads.push({ scope, divisionId, tree });
    return tree;
  });
  return Promise.all(trees);
}

function plan(
  { write, input: { call, id } }: Entry<Create>,
  tree: TreeFacts | null,
  holders: readonly store.Holder[],
): store.Insertion {
  const { scope, tenant, body } = call;
  const { divisionId = null } = body;
  const place =
    tree === null
      ? placeWithoutTree(scope, tenant, divisionId)!
      : placeNewEmployee(scope, tenant, divisionId, tree);
  const data = newEmployee(body, place);
  store.checkUnique(id, data, holders);
  return { write, row: employeeRow(id, data, write.dryRun ? dryRunId : id) };
}
