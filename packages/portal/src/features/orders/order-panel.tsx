import { Stack } from '@mantine/core';
import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { orderQuery } from '../../api/queries.ts';
import { Answered } from '../../kit/answered.tsx';
import { SidePanel } from '../../kit/detail/side-panel.tsx';
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
  const neighbour = (at: number) => {
    const order = place === -1 ? undefined : queue[at];
    return order && (() => open(order.id));
  };
  return (
    <SidePanel
      title={answer.data ? t`Order ${answer.data.order.orderNumber}` : t`Order`}
      close={() => open(undefined)}
      previous={neighbour(place - 1)}
      next={neighbour(place + 1)}
    >
      <Answered answer={answer} height={400}>
        {details => (
          <Stack gap="lg">
            <OrderView details={details} />
            <Decision key={id} details={details} />
          </Stack>
        )}
      </Answered>
    </SidePanel>
  );
}
