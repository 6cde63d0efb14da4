import { useLingui } from '@lingui/react/macro';
import { payrollPreviewQuery, queryClient } from '../../api/queries.ts';
import { type Effect, type Preview, usePayEffect } from '../../kit/pay/effect.ts';
import { Confirmation, EffectView } from '../../kit/pay/effect-view.tsx';
import { hasFarDay, leaveChangeOf } from './report.ts';
import type { Incident } from './words.tsx';

type Reported = Pick<Incident, 'type' | 'orderId' | 'occurredOn' | 'effectiveFrom' | 'effectiveTo'> & {
  /** Null: it is not reported yet. */
  readonly id: string | null;
};

interface Confirming {
  readonly effect: Effect;
  readonly hasEffect: boolean;
  readonly questions: Preview['questions'];
  readonly isLoaded: boolean;
  /** Whether the report can be sent: what is unusual is confirmed. */
  readonly canSend: boolean;
}

function changeOf(reported: Reported | undefined) {
  return reported && reported.orderId !== null ? leaveChangeOf(reported) : null;
}

/** The effect of a report on pay, and the questions about its days. */
export function useReportConfirmation(reported: Reported | undefined): Confirming {
  const change = changeOf(reported);
  const effect = usePayEffect(reported?.orderId ?? null, change);
  const isFar = reported !== undefined && hasFarDay(reported);
  const questions = [
    ...new Set([...(effect.preview?.questions ?? []), ...(isFar ? (['far'] as const) : [])]),
  ];
  const isLoaded = change === null || effect.preview !== undefined;
  return {
    effect,
    hasEffect: change !== null,
    questions,
    isLoaded,
    canSend: isLoaded && (questions.length === 0 || effect.isConfirmed),
  };
}

/** Computes the effect before it is shown, so that no report is sent without its questions. @throws Rejection */
export async function loadEffect(reported: Reported): Promise<void> {
  const change = changeOf(reported);
  if (change !== null) await queryClient.fetchQuery(payrollPreviewQuery(reported.orderId!, change));
}

interface Props {
  readonly confirming: Confirming;
  /** Whether a missing confirmation is named. */
  readonly isAsked: boolean;
}

export function ReportConfirmation({ confirming, isAsked }: Props) {
  const { t } = useLingui();
  const { effect, hasEffect, questions, canSend } = confirming;
  return (
    <>
      {hasEffect && <EffectView effect={effect} isAsking={false} />}
      <Confirmation
        questions={questions}
        isConfirmed={effect.isConfirmed}
        confirm={effect.confirm}
        error={isAsked && !canSend && t`Confirm this, or go back and change it.`}
      />
    </>
  );
}
