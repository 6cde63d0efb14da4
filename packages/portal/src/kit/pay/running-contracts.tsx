import { Text } from '@mantine/core';
import { Trans } from '@lingui/react/macro';
import { useAnswer } from '../../api/answer.ts';
import { type AnswerOf, Rejection } from '../../api/ask.ts';
import { ordersOfQuery } from '../../api/queries.ts';
import { Answered } from '../answered.tsx';
import { day } from '../dates.ts';
import { modelsOf } from '../hr-words.tsx';
import { TextLink } from '../navigation/link-button.tsx';
import { money, sumOf } from '../numbers.ts';
import shared from '../shared.module.css';
import styles from './running-contracts.module.css';

type Order = AnswerOf<'POST /orders/search'>['items'][number];
type Contract = NonNullable<Order['contract']>;

interface Props {
  readonly employee: string;
  /** An order that is considered beside them. */
  readonly besides?: Order;
}

/** The bikes that a person has, each with its deduction and end, and all deductions of a month together. */
export function RunningContracts({ employee, besides }: Props) {
  const { error, ...answer } = useAnswer(ordersOfQuery(employee));
  // The page reports the end of the session.
  const hasEnded = error instanceof Rejection && error.status === 401;
  return (
    <Answered answer={{ ...answer, error: hasEnded ? null : error }} height={80}>
      {({ items }) => {
        const running = items.flatMap(order =>
          order.status === 'active' && order.contract !== null && order.id !== besides?.id
            ? [{ ...order, contract: order.contract }]
            : [],
        );
        return (
          <>
            {running.length === 0 && <None isOther={besides !== undefined} />}
            <ul className={`${shared.list} ${shared.lines}`}>
              {running.map(order => (
                <Running key={order.id} order={order} contract={order.contract} />
              ))}
            </ul>
            <AllDeductions
              running={running.map(({ contract }) => contract)}
              added={besides?.contract ?? null}
            />
          </>
        );
      }}
    </Answered>
  );
}

function None({ isOther }: { isOther: boolean }) {
  return isOther ? (
    <Trans>This person has no other running bike.</Trans>
  ) : (
    <Trans>No contract is running.</Trans>
  );
}

function Running({ order, contract }: { order: Order; contract: Contract }) {
  const { salaryConversion, currency, contractNumber, endDate } = contract;
  return (
    <li>
      <div>
        <TextLink to="/orders" search={{ all: true, order: order.id }}>
          {modelsOf(order) || order.orderNumber}
        </TextLink>
        <Text size="sm" c="dimmed">
          {[contractNumber, order.orderNumber].filter(Boolean).join(' · ')}
        </Text>
      </div>
      <div className={styles.amount}>
        <Trans>{money(salaryConversion, currency)} a month</Trans>
        {endDate !== null && (
          <Text size="sm" c="dimmed">
            <Trans>until {day(endDate)}</Trans>
          </Text>
        )}
      </div>
    </li>
  );
}

/** The sum of the deductions, where there are several in one currency. */
function AllDeductions({ running, added }: { running: readonly Contract[]; added: Contract | null }) {
  const all = added === null ? running : [...running, added];
  const [currency, ...others] = new Set(all.map(contract => contract.currency));
  if (all.length < 2 || currency === undefined || others.length > 0) return null;
  const sum = money(sumOf(all.map(({ salaryConversion }) => salaryConversion)), currency);
  return (
    <Text fw={600} mt="xs">
      {added === null ? (
        <Trans>Together {sum} a month</Trans>
      ) : (
        <Trans>With this order, {sum} a month are deducted together.</Trans>
      )}
    </Text>
  );
}
