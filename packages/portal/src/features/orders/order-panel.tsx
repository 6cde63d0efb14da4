import { Stack } from '@mantine/core';
import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { orderQuery, queryClient } from '../../api/queries.ts';
import { Answered } from '../../kit/answered.tsx';
import { money } from '../../kit/numbers.ts';
import { SidePanel } from '../../kit/overlay/side-panel.tsx';
import { nameOfPerson } from '../../kit/person.ts';
import { Decision } from './decision.tsx';
import { OrderView } from './order-view.tsx';
import type { Order } from './words.tsx';

interface Props {
  readonly id: string;
  /** The orders of the list, in their order. */
  readonly among: readonly Order[];
  readonly open: (order: string | undefined) => void;
}

/** An order beside its list, where it is decided. */
export function OrderPanel({ id, among, open }: Props) {
  const { t } = useLingui();
  const answer = useQuery(orderQuery(id));
  // A decided order leaves the list. Those before and behind it are then the ones of the list that still had it.
  const [queue, setQueue] = useState(among);
  if (among !== queue && among.some(order => order.id === id)) setQueue(among);
  const place = queue.findIndex(order => order.id === id);
  const at = (position: number) => (place === -1 ? undefined : queue[position]);
  const opener = (order: Order | undefined) => order && (() => open(order.id));
  const following = at(place + 1)?.id;
  useEffect(() => {
    if (following !== undefined) void queryClient.prefetchQuery(orderQuery(following));
  }, [following]);
  const latest = useRef(among);
  useEffect(() => {
    latest.current = among;
  }, [among]);
  /** Opens the next order that waits for a decision; after the last one, those before it. */
  const proceed = () => {
    const waiting = latest.current.filter(order => order.id !== id && order.status === 'under_review');
    const isWaiting = (order: Order) => waiting.some(one => one.id === order.id);
    open((queue.slice(place + 1).find(isWaiting) ?? waiting[0])?.id);
  };
  // Whom the order is for, and what it costs: the next order must not be taken for the one before.
  const { order, employee } = answer.data ?? {};
  const orderNumber = order?.orderNumber;
  const unnamed = orderNumber === undefined ? t`Order` : t`Order ${orderNumber}`;
  const subject = employee ? nameOfPerson(employee) : unnamed;
  const amount = order?.contract && money(order.contract.salaryConversion, order.contract.currency);
  return (
    <SidePanel
      item={id}
      title={amount ? t`${subject} · ${amount} a month` : subject}
      close={() => open(undefined)}
      previous={opener(at(place - 1))}
      next={opener(at(place + 1))}
    >
      <Answered answer={answer} height={400}>
        {details => (
          <Stack gap="lg">
            <OrderView details={details} />
            <Decision key={id} details={details} decided={proceed} />
          </Stack>
        )}
      </Answered>
    </SidePanel>
  );
}
