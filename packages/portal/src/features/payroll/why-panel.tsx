import { Stack, Text, Title } from '@mantine/core';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useAnswer } from '../../api/answer.ts';
import { employeesByIdQuery, payrollExplanationQuery, searchQuery } from '../../api/queries.ts';
import { Answered } from '../../kit/answered.tsx';
import { monthName } from '../../kit/dates.ts';
import { Section } from '../../kit/detail/detail-page.tsx';
import { Fact, Facts } from '../../kit/detail/facts.tsx';
import { useKindWords } from '../../kit/hr-words.tsx';
import { SearchInput } from '../../kit/list/search-input.tsx';
import { TextLink } from '../../kit/navigation/link-button.tsx';
import { money } from '../../kit/numbers.ts';
import { SidePanel } from '../../kit/overlay/side-panel.tsx';
import { SettleButton } from './settle.tsx';
import { type Receipt, useMeaningWords, useMayRun, useRuleWords } from './words.tsx';
import shared from '../../kit/shared.module.css';

interface Props {
  readonly id: string;
  readonly month: string;
  readonly close: () => void;
}

/** Why an employee has the amounts of a month: contract, month and rule of each. */
export function WhyPanel({ id, month, close }: Props) {
  const { t } = useLingui();
  const answer = useAnswer(payrollExplanationQuery(id, month));
  const { data } = useQuery(employeesByIdQuery([id]));
  const person = data?.items[0];
  const name = [person?.firstName, person?.lastName].filter(Boolean).join(' ') || t`Amounts of a person`;
  return (
    <SidePanel item={id} title={name} close={close} previous={undefined} next={undefined}>
      <Answered answer={answer} height={300}>
        {({ receipts }) => (
          <Stack gap="xl">
            <Text size="sm" c="dimmed">
              {monthName(month)}
              {person?.employeeNumber && (
                <>
                  {' · '}
                  <Trans>Employee number {person.employeeNumber}</Trans>
                </>
              )}
            </Text>
            {receipts.length === 0 && (
              <Text>
                <Trans>There are no amounts in this month.</Trans>
              </Text>
            )}
            {receipts.map(receipt => (
              <ReceiptView
                key={`${receipt.orderId} ${receipt.month} ${receipt.kind} ${receipt.source} ${receipt.runId}`}
                receipt={receipt}
              />
            ))}
          </Stack>
        )}
      </Answered>
    </SidePanel>
  );
}

function ReceiptView({ receipt }: { receipt: Receipt }) {
  const { t } = useLingui();
  const kinds = useKindWords();
  const meanings = useMeaningWords();
  const mayRun = useMayRun();
  const { kind, month, amount, owed, source, contractNumber, wageType, costCenter, meaning, reason } =
    receipt;
  const sources = { run: t`Exported`, settled: t`Settled outside of Kontor`, open: t`Not exported yet` };
  return (
    <section>
      <Title order={3} size="h4" mb="xs">
        {kinds[kind]}, {monthName(month)}: {money(amount, 'EUR')}
      </Title>
      <Facts>
        <Fact name={<Trans>State</Trans>}>{meaning === null ? sources[source] : meanings[meaning]}</Fact>
        {contractNumber && <Fact name={<Trans>Contract</Trans>}>{contractNumber}</Fact>}
        {receipt.computation && <Computation computation={receipt.computation} owed={owed} />}
        {wageType && <Fact name={<Trans>Wage type</Trans>}>{wageType}</Fact>}
        {costCenter && <Fact name={<Trans>Cost centre</Trans>}>{costCenter}</Fact>}
        {reason && <Fact name={<Trans>Reason</Trans>}>{reason}</Fact>}
      </Facts>
      {source === 'open' && mayRun && <SettleButton receipt={receipt} />}
    </section>
  );
}

interface ComputationProps {
  readonly computation: NonNullable<Receipt['computation']>;
  readonly owed: string;
}

function Computation({ computation, owed }: ComputationProps) {
  const rules = useRuleWords();
  const { rule, rate, daysOfMonth, contractDays, suspendedDays } = computation;
  return (
    <>
      <Fact name={<Trans>Rule</Trans>}>{rules[rule]}</Fact>
      <Fact name={<Trans>Rate of the contract a month</Trans>}>{money(rate, 'EUR')}</Fact>
      <Fact name={<Trans>Days of the contract</Trans>}>
        <Trans>
          {contractDays} of {daysOfMonth}
        </Trans>
        {suspendedDays > 0 && (
          <Text size="sm" c="dimmed">
            <Plural
              value={suspendedDays}
              one="# day suspended by a leave"
              other="# days suspended by a leave"
            />
          </Text>
        )}
      </Fact>
      <Fact name={<Trans>Owed for the month in all</Trans>}>{money(owed, 'EUR')}</Fact>
    </>
  );
}

interface LinkProps {
  readonly employee: string;
  readonly size?: 'xs' | 'sm';
  readonly children: ReactNode;
}

/** Opens the explanation of the amounts of an employee beside the page. */
export function WhyLink({ employee, size, children }: LinkProps) {
  return (
    <TextLink to="." search={before => ({ ...before, employee })} resetScroll={false} {...(size && { size })}>
      {children}
    </TextLink>
  );
}

/** Finds an employee, whose amounts are then explained. */
export function EmployeeSearch() {
  const { t } = useLingui();
  const [text, setText] = useState<string>();
  const { data } = useQuery({
    ...searchQuery({ text: text ?? '', kinds: ['employee'] }),
    enabled: text !== undefined,
  });
  const found = text === undefined ? undefined : data?.items;
  return (
    <Section title={<Trans>Explain the amounts of a person</Trans>}>
      <SearchInput text={text} search={setText} label={t`Search by name or employee number`} />
      <div role="status">
        <ul className={shared.list}>
          {found?.map(({ id, name, detail }) => (
            <li key={id}>
              <WhyLink employee={id}>{name}</WhyLink>{' '}
              <Text span size="xs" c="dimmed">
                {detail}
              </Text>
            </li>
          ))}
          {found?.length === 0 && (
            <li>
              <Trans>No person matches</Trans>
            </li>
          )}
        </ul>
      </div>
    </Section>
  );
}
