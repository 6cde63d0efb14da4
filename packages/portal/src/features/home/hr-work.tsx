import { Group, Text } from '@mantine/core';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { AnswerOf } from '../../api/ask.ts';
import { useTenantNames } from '../../api/queries.ts';
import { day, daysSince, isPast, monthName } from '../../kit/dates.ts';
import { Section } from '../../kit/detail/detail-page.tsx';
import { ImportState, RunState, useIncidentTypeWords } from '../../kit/hr-words.tsx';
import { Icon } from '../../kit/icon.tsx';
import { TextLink } from '../../kit/navigation/link-button.tsx';
import { money } from '../../kit/numbers.ts';
import { Status } from '../../kit/status.tsx';
import { When } from '../../kit/when.tsx';
import shared from '../../kit/shared.module.css';
import styles from './home.module.css';

type Work = NonNullable<AnswerOf<'GET /tasks'>['hr']>;

/** The month of payroll, and what waits for a person. Parts without anything are left out, but for the orders. */
export function HrWork({ payroll, orders, incidents, imports, hasEmployees }: Work) {
  return (
    <>
      {payroll.companies + payroll.items.length > 0 && <Payroll {...payroll} />}
      {hasEmployees && <Orders {...orders} />}
      {incidents.total > 0 && <Incidents {...incidents} />}
      {imports.total > 0 && <Imports {...imports} />}
    </>
  );
}

function Payroll({ period, companies, open, items }: Work['payroll']) {
  const { t } = useLingui();
  const nameOf = useTenantNames();
  const month = monthName(period);
  const cutOff = items.find(item => item.cutOff !== null && item.period === period)?.cutOff ?? null;
  return (
    <Section title={t`Payroll ${month}`}>
      <Text>
        <Plural value={companies} one="# company" other="# companies" />
        {', '}
        {open === 0 ? (
          <Trans>all released</Trans>
        ) : (
          <strong>
            <Trans>{open} open</Trans>
          </strong>
        )}
        {open > 0 && cutOff && (
          <>
            {', '}
            <Trans>cut-off day: {day(cutOff)}</Trans>
          </>
        )}
      </Text>
      <ul className={`${shared.list} ${shared.lines} ${styles.rows}`}>
        {items.map(({ tenant, run, questions, errors, ...item }) => (
          <li key={tenant}>
            <div>
              <TextLink to="/payroll" search={{ company: tenant, month: item.period }} fw={600}>
                {nameOf(tenant) ?? monthName(item.period)}
              </TextLink>
              {(item.period !== period || item.cutOff !== cutOff) && (
                <Text size="sm" c="dimmed">
                  {monthName(item.period)}
                  {item.cutOff && (
                    <>
                      {' · '}
                      <Trans>Cut-off day: {day(item.cutOff)}</Trans>
                    </>
                  )}
                </Text>
              )}
            </div>
            <div className={styles.end}>
              {run === null ? (
                <Status status="never_used">{t`Not checked yet`}</Status>
              ) : (
                <RunState status={run} />
              )}
              {errors > 0 && (
                <Text size="sm">
                  <Plural value={errors} one="# error" other="# errors" />
                </Text>
              )}
              <Questions count={questions} />
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Orders({ total, items }: Work['orders']) {
  const { t } = useLingui();
  return (
    <Section title={t`Orders to decide`} aside={total > 0 && <All to="/orders" total={total} />}>
      {total === 0 ? (
        <Group gap="sm" wrap="nowrap">
          <Icon name="check" />
          <Trans>No order is waiting for a decision</Trans>
        </Group>
      ) : (
        <ul className={`${shared.list} ${shared.lines} ${styles.rows}`}>
          {items.map(({ id, person, orderNumber, salaryConversion, currency, submittedAt, expiresAt }) => (
            <li key={id}>
              <div>
                <TextLink to="/orders" search={{ order: id }} fw={600}>
                  {person ?? orderNumber}
                </TextLink>
                <Waiting since={submittedAt} until={expiresAt} />
              </div>
              {salaryConversion !== null && currency !== null && (
                <div className={styles.end}>
                  <Text fw={600}>
                    <Trans>{money(salaryConversion, currency)} a month</Trans>
                  </Text>
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Questions({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <Text size="sm">
      <Plural value={count} one="# question without an answer" other="# questions without an answer" />
    </Text>
  );
}

/** Days before its end in which an order is marked. */
const soon = 3;

function Waiting({ since, until }: { since: string; until: string | null }) {
  const days = daysSince(since);
  const isSoon = until !== null && -daysSince(until) <= soon;
  return (
    <Text size="sm" c="dimmed" component="div">
      {days > 0 ? (
        <Plural value={days} one="waiting for # day" other="waiting for # days" />
      ) : (
        <Trans>waiting since today</Trans>
      )}
      {until !== null && (
        <>
          {' · '}
          <span className={isSoon ? styles.soon : undefined}>
            {isSoon && <Icon name="clock" size={14} />}{' '}
            {isPast(until) ? (
              <Trans>expires now</Trans>
            ) : (
              <Trans>
                expires <When at={until} />
              </Trans>
            )}
          </span>
        </>
      )}
    </Text>
  );
}

function Incidents({ total, items }: Work['incidents']) {
  const { t } = useLingui();
  const types = useIncidentTypeWords();
  return (
    <Section title={t`Incomplete reports`} aside={<All to="/incidents" total={total} />}>
      <ul className={`${shared.list} ${shared.lines} ${styles.rows}`}>
        {items.map(({ id, person, incidentNumber, type, createdAt }) => (
          <li key={id}>
            <div>
              <TextLink to="/incidents" search={{ incident: id }} fw={600}>
                {person ?? incidentNumber}
              </TextLink>
              <Text size="sm" c="dimmed">
                {types[type]}
              </Text>
            </div>
            <Text size="sm" className={styles.end}>
              <Trans>
                reported <When at={createdAt} />
              </Trans>
            </Text>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Imports({ items }: Work['imports']) {
  const { t } = useLingui();
  const nameOf = useTenantNames();
  return (
    <Section title={t`Open imports`}>
      <ul className={`${shared.list} ${shared.lines} ${styles.rows}`}>
        {items.map(({ id, tenant, fileName, status, questions, expiresAt }) => (
          <li key={id}>
            <div>
              <TextLink to="/imports" search={{ company: tenant, import: id }} fw={600}>
                {fileName || t`File without a name`}
              </TextLink>
              <Text size="sm" c="dimmed">
                {nameOf(tenant)}
                {' · '}
                <Trans>
                  is removed <When at={expiresAt} />
                </Trans>
              </Text>
            </div>
            <div className={styles.end}>
              <ImportState status={status} />
              <Questions count={questions} />
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** A link to the whole list, where it has more than is shown. */
function All({ to, total }: { to: '/orders' | '/incidents'; total: number }): ReactNode {
  return (
    <TextLink to={to}>
      <Trans>Show all ({total})</Trans>
    </TextLink>
  );
}
