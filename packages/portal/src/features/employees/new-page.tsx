import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ask } from '../../api/ask.ts';
import { tenantsQuery } from '../../api/queries.ts';
import { isEmailAddress } from '../../kit/email.tsx';
import { useFieldWords } from '../../kit/field-words.tsx';
import { Form, FormPart } from '../../kit/form/form.tsx';
import { CompanyField } from '../../kit/form/search-fields.tsx';
import { useAction } from '../../kit/form/use-action.ts';
import { useFields } from '../../kit/form/use-fields.ts';
import { useCompany } from '../../kit/navigation/company.tsx';
import { CancelLink } from '../../kit/navigation/link-button.tsx';
import { Page } from '../../kit/navigation/page.tsx';
import { confirmDone } from '../../kit/overlay/toasts.tsx';
import {
  changesIn,
  EmployeeFields,
  type EmployeeValues,
  emptyEmployee,
  useProblems,
} from './employee-fields.tsx';
import { employeeChanges, employeeRejected } from './words.tsx';
import { TextField } from '../../kit/form/limited-fields.tsx';

interface Values extends EmployeeValues, Record<string, unknown> {
  readonly email: string;
  readonly company: string;
}

/** Creates an employee of a company. */
export function NewEmployeePage() {
  const { t } = useLingui();
  return (
    <Page title={t`Create employee`} back={{ to: '/employees', name: t`Employees` }}>
      <CreateForm />
    </Page>
  );
}

function CreateForm() {
  const { t } = useLingui();
  const words = useFieldWords();
  const navigate = useNavigate();
  const problemsIn = useProblems();
  const chosen = useCompany();
  const companies = useQuery(tenantsQuery).data?.items ?? [];
  const [only] = companies;
  const [isCreated, setCreated] = useState(false);
  const companyOf = (values: Values) =>
    values.company || chosen || (companies.length === 1 ? only!.id : undefined);
  const action = useAction(
    employeeChanges,
    (values: Values) => {
      const { firstName, lastName } = values;
      const body = {
        ...changesIn(values, emptyEmployee),
        firstName: firstName.trim(),
        lastName: lastName.trim(),
        email: values.email.trim(),
      };
      return ask('POST /employees', { body, tenant: companyOf(values)! }).catch(employeeRejected);
    },
    ({ id }) => {
      setCreated(true);
      confirmDone(t`Employee created`);
      void navigate({ to: '/employees/$id', params: { id }, replace: true, ignoreBlocker: true });
    },
  );
  const { form, submit } = useFields<Values>({
    initialValues: { email: '', company: chosen ?? '', ...emptyEmployee },
    validate: values => ({
      email: !isEmailAddress(values.email) && t`Enter an email address, such as anna@example.com`,
      company: companyOf(values) === undefined && t`Choose a company`,
      ...problemsIn(values),
    }),
    send: action.run,
    action,
  });
  const company = companyOf(form.values);
  return (
    <Form
      onSubmit={submit}
      action={action}
      isDirty={form.isDirty() && !isCreated}
      submit={<Trans>Create employee</Trans>}
      aside={<CancelLink to="/employees" />}
    >
      <FormPart>
        <TextField
          type="email"
          label={words.email}
          description={t`Work address. Connected systems find the person by it.`}
          required
          limit={254}
          autoComplete="off"
          {...form.getInputProps('email')}
        />
        {companies.length > 1 && (
          <CompanyField
            name="company"
            label={words.tenant}
            required
            value={form.values.company || null}
            error={form.errors['company']}
            onChange={id => {
              form.setFieldValue('company', id ?? '');
              // A division of another company does not fit.
              form.setFieldValue('divisionId', '');
            }}
          />
        )}
        <EmployeeFields form={form} company={company ?? null} />
      </FormPart>
    </Form>
  );
}
