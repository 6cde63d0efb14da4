import { Trans, useLingui } from '@lingui/react/macro';
import type { AnswerOf } from '../../api/ask.ts';
import { day } from '../../kit/dates.ts';
import { money } from '../../kit/money.ts';
import table from '../../kit/list/table.module.css';

type Sample = AnswerOf<'POST /tenants/{id}/decision-rule/sample'>;
type Decision = Sample['items'][number]['wouldBe'];

/** The orders that a rule was tried on, with the decision of the rule and the one that was made. */
export function RuleSample({ sample }: { sample: Sample }) {
  const { t } = useLingui();
  const words = (decision: Decision, none: string) =>
    decision === null ? none : decision === 'approved' ? t`Approved` : t`Rejected`;
  return (
    // A region that scrolls must have the focus for the keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div style={{ overflowX: 'auto' }} role="region" aria-label={t`Last orders`} tabIndex={0}>
      <table className={table.table}>
        <thead>
          <tr>
            <th>
              <Trans>Order</Trans>
            </th>
            <th>
              <Trans>Submitted</Trans>
            </th>
            <th>
              <Trans>Rates a month</Trans>
            </th>
            <th>
              <Trans>The rule</Trans>
            </th>
            <th>
              <Trans>Decision so far</Trans>
            </th>
          </tr>
        </thead>
        <tbody>
          {sample.items.map(({ orderId, orderNumber, submittedAt, monthlyRate, wouldBe, decision }) => (
            <tr key={orderId}>
              <td>{orderNumber}</td>
              <td>{day(submittedAt)}</td>
              <td>{monthlyRate === null ? t`No contract` : money(monthlyRate, 'EUR')}</td>
              <td>{words(wouldBe, t`Left to people`)}</td>
              <td>{words(decision, t`None`)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
