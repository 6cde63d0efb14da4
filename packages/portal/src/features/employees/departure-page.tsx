import { Alert, Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useAnswer } from '../../api/answer.ts';
import { ask } from '../../api/ask.ts';
import { employeeQuery, incidentQuery, ordersOfQuery, queryClient } from '../../api/queries.ts';
import { TextArea } from '../../kit/form/limited-fields.tsx';
import { Answered } from '../../kit/answered.tsx';
import { parseDay } from '../../kit/dates.ts';
import { DetailPage } from '../../kit/detail/detail-page.tsx';
import { DateField } from '../../kit/form/date-field.tsx';
import { FormPart } from '../../kit/form/form.tsx';
import { Steps } from '../../kit/form/steps.tsx';
import { useAction } from '../../kit/form/use-action.ts';
import { departureTypes } from '../../kit/hr-words.tsx';
import { Icon } from '../../kit/icon.tsx';
import { LinkButton } from '../../kit/navigation/link-button.tsx';
import { confirmDone } from '../../kit/overlay/toasts.tsx';
import { nameOfPerson } from '../../kit/person.ts';
import { type Bike, bikesOf, type Choice, type Choices, choiceOf, endOf, isComplete } from './departure.ts';
import { BikeChoice, BikeEffects, BikesRecorded } from './departure-bikes.tsx';
import type { EmployeeDetails } from './words.tsx';

/** Records in three steps what happens to the bikes of a person who leaves, also of one who is blocked. */
export function DeparturePage() {
  const { t } = useLingui();
  const { id } = useParams({ from: '/shell/employees/$id/departure' });
  const { incident: incidentId } = useSearch({ from: '/shell/employees/$id/departure' });
  const answer = useAnswer(employeeQuery(id));
  const orders = useAnswer(ordersOfQuery(id));
  const incident = useQuery({ ...incidentQuery(incidentId ?? ''), enabled: incidentId !== undefined });
  const details = answer.data;
  const name = details && nameOfPerson(details.employee);
  return (
    <DetailPage
      answer={{ ...answer, data: details && { ...details, name: t`Departure of ${name!}` } }}
      kind={t`Departure`}
      back={{ to: '/employees', name: t`Employees` }}
    >
      {found =>
        found.erasedAt !== null ? (
          <Trans>The data of this person were erased.</Trans>
        ) : (
          <Answered answer={orders} height={300}>
            {({ items }) =>
              incident.isLoading ? null : (
                <Departure
                  key={id}
                  details={found}
                  bikes={bikesOf(items)}
                  incident={incident.data?.incident}
                />
              )
            }
          </Answered>
        )
      }
    </DetailPage>
  );
}

interface Props {
  readonly details: EmployeeDetails;
  readonly bikes: readonly Bike[];
  readonly incident: Incident | undefined;
}

interface Incident {
  readonly type: string;
  readonly employeeId: string;
  readonly occurredOn: string | null;
  readonly effectiveFrom: string | null;
}

function Departure({ details: { employee }, bikes: current, incident: given }: Props) {
  const { t } = useLingui();
  const incident =
    given?.employeeId === employee.id && departureTypes.includes(given.type) ? given : undefined;
  // An order that ends while the form is open stays in it.
  const [bikes] = useState(current);
  const [step, setStep] = useState(0);
  const [lastDay, setLastDay] = useState(incident?.effectiveFrom ?? incident?.occurredOn ?? '');
  const [comment, setComment] = useState('');
  const [choices, setChoices] = useState<Choices>({});
  const [isAsked, setAsked] = useState(false);
  const [confirmed, setConfirmed] = useState<readonly string[]>([]);
  const [isReady, setReady] = useState(false);
  const [recorded, setRecorded] = useState<readonly string[]>([]);
  const [isDone, setDone] = useState(false);
  const choice = (bike: Bike): Choice =>
    choiceOf(bike, choices, { lastDay, hasDied: incident?.type === 'death' });
  const action = useAction(
    [['orders'], ['payroll']],
    async () => {
      const ended = bikes.filter(bike => choice(bike).outcome !== 'continue' && !recorded.includes(bike.id));
      // The same end again changes nothing, so a request whose answer was lost is sent again.
      for (const bike of ended) {
        const body = { ...endOf(choice(bike)), comment: comment.trim() || null };
        await ask('POST /orders/{id}/contract-end', { id: bike.id, body });
        setRecorded(before => [...before, bike.id]);
        await queryClient.invalidateQueries({ queryKey: ['payroll', 'preview', bike.id] });
      }
    },
    () => {
      setDone(true);
      confirmDone(t`The departure is recorded.`);
    },
  );
  if (bikes.length === 0) return <NoBike employee={employee.id} />;
  const problemOf = () => {
    if (step === 0) return parseDay(lastDay) === null;
    if (step === 1) return bikes.some(bike => !isComplete(bike, choice(bike)));
    return !isReady;
  };
  const submit = () => {
    const isWrong = problemOf();
    setAsked(isWrong);
    if (isWrong) return;
    if (step < 2) setStep(step + 1);
    else void action.run();
  };
  if (isDone)
    return (
      <FormPart title={<Trans>Recorded</Trans>}>
        <BikesRecorded bikes={bikes} choice={choice} recorded={recorded} />
        <Back employee={employee.id} />
      </FormPart>
    );
  return (
    <Steps
      names={[t`Last day`, t`Bikes`, t`Check`]}
      step={step}
      back={() => {
        action.forget();
        setAsked(false);
        setStep(step - 1);
      }}
      submit={event => {
        event.preventDefault();
        submit();
      }}
      action={action}
      isDirty={step > 0}
      send={<Trans>Record the departure</Trans>}
    >
      {step === 0 && (
        <>
          <DateField
            label={t`Last day at the company`}
            required
            value={lastDay}
            error={isAsked && parseDay(lastDay) === null && t`Enter the last day.`}
            onChange={setLastDay}
          />
          <TextArea
            label={t`Comment`}
            description={t`It is stored with each contract that ends.`}
            limit={2000}
            value={comment}
            onChange={({ currentTarget }) => setComment(currentTarget.value)}
          />
        </>
      )}
      {step === 1 &&
        bikes.map(bike => (
          <BikeChoice
            key={bike.id}
            bike={bike}
            choice={choice(bike)}
            isAsked={isAsked}
            change={changed =>
              setChoices(before => ({ ...before, [bike.id]: { ...choice(bike), ...changed } }))
            }
          />
        ))}
      {step === 2 && (
        <>
          <BikeEffects
            bikes={bikes}
            choice={choice}
            confirmed={confirmed}
            confirm={setConfirmed}
            isAsked={isAsked}
            ready={setReady}
          />
          {recorded.length > 0 && (
            <Alert variant="outline" color="orange" icon={<Icon name="alert" />}>
              <Text size="sm">
                <Trans>Not everything is recorded yet. Send it again: nothing is recorded twice.</Trans>
              </Text>
              <BikesRecorded bikes={bikes} choice={choice} recorded={recorded} isPartial />
            </Alert>
          )}
        </>
      )}
    </Steps>
  );
}

function NoBike({ employee }: { employee: string }) {
  return (
    <FormPart>
      <Text>
        <Trans>This person has no running contract, so nothing is deducted any more.</Trans>
      </Text>
      <Back employee={employee} />
    </FormPart>
  );
}

function Back({ employee }: { employee: string }) {
  return (
    <div>
      <LinkButton to="/employees/$id" params={{ id: employee }} variant="default">
        <Trans>Back to the person</Trans>
      </LinkButton>
    </div>
  );
}
