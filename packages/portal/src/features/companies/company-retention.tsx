import { Text } from '@mantine/core';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useAnswer } from '../../api/answer.ts';
import { type AnswerOf, ask } from '../../api/ask.ts';
import { companyRetentionQuery, dueDataQuery, employeesByIdQuery, identityQuery } from '../../api/queries.ts';
import { Answered } from '../../kit/answered.tsx';
import { day, monthName, yearAhead } from '../../kit/dates.ts';
import { Section } from '../../kit/detail/detail-page.tsx';
import { Fact, Facts, TechnicalId } from '../../kit/detail/facts.tsx';
import { FormPart, SettingsForm } from '../../kit/form/form.tsx';
import { TextLink } from '../../kit/navigation/link-button.tsx';
import { nameOfPerson } from '../../kit/person.ts';
import shared from '../../kit/shared.module.css';
import { NumberField } from '../../kit/form/limited-fields.tsx';

interface Values extends Record<string, unknown> {
  readonly voucherYears: number | string;
  readonly otherDays: number | string;
}

const whole = { maw: 320 };

/** For how long data of the employees are kept before they can be erased. */
export function CompanyRetention({ id }: { id: string }) {
  return (
    <Answered answer={useAnswer(companyRetentionQuery(id))} height={300}>
      {retention => <Periods retention={retention} />}
    </Answered>
  );
}

function Periods({ retention }: { retention: AnswerOf<'GET /tenants/{id}/retention'> }) {
  const { t } = useLingui();
  const { tenantId, voucherYears, voucherYearsMinimum, otherDays } = retention;
  return (
    <SettingsForm<Values>
      initial={{ voucherYears, otherDays }}
      changes={[companyRetentionQuery(tenantId).queryKey]}
      save={changed => ask('PATCH /tenants/{id}/retention', { id: tenantId, body: retentionOf(changed) })}
      validate={({ voucherYears: years, otherDays: days }) => ({
        voucherYears:
          (years === '' || Number(years) < voucherYearsMinimum) &&
          t`Enter at least ${voucherYearsMinimum} years`,
        otherDays: days === '' && t`Enter a number`,
      })}
    >
      {({ getInputProps }) => (
        <FormPart title={<Trans>Retention</Trans>}>
          <NumberField
            label={t`Keep payroll vouchers (years)`}
            description={t`After the end of the year. The law requires at least ${voucherYearsMinimum} (§ 41 (1) EStG)`}
            required
            max={100}
            {...whole}
            {...getInputProps('voucherYears')}
          />
          <NumberField
            label={t`Keep other orders and incidents (days)`}
            description={t`After their last change. 0: they can be erased at once`}
            required
            max={36_500}
            {...whole}
            {...getInputProps('otherDays')}
          />
          <Text size="sm" c="dimmed">
            <Trans>Nothing is erased automatically. Each erasure is a separate decision.</Trans>
          </Text>
        </FormPart>
      )}
    </SettingsForm>
  );
}

/** The changed values in the form of the API. */
function retentionOf({ voucherYears, otherDays }: Partial<Values>) {
  return {
    ...(voucherYears !== undefined && { voucherYears: Number(voucherYears) }),
    ...(otherDays !== undefined && { otherDays: Number(otherDays) }),
  };
}

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
              <Fact name={t`Payroll files past their retention period`}>
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
                Nothing is deleted automatically, and an erasure keeps the amounts and files of released
                payroll months. The amounts of {yearAhead(0)} are kept until the end of{' '}
                {yearAhead(voucherYears)}. The operator of this installation removes old payroll files.
              </Trans>
            </Text>
            {dueEmployeeIds.length > 0 && <DueEmployees ids={dueEmployeeIds} count={dueCount} />}
          </>
        )}
      </Answered>
    </Section>
  );
}

const maxShown = 50;

/** The persons by name, with a link to their erasure, for users who may erase them. Other users see the identifiers. */
function DueEmployees({ ids, count }: { ids: readonly string[]; count: number }) {
  const { t } = useLingui();
  const shown = ids.slice(0, maxShown);
  const { data: identity } = useQuery(identityQuery);
  const isHr = identity?.user.permissions.includes('HR') === true;
  const { data } = useQuery({ ...employeesByIdQuery(shown), enabled: isHr });
  const persons = new Map(data?.items.map(person => [person.id, nameOfPerson(person)]));
  return (
    <>
      <Text size="sm" mt="md">
        {isHr ? (
          <Trans>Open a person to check and erase the data.</Trans>
        ) : (
          <Trans>A company admin with the permission HR for this company erases these persons.</Trans>
        )}
      </Text>
      <ul className={shared.list} aria-label={t`Employees who can be erased`}>
        {shown.map(id => (
          <li key={id}>
            {persons.has(id) ? (
              <TextLink to="/employees/$id" params={{ id }} search={{ tab: 'personal-data' }}>
                {persons.get(id) || id}
              </TextLink>
            ) : (
              <TechnicalId id={id} name={id} />
            )}
          </li>
        ))}
        {count > maxShown && (
          <li>
            <More more={count - maxShown} />
          </li>
        )}
      </ul>
    </>
  );
}

const From = ({ day }: { day: string }) => <Trans>the next can be erased from {day}</Trans>;
const More = ({ more }: { more: number }) => <Plural value={more} one="and # more" other="and # more" />;
