import { Button, Group } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { ask, Rejection } from '../../api/ask.ts';
import { employeeQuery, queryClient, useTenantNames } from '../../api/queries.ts';
import { moment } from '../../kit/dates.ts';
import { Section } from '../../kit/detail/detail-page.tsx';
import { useValueWords } from '../../kit/detail/changed-values.tsx';
import { Fact, Facts, TechnicalId } from '../../kit/detail/facts.tsx';
import { Summary } from '../../kit/detail/summary.tsx';
import { Email } from '../../kit/email.tsx';
import { useFieldWords } from '../../kit/field-words.tsx';
import { ConflictNotice } from '../../kit/form/conflict-notice.tsx';
import { EditForm } from '../../kit/form/form.tsx';
import { useAction } from '../../kit/form/use-action.ts';
import { useUndo } from '../../kit/form/use-undo.tsx';
import { useFields } from '../../kit/form/use-fields.ts';
import { useMayChange } from '../../kit/form/may-change.ts';
import { TextLink } from '../../kit/navigation/link-button.tsx';
import { confirmDone } from '../../kit/overlay/toasts.tsx';
import { RunningContracts } from '../../kit/pay/running-contracts.tsx';
import { nameOfPerson } from '../../kit/person.ts';
import { DivisionPath } from '../../kit/tree/division-path.tsx';
import { Leaves } from './related.tsx';
import { changesIn, EmployeeFields, type EmployeeValues, useProblems, valuesOf } from './employee-fields.tsx';
import { ChangeEmail } from './email-dialog.tsx';
import {
  editableFields,
  type Employee,
  employeeChanges,
  type EmployeeDetails,
  employeeRejected,
} from './words.tsx';

/** The data of an employee, and the form that changes them. */
export function Overview({ details: { employee, activatedAt, erasedAt } }: { details: EmployeeDetails }) {
  const { t } = useLingui();
  const [isEdited, setEdited] = useState(false);
  const mayChange = useMayChange();
  const words = useFieldWords();
  const companyName = useTenantNames();
  const { id, divisionId, tenant } = employee;
  return (
    <>
      <Summary
        facts={[
          { name: words.employeeNumber, value: employee.employeeNumber ?? '–' },
          {
            name: words.tenant,
            value:
              tenant === null ? (
                '–'
              ) : (
                <TextLink to="/companies/$id" params={{ id: tenant }} inherit>
                  {companyName(tenant) ?? tenant}
                </TextLink>
              ),
          },
          {
            name: words.divisionId,
            value:
              divisionId === null || tenant === null ? (
                '–'
              ) : (
                <DivisionPath id={divisionId} company={tenant} />
              ),
          },
          {
            name: t`Activated since`,
            value: activatedAt === null ? t`Not activated` : moment(activatedAt),
          },
        ]}
      />
      <Section title={t`Running contracts`}>
        <RunningContracts employee={id} />
      </Section>
      <Leaves id={id} />
      <Section
        title={t`Personal details`}
        aside={
          !isEdited &&
          mayChange &&
          erasedAt === null && (
            <Group gap="xs">
              <ChangeEmail employee={employee} />
              <Button variant="default" onClick={() => setEdited(true)}>
                <Trans>Edit</Trans>
              </Button>
            </Group>
          )
        }
      >
        {isEdited ? (
          <EmployeeForm employee={employee} close={() => setEdited(false)} />
        ) : (
          <EmployeeFacts employee={employee} />
        )}
      </Section>
    </>
  );
}

function EmployeeFacts({ employee }: { employee: Employee }) {
  const { t } = useLingui();
  const words = useFieldWords();
  const valueOf = useValueWords([]);
  const { id, email, createdAt, updatedAt } = employee;
  const shown = editableFields.filter(field => field !== 'divisionId' && field !== 'employeeNumber');
  return (
    <Facts>
      <Fact name={words.email}>
        <Email address={email} />
      </Fact>
      {shown.map(field => (
        <Fact key={field} name={words[field]}>
          <span style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
            {valueOf(field, employee[field]) ?? '–'}
          </span>
        </Fact>
      ))}
      <Fact name={t`Created`}>{moment(createdAt)}</Fact>
      <Fact name={t`Changed`}>{moment(updatedAt)}</Fact>
      <Fact name={t`ID`}>
        <TechnicalId id={id} name={nameOfPerson(employee)} />
      </Fact>
    </Facts>
  );
}

interface Values extends EmployeeValues, Record<string, unknown> {}

function EmployeeForm({ employee, close }: { employee: Employee; close: () => void }) {
  const { t } = useLingui();
  const problemsIn = useProblems();
  const { id } = employee;
  /** The employee that the fields began with. */
  const [base, setBase] = useState(employee);
  /** The employee after a change of another user, which rejected this one. */
  const [fresh, setFresh] = useState<Employee | null>(null);
  const confirmUndo = useUndo(employeeChanges);
  const action = useAction(
    employeeChanges,
    async (values: Values) => {
      const body = changesIn(values, valuesOf(base));
      if (Object.keys(body).length === 0) return null;
      const unchangedSince = base.updatedAt;
      try {
        return await ask('PATCH /employees/{id}', { id, body: { ...body, unchangedSince } }).catch(
          employeeRejected,
        );
      } catch (error) {
        if (error instanceof Rejection && error.code === 'INVALID_STATE_TRANSITION')
          setFresh((await queryClient.fetchQuery({ ...employeeQuery(id), staleTime: 0 })).employee);
        void queryClient.invalidateQueries({ queryKey: ['employees', 'changes'] });
        throw error;
      }
    },
    changed => {
      close();
      const body = changed && changesIn(valuesOf(base), valuesOf(changed));
      // An imported person may lack a name, which no change takes away again.
      if (body === null || body.firstName === null || body.lastName === null)
        return confirmDone(t`Changes saved`);
      return confirmUndo({
        done: t`Changes saved`,
        undo: () =>
          ask('PATCH /employees/{id}', { id, body: { ...body, unchangedSince: changed!.updatedAt } }),
        undone: t`The values are as before.`,
      });
    },
  );
  const { form, submit } = useFields<Values>({
    initialValues: { ...valuesOf(base) },
    validate: problemsIn,
    send: action.run,
    action,
  });
  // Takes over what another user changed, but for the fields that this user has changed, too.
  if (fresh !== null) {
    const [before, after, now] = [valuesOf(base), valuesOf(fresh), form.values];
    setBase(fresh);
    setFresh(null);
    form.setValues(
      Object.fromEntries(
        editableFields.map(field => [field, now[field] === before[field] ? after[field] : now[field]]),
      ),
    );
  }
  return (
    <EditForm onSubmit={submit} action={action} isDirty={form.isDirty()} cancel={close}>
      <ConflictNotice />
      <EmployeeFields form={form} company={employee.tenant} />
    </EditForm>
  );
}
