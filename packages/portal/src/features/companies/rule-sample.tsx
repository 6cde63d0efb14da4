import { useLingui } from '@lingui/react/macro';
import type { AnswerOf } from '../../api/ask.ts';
import { day } from '../../kit/dates.ts';
import { type Column, DataTable } from '../../kit/list/data-table.tsx';
import { money } from '../../kit/money.ts';

type Sample = AnswerOf<'POST /tenants/{id}/decision-rule/sample'>;
type SampledOrder = Sample['items'][number] & { readonly id: string };
type Decision = SampledOrder['wouldBe'];

/** The orders that a rule was tried on, with the decision of the rule and the one that was made. */
export function RuleSample({ sample }: { sample: Sample }) {
  const { t } = useLingui();
  const words = (decision: Decision, none: string) =>
    decision === null ? none : decision === 'approved' ? t`Approved` : t`Rejected`;
  const columns: Column<SampledOrder>[] = [
    { label: t`Order number`, cell: ({ orderNumber }) => orderNumber },
    { label: t`Submitted`, cell: ({ submittedAt }) => day(submittedAt) },
    {
      label: t`Rates a month`,
      isAmount: true,
      cell: ({ monthlyRate }) => (monthlyRate === null ? t`No contract` : money(monthlyRate, 'EUR')),
    },
    { label: t`The rule`, cell: ({ wouldBe }) => words(wouldBe, t`Left to people`) },
    { label: t`Decision so far`, cell: ({ decision }) => words(decision, t`None`) },
  ];
  return (
    <section aria-label={t`Last orders`}>
      <DataTable
        rows={sample.items.map(order => ({ ...order, id: order.orderId }))}
        columns={columns}
        actions={[]}
        sort=""
        sortBy={() => {}}
      />
    </section>
  );
}
