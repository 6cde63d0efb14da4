import { Box, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQueries, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useAnswer } from '../../api/answer.ts';
import {
  employeesByIdQuery,
  payrollExplanationQuery,
  payrollRunQuery,
  searchQuery,
  useTenantNames,
} from '../../api/queries.ts';
import { Answered } from '../../kit/answered.tsx';
import { monthName } from '../../kit/dates.ts';
import { Section } from '../../kit/detail/detail-page.tsx';
import { Fact, Facts } from '../../kit/detail/facts.tsx';
import { Icon } from '../../kit/icon.tsx';
import { SearchInput } from '../../kit/list/search-input.tsx';
import { panelState } from '../../kit/navigation/panel.ts';
import { TextLink } from '../../kit/navigation/link-button.tsx';
import { SidePanel } from '../../kit/overlay/side-panel.tsx';
import { PartsBars } from '../../kit/charts/parts-bar.tsx';
import { type ReceiptTexts, useReceiptTexts } from './receipt-texts.tsx';
import { SettleButton } from './settle.tsx';
import { type Receipt, useMayRun } from './words.tsx';
import shared from '../../kit/shared.module.css';

interface Props {
  readonly id: string;
  readonly company: string;
  readonly month: string;
  readonly close: () => void;
}

/** Why an employee has the amounts of a month: a sheet that can be printed, and copied as a text. */
export function WhyPanel({ id, company, month, close }: Props) {
  const { t } = useLingui();
  const answer = useAnswer(payrollExplanationQuery(id, month));
  const { data } = useQuery(employeesByIdQuery([id]));
  const companyName = useTenantNames()(company);
  const person = data?.items[0];
  const name = [person?.firstName, person?.lastName].filter(Boolean).join(' ') || t`Amounts of a person`;
  const number = person?.employeeNumber ?? null;
  const about = [monthName(month), companyName, number && t`Employee number ${number}`]
    .filter(Boolean)
    .join(' · ');
  return (
    <SidePanel item={id} title={name} close={close} previous={undefined} next={undefined}>
      <Answered answer={answer} height={300}>
        {({ receipts }) => <Sheet head={[name, about]} receipts={receipts} />}
      </Answered>
    </SidePanel>
  );
}

interface SheetProps {
  /** The person, and the month of the company. */
  readonly head: readonly [string, string];
  readonly receipts: readonly Receipt[];
}

function Sheet({ head, receipts }: SheetProps) {
  const mayRun = useMayRun();
  const textsOf = useReceiptTexts();
  const runIds = [...new Set(receipts.flatMap(({ runId }) => runId ?? []))];
  const runs = useQueries({ queries: runIds.map(payrollRunQuery) });
  // The month that a person asks about is the latest one.
  const latestFirst = receipts.toSorted((a, b) => (a.month < b.month ? 1 : a.month > b.month ? -1 : 0));
  const explained = latestFirst.map(receipt => ({
    receipt,
    texts: textsOf(receipt, runs[runIds.indexOf(receipt.runId ?? '')]?.data),
  }));
  return (
    <Stack gap="xl">
      <Text size="sm" c="dimmed">
        {head[1]}
      </Text>
      {explained.length === 0 ? (
        <Text>
          <Trans>There are no amounts in this month.</Trans>
        </Text>
      ) : (
        <Actions text={[head.join('\n'), ...explained.map(({ texts }) => plainText(texts))].join('\n\n')} />
      )}
      {explained.map(({ receipt, texts }) => (
        <section
          key={`${receipt.orderId} ${receipt.month} ${receipt.kind} ${receipt.source} ${receipt.runId}`}
        >
          <Explained {...texts} />
          {receipt.source === 'open' && mayRun && (
            <Box mt="sm">
              <SettleButton receipt={receipt} />
            </Box>
          )}
        </section>
      ))}
    </Stack>
  );
}

function plainText({ title, sentences, facts }: ReceiptTexts): string {
  return [title, ...sentences, ...facts.map(({ name, text }) => `${name}: ${text}`)].join('\n');
}

function Actions({ text }: { text: string }) {
  const clipboard = useClipboard({ timeout: 2000 });
  return (
    <Group gap="xs">
      <Button variant="default" size="xs" onClick={() => window.print()}>
        <Trans>Print</Trans>
      </Button>
      <Button
        variant="default"
        size="xs"
        leftSection={<Icon name={clipboard.copied ? 'check' : 'copy'} size={14} />}
        onClick={() => clipboard.copy(text)}
      >
        <span aria-live="polite">
          {clipboard.copied ? <Trans>Copied</Trans> : <Trans>Copy as text</Trans>}
        </span>
      </Button>
    </Group>
  );
}

function Explained({ title, sentences, bars, facts }: ReceiptTexts) {
  return (
    <Stack gap="sm">
      <Title order={3} size="h4">
        {title}
      </Title>
      <div>
        {sentences.map(sentence => (
          <Text key={sentence} size="sm">
            {sentence}
          </Text>
        ))}
      </div>
      {bars.length > 0 && <PartsBars bars={bars} />}
      <Text size="sm" component="div">
        <Facts>
          {facts.map(({ name, text }) => (
            <Fact key={name} name={name}>
              {text}
            </Fact>
          ))}
        </Facts>
      </Text>
    </Stack>
  );
}

interface LinkProps {
  readonly employee: string;
  readonly size?: 'xs' | 'sm';
  /** For a link within a text, which its colour alone does not tell. */
  readonly underline?: 'always';
  readonly children: ReactNode;
}

/** Opens the explanation of the amounts of an employee beside the page. */
export function WhyLink({ employee, children, ...style }: LinkProps) {
  return (
    <TextLink
      to="."
      search={before => ({ ...before, employee })}
      state={panelState}
      resetScroll={false}
      {...style}
    >
      {children}
    </TextLink>
  );
}

/** Finds an employee of the company, whose amounts are then explained. */
export function EmployeeSearch({ company }: { company: string }) {
  const { t } = useLingui();
  const [text, setText] = useState<string>();
  const { data } = useQuery({
    ...searchQuery({ text: text ?? '', kinds: ['employee'] }, company),
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
              <WhyLink employee={id} underline="always">
                {name}
              </WhyLink>{' '}
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
