import { Trans, useLingui } from '@lingui/react/macro';
import { ask, Rejection } from '../../api/ask.ts';
import type { RowAction } from '../../kit/list/row-action.ts';
import { DecisionOf } from './decision.tsx';
import type { Order, OrderDetails } from './words.tsx';

/** A decision that came too late, with the one that stands. */
class DecidedBefore extends Error {
  readonly details: OrderDetails;

  constructor(details: OrderDetails) {
    super('The order was decided before');
    this.details = details;
  }
}

/** Decides an order among many. @throws DecidedBefore, Rejection */
async function decide(id: string, decision: 'approved' | 'rejected', comment: string): Promise<void> {
  const body = { decision, ...(comment && { comment }) };
  await ask('POST /orders/{id}/decision', { id, body }).catch(async (error: unknown) => {
    if (!(error instanceof Rejection && error.code === 'ORDER_ALREADY_DECIDED')) throw error;
    throw new DecidedBefore(await ask('GET /orders/{id}', { id }));
  });
}

/** Decides each of several orders, with a comment for all of them. */
export function useOrderActions(): RowAction<Order>[] {
  const { t } = useLingui();
  const common = {
    applies: ({ status }: Order) => status === 'under_review',
    changes: [['orders']],
    explain: (error: unknown) => error instanceof DecidedBefore && <Before {...error.details} />,
  };
  return [
    {
      ...common,
      label: t`Approve`,
      text: { label: t`Comment`, maxLength: 2000 },
      consequences: <Trans>Each order is decided on its own. A decision cannot be taken back.</Trans>,
      act: ({ id }, comment) => decide(id, 'approved', comment),
    },
    {
      ...common,
      label: t`Reject`,
      text: { label: t`Reason`, maxLength: 2000, required: t`Enter a reason for the rejection.` },
      consequences: (
        <Trans>Each order is rejected with the same reason. A decision cannot be taken back.</Trans>
      ),
      act: ({ id }, comment) => decide(id, 'rejected', comment),
    },
  ];
}

function Before({ order: { hrHistory }, decidedBy }: OrderDetails) {
  if (hrHistory === null) return null;
  const { decision, source, comment } = hrHistory;
  return (
    <>
      <DecisionOf decision={decision} source={source} name={decidedBy} />
      {comment && ` (${comment})`}
    </>
  );
}
