import { Alert, Checkbox, Skeleton, Stack, Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { payrollPreviewQuery } from '../../api/queries.ts';
import { monthName } from '../dates.ts';
import { Failure } from '../failure.tsx';
import { useKindWords } from '../hr-words.tsx';
import { Icon } from '../icon.tsx';
import { money } from '../numbers.ts';
import { DialogForm } from '../overlay/dialog.tsx';
import type { Action } from '../form/use-action.ts';
import {
  type Amount,
  correctionsOf,
  type Effect,
  type OrderChange,
  type Preview,
  upcomingOf,
  usePayEffect,
} from './effect.ts';
import table from '../list/table.module.css';
import styles from './pay.module.css';

type Question = Preview['questions'][number];

function useQuestionWords(): Record<Question, string> {
  const { t } = useLingui();
  return {
    before_contract: t`A day lies before the first day of the contract.`,
    far: t`A day lies more than a year from today.`,
    takes_back: t`Amounts of released months come back.`,
    paid_elsewhere: t`An amount was paid elsewhere. Settle the difference there: no run pays it out.`,
  };
}

interface FormProps {
  /** Null: it is about none. */
  readonly order: string | null;
  /** The change to be recorded; null while it is incomplete. */
  readonly change: OrderChange | null;
  readonly action: Action;
  readonly close: () => void;
  readonly submit: ReactNode;
  /** Whether something else is missing. */
  readonly isDisabled?: boolean;
  readonly children?: ReactNode;
}

/** The form of a dialog that changes an order. It shows the effect on the pay first, and asks about what is unusual. */
export function PayEffectForm(props: FormProps) {
  const { order, change, action, close, submit, isDisabled = false, children } = props;
  const effect = usePayEffect(order, change);
  return (
    <DialogForm action={action} close={close} submit={submit} isDisabled={isDisabled || !effect.canSend}>
      {children}
      {order !== null && change !== null && <EffectView effect={effect} />}
    </DialogForm>
  );
}

interface ViewProps {
  readonly effect: Effect;
  /** Whether what is unusual is to be confirmed here. */
  readonly isAsking?: boolean;
  /** Why it is not confirmed. */
  readonly problem?: ReactNode;
}

/** The effect of a change: corrections of released months, the last deductions, and questions to be confirmed. */
export function EffectView({ effect, isAsking = true, problem }: ViewProps) {
  const { preview, error, refetch } = effect;
  return (
    <Stack gap="sm" aria-live="polite">
      <Text size="sm" fw={600}>
        <Trans>Effect on pay</Trans>
      </Text>
      {error !== null && <Failure error={error} retry={() => void refetch()} />}
      {preview === undefined && error === null && <Skeleton height={90} radius="md" />}
      {preview && <EffectOf preview={preview} />}
      {preview && isAsking && (
        <Confirmation
          questions={preview.questions}
          isConfirmed={effect.isConfirmed}
          confirm={effect.confirm}
          error={problem}
        />
      )}
    </Stack>
  );
}

function EffectOf({ preview }: { preview: Preview }) {
  if (preview.firstPeriod === null)
    return (
      <Text size="sm">
        <Trans>Payroll is not set up for this company, so nothing is deducted.</Trans>
      </Text>
    );
  return (
    <>
      <Corrections preview={preview} />
      <LastDeductions amounts={upcomingOf(preview)} />
    </>
  );
}

/** Each correction as a sentence. The words say the direction, so that no sign has to be read. */
function Corrections({ preview }: { preview: Preview }) {
  const { t } = useLingui();
  const kinds = useKindWords();
  const corrections = correctionsOf(preview);
  if (corrections.length === 0) return null;
  return (
    <ul className={styles.corrections}>
      {corrections.map(({ month, kind, amount }) => {
        const [name, sum] = [monthName(month), money(amount.replace('-', ''), 'EUR')];
        const effect = amount.startsWith('-')
          ? t`${name}: ${sum} back in the next run`
          : t`${name}: ${sum} more in the next run`;
        return (
          <li key={`${month} ${kind}`}>
            {effect} ({kinds[kind]})
          </li>
        );
      })}
    </ul>
  );
}

/** Corrections of an order as it is, which the next run makes. */
export function PendingCorrections({ order }: { order: string }) {
  const { data } = useQuery(payrollPreviewQuery(order, {}));
  if (data === undefined || correctionsOf(data).length === 0) return null;
  return (
    <Alert variant="outline" color="gray" icon={<Icon name="clock" />}>
      <Corrections preview={data} />
    </Alert>
  );
}

/** Months that are listed before the last deduction. */
const listed = 3;

/** The last months with amounts. Those before them are named. */
function LastDeductions({ amounts }: { amounts: readonly Amount[] }) {
  const { t } = useLingui();
  const words = useKindWords();
  const months = [...Map.groupBy(amounts, ({ month }) => month)];
  const [first] = months;
  if (first === undefined)
    return (
      <Text size="sm">
        <Trans>Nothing is deducted after that.</Trans>
      </Text>
    );
  const kinds = [...new Set(amounts.map(({ kind }) => kind))];
  const shown = months.slice(-listed);
  const [begin, end] = [monthName(first[0]), monthName(shown.at(-1)![0])];
  return (
    <>
      <table className={`${table.table} ${styles.months}`}>
        <caption>{t`Last deductions`}</caption>
        <thead>
          <tr>
            <th>
              <Trans>Month</Trans>
            </th>
            {kinds.map(kind => (
              <th key={kind} className={styles.amount}>
                {words[kind]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map(([month, ofMonth]) => (
            <tr key={month}>
              <th scope="row">{monthName(month)}</th>
              {kinds.map(kind => (
                <td key={kind} data-label={words[kind]} className={styles.amount}>
                  {money(ofMonth.find(each => each.kind === kind)?.amount ?? '0', 'EUR')}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <Text size="sm" c="dimmed">
        {months.length > listed ? (
          <Trans>
            Deducted each month from {begin}, for the last time in {end}.
          </Trans>
        ) : (
          <Trans>Deducted for the last time in {end}.</Trans>
        )}
      </Text>
    </>
  );
}

interface ConfirmationProps {
  readonly questions: readonly Question[];
  readonly isConfirmed: boolean;
  readonly confirm: (isConfirmed: boolean) => void;
  readonly error?: ReactNode;
}

/** Asks about what is unusual. Nothing is asked twice: the check asks only about what is still open. */
export function Confirmation({ questions, isConfirmed, confirm, error }: ConfirmationProps) {
  const { t } = useLingui();
  const words = useQuestionWords();
  if (questions.length === 0) return null;
  return (
    <Alert variant="outline" color="orange" icon={<Icon name="alert" />}>
      <Text size="sm" fw={600}>
        <Trans>Is this right?</Trans>
      </Text>
      <ul className={styles.corrections}>
        {questions.map(question => (
          <li key={question}>{words[question]}</li>
        ))}
      </ul>
      <Checkbox
        mt="sm"
        name="confirmed"
        label={t`Yes, this is right`}
        checked={isConfirmed}
        error={error}
        onChange={({ currentTarget }) => confirm(currentTarget.checked)}
      />
    </Alert>
  );
}
