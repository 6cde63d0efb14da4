import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { ask, Rejection } from '../../api/ask.ts';
import { queryClient } from '../../api/queries.ts';
import { Failure } from '../../kit/failure.tsx';
import { UnsavedChanges } from '../../kit/form/unsaved-changes.tsx';
import { useAction } from '../../kit/form/use-action.ts';
import { Icon } from '../../kit/icon.tsx';
import { useMayChange } from '../../kit/form/may-change.ts';
import { useSettled } from '../../kit/overlay/settled.ts';
import { confirmDone } from '../../kit/overlay/toasts.tsx';
import { nameOfPerson } from '../../kit/person.ts';
import { When } from '../../kit/when.tsx';
import type { OrderDetails } from './words.tsx';
import { TextArea } from '../../kit/form/limited-fields.tsx';

type History = NonNullable<OrderDetails['order']['hrHistory']>;
type Verdict = History['decision'];

const changes = [['orders']];

interface Props {
  readonly details: OrderDetails;
  /** Goes on after a decision of the user. */
  readonly decided: () => void;
}

/** The decision on an order, or the form for it. A second person who decides sees what the first one has decided. */
export function Decision({ details, decided }: Props) {
  const { order } = details;
  const [isLate, setLate] = useState(false);
  const mayChange = useMayChange();
  if (order.hrHistory !== null) return <Decided details={details} isLate={isLate} />;
  if (order.status !== 'under_review' || !mayChange) return null;
  return <DecisionForm details={details} decided={decided} late={() => setLate(true)} />;
}

function DecisionForm({ details, decided, late }: Props & { late: () => void }) {
  const { order, employee } = details;
  const { t } = useLingui();
  const [comment, setComment] = useState('');
  const [isMissing, setMissing] = useState(false);
  const isSettled = useSettled();
  const action = useAction(
    changes,
    async (decision: Verdict) => {
      const body = { decision, ...(comment.trim() && { comment: comment.trim() }) };
      await ask('POST /orders/{id}/decision', { id: order.id, body }).catch(async (error: unknown) => {
        if (!(error instanceof Rejection && error.code === 'ORDER_ALREADY_DECIDED')) throw error;
        late();
        await queryClient.invalidateQueries({ queryKey: ['orders'] });
        throw error;
      });
      return decision;
    },
    decision => {
      const name = employee ? nameOfPerson(employee) : order.orderNumber;
      confirmDone(
        decision === 'approved' ? t`The order of ${name} is approved.` : t`The order of ${name} is rejected.`,
      );
      decided();
    },
  );
  const reject = () => {
    // The employee is to learn why.
    if (comment.trim() === '') setMissing(true);
    else void action.run('rejected');
  };
  return (
    <Stack component="section" gap="sm" aria-label={t`Decision`} style={always}>
      <UnsavedChanges isDirty={comment.trim() !== '' && !action.busy} />
      <TextArea
        label={t`Comment`}
        description={t`Required to reject an order.`}
        value={comment}
        limit={2000}
        autosize
        minRows={2}
        error={isMissing && t`Enter a reason for the rejection.`}
        onChange={({ currentTarget }) => {
          setComment(currentTarget.value);
          setMissing(false);
        }}
      />
      {action.error !== null && <Failure error={action.error} />}
      <Group>
        <Button
          loading={action.busy}
          disabled={!isSettled || (employee?.blocked ?? false)}
          onClick={() => void action.run('approved')}
        >
          <Trans>Approve</Trans>
        </Button>
        <Button variant="default" loading={action.busy} disabled={!isSettled} onClick={reject}>
          <Trans>Reject</Trans>
        </Button>
      </Group>
    </Stack>
  );
}

/** The form stays in view below a long order, over the padding of the panel. */
const always = {
  position: 'sticky',
  bottom: 'calc(-1 * var(--mantine-spacing-md))',
  paddingBlock: 12,
  background: 'var(--mantine-color-body)',
  borderTop: '1px solid var(--mantine-color-default-border)',
} as const;

/** The decision that was made: by whom, when and why. */
function Decided({ details: { order, decidedBy }, isLate }: { details: OrderDetails; isLate: boolean }) {
  const { decision, source, comment, decidedAt } = order.hrHistory!;
  return (
    <Alert
      role={isLate ? 'alert' : undefined}
      variant="outline"
      color={decision === 'approved' ? 'teal' : 'red'}
      icon={<Icon name={decision === 'approved' ? 'check' : 'close'} />}
    >
      {isLate && (
        <Text size="sm" fw={600}>
          <Trans>Someone else decided first. Your decision was not saved.</Trans>
        </Text>
      )}
      <Text size="sm">
        <DecisionOf decision={decision} source={source} name={decidedBy} /> <When at={decidedAt} />
      </Text>
      {comment && <Text size="sm">{comment}</Text>}
    </Alert>
  );
}

/** The decision with its maker. */
export function DecisionOf(props: Pick<History, 'decision' | 'source'> & { readonly name: string | null }) {
  const { decision, source, name } = props;
  return (
    <>
      {decision === 'approved' ? <Trans>Approved</Trans> : <Trans>Rejected</Trans>}{' '}
      <Decider source={source} name={name} />
    </>
  );
}

function Decider({ source, name }: { source: History['source']; name: string | null }) {
  if (source === 'automatic') return <Trans>by a rule</Trans>;
  if (source === 'api_key') return <Trans>through the API</Trans>;
  return name === null ? <Trans>by a deleted user</Trans> : <Trans>by {name}</Trans>;
}
