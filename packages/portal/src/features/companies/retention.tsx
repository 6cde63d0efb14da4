import { Text } from '@mantine/core';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useAnswer } from '../../api/answer.ts';
import { dueDataQuery } from '../../api/queries.ts';
import { Answered } from '../../kit/answered.tsx';
import { day, monthName } from '../../kit/dates.ts';
import { Section } from '../../kit/detail/detail-page.tsx';
import { Fact, Facts, TechnicalId } from '../../kit/detail/facts.tsx';
import shared from '../../kit/shared.module.css';

/** The personal data of a company that can be erased, or will be. */
export function Retention({ company }: { company: string }) {
  const { t } = useLingui();
  return (
    <Section title={<Trans>Retention that is due</Trans>}>
      <Answered answer={useAnswer(dueDataQuery(company))} height={240}>
        {({ voucherYears, otherDays, dueCount, dueEmployeeIds, keptCount, nextDueOn, ...documents }) => (
          <>
            <Facts>
              <Fact name={t`Vouchers of payroll are kept`}>
                <Plural value={voucherYears} one="# year after their year" other="# years after their year" />
              </Fact>
              <Fact name={t`Other orders and incidents are kept`}>
                <Plural
                  value={otherDays}
                  one="# day after the last change"
                  other="# days after the last change"
                />
              </Fact>
              <Fact name={t`Blocked employees who can be erased`}>{dueCount}</Fact>
              <Fact name={t`Blocked employees who are kept for now`}>
                {keptCount}
                {nextDueOn !== null && (
                  <>
                    {', '}
                    <From day={day(nextDueOn)} />
                  </>
                )}
              </Fact>
              <Fact name={t`Payroll files that are older than vouchers are kept`}>
                {documents.documentCount}
                {documents.firstPeriod !== null && documents.lastPeriod !== null && (
                  <>
                    {': '}
                    {monthName(documents.firstPeriod)} – {monthName(documents.lastPeriod)}
                  </>
                )}
              </Fact>
            </Facts>
            <Text size="sm" c="dimmed" mt="md">
              <Trans>
                Nothing is deleted by itself. HR erases a person; the operator of this installation does it
                with the IDs below, and removes old payroll files.
              </Trans>
            </Text>
            {dueEmployeeIds.length > 0 && (
              <ul className={shared.list} aria-label={t`Employees who can be erased`}>
                {dueEmployeeIds.slice(0, 50).map(id => (
                  <li key={id}>
                    <TechnicalId id={id} name={id} />
                  </li>
                ))}
                {dueCount > 50 && (
                  <li>
                    <More more={dueCount - 50} />
                  </li>
                )}
              </ul>
            )}
          </>
        )}
      </Answered>
    </Section>
  );
}

const From = ({ day }: { day: string }) => <Trans>the next can be erased from {day}</Trans>;
const More = ({ more }: { more: number }) => <Plural value={more} one="and # more" other="and # more" />;
