import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AnswerOf, RequestOf } from '../../api/ask.ts';
import { payrollPreviewQuery } from '../../api/queries.ts';

export type OrderChange = RequestOf<'POST /orders/{id}/payroll-preview'>['body'];
export type Preview = AnswerOf<'POST /orders/{id}/payroll-preview'>;
export type Amount = Preview['amounts'][number];

/** The effect of a change on pay, and whether the user has confirmed its questions. */
export interface Effect {
  readonly preview: Preview | undefined;
  readonly error: unknown;
  readonly refetch: () => unknown;
  readonly isConfirmed: boolean;
  readonly confirm: (isConfirmed: boolean) => void;
  /** Whether the change can be sent: it is computed, and confirmed where that is asked. */
  readonly canSend: boolean;
}

/**
 * Computes the effect of a change that is not stored; null: it is incomplete. A confirmation holds for one change alone. Without
 * an order nothing is computed.
 */
export function usePayEffect(order: string | null, change: OrderChange | null): Effect {
  const isAsked = order !== null && change !== null;
  const { data, error, refetch } = useQuery({
    ...payrollPreviewQuery(order ?? '', change ?? {}),
    enabled: isAsked,
  });
  const preview = isAsked ? data : undefined;
  const key = JSON.stringify([order, change]);
  const [confirmed, setConfirmed] = useState<string>();
  const isConfirmed = confirmed === key;
  return {
    preview,
    error: isAsked ? error : null,
    refetch,
    isConfirmed,
    confirm: confirms => setConfirmed(confirms ? key : undefined),
    canSend:
      change !== null &&
      (order === null || (preview !== undefined && (preview.questions.length === 0 || isConfirmed))),
  };
}

/** The corrections of released months that the next run makes. */
export function correctionsOf({ amounts, released }: Preview): Amount[] {
  return amounts.filter(({ month }) => released !== null && month <= released);
}

/** The amounts of months after the released ones. */
export function upcomingOf({ amounts, released }: Preview): Amount[] {
  return amounts.filter(({ month }) => released === null || month > released);
}
