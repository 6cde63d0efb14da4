import { Trans, useLingui } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAnswer } from '../../api/answer.ts';
import { type AnswerOf, ask, Rejection } from '../../api/ask.ts';
import { identityQuery } from '../../api/queries.ts';
import type { Language } from '../../i18n.ts';
import { Answered } from '../../kit/answered.tsx';
import { isEmailAddress } from '../../kit/email.tsx';
import { Form, FormPart } from '../../kit/form/form.tsx';
import { useCreation } from '../../kit/form/use-action.ts';
import { useFields } from '../../kit/form/use-fields.ts';
import { CancelLink } from '../../kit/navigation/link-button.tsx';
import { Page } from '../../kit/navigation/page.tsx';
import { LinkDialog } from './link-dialog.tsx';
import { type Entry, sentOf, useMissing, UserFields } from './user-fields.tsx';
import { TextField } from '../../kit/form/limited-fields.tsx';

/** Invites a user and shows the link once. */
export function InvitePage() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const identity = useAnswer(identityQuery);
  const [made, setMade] = useState<AnswerOf<'POST /users'> | null>(null);
  return (
    <Page title={t`Invite user`} back={{ to: '/settings/users', name: t`Users` }}>
      <Answered answer={identity} height={420}>
        {identity =>
          identity && <InviteForm language={identity.user.language} made={setMade} isMade={made !== null} />
        }
      </Answered>
      <LinkDialog
        invited={made}
        done={() =>
          void navigate({
            to: '/settings/users/$id',
            params: { id: made!.id },
            replace: true,
            ignoreBlocker: true,
          })
        }
      />
    </Page>
  );
}

interface Values extends Entry, Record<string, unknown> {
  readonly email: string;
}

interface FormProps {
  /** The language of the inviter, suggested for the user. */
  readonly language: Language;
  readonly made: (user: AnswerOf<'POST /users'>) => void;
  readonly isMade: boolean;
}

function InviteForm({ language, made, isMade }: FormProps) {
  const { t } = useLingui();
  const missingIn = useMissing();
  const making = useCreation(
    'users',
    ({ email, ...entry }: Values) => ask('POST /users', { body: { email: email.trim(), ...sentOf(entry) } }),
    made,
  );
  const { error } = making;
  const isTaken = error instanceof Rejection && error.code === 'DUPLICATE_RESOURCE';
  const { form, submit, change } = useFields<Values>({
    initialValues: {
      email: '',
      name: '',
      language,
      permissions: [],
      hrTenants: [],
    },
    validate: values => ({
      email: !isEmailAddress(values.email) && t`Enter an email address, such as anna@example.com`,
      ...missingIn(values),
    }),
    send: making.run,
    action: making,
  });
  const taken = isTaken && t`Another user already has this email address.`;
  return (
    <Form
      onSubmit={submit}
      action={{ ...making, error: isTaken ? null : error }}
      isDirty={form.isDirty() && !isMade}
      submit={<Trans>Create invitation</Trans>}
      aside={<CancelLink to="/settings/users" />}
    >
      <FormPart>
        <TextField
          type="email"
          label={t`Email`}
          description={t`Used to sign in. It cannot be changed later.`}
          required
          limit={254}
          autoComplete="off"
          {...form.getInputProps('email')}
          error={form.errors['email'] ?? taken}
        />
        <UserFields entry={form.values} change={change} missing={form.errors} />
      </FormPart>
    </Form>
  );
}
