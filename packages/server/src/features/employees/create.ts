import { type createEmployee, fold } from '@kontor/contract';
import type { CallOf } from '../../http/implement.ts';
import { repeatWith } from '../../http/read-resource.ts';
import type { Scope } from '../../auth/scope.ts';
import { dryRunId } from '../../db/ids.ts';
import type { Queryable } from '../../db/session.ts';
import { emailKey } from '../../lib/email-key.ts';
import type { Decision } from '../../write/writes.ts';
import { type EmployeeData, employeeResource, employeeRow } from './mapping.ts';
import { newEmployee, placeNewEmployee, placeWithoutTree, type TreeFacts } from './rules.ts';
import * as store from './store.ts';

export type Creating = Pick<CallOf<typeof createEmployee>, 'scope' | 'tenant' | 'body'> & {
  readonly id: string;
};

interface Found {
  /** Null when the place does not depend on the tree. */
  readonly tree: TreeFacts | null;
  readonly holders: readonly store.Holder[];
}

/** Creates of one transaction share their queries and one statement. A query before the queue for each would cost a third more. */
export const employeeCreate: Decision<Creating, Found, EmployeeData, string> = {
  batched: true,
  early: false,
  repeat: repeatWith(employeeResource, ({ id }: Creating) => id),
  targets: ({ body }) => [
    `email ${emailKey(body.email)}`,
    ...(typeof body.employeeNumber === 'string' ? [`number ${body.employeeNumber}`] : []),
  ],
  async read(db, calls) {
    const bodies = calls.map(({ body }) => body);
    const emails = bodies.map(body => emailKey(body.email));
    const numbers = bodies.flatMap(body => body.employeeNumber ?? []).map(fold);
    const { organizationId } = calls[0]!.scope;
    const [trees, holders] = await Promise.all([
      readTrees(db, calls),
      store.readHolders(db, organizationId, emails, numbers),
    ]);
    return trees.map(tree => ({ tree, holders }));
  },
  plan({ scope, tenant, body, id }, { tree, holders }) {
    const { divisionId = null } = body;
    const place =
      tree === null
        ? placeWithoutTree(scope, tenant, divisionId)!
        : placeNewEmployee(scope, tenant, divisionId, tree);
    const data = newEmployee(body, place);
    store.checkUnique(id, data, holders);
    return data;
  },
  store: planned =>
    store.insertEmployees(
      planned.map(({ write, input: { id }, plan }) => ({
        write,
        row: employeeRow(id, plan, write.dryRun ? dryRunId : id),
      })),
    ),
};

/** Reads the tree of each place. Equal reads share one query. */
function readTrees(db: Queryable, calls: readonly Creating[]): Promise<(TreeFacts | null)[]> {
  const reads: { scope: Scope; divisionId: string | null; tree: Promise<TreeFacts> }[] = [];
  const trees = calls.map(async ({ scope, tenant, body }) => {
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
