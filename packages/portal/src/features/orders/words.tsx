import { useLingui } from '@lingui/react/macro';
import type { AnswerOf } from '../../api/ask.ts';

export type Order = AnswerOf<'POST /orders/search'>['items'][number];
export type OrderDetails = AnswerOf<'GET /orders/{id}'>;
type Document = Order['attachments'][number];

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
