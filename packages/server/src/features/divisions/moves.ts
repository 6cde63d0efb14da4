import { ApiError, type DivisionMove, type movePortalDivision, unprocessable } from '@kontor/contract';
import type { CallOf } from '../../http/implement.ts';
import type { Pool } from '../../db/connect.ts';
import type { Queryable } from '../../db/session.ts';
import { requestOf, type Writes } from '../../write/writes.ts';
import { divisionResource, divisionRow } from './mapping.ts';
import { type Plan, planUpdate } from './changes.ts';
import { orderBehind } from './rules.ts';
import * as store from './store.ts';

/** Reads the effects of a move on others than the division. The ancestors are those of the place before and after it. */
export type ReadEffects = (place: {
  readonly organizationId: string;
  readonly tenantId: string;
  readonly id: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}) => Promise<Omit<DivisionMove, 'division'>>;

interface Parts {
  readonly reads: Pool;
  readonly writes: Writes;
  readonly readEffects: ReadEffects;
}

type Moving = CallOf<typeof movePortalDivision>;

/** Planned before the write, as an update is. The effects are read before it, too: counting them must not hold the organization clock. */
export async function moveDivision(
  { reads, writes, readEffects }: Parts,
  call: Moving,
): Promise<DivisionMove> {
  const { id } = call.parameters;
  const { organizationId } = call.scope;
  const first = await planMove(reads, call);
  const [before, after] = await Promise.all([
    store.readAncestors(reads, organizationId, first.before.parentId),
    store.readAncestors(reads, organizationId, first.data.parentId),
  ]);
  const effects = await readEffects({ organizationId, tenantId: first.data.tenant, id, before, after });
  const doc = isUnchanged(first)
    ? first.doc
    : await writes
        .runOrdered(requestOf(call), {
          targets: [id],
          read: db => planMove(db, call),
          change(write, { doc, before, data, fields, siblings }) {
            for (const { createdAt, ...sibling } of siblings) {
              const row = divisionRow(sibling.id, sibling, { createdAt, updatedAt: write.instant });
              store.updateDivision(write, row, ['order']);
            }
            if (fields.length === 0) return doc;
            const row = divisionRow(id, data, { createdAt: before.createdAt, updatedAt: write.instant });
            store.updateDivision(write, row, fields);
            return row.doc;
          },
        })
        .catch(store.throwNameTaken);
  return { division: divisionResource.parse(doc), ...effects };
}

interface MovePlan extends Plan {
  /** Siblings that get another order, since there is no number left between those of two neighbours. */
  readonly siblings: readonly ReturnType<typeof divisionResource.parse>[];
}

const isUnchanged = ({ fields, siblings }: MovePlan) => fields.length === 0 && siblings.length === 0;

/** @throws ApiError for a move that is rejected */
async function planMove(db: Queryable, call: Moving): Promise<MovePlan> {
  const { parentId, after, expectedUpdatedAt } = call.body;
  const { organizationId } = call.scope;
  const plan = await planUpdate(db, { ...call, body: { parentId } }, expectedUpdatedAt);
  const { before, data } = plan;
  const place = { tenantId: data.tenant, parentId };
  const children = await store.readChildren(db, organizationId, place);
  const placed = orderBehind(children, before.id, after);
  if (placed === null)
    throw new ApiError(
      'INVALID_REFERENCE',
      'after must name another child of parentId; read the divisions again',
    );
  const orders = new Map(placed.map(({ id, order }) => [id, order]));
  const order = orders.get(before.id) ?? before.order;
  orders.delete(before.id);
  if (orders.size > store.renumberedMaximum)
    throw unprocessable(
      `after: more than ${store.renumberedMaximum} siblings would need another order; place it first or last`,
    );
  const docs = orders.size === 0 ? [] : await store.readDivisions(db, organizationId, [...orders.keys()]);
  const siblings = docs.map(doc => {
    const sibling = divisionResource.parse(doc);
    return { ...sibling, order: orders.get(sibling.id)! };
  });
  const fields = order === before.order ? plan.fields : [...plan.fields, 'order' as const];
  return { ...plan, fields, data: { ...data, order }, siblings };
}
