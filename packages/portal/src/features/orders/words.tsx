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

/** Words for the changes of an order in the audit. */
export function useChangeWords(): Readonly<Record<string, string>> {
  const { t } = useLingui();
  return {
    'order.create': t`Submitted`,
    'order.attach': t`Document added`,
    'order.decide': t`Decided`,
    'order.cancel': t`Cancelled`,
    'order.expire': t`Expired`,
    'order.make_ready': t`Ready for pickup`,
    'order.hand_over': t`Handed over`,
    'order.complete': t`Ended`,
    'order.end_contract': t`Early end recorded`,
    'order.withdraw_end': t`Early end withdrawn`,
    'order.change_contract': t`Amounts changed`,
    'order.withdraw_version': t`Change of amounts withdrawn`,
    'order.apply_version': t`Amounts of a new month apply`,
    'order.erase': t`Personal data erased`,
  };
}
