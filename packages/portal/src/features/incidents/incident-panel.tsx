import { Button, Group, Stack, Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../api/ask.ts';
import { employeesByIdQuery, incidentQuery } from '../../api/queries.ts';
import { Answered } from '../../kit/answered.tsx';
import { Fact, Facts } from '../../kit/detail/facts.tsx';
import { ChangeTimeline } from '../../kit/detail/timeline.tsx';
import { EditForm } from '../../kit/form/form.tsx';
import { StepList } from '../../kit/form/steps.tsx';
import { useAction } from '../../kit/form/use-action.ts';
import { useFields } from '../../kit/form/use-fields.ts';
import { departureTypes, useIncidentStatusWords } from '../../kit/hr-words.tsx';
import { LinkButton, TextLink } from '../../kit/navigation/link-button.tsx';
import { useMayChange } from '../../kit/form/may-change.ts';
import { ConfirmButton } from '../../kit/overlay/dialog.tsx';
import { PanelSection, SidePanel } from '../../kit/overlay/side-panel.tsx';
import { confirmDone } from '../../kit/overlay/toasts.tsx';
import { nameOfPerson } from '../../kit/person.ts';
import { Evidence } from './evidence.tsx';
import { IncidentFacts, MissingFields } from './incident-facts.tsx';
import { LeaveSection } from './leave.tsx';
import { NextSteps } from './next-steps.tsx';
import { ReportConfirmation, useReportConfirmation } from './report-confirmation.tsx';
import { ReportFields, useReportProblems } from './report-fields.tsx';
import { bodyOf, neededBy, reportedOf, type ReportValues, valuesOf } from './report.ts';
import { type Incident, type IncidentDetails, useChangeWords } from './words.tsx';

interface Props {
  readonly id: string;
  /** The incidents of the list, in their order. */
  readonly among: readonly Incident[];
  readonly open: (incident: string | undefined) => void;
}

/** An incident beside its list: its state, what it lacks, its evidence. */
export function IncidentPanel({ id, among, open }: Props) {
  const { t } = useLingui();
  const answer = useQuery(incidentQuery(id));
  const place = among.findIndex(incident => incident.id === id);
  const neighbour = (at: number) => {
    const incident = place === -1 ? undefined : among[at];
    return incident && (() => open(incident.id));
  };
  return (
    <SidePanel
      item={id}
      title={answer.data ? t`Incident ${answer.data.incident.incidentNumber}` : t`Incident`}
      close={() => open(undefined)}
      previous={neighbour(place - 1)}
      next={neighbour(place + 1)}
    >
      <Answered answer={answer} height={400}>
        {details => <IncidentView key={id} details={details} />}
      </Answered>
    </SidePanel>
  );
}

function IncidentView({ details }: { details: IncidentDetails }) {
  const { incident, missing, leave, history } = details;
  const { t } = useLingui();
  const changes = useChangeWords();
  const [isEdited, setEdited] = useState(false);
  const mayChange = useMayChange();
  return (
    <Stack gap="lg">
      <Course incident={incident} />
      {isEdited ? (
        <IncidentForm details={details} close={() => setEdited(false)} />
      ) : (
        <>
          {incident.status !== 'cancelled' && <MissingFields missing={missing} />}
          <NextSteps incident={incident} />
          <Facts>
            <Reporter id={incident.employeeId} />
            <IncidentFacts incident={incident} opensOrder />
          </Facts>
          {incident.editable && mayChange && (
            <Group>
              <Button variant={missing.length > 0 ? 'filled' : 'default'} onClick={() => setEdited(true)}>
                {missing.length > 0 ? <Trans>Add what is missing</Trans> : <Trans>Edit</Trans>}
              </Button>
              <ConfirmButton
                label={<Trans>Withdraw the report</Trans>}
                title={<Trans>Withdraw the report</Trans>}
                isDangerous
                changes={[['incidents']]}
                action={() => ask('POST /incidents/{id}/cancellation', { id: incident.id })}
                done={() => confirmDone(t`The report is withdrawn.`)}
              >
                <Trans>
                  The leasing provider does not work on a withdrawn report, and payroll ignores it. It cannot
                  be reopened; report the incident again if you need to.
                </Trans>
              </ConfirmButton>
            </Group>
          )}
          {departureTypes.includes(incident.type) && incident.status !== 'cancelled' && mayChange && (
            <Group>
              <LinkButton
                to="/employees/$id/departure"
                params={{ id: incident.employeeId }}
                search={{ incident: incident.id }}
                variant="default"
              >
                <Trans>Record a departure</Trans>
              </LinkButton>
            </Group>
          )}
          {leave && <LeaveSection incident={incident} leave={leave} />}
          <PanelSection title={<Trans>Evidence</Trans>}>
            <Evidence incident={incident} />
          </PanelSection>
          <PanelSection title={<Trans>History</Trans>}>
            <ChangeTimeline changes={history} words={changes} />
          </PanelSection>
        </>
      )}
    </Stack>
  );
}

function Reporter({ id }: { id: string }) {
  const { data } = useQuery(employeesByIdQuery([id]));
  const person = data?.items[0];
  return (
    <Fact name={<Trans>Person</Trans>}>
      {person && (
        <TextLink to="/employees/$id" params={{ id }}>
          {nameOfPerson(person)}
        </TextLink>
      )}
      {data?.items.length === 0 && <Trans>The data of this person were erased.</Trans>}
      <Text size="sm" c="dimmed">
        {person?.employeeNumber}
      </Text>
    </Fact>
  );
}

/** The states that an incident goes through, up to the present one. */
function Course({ incident: { status } }: { incident: Incident }) {
  const { t } = useLingui();
  const words = useIncidentStatusWords();
  const names =
    status === 'cancelled'
      ? [t`Reported`, words.cancelled]
      : [
          status === 'draft' ? words.draft : t`Reported`,
          words.completed,
          words.in_progress,
          status === 'rejected' ? words.rejected : words.resolved,
        ];
  const step = { draft: 0, completed: 1, cancelled: 1, in_progress: 2, resolved: 3, rejected: 3 }[status];
  return <StepList label={t`State`} names={names} step={step} />;
}

interface Values extends ReportValues, Record<string, unknown> {}

function IncidentForm({
  details: { incident, missing },
  close,
}: {
  details: IncidentDetails;
  close: () => void;
}) {
  const { t } = useLingui();
  const [stored] = useState(() => valuesOf(incident));
  const problemsIn = useReportProblems(stored);
  // The fields stay the same while they are edited.
  const [needed] = useState(() => neededBy(incident, missing));
  const action = useAction(
    [['incidents']],
    (values: Values) =>
      ask('PATCH /incidents/{id}', { id: incident.id, body: bodyOf(values, needed, stored) }),
    () => {
      confirmDone(t`The changes are saved.`);
      close();
    },
  );
  const [isAsked, setAsked] = useState(false);
  const { form, submit, change } = useFields<Values>({
    initialValues: { ...stored },
    validate: problemsIn,
    send: values => (confirming.canSend ? action.run(values) : setAsked(true)),
    action,
  });
  const isMoved = (['orderId', 'occurredOn', 'effectiveFrom', 'effectiveTo'] as const).some(
    field => form.values[field] !== stored[field],
  );
  const isSound = Object.values(problemsIn(form.values)).every(problem => problem === null);
  const confirming = useReportConfirmation(
    isMoved && isSound ? reportedOf(incident, form.values) : undefined,
  );
  return (
    <EditForm
      onSubmit={submit}
      action={action}
      isDirty={form.isDirty()}
      isDisabled={!confirming.isLoaded}
      cancel={close}
    >
      <ReportFields
        employeeId={incident.employeeId}
        needed={needed}
        values={form.values}
        errors={form.errors}
        change={change}
      />
      <ReportConfirmation confirming={confirming} isAsked={isAsked} />
    </EditForm>
  );
}
