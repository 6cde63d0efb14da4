import { ApiError, type DivisionMove, type movePortalDivision, unprocessable } from '@kontor/contract';
import type { CallOf } from '../../http/implement.ts';
import type { RouteParts } from '../../http/route.ts';
import { decision, type Expecting, unchanged, versionOf } from '../../write/writes.ts';
import { type Change, planChange, readChange, storeChange } from './changes.ts';
import { divisionResource } from './mapping.ts';
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

interface Parts extends RouteParts {
  readonly readEffects: ReadEffects;
}

type Moving = CallOf<typeof movePortalDivision> & Expecting;

/** The effects are read before the write: counting them must not hold the organization clock. */
export async function moveDivision(
  { reads, writes, readEffects }: Parts,
  call: CallOf<typeof movePortalDivision>,
): Promise<DivisionMove> {
  const { id } = call.parameters;
  const { organizationId } = call.scope;
  const { parentId, expectedUpdatedAt } = call.body;
  const { before, data } = await readChange(reads, call, { parentId });
  const [ancestors, ancestorsAfter] = await Promise.all([
    store.readAncestors(reads, organizationId, before.parentId),
    store.readAncestors(reads, organizationId, data.parentId),
  ]);
  const place = { organizationId, tenantId: data.tenant, id, before: ancestors, after: ancestorsAfter };
  const effects = await readEffects(place);
  const doc = await writes
    .decide({ ...call, expectedVersion: versionOf(expectedUpdatedAt) }, divisionMove)
    .catch(store.throwNameTaken);
  return { division: divisionResource.parse(doc), ...effects };
}

const divisionMove = decision({
  targets: ({ parameters }: Moving) => [parameters.id],
  async read(db, call) {
    const { organizationId } = call.scope;
    const { parentId, after } = call.body;
    const change = await readChange(db, call, { parentId });
    const { before, data } = change;
    const children = await store.readChildren(db, organizationId, { tenantId: data.tenant, parentId });
    const placed = orderBehind(children, before.id, after);
    const renumbered = (placed ?? []).map(({ id }) => id).filter(id => id !== before.id);
    const isRead = renumbered.length > 0 && renumbered.length <= store.renumberedMaximum;
    const docs = isRead ? await store.readDivisions(db, organizationId, renumbered) : [];
    return { change, placed, renumbered, docs };
  },
  plan(call, { change, placed, renumbered, docs }) {
    const planned = planChange(call, change);
    if (placed === null)
      throw new ApiError(
        'INVALID_REFERENCE',
        'after must name another child of parentId; read the divisions again',
      );
    if (renumbered.length > store.renumberedMaximum)
      throw unprocessable(
        `after: more than ${store.renumberedMaximum} siblings would need another order; place it first or last`,
      );
    const orders = new Map(placed.map(({ id, order }) => [id, order]));
    const order = orders.get(planned.before.id) ?? planned.before.order;
    const fields = order === planned.before.order ? planned.fields : [...planned.fields, 'order' as const];
    if (fields.length === 0 && renumbered.length === 0) return unchanged(change.doc);
    // Siblings get another order where there is no number between those of two neighbours.
    const siblings = docs
      .map(doc => divisionResource.parse(doc))
      .map((before): Change => ({
        before,
        data: { ...before, order: orders.get(before.id)! },
        fields: ['order'],
      }));
    return { siblings, doc: change.doc, moved: { ...planned, fields, data: { ...planned.data, order } } };
  },
  version: ({ change }) => change.before.updatedAt,
  store(write, { siblings, moved, doc }) {
    for (const sibling of siblings) storeChange(write, sibling);
    return moved.fields.length === 0 ? doc : storeChange(write, moved);
  },
});
