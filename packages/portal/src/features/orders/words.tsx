import { useLingui } from '@lingui/react/macro';
import type { AnswerOf } from '../../api/ask.ts';

export type Order = AnswerOf<'POST /orders/search'>['items'][number];
export type OrderDetails = AnswerOf<'GET /orders/{id}'>;
type Document = Order['attachments'][number];

export function useStatusWords(): Record<Order['status'], string> {
  const { t } = useLingui();
  return {
    under_review: t`To decide`,
    approved: t`Approved`,
    rejected: t`Rejected`,
    cancelled: t`Cancelled`,
    expired: t`Expired`,
    ready_for_pickup: t`Ready for pickup`,
    active: t`Running`,
    completed: t`Ended`,
  };
}

export function useDocumentWords(): Record<Document['kind'], string> {
  const { t } = useLingui();
  return {
    offer: t`Offer`,
    contract: t`Contract`,
    invoice: t`Invoice`,
    handover: t`Handover`,
    other: t`Other document`,
  };
}

/** The models that an order has, such as "Nox Helium, Brose Lock". */
export function modelsOf({ products }: Pick<Order, 'products'>): string {
  return products
    .map(({ manufacturerName, model, articleGroupName }) =>
      [manufacturerName, model ?? articleGroupName].filter(Boolean).join(' '),
    )
    .join(', ');
}
