import { Alert, NativeSelect, Text } from '@mantine/core';
import type { FormErrors } from '@mantine/form';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ask } from '../../api/ask.ts';
import { employeesByIdQuery } from '../../api/queries.ts';
import { Answered } from '../../kit/answered.tsx';
import { Fact, Facts } from '../../kit/detail/facts.tsx';
import { type Employee, EmployeeField } from '../../kit/form/search-fields.tsx';
import { Steps } from '../../kit/form/steps.tsx';
import { useAction } from '../../kit/form/use-action.ts';
import { useUndo } from '../../kit/form/use-undo.tsx';
import { useFields } from '../../kit/form/use-fields.ts';
import { useIncidentTypeWords } from '../../kit/hr-words.tsx';
import { Icon } from '../../kit/icon.tsx';
import { Page } from '../../kit/navigation/page.tsx';
import { nameOfPerson } from '../../kit/person.ts';
import { IncidentFacts, MissingFields } from './incident-facts.tsx';
import { NextSteps } from './next-steps.tsx';
import { loadEffect, ReportConfirmation, useReportConfirmation } from './report-confirmation.tsx';
import { ReportFields, useReportProblems } from './report-fields.tsx';
import { bodyOf, emptyReport, type ReportValues } from './report.ts';
import type { Incident, IncidentReport, Requirement } from './words.tsx';

interface Values extends ReportValues, Record<string, unknown> {
  readonly employee: Employee | null;
  readonly type: Incident['type'] | '';
}

/** Reports an incident in three steps. The service says which fields the type needs, and what is still missing. */
export function ReportPage() {
  const { t } = useLingui();
  return (
    <Page
      title={t`Report an incident`}
      lead={
        <Trans>
          You can save an incomplete report and add what is missing later. Photos and other evidence are added
          after the report is sent.
        </Trans>
      }
      back={{ to: '/incidents', name: t`Incidents` }}
    >
      <Preselected />
    </Page>
  );
}

/** The form for the person of the address, who is read first, or for any. */
function Preselected() {
  const { employee: id } = useSearch({ from: '/shell/incidents/new' });
  const answer = useQuery({ ...employeesByIdQuery([id ?? '']), enabled: id !== undefined });
  if (id === undefined) return <ReportForm employee={null} />;
  return (
    <Answered answer={answer} height={300}>
      {({ items }) => <ReportForm employee={items[0] ?? null} />}
    </Answered>
  );
}

function ReportForm({ employee }: { employee: Employee | null }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const problemsIn = useReportProblems();
  const { company } = useSearch({ from: '/shell' });
  const [step, setStep] = useState(0);
  const [needed, setNeeded] = useState<readonly Requirement[]>([]);
  const [preview, setPreview] = useState<IncidentReport>();
  const [isSent, setSent] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const confirming = useReportConfirmation(step === 2 && preview ? withoutId(preview) : undefined);
  const reportOf = (values: Values, fields: readonly Requirement[]) => ({
    employeeId: values.employee!.id,
    type: values.type as Incident['type'],
    ...(fields.length > 0 && bodyOf(values, fields)),
  });
  const dryRun = (body: ReturnType<typeof reportOf>) =>
    ask('POST /incidents', { body, query: { dryRun: true } });
  const confirmUndo = useUndo([['incidents']]);
  const action = useAction(
    [['incidents']],
    async (values: Values) => {
      if (step === 0) setNeeded((await dryRun(reportOf(values, []))).missing);
      else if (step === 1) {
        const checked = await dryRun(reportOf(values, needed));
        await loadEffect(withoutId(checked));
        setPreview(checked);
        setAsked(false);
      } else if (!confirming.canSend) {
        setAsked(true);
        return null;
      } else return (await ask('POST /incidents', { body: reportOf(values, needed) })).incident.id;
      setStep(step + 1);
      return null;
    },
    id => {
      if (id === null) return;
      setSent(true);
      confirmUndo({
        done: t`The incident is reported.`,
        undo: () => ask('POST /incidents/{id}/cancellation', { id }),
        undone: t`The report is withdrawn.`,
        label: t`Withdraw`,
      });
      void navigate({ to: '/incidents', search: { incident: id }, replace: true, ignoreBlocker: true });
    },
  );
  const { form, submit, change } = useFields<Values>({
    initialValues: { employee, type: '', ...emptyReport },
    validate: values =>
      step === 0
        ? {
            employee: values.employee === null && t`Choose the person of the incident.`,
            type: values.type === '' && t`Choose the kind of incident.`,
          }
        : problemsIn(values),
    send: action.run,
    action,
  });
  const { values, errors } = form;
  return (
    <Steps
      names={[t`Person and kind`, t`Details`, t`Check`]}
      step={step}
      back={() => {
        action.forget();
        setStep(step - 1);
      }}
      submit={submit}
      action={action}
      isDirty={form.isDirty() && !isSent}
      send={<Trans>Report the incident</Trans>}
    >
      {step === 0 && (
        <PersonAndType
          values={values}
          errors={errors}
          company={company}
          change={changed => {
            change(changed);
            // The order of another person does not fit.
            if ('employee' in changed) change({ orderId: '' });
          }}
        />
      )}
      {step === 1 && (
        <ReportFields
          employeeId={values.employee!.id}
          needed={needed}
          values={values}
          errors={errors}
          change={change}
        />
      )}
      {step === 2 && preview && (
        <>
          <Check preview={preview} employee={values.employee!} />
          <ReportConfirmation confirming={confirming} isAsked={isAsked} />
        </>
      )}
    </Steps>
  );
}

/** A dry run has an identifier that no incident has. */
const withoutId = ({ incident }: IncidentReport) => ({ ...incident, id: null });

interface PersonProps {
  readonly values: Values;
  readonly errors: FormErrors;
  readonly company: string | undefined;
  readonly change: (changed: Partial<Pick<Values, 'employee' | 'type'>>) => void;
}

function PersonAndType({ values: { employee, type }, errors, company, change }: PersonProps) {
  const { t } = useLingui();
  const types = useIncidentTypeWords();
  return (
    <>
      <EmployeeField
        name="employee"
        label={t`Person`}
        required
        company={company}
        value={employee}
        error={errors['employee']}
        onChange={employee => change({ employee })}
      />
      <NativeSelect
        name="type"
        label={t`Kind of incident`}
        required
        value={type}
        error={errors['type']}
        onChange={({ currentTarget }) => change({ type: currentTarget.value as Values['type'] })}
        data={[
          { value: '', label: t`Choose …` },
          ...Object.entries(types).map(([value, label]) => ({ value, label })),
        ]}
      />
    </>
  );
}

function Check({
  preview: { incident, missing },
  employee,
}: {
  preview: IncidentReport;
  employee: Employee;
}) {
  return (
    <>
      <Facts>
        <Fact name={<Trans>Person</Trans>}>
          {nameOfPerson(employee)}
          <Text size="sm" c="dimmed">
            {employee.employeeNumber}
          </Text>
        </Fact>
        <IncidentFacts incident={incident} />
      </Facts>
      <NextSteps incident={incident} />
      {missing.length === 0 ? (
        <Alert variant="outline" color="teal" icon={<Icon name="check" />}>
          <Trans>The report is complete.</Trans>
        </Alert>
      ) : (
        <MissingFields missing={missing} />
      )}
    </>
  );
}
